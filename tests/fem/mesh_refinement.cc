#include "mesh_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace
{
  using namespace tessera;
  using namespace tessera::test;

  /// Children have at most three shapes, so the worst cell occurs in the first
  /// or the second refinement. Ids and the volume must be kept.
  TEST(Refinement, TetrahedraKeepTheirShape)
  {
    auto parameters = file_parameters(meshes + "box_tetrahedron_22_text.msh");
    std::map<dealii::types::boundary_id, std::size_t> n_faces;
    std::map<dealii::types::material_id, std::size_t> n_cells;
    double worst[4];
    for (int level = 0; level < 4; ++level)
      {
        parameters.set("Mesh/Initial refinement", std::to_string(level));
        Mesh<3> mesh;
        make_mesh(mesh, parameters);
        EXPECT_NEAR(measure(mesh), 1., 1e-10);
        std::map<dealii::types::boundary_id, std::size_t> faces;
        std::map<dealii::types::material_id, std::size_t> cells;
        worst[level] = 1.;
        for (const auto &cell : mesh.triangulation.active_cell_iterators())
          {
            ++cells[cell->material_id()];
            std::vector<dealii::Point<3>> corners;
            for (const unsigned int v : cell->vertex_indices())
              corners.push_back(cell->vertex(v));
            worst[level] = std::min(
              worst[level], cell_quality<3>(CellType::tetrahedron, corners));
            for (const auto &face : cell->face_iterators())
              if (face->at_boundary())
                ++faces[face->boundary_id()];
          }
        if (level > 0)
          {
            for (auto &[id, n] : n_faces)
              n *= 4;
            for (auto &[id, n] : n_cells)
              n *= 8;
            EXPECT_EQ(faces, n_faces);
            EXPECT_EQ(cells, n_cells);
          }
        n_faces = faces;
        n_cells = cells;
        EXPECT_EQ(mesh.material_names.at("copper"), std::set<unsigned int>{21});
      }
    EXPECT_GT(n_faces.size(), 1u);
    EXPECT_GT(n_cells.size(), 1u);
    EXPECT_GT(worst[1], 0.5 * worst[0]);
    EXPECT_NEAR(worst[3], worst[2], 1e-10);
  }
} // namespace
