#include "mesh_cases.h"

#include <tessera/fem/bridge/flatten.h>

#include <deal.II/fe/fe_values.h>

#include <utility>

// deal.II is the oracle of curved meshes that arrays refine, and of the maps of
// their cells.
namespace
{
  using namespace tessera;
  using namespace tessera::test;

  template <int dim>
  void
  make(Mesh<dim> &mesh, const GridExample &grid, const int levels,
       const std::string &refined_by)
  {
    MeshParameters parameters;
    parameters.set("Mesh/Dimension", std::to_string(dim));
    parameters.set("Mesh/Grid name", grid.name);
    parameters.set("Mesh/Grid arguments", grid.arguments);
    parameters.set("Mesh/Initial refinement", std::to_string(levels));
    parameters.set("Mesh/Refined by", refined_by);
    make_mesh(mesh, parameters);
  }

  /// Expects that a part of a mesh has the map that its cells have in the whole
  /// one.
  template <int dim>
  void
  check_part(const Mesh<dim> &mesh, const Mesh<dim> &whole)
  {
    std::vector<int> cells;
    for (int cell = 1; cell < mesh.n_cells(); cell += 3)
      cells.push_back(cell);
    dealii::Triangulation<dim> part;
    mesh.triangulate(part, cells);
    const auto fe      = make_element<dim>(mesh.cell_type(), 1);
    const auto rule    = cell_quadrature<dim>(mesh.cell_type(), 1);
    const auto mapping = mesh.make_mapping(3);
    dealii::FEValues<dim> a(*mapping, *fe, rule,
                            dealii::update_quadrature_points |
                              dealii::update_jacobians),
      b(*mapping, *fe, rule,
        dealii::update_quadrature_points | dealii::update_jacobians);
    auto cell = part.begin_active();
    for (const auto &in_whole : whole.triangulation().active_cell_iterators())
      if (in_whole->active_cell_index() % 3 == 1)
        {
          a.reinit(cell);
          b.reinit(in_whole);
          const double size = in_whole->diameter();
          for (unsigned int q = 0; q < rule.size(); ++q)
            {
              ASSERT_LT(a.quadrature_point(q).distance(b.quadrature_point(q)),
                        1e-9 * size);
              for (int d = 0; d < dim; ++d)
                ASSERT_LT((a.jacobian(q)[d] - b.jacobian(q)[d]).norm(),
                          1e-8 * size);
            }
          ++cell;
        }
  }

  template <int dim>
  void
  check_grids()
  {
    int n_curved = 0;
    for (const GridExample &grid : grid_examples(dim))
      {
        SCOPED_TRACE(grid.name + ", " + std::to_string(dim));
        for (const int levels : {1, 2})
          {
            Mesh<dim> ours, other;
            const auto error_by = [&](Mesh<dim> &mesh, const std::string &way) {
              return error_of([&]() { make(mesh, grid, levels, way); });
            };
            const std::string error = error_by(ours, "arrays");
            if (!ours.curved)
              break;
            ++n_curved;
            EXPECT_EQ(error, error_by(other, "deal.II"));
            if (!error.empty())
              {
                expect_contains(error, "inverted or degenerate cell, number");
                break;
              }
            EXPECT_TRUE(ours.is_coarser());
            EXPECT_FALSE(other.is_coarser());
            const auto a = ours.arrays(), b = other.arrays();
            ASSERT_EQ(a->n_cells(), b->n_cells());
            ASSERT_EQ(a->n_vertices(), b->n_vertices());
            EXPECT_EQ(a->materials.to_vector(), b->materials.to_vector());
            EXPECT_EQ(ours.boundary_ids(), other.boundary_ids());
            double farthest = 0;
            for (std::size_t i = 0; i < a->corners.size(); ++i)
              for (int d = 0; d < dim; ++d)
                farthest = std::max(
                  farthest,
                  std::abs(
                    a->vertices
                      .data()[std::size_t(a->corners.data()[i]) * dim + d] -
                    b->vertices
                      .data()[std::size_t(b->corners.data()[i]) * dim + d]));
            EXPECT_LT(farthest, 1e-10);
            // The transfinite map of this grid is another one in a part of the
            // mesh, by up to half a percent of a cell. Errors of solutions are
            // alike on both.
            if (grid.name != "eccentric_hyper_shell" || dim == 2)
              check_part(ours, other);
            std::as_const(ours).triangulation(); // are the same cells
          }
      }
    EXPECT_GE(n_curved, 20);
  }

  TEST(MeshManifolds, VerticesAndMapsAreThoseOfDealII)
  {
    check_grids<2>();
    check_grids<3>();
  }
} // namespace
