#include "cell_meshes.h"
#include "test.h"

#include <tessera/space/cell_data.h>

using namespace tessera;
using namespace tessera::test;

namespace
{
  template <class Number>
  bool
  are_parallelepipeds(const Connectivity &mesh, const Backend backend)
  {
    return CellData<Number>(std::make_shared<const Space>(build_space(mesh)),
                            backend)
      .are_parallelepipeds();
  }

  TEST(BentHexahedra, AreFoundByTheirVertices)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          const auto boxes = [&](const CellType type, const double distortion) {
            return generated_mesh(type, degree, 4, 5, 6, true, distortion);
          };
          const bool asks        = backend == Backend::cuda;
          Connectivity hexahedra = boxes(CellType::hexahedron, 0);
          const auto expect      = [&](const bool expected) {
            EXPECT_EQ(are_parallelepipeds<double>(hexahedra, backend),
                           expected);
            EXPECT_EQ(are_parallelepipeds<float>(hexahedra, backend), expected);
          };
          expect(asks);
          hexahedra = sheared(hexahedra);
          expect(asks);
          hexahedra.geometry = Geometry::vertices;
          expect(asks);
          // Far away coordinates are rounded, and so are the cells.
          for (double &x : hexahedra.vertices)
            x += 1e4;
          expect(asks);

          // One vertex in one direction is enough, in double below the
          // rounding of float, too.
          hexahedra = boxes(CellType::hexahedron, 0);
          hexahedra.vertices[3 * 60 + 1] += 1e-12;
          EXPECT_FALSE(are_parallelepipeds<double>(hexahedra, backend));
          EXPECT_EQ(are_parallelepipeds<float>(hexahedra, backend), asks);
          hexahedra.vertices[3 * 60 + 1] += 1e-3;
          expect(false);
          EXPECT_FALSE(are_parallelepipeds<double>(
            boxes(CellType::hexahedron, 0.1), backend));
          EXPECT_FALSE(are_parallelepipeds<double>(
            boxes(CellType::tetrahedron, 0), backend));
          EXPECT_FALSE(are_parallelepipeds<double>(
            boxes(CellType::quadrilateral, 0), backend));
        }
  }
} // namespace
