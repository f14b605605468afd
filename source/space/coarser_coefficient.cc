#include <tessera/base/device_memory.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/point_evaluator.h>
#include <tessera/space/quadrature.h>

#include <numeric>

#include "coarser_coefficient.cuh"

namespace tessera
{
  using namespace internal;

  namespace
  {
    std::vector<double>
    mean_weights(const Space &space, const Coefficient &of)
    {
      if (of.kind != Coefficient::Kind::per_quadrature_point)
        return {1.};
      auto weights     = cell_rule(space.cell_type, space.degree).weights;
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.);
      for (double &weight : weights)
        weight /= sum;
      return weights;
    }

    /// Sets all but the coarser cells.
    FinerCoefficient
    finer_coefficient(const Coefficient &of, const double *const values,
                      const std::size_t n_points, const int shift)
    {
      using Kind  = Coefficient::Kind;
      const int n = of.n_components, n_values = n * int(n_points);
      const bool uniform  = of.kind == Kind::uniform;
      const bool has_many = of.kind == Kind::per_quadrature_point;
      return {
        {values, uniform ? 0 : n_values, has_many ? n : 0, uniform ? 0 : shift},
        int(n_points),
        n,
        0,
        0,
        nullptr};
    }

    /// Sets what a coefficient of coarser cells says of the finer ones.
    void
    find_hindrance(CoarserCoefficient &result, const Backend backend,
                   const Space &finer, const FinerCoefficient &cells,
                   const int *const vertices, const double *const points,
                   const int shift)
    {
      const bool reacts = finer.n_components == 1 &&
                          cells.n_components == n_symmetric(finer.dim()) + 1;
      const int n_blocks = pass_blocks(backend, cells.n_cells);
      Array<unsigned char> found(backend, cells.n_cells);
      Array<double> partial(backend, 3 * std::size_t(n_blocks)),
        sums(backend, 3);
      Array<unsigned int> counter(backend, 1);
      if (finer.dim() == 2)
        for_each(backend, cells.n_cells,
                 FindHindrances<CellType::quadrilateral>{
                   cells, reacts, vertices, points, shift, found.data()});
      else
        for_each(backend, cells.n_cells,
                 FindHindrances<CellType::hexahedron>{
                   cells, reacts, vertices, points, shift, found.data()});
      pass_over(backend, cells.n_cells, CountHindrances{{}, found.data()},
                {partial.data(), counter.data(), sums.data(), n_blocks}, {});
      const auto n        = sums.to_vector();
      result.is_stretched = 2 * n[0] > cells.n_cells;
      result.hindrance    = n[2] > 0   ? Hindrance::stretched
                            : n[1] > 0 ? Hindrance::jumps
                                       : Hindrance::none;
    }

    constexpr int device_shift = 5;
    static_assert(1 << device_shift == LatticeMap::lanes,
                  "the lanes of a device");
  } // namespace


  CoarserCoefficient
  coarser_coefficient(const Coefficient &of_finer, const Space &finer,
                      const CoarserSpace &coarser)
  {
    using Kind = Coefficient::Kind;
    if (of_finer.packed)
      return coarser_coefficient(on_host(of_finer), finer, coarser);
    const auto weights = mean_weights(finer, of_finer);
    FinerCoefficient cells =
      finer_coefficient(of_finer, of_finer.values.data(), weights.size(), 0);
    cells.n_cells    = coarser.space->n_cells();
    cells.n_children = coarser.n_children;
    cells.children   = coarser.children.data();
    CoarserCoefficient result{of_finer};
    find_hindrance(result, Backend::host, finer, cells,
                   finer.cell_vertices.data(), finer.vertices.data(), 0);
    if (of_finer.kind == Kind::uniform)
      return result;
    const int n          = of_finer.n_components;
    const auto n_results = std::int64_t(cells.n_cells) * n;
    result.mean = {Kind::per_cell, n, parallel_vector<double>(n_results)};
    for_each(
      Backend::host, n_results,
      MeanOfChildren{cells, weights.data(), 0, result.mean.values.data()});
    return result;
  }


  CoarserCoefficient
  coarser_coefficient(const Coefficient &of_finer,
                      const CellData<double> &finer,
                      const std::shared_ptr<const Array<int>> &finer_places,
                      const CoarserCells &coarser)
  {
    const bool uniform = of_finer.kind == Coefficient::Kind::uniform;
    const Array<double> weights(Backend::cuda,
                                mean_weights(finer.space(), of_finer));
    const int n = of_finer.n_components;
    Array<double> copy;
    if (uniform)
      copy = Array<double>(Backend::cuda, of_finer.values);
    else if (!of_finer.packed)
      copy = finer.pack(of_finer.values, n * int(weights.size()));
    FinerCoefficient cells = finer_coefficient(
      of_finer,
      of_finer.packed ? of_finer.packed->values().data() : copy.data(),
      weights.size(), device_shift);
    cells.n_cells    = coarser.cells->space().n_cells();
    cells.n_children = coarser.n_children;
    cells.children =
      coarser.n_children > 1 && finer_places ? finer_places->data() : nullptr;
    const auto &vertices =
      finer.shared_vertices() ? finer.shared_vertices() : finer.shared_dofs();
    CoarserCoefficient result{of_finer};
    find_hindrance(result, Backend::cuda, finer.space(), cells,
                   vertices->data(), finer.shared_coordinates()->data(),
                   device_shift);
    if (uniform)
      return result;
    const auto means =
      std::make_shared<PackedCoefficient>(coarser.cells, n, true);
    for_each(
      Backend::cuda, static_cast<std::int64_t>(means->values().size()),
      MeanOfChildren{cells, weights.data(), device_shift, means->data()});
    internal::finish_arrays(Backend::cuda);
    result.mean = {Coefficient::Kind::per_cell, n, {}, means};
    return result;
  }
} // namespace tessera
