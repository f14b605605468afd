#include <tessera/space/cell_evaluator.h>

#include <type_traits>
#include <utility>

#include "cell_evaluator_kernels.h"
#include "point_tables.h"

namespace tessera
{
  namespace
  {
    template <class Run>
    void
    on_host(const Run &run)
    {
      on_target(Backend::host, [&](const auto target) {
        if constexpr (!std::is_same_v<decltype(target), const Cuda>)
          run(target);
      });
    }
  } // namespace


  CellEvaluator::CellEvaluator(const Space &space, const QuadratureRule &rule,
                               const int n_components)
    : of_cells(space), n_components(n_components)
  {
    PointTables tables = point_tables(space, rule);
    function           = std::move(tables.function);
    map                = std::move(tables.map);
    weights            = std::move(tables.weights);
  }


  CellEvaluator::CellEvaluator(const Space &space, const int n_components)
    : CellEvaluator(space, own_rule(space), n_components)
  {}


  CellEvaluator::Batch
  CellEvaluator::make_batch() const
  {
    const auto array = [](const std::size_t n) {
      return Array<double>(Backend::host, n * lanes);
    };
    const std::size_t nq = n_points(), dim = of_cells.dim(), nc = n_components;
    Batch batch;
    batch.dim       = of_cells.dim();
    batch.n_points  = n_points();
    batch.of_dx     = array(nq);
    batch.points    = array(dim * nq);
    batch.values    = array(nc * nq);
    batch.gradients = array(std::max<std::size_t>(nc, 1) * dim * nq);
    batch.jacobians = array(dim * dim * nq);
    batch.nodes =
      array(std::max({of_cells.dofs_per_cell(), of_cells.vertices_per_cell(),
                      map.n, of_cells.points_per_cell()}));
    batch.scratch =
      Array<double>(Backend::host, std::max(interpolation_scratch(function),
                                            interpolation_scratch(map)));
    return batch;
  }


  void
  CellEvaluator::evaluate(const double *const u, const int b,
                          Batch &batch) const
  {
    const Space &s = of_cells;
    const int dim = s.dim(), nq = n_points(), nc = n_components;
    batch.first         = b * lanes;
    batch.n_cells       = std::min(lanes, s.n_cells() - batch.first);
    double *const nodes = batch.nodes.data();
    // Lanes behind the last cell repeat it.
    const auto gather = [&](const int n, const auto &value) {
      for (int lane = 0; lane < lanes; ++lane)
        {
          const std::size_t cell =
            batch.first + std::min(lane, batch.n_cells - 1);
          for (int i = 0; i < n; ++i)
            nodes[i * lanes + lane] = value(cell * n + i);
        }
    };
    on_host([&](const auto target) {
      for (int k = 0; k < dim; ++k)
        {
          if (s.geometry == Geometry::quadrature)
            gather(s.points_per_cell(),
                   [&](const std::size_t i) { return s.points[i * dim + k]; });
          else
            gather(s.vertices_per_cell(), [&](const std::size_t i) {
              return s.vertices[std::size_t(s.cell_vertices[i]) * dim + k];
            });
          interpolate_on(target, map, nodes,
                         batch.points.data() + k * nq * lanes,
                         batch.jacobians.data() + k * dim * nq * lanes,
                         batch.scratch.data());
        }
      for (int c = 0; c < nc; ++c)
        {
          gather(s.dofs_per_cell(), [&](const std::size_t i) {
            return u[std::size_t(s.cell_dofs[i]) * nc + c];
          });
          interpolate_on(target, function, nodes,
                         batch.values.data() + c * nq * lanes,
                         batch.gradients.data() + c * dim * nq * lanes,
                         batch.scratch.data());
        }
      map_gradients_on(target, dim, nc, weights, batch.jacobians.data(),
                       batch.gradients.data(), batch.of_dx.data());
    });
  }
} // namespace tessera
