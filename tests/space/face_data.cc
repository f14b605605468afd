#include <tessera/space/face_data.h>

#include "boundary.h"
#include "test.h"

#include <set>

namespace tessera
{
  using namespace test;

  TEST(BoundarySpace, HasTheIndicesOfTheCells)
  {
    for (const BoundaryCase &c : boundary_cases())
      {
        SCOPED_TRACE(c.name);
        const Space cells = build_space(c.mesh);
        const Space space = make_boundary_space(cells, c.faces, c.faces.mass);
        EXPECT_EQ(space.cell_type, face_type(cells.cell_type));
        EXPECT_EQ(space.degree, cells.degree);
        EXPECT_EQ(space.n_owned, cells.n_owned);
        EXPECT_EQ(space.n_tail(), cells.n_tail());
        const std::size_t n = space.dofs_per_cell();
        ASSERT_EQ(space.cell_dofs.size(), n * space.n_cells());
        std::set<int> kept;
        for (int f = 0; f < space.n_cells(); ++f)
          {
            bool owned = true;
            for (std::size_t i = 0; i < n; ++i)
              {
                const int local = space.cell_dofs[n * f + i];
                EXPECT_EQ(cells.mesh_dof.at(local),
                          c.faces.dofs[n * space.mesh_cell[f] + i]);
                owned = owned && local < cells.n_owned;
              }
            EXPECT_EQ(owned, f < space.n_interior_cells);
            kept.insert(space.mesh_cell[f]);
          }
        for (int f = 0; f < c.faces.n_faces(); ++f)
          EXPECT_EQ(kept.count(f), f % 5 == 4 ? 0u : 1u);
      }
  }

  TEST(BoundarySpace, NoFacesAreASpaceWithoutCells)
  {
    const Space cells =
      build_space(generated_mesh(CellType::hexahedron, 2, 2, 2, 2));
    const Space space = make_boundary_space(cells, {}, {});
    EXPECT_EQ(space.n_cells(), 0);
    EXPECT_EQ(space.cell_type, CellType::quadrilateral);
    EXPECT_EQ(space.n_local(), cells.n_local());
  }

  TEST(BoundarySpace, WhatDoesNotFitIsRefused)
  {
    const BoundaryCase c = boundary_cases().front();
    const Space cells    = build_space(c.mesh);
    const auto make      = [&](const BoundaryFaces &faces,
                          const std::vector<double> &data) {
      return make_boundary_space(cells, faces, data);
    };
    EXPECT_THROW(make(c.faces, {}), std::length_error);
    BoundaryFaces faces = c.faces;
    faces.degree        = 2;
    EXPECT_THROW(make(faces, faces.load), std::length_error);
    faces           = c.faces;
    faces.face_type = CellType::triangle;
    EXPECT_THROW(make(faces, faces.load), std::length_error);
    faces         = c.faces;
    faces.dofs[1] = c.mesh.n_dofs;
    EXPECT_THROW(make(faces, faces.load), std::out_of_range);
  }

  TEST(FaceShapeValues, AreThoseOfTheReferenceCell)
  {
    for (const CellType type :
         {CellType::line, CellType::quadrilateral, CellType::triangle})
      for (int degree = 1; degree <= max_degree(type); ++degree)
        {
          const ReferenceCell cell(type, degree);
          const std::size_t nq = cell.points.size();
          const auto values    = face_shape_values(type, degree);
          ASSERT_EQ(values.size(), cell.n * nq);
          for (int i = 0; i < cell.n; ++i)
            for (std::size_t q = 0; q < nq; ++q)
              EXPECT_NEAR(values[i * nq + q], cell.value(i, cell.points[q]),
                          1e-14)
                << to_string(type) << ", degree " << degree;
        }
  }
} // namespace tessera
