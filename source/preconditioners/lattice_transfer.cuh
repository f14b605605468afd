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

    TESSERA_HOST_DEVICE static std::int64_t
    place(const std::int64_t cell, const int n, const int k)
    {
      return (cell / lanes * n + k) * lanes + cell % lanes;
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
      constexpr int lanes     = LatticeCells<Number>::lanes;
      const int t             = static_cast<int>(i / lanes % cells.n_lattice);
      const std::int64_t cell = i / lanes / cells.n_lattice * lanes + i % lanes;
      for (int c = 0; c < cells.n_components; ++c)
        {
          const std::int64_t entry =
            static_cast<std::int64_t>(node) * cells.n_components + c;
          if (cells.is_fixed != nullptr && cells.is_fixed[entry] != 0)
            continue;
          Number sum = 0;
          for (int k = 0; k < cells.n_nodes; ++k)
            if (const Number value = cells.values[k * cells.n_lattice + t];
                value != 0)
              sum +=
                value *
                coarse[static_cast<std::int64_t>(
                         cells.nodes[cells.place(cell, cells.n_nodes, k)]) *
                         cells.n_components +
                       c];
          x[entry] += sum;
        }
    }
  };

  /// b = P^T r at entry i: the sum over the places of its node in cells, and
  /// over the lattices there. Moves r and 4 bytes for each of these places; a
  /// lattice is read again for each of its nodes, from caches.
  template <class Number>
  struct RestrictLattice
  {
    LatticeCells<Number> cells;
    const std::int64_t *start; ///< [n_owned + n_ghosts + 1]
    const int *places;         ///< in `nodes` of the cells
    const Number *r;
    Number *b;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t node = i / cells.n_components;
      const int c             = static_cast<int>(i % cells.n_components);
      Number sum              = 0;
      for (std::int64_t m = start[node]; m < start[node + 1]; ++m)
        {
          constexpr int lanes = LatticeCells<Number>::lanes;
          const int in_lane   = places[m] / lanes; // batch n_nodes + node
          const std::int64_t cell =
            in_lane / cells.n_nodes * static_cast<std::int64_t>(lanes) +
            places[m] % lanes;
          const Number *const values =
            cells.values + in_lane % cells.n_nodes * cells.n_lattice;
          for (int t = 0; t < cells.n_lattice; ++t)
            {
              const Number value = values[t];
              if (value == 0)
                continue;
              const int from =
                cells.lattice[cells.place(cell, cells.n_lattice, t)];
              if (from < 0)
                continue;
              const std::int64_t entry =
                static_cast<std::int64_t>(from) * cells.n_components + c;
              if (cells.is_fixed == nullptr || cells.is_fixed[entry] == 0)
                sum += value * r[entry];
            }
        }
      b[i] = sum;
    }
  };
} // namespace tessera
