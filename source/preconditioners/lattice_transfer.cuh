#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// What both ways read of the cells of a `CoarserSpace`, 32 cells beside each
  /// other.
  template <class Number>
  struct LatticeCells
  {
    static constexpr int lanes = 32;

    int n_lattice, n_nodes; ///< nodes of the finer and of the coarser space
    int n_components;
    const int *lattice; ///< [n_batches][n_lattice][lanes], -1 for none
    const int *nodes;   ///< [n_batches][n_nodes][lanes]
    /// The values of the coarser functions, [n_nodes][n_lattice].
    const Number *values;
    const unsigned char *is_fixed; ///< of the finer entries; null if none is

    /// Returns the place of component c of a node of a lattice, or -1 if the
    /// cell does not stand for it or the component is given.
    TESSERA_HOST_DEVICE std::int64_t
    entry(const int node, const int c) const
    {
      const std::int64_t place = std::int64_t(node) * n_components + c;
      return node < 0 || (is_fixed != nullptr && is_fixed[place] != 0) ? -1
                                                                       : place;
    }
  };

  /// x += P coarse at place i of the lattices. Moves 4 bytes a place, x twice
  /// and `coarse`, whose indices and values are read from caches.
  template <class Number>
  struct ProlongateLattice
  {
    LatticeCells<Number> cells;
    const Number *coarse;
    Number *x;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int node = cells.lattice[i];
      if (node < 0)
        return;
      // A division of 64 bits takes as long as the rest.
      constexpr int lanes  = LatticeCells<Number>::lanes;
      const auto in_lane   = static_cast<std::uint32_t>(i / lanes);
      const unsigned batch = in_lane / cells.n_lattice;
      const int t = static_cast<int>(in_lane - batch * cells.n_lattice);
      const int *const nodes =
        cells.nodes + std::int64_t(batch) * cells.n_nodes * lanes + i % lanes;
      for (int c = 0; c < cells.n_components; ++c)
        {
          const std::int64_t entry = cells.entry(node, c);
          if (entry < 0)
            continue;
          Number sum = 0;
          for (int k = 0; k < cells.n_nodes; ++k)
            if (const Number value = cells.values[k * cells.n_lattice + t];
                value != 0)
              sum +=
                value *
                coarse[std::int64_t(nodes[k * lanes]) * cells.n_components + c];
          x[entry] += sum;
        }
    }
  };

  /// The contribution of a cell to entry i of P^T r, i a place of `nodes` and a
  /// component: the sum over the lattice. Moves r and 4 bytes a place of the
  /// lattice, which its nodes read from caches.
  template <class Number>
  struct RestrictCell
  {
    LatticeCells<Number> cells;
    const Number *r;
    Number *of_cells; ///< [n_batches][n_nodes][n_components][lanes]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      constexpr int lanes  = LatticeCells<Number>::lanes;
      const auto in_lane   = static_cast<std::uint32_t>(i / lanes);
      const unsigned node  = in_lane / cells.n_components,
                     batch = node / cells.n_nodes;
      const int c = static_cast<int>(in_lane - node * cells.n_components),
                k = static_cast<int>(node - batch * cells.n_nodes);
      const Number *const values = cells.values + k * cells.n_lattice;
      const int *const lattice   = cells.lattice +
                                 std::int64_t(batch) * cells.n_lattice * lanes +
                                 i % lanes;
      Number sum = 0;
      for (int t = 0; t < cells.n_lattice; ++t)
        if (const Number value = values[t]; value != 0)
          if (const auto entry = cells.entry(lattice[t * lanes], c); entry >= 0)
            sum += value * r[entry];
      of_cells[i] = sum;
    }
  };

  /// b = P^T r at entry i: the sum of what its cells contribute, in a fixed
  /// order.
  template <class Number>
  struct SumOfCells
  {
    int n_components;
    const std::int64_t *start; ///< [n_owned + n_ghosts + 1]
    const int *places;         ///< in `nodes` of the cells
    const Number *of_cells;
    Number *b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      constexpr int lanes     = LatticeCells<Number>::lanes;
      const std::int64_t node = n_components == 1 ? i : i / n_components;
      const int c             = static_cast<int>(i - node * n_components);
      Number sum              = 0;
      for (std::int64_t m = start[node]; m < start[node + 1]; ++m)
        {
          const int place = places[m];
          sum +=
            of_cells[(std::int64_t(place / lanes) * n_components + c) * lanes +
                     place % lanes];
        }
      b[i] = sum;
    }
  };
} // namespace tessera
