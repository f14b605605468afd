#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/coarser_space.h>
#include <tessera/space/interpolation_tables.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <utility>

#include "coarser_space.cuh"

namespace tessera
{
  using namespace internal;

  namespace
  {
    constexpr int lanes = LatticeMap::lanes;

    /// Returns the values of the functions of a cell at the nodes of its
    /// lattice, [nodes][lattice]: products of the values in one direction.
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
    places_of_nodes(const Array<int> &nodes, const Space &space)
    {
      const Backend backend = nodes.backend();
      const auto n          = static_cast<std::int64_t>(nodes.size());
      Array<int> groups(backend, nodes.size());
      const int n_free = space.n_owned + space.n_ghosts;
      for_each(backend, n, FreeGroups{nodes.data(), n_free, groups.data()});
      return algorithms::group(backend, groups.data(), n, n_free);
    }

    constexpr int shift = 5;
    static_assert(1 << shift == lanes, "the lanes of a device");

    /// Makes the coarser cells of which `nodes` says where they are.
    CoarserCells
    make(const CellData<double> &finer, FinerNodes nodes,
         const std::vector<double> &embedding, const GhostsOfPart *const part)
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
      for_each(device, nodes.n_cells, OwnNodes{nodes, rank.data()});
      for_each(device, nodes.n_cells,
               MarkKeys{nodes, rank.data(), keys.data(), is_key.data()});
      Array<std::int64_t> number(device, std::size_t(n_local) + 1);
      algorithms::exclusive_scan(device, is_key.data(), number.data(), n_local);
      Array<std::int64_t> keys_before(device, 3);
      for_each(device, 3,
               KeysBefore{number.data(),
                          {space.n_owned, nodes.before.n_free, n_local},
                          keys_before.data()});
      const auto n_keys  = keys_before.to_vector();
      const auto n_owned = n_keys[0], n_free = n_keys[1], n_all = n_keys[2];
      if (n_owned == 0 && part == nullptr)
        return {};

      auto coarser            = std::make_shared<Space>();
      coarser->cell_type      = space.cell_type;
      coarser->degree         = nodes.degree;
      coarser->numbering      = space.numbering;
      coarser->n_owned        = static_cast<int>(n_owned);
      coarser->n_ghosts       = static_cast<int>(n_free - n_owned);
      coarser->n_constrained  = static_cast<int>(n_all - n_free);
      coarser->n_device_cells = nodes.n_cells;
      if (part != nullptr)
        {
          if (nodes.n_children == 1)
            coarser->n_interior_cells = space.n_interior_cells;
          const Array<int> exchanged(
            device, exchanged_nodes(part->shared, space.n_owned));
          Array<int> found(device, exchanged.size());
          if (found.size() > 0)
            for_each(
              device, std::int64_t(found.size()),
              FindCoarser{exchanged.data(), number.data(), found.data()});
          result.shared =
            coarser_exchange(part->shared, found.to_vector(), coarser->n_owned);
        }

      const auto &finer_vertices =
        finer.shared_vertices() ? finer.shared_vertices() : finer.shared_dofs();
      std::shared_ptr<Array<double>> points;
      if (nodes.degree == 1)
        points =
          std::make_shared<Array<double>>(device, n_all * coarser->dim());
      for_each(device, in_cells(1),
               NumberKeys{nodes, rank.data(), number.data(),
                          coarser->padding_index(), keys.data(),
                          finer_vertices->data(),
                          finer.shared_coordinates()->data(),
                          points ? points->data() : nullptr});
      result.map.lattice = Array<int>(device, in_cells(nodes.n_lattice));
      for_each(device, in_cells(1),
               WriteLattice{nodes, rank.data(), space.n_owned,
                            result.map.lattice.data()});
      result.map.places = places_of_nodes(keys, *coarser);
      result.map.nodes  = std::make_shared<const Array<int>>(std::move(keys));
      result.cells      = std::make_shared<const CellData<double>>(
        std::move(coarser), result.map.nodes,
        nodes.degree == 1 ? nullptr : finer.shared_vertices(),
        points ? std::shared_ptr<const Array<double>>(points)
                    : finer.shared_coordinates());
      internal::finish_arrays(device);
      return result;
    }
  } // namespace


  FinerNodes
  internal::finer_nodes(const Space &finer, const int degree,
                        const int n_children, const int *const dofs,
                        const int *const places, const int shift,
                        const int *const at_owner)
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
            places,
            {finer.n_owned, finer.n_owned + finer.n_ghosts, at_owner}};
  }


  std::vector<int>
  internal::exchanged_nodes(const SharedNodes &shared, const int n_owned)
  {
    std::vector<int> nodes = shared.owned;
    for (const int ghost : shared.ghost)
      nodes.push_back(n_owned + ghost);
    return nodes;
  }


  SharedNodes
  internal::coarser_exchange(const SharedNodes &finer,
                             const std::vector<int> &coarser, const int n_owned)
  {
    // Both sides of a message leave out the same nodes.
    const auto keep = [](const Envelopes &from, const int *const nodes,
                         const int first, Envelopes &to,
                         std::vector<int> &kept) {
      to.start = {0};
      for (std::size_t k = 0; k < from.part.size(); ++k)
        {
          for (int i = from.start[k]; i < from.start[k + 1]; ++i)
            if (nodes[i] >= 0)
              kept.push_back(nodes[i] - first);
          if (static_cast<int>(kept.size()) == to.start.back())
            continue;
          to.part.push_back(from.part[k]);
          to.start.push_back(static_cast<int>(kept.size()));
        }
    };
    SharedNodes result;
    keep(finer.to, coarser.data(), 0, result.to, result.owned);
    keep(finer.from, coarser.data() + finer.owned.size(), n_owned, result.from,
         result.ghost);
    return result;
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
    map.places = places_of_nodes(*map.nodes, space);
    return map;
  }


  bool
  has_coarser_cells(const Space &space)
  {
    return space.geometry == Geometry::vertices && space.n_components == 1;
  }


  namespace
  {
    /// Counts the cells of a part, whose numbers in the mesh are given.
    std::vector<int>
    places_in_part(std::vector<int> numbers)
    {
      int end = 0;
      for (const int number : numbers)
        end = std::max(end, number + 1);
      if (end == static_cast<int>(numbers.size()))
        return numbers;
      std::vector<int> is_in_part(end, 0);
      std::vector<std::int64_t> before(end + std::size_t(1));
      for (const int number : numbers)
        is_in_part[number] = 1;
      algorithms::exclusive_scan(Backend::host, is_in_part.data(),
                                 before.data(), end);
      for (int &number : numbers)
        number = static_cast<int>(before[number]);
      return numbers;
    }
  } // namespace


  std::shared_ptr<const Array<int>>
  places_of_cells(const Space &space, const Backend backend)
  {
    const std::vector<int> order = places_in_part(space.mesh_cell);
    Array<int> copy;
    if (backend == Backend::cuda)
      copy = Array<int>(backend, order);
    auto places = std::make_shared<Array<int>>(backend, order.size());
    for_each(backend, static_cast<std::int64_t>(order.size()),
             InvertOrder{backend == Backend::cuda ? copy.data() : order.data(),
                         places->data()});
    internal::finish_arrays(backend);
    return places;
  }


  CoarserCells
  lower_degree(const CellData<double> &finer, const int degree,
               std::shared_ptr<const Array<int>> places,
               const GhostsOfPart *const part)
  {
    const int p = finer.space().degree;
    Array<int> at_owner;
    if (part != nullptr)
      at_owner = Array<int>(Backend::cuda, part->at_owner);
    CoarserCells result =
      make(finer,
           finer_nodes(finer.space(), degree, 1, finer.shared_dofs()->data(),
                       nullptr, shift, at_owner.data()),
           internal::embedding(finer.space().cell_type, degree,
                               gauss_lobatto_points(p + 1)),
           part);
    result.places = std::move(places);
    return result;
  }


  CoarserCells
  parent_cells(const CellData<double> &finer,
               const std::shared_ptr<const Array<int>> &places,
               const GhostsOfPart *const part)
  {
    const Space &space = finer.space();
    const int n        = space.vertices_per_cell();
    Array<int> at_owner;
    if (part != nullptr)
      at_owner = Array<int>(Backend::cuda, part->at_owner);
    const FinerNodes nodes =
      finer_nodes(space, 1, n, finer.shared_dofs()->data(),
                  places ? places->data() : nullptr, shift, at_owner.data());
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
                internal::embedding(space.cell_type, 1, {0., 0.5, 1.}), part);
  }
} // namespace tessera
