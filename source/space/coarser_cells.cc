#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/interpolation_tables.h>
#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "coarser_coefficient.cuh"
#include "coarser_space.cuh"

namespace tessera
{
  using namespace internal;

  namespace
  {
    constexpr int lanes = LatticeMap::lanes;

    /// Returns the values of the functions of a cell at the nodes of its
    /// lattice, [nodes][lattice]: products of those of one direction.
    std::vector<double>
    values_on_lattice(const CellType type, const int n, const int side,
                      const std::vector<double> &embedding)
    {
      std::vector<double> values;
      for (int i = 0; i < n_nodes(type, n - 1); ++i)
        for (int t = 0; t < n_nodes(type, side - 1); ++t)
          {
            double value = 1;
            for (int d = 0, of_i = i, of_t = t; d < dimension(type);
                 ++d, of_i /= n, of_t /= side)
              value *= embedding[of_t % side * n + of_i % n];
            values.push_back(value);
          }
      return values;
    }

    /// Converts [n_cells][n] to [n_batches][n][lanes] on a backend; what fills
    /// the last batch is `filling`.
    Array<int>
    packed(const std::vector<int> &from, const int n, const int filling,
           const Backend backend)
    {
      const std::int64_t n_cells   = from.size() / n;
      const std::int64_t n_batches = (n_cells + lanes - 1) / lanes;
      auto to = parallel_vector<int>(n_batches * n * lanes);
#pragma omp parallel for schedule(static)
      for (std::int64_t batch = 0; batch < n_batches; ++batch)
        for (int k = 0; k < n; ++k)
          for (int lane = 0; lane < lanes; ++lane)
            {
              const std::int64_t cell = batch * lanes + lane;
              to[(batch * n + k) * lanes + lane] =
                cell < n_cells ? from[cell * n + k] : filling;
            }
      return Array<int>(backend, to);
    }

    algorithms::Groups
    places_of_nodes(const Array<int> &nodes, const int n_owned)
    {
      const Backend backend = nodes.backend();
      const auto n          = static_cast<std::int64_t>(nodes.size());
      Array<int> groups(backend, nodes.size());
      for_each(backend, n, OwnedGroups{nodes.data(), n_owned, groups.data()});
      return algorithms::group(backend, groups.data(), n, n_owned);
    }

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
        counts(backend, 3);
      Array<unsigned int> counters(backend, 4);
      const auto pass = [&](const auto &work) {
        pass_over(backend, cells.n_cells, work,
                  {partial.data(), counters.data(), counts.data(), n_blocks},
                  {});
      };
      if (finer.dim() == 2)
        pass(FindHindrances<CellType::quadrilateral>{
          cells, {}, reacts, vertices, points, shift, found.data()});
      else
        pass(FindHindrances<CellType::hexahedron>{
          cells, {}, reacts, vertices, points, shift, found.data()});
      const auto n          = counts.to_vector();
      result.has_long_cells = 2 * n[0] > cells.n_cells;
      result.hindrance      = n[2] > 0   ? Hindrance::stretched
                              : n[1] > 0 ? Hindrance::jumps
                                         : Hindrance::none;
    }

    constexpr int shift = 5;
    static_assert(1 << shift == lanes, "the lanes of a device");

    /// Makes the coarser cells of which `nodes` says where they are.
    CoarserCells
    make(const CellData<double> &finer, FinerNodes nodes,
         const std::vector<double> &embedding)
    {
      const Space &space   = finer.space();
      const Backend device = Backend::cuda;
      constexpr int block  = CellData<double>::device_threads;
      const auto n_batches =
        (std::int64_t(nodes.n_cells) + block - 1) / block * (block / lanes);
      const auto in_cells = [&](const int n) { return n_batches * n * lanes; };
      const int n_local   = space.padding_index();

      CoarserCells result;
      result.n_children    = nodes.n_children;
      result.map.n_nodes   = nodes.n_nodes;
      result.map.n_lattice = nodes.n_lattice;
      result.map.values = values_on_lattice(space.cell_type, nodes.degree + 1,
                                            nodes.side, embedding);
      Array<int> rank(device, n_local), is_key(device, n_local),
        keys(device, in_cells(nodes.n_nodes));
      for_each(device, in_cells(nodes.n_lattice), OwnNodes{nodes, rank.data()});
      for_each(device, in_cells(nodes.n_nodes),
               MarkKeys{nodes, rank.data(), keys.data(), is_key.data()});
      Array<std::int64_t> number(device, std::size_t(n_local) + 1);
      algorithms::exclusive_scan(device, is_key.data(), number.data(), n_local);
      std::int64_t n_owned = 0, n_all = 0;
      runtime::copy(&n_owned, number.data() + space.n_owned, sizeof n_owned,
                    runtime::Copy::device_to_host);
      runtime::copy(&n_all, number.data() + n_local, sizeof n_all,
                    runtime::Copy::device_to_host);
      if (n_owned == 0)
        return {};

      auto coarser            = std::make_shared<Space>();
      coarser->cell_type      = space.cell_type;
      coarser->degree         = nodes.degree;
      coarser->numbering      = space.numbering;
      coarser->n_owned        = static_cast<int>(n_owned);
      coarser->n_constrained  = static_cast<int>(n_all - n_owned);
      coarser->n_device_cells = nodes.n_cells;

      const auto &finer_vertices =
        finer.shared_vertices() ? finer.shared_vertices() : finer.shared_dofs();
      std::shared_ptr<Array<double>> points;
      if (nodes.degree == 1)
        points =
          std::make_shared<Array<double>>(device, n_all * coarser->dim());
      for_each(device, in_cells(nodes.n_nodes),
               NumberKeys{nodes, rank.data(), number.data(),
                          coarser->padding_index(), keys.data(),
                          finer_vertices->data(),
                          finer.shared_coordinates()->data(),
                          points ? points->data() : nullptr});
      result.map.lattice = Array<int>(device, in_cells(nodes.n_lattice));
      for_each(device, in_cells(nodes.n_lattice),
               WriteLattice{nodes, rank.data(), space.n_owned,
                            result.map.lattice.data()});
      result.map.places = places_of_nodes(keys, coarser->n_owned);
      result.map.nodes  = std::make_shared<const Array<int>>(std::move(keys));
      result.cells      = std::make_shared<const CellData<double>>(
        std::move(coarser), result.map.nodes,
        nodes.degree == 1 ? nullptr : finer.shared_vertices(),
        points ? std::shared_ptr<const Array<double>>(points)
                    : finer.shared_coordinates());
      runtime::synchronize({});
      return result;
    }
  } // namespace


  FinerNodes
  internal::finer_nodes(const Space &finer, const int degree,
                        const int n_children, const int *const dofs,
                        const int *const places, const int shift)
  {
    const int side = n_children > 1 ? 3 : finer.degree + 1;
    return {shift,
            finer.dim(),
            finer.n_cells() / n_children,
            n_children,
            side,
            n_nodes(finer.cell_type, side - 1),
            degree,
            n_nodes(finer.cell_type, degree),
            dofs,
            finer.dofs_per_cell(),
            places};
  }


  std::vector<double>
  internal::embedding(const CellType type, const int degree,
                      const std::vector<double> &points)
  {
    const InterpolationTables tables =
      lagrange_tables(type, gauss_lobatto_points(degree + 1), points);
    std::vector<double> values;
    for (int t = 0; t < tables.m; ++t)
      for (int i = 0; i < tables.n; ++i)
        values.push_back(tables.values[i * tables.m + t]);
    return values;
  }


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


  LatticeMap
  make_lattice_map(const CoarserSpace &coarser, const Backend backend)
  {
    const Space &space = *coarser.space;
    LatticeMap map;
    map.n_nodes   = space.dofs_per_cell();
    map.n_lattice = n_nodes(space.cell_type, coarser.n_lattice - 1);
    map.values    = values_on_lattice(space.cell_type, space.degree + 1,
                                      coarser.n_lattice, coarser.embedding);
    map.lattice   = packed(coarser.lattice, map.n_lattice, -1, backend);
    map.nodes     = std::make_shared<const Array<int>>(
      packed(space.cell_dofs, map.n_nodes, space.padding_index(), backend));
    map.places = places_of_nodes(*map.nodes, space.n_owned);
    return map;
  }


  bool
  has_coarser_cells(const Space &space)
  {
    return space.geometry == Geometry::vertices && space.n_components == 1;
  }


  std::shared_ptr<const Array<int>>
  places_of_cells(const Space &space, const Backend backend)
  {
    const Array<int> numbers(backend, space.mesh_cell);
    auto places = std::make_shared<Array<int>>(backend, numbers.size());
    for_each(backend, static_cast<std::int64_t>(numbers.size()),
             InvertOrder{numbers.data(), places->data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return places;
  }


  CoarserCells
  lower_degree(const CellData<double> &finer, const int degree,
               std::shared_ptr<const Array<int>> places)
  {
    const int p = finer.space().degree;
    CoarserCells result =
      make(finer,
           finer_nodes(finer.space(), degree, 1, finer.shared_dofs()->data(),
                       nullptr, shift),
           internal::embedding(finer.space().cell_type, degree,
                               gauss_lobatto_points(p + 1)));
    result.places = std::move(places);
    return result;
  }


  CoarserCells
  parent_cells(const CellData<double> &finer,
               const std::shared_ptr<const Array<int>> &places)
  {
    const Space &space = finer.space();
    const int n        = space.vertices_per_cell();
    const FinerNodes nodes =
      finer_nodes(space, 1, n, finer.shared_dofs()->data(),
                  places ? places->data() : nullptr, shift);
    if (space.degree != 1 || space.n_cells() % n != 0)
      return {};
    Array<int> misfits(Backend::cuda, nodes.n_cells);
    const double *const points = finer.shared_coordinates()->data();
    if (nodes.dim == 2)
      for_each(
        Backend::cuda, nodes.n_cells,
        FindMisfits<CellType::quadrilateral>{nodes, points, misfits.data()});
    else
      for_each(
        Backend::cuda, nodes.n_cells,
        FindMisfits<CellType::hexahedron>{nodes, points, misfits.data()});
    if (algorithms::maximum(Backend::cuda, misfits.data(), nodes.n_cells) > 0)
      return {};
    return make(finer, nodes,
                internal::embedding(space.cell_type, 1, {0., 0.5, 1.}));
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
      weights.size(), shift);
    cells.n_cells    = coarser.cells->space().n_cells();
    cells.n_children = coarser.n_children;
    cells.children =
      coarser.n_children > 1 && finer_places ? finer_places->data() : nullptr;
    const auto &vertices =
      finer.shared_vertices() ? finer.shared_vertices() : finer.shared_dofs();
    CoarserCoefficient result{of_finer};
    find_hindrance(result, Backend::cuda, finer.space(), cells,
                   vertices->data(), finer.shared_coordinates()->data(), shift);
    if (uniform)
      return result;
    const auto means =
      std::make_shared<PackedCoefficient>(coarser.cells, n, true);
    for_each(Backend::cuda, static_cast<std::int64_t>(means->values().size()),
             MeanOfChildren{cells, weights.data(), shift, means->data()});
    runtime::synchronize({});
    result.mean = {Coefficient::Kind::per_cell, n, {}, means};
    return result;
  }
} // namespace tessera
