#include "coarser_parts.h"

#include "divided_boxes.h"

// Tests coarser spaces of parts against the one of the whole mesh.
namespace tessera
{
  TEST(CoarserParts, AreThoseOfTheWholeMesh)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : {2, 3, 4})
          for (const int n_components : {1, dimension(type)})
            for (const int n_parts : {1, 2, 3, 4, 7})
              {
                if (is_watched() && degree == 3)
                  continue;
                SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                             ", degree " + std::to_string(degree) + ", " +
                             std::to_string(n_components) + " components, " +
                             std::to_string(n_parts) + " parts");
                const bool plane  = type == CellType::quadrilateral;
                Connectivity mesh = generated_mesh(
                  type, degree, plane ? 7 : 3, plane ? 6 : 3, plane ? 1 : 3);
                // Neighbours see edges and faces from other sides, except where
                // each node of an edge may have other given components.
                mesh = n_components > 1 ? with_components(mesh) : turned(mesh);
                const auto parts = partition(
                  mesh, parts_of(mesh, n_parts, plane ? 24 : 13), n_parts);
                auto whole  = std::make_shared<const Space>(build_space(mesh));
                Level level = finest_level(mesh, parts, *whole, backend);
                for (int p = degree; p > 1; p = (p + 1) / 2)
                  {
                    const CoarserSpace coarser =
                      lower_degree(*whole, (p + 1) / 2);
                    Level next = coarser_level(level, (p + 1) / 2,
                                               *coarser.space, backend);
                    expect_transfers(level, *whole, next, coarser, backend);
                    if (n_components == 1)
                      expect_products(next, coarser.space, backend);
                    whole = coarser.space;
                    level = std::move(next);
                  }
                if (n_parts > 1) // vertices belong to lower parts
                  EXPECT_EQ(level.back().space->n_owned, 0);
              }
  }

  // Parts have all children of each of their cells, twice.
  TEST(CoarserParts, HaveTheirParents)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : {1, 2})
          for (const int n_components : {1, dimension(type)})
            for (const int n_parts : {1, 2, 3, 5})
              {
                SCOPED_TRACE(to_string(backend) + ", " + to_string(type) +
                             ", degree " + std::to_string(degree) + ", " +
                             std::to_string(n_components) + " components, " +
                             std::to_string(n_parts) + " parts");
                const Connectivity mesh =
                  mesh_of_boxes(type, degree, 2, n_components);
                const int n_c = n_vertices(type), n = n_c * n_c;
                std::vector<int> part(mesh.n_cells());
                for (int c = 0; c < mesh.n_cells(); ++c)
                  part[c] = c / n * 7 % n_parts;
                auto whole  = std::make_shared<const Space>(build_space(mesh));
                Level level = finest_level(mesh, partition(mesh, part, n_parts),
                                           *whole, backend);
                for (const int to : {degree - 1, 0, 0})
                  {
                    const CoarserSpace coarser =
                      to > 0 ? lower_degree(*whole, to) : parent_space(*whole);
                    ASSERT_TRUE(coarser.space);
                    Level next =
                      coarser_level(level, to, *coarser.space, backend);
                    expect_transfers(level, *whole, next, coarser, backend);
                    if (n_components == 1)
                      expect_products(next, coarser.space, backend);
                    whole = coarser.space;
                    level = std::move(next);
                    if (whole->n_cells() * n == mesh.n_cells())
                      break;
                  }
              }
  }

  // Cells of which another part has a sibling have no parents.
  TEST(CoarserParts, OfSingleCellsHaveNoParents)
  {
    const Connectivity mesh = mesh_of_boxes(CellType::quadrilateral, 1, 1);
    std::vector<int> part(mesh.n_cells(), 0);
    part[5] = part[8] = part[9] = part[10] = 1;
    const Level level = finest_level(mesh, partition(mesh, part, 2),
                                     Space(build_space(mesh)), Backend::host);
    EXPECT_FALSE(parent_space(*level[1].space, &level[1].ghosts).space);
  }

  TEST(CoarserParts, NeedToKnowTheirGhosts)
  {
    const Connectivity mesh =
      generated_mesh(CellType::quadrilateral, 2, 4, 4, 1);
    const auto parts = partition(mesh, parts_of(mesh, 2, 5), 2);
    EXPECT_THROW(lower_degree(parts[1].space, 1), ParameterError);
    const Connectivity linear =
      generated_mesh(CellType::quadrilateral, 1, 4, 4, 1);
    EXPECT_THROW(
      parent_space(partition(linear, parts_of(linear, 2, 5), 2)[1].space),
      ParameterError);
  }
} // namespace tessera
