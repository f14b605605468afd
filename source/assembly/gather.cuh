#pragma once

#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>

#include "gather_kernels.h"

namespace tessera
{
  /// Threads that share a row, and columns that a thread loads ahead. With one
  /// thread for a row degrees 2, 3 and 4 of hexahedra took 1.7, 2.2 and 2.9
  /// times as long (H200, 2026-11-29).
  template <class E, int n_components>
  constexpr int gather_members = n_components *E::n <= (E::dim == 2 ? 9 : 4) ? 1
                                 : n_components *E::n <= 16                  ? 2
                                 : n_components *E::n <= 32                  ? 4
                                 : n_components *E::n <= 64                  ? 8
                                                            : 16;
  template <class E>
  constexpr int gather_columns = E::dim == 2 ? 4 : 8;

  /// The share of a cell in some columns of a row. `members` threads share the
  /// row; number `member` of them has every members-th column, `size` columns
  /// at a time.
  template <class E, int n_components, int lanes, int members, class Slot,
            class Number>
  struct PartOfRow
  {
    static constexpr int n = E::n, all = n_components * n;
    static constexpr int mine    = (all + members - 1) / members;
    static constexpr int most    = members == 1 ? (mine <= 27   ? mine
                                                   : mine == 64 ? 16
                                                                : 25)
                                                : gather_columns<E>;
    static constexpr int n_parts = (mine + most - 1) / most;
    static constexpr int size    = (mine + n_parts - 1) / n_parts;
    static constexpr Slot none   = static_cast<Slot>(-1);

    Slot slots[size];
    Number values[size];

    /// Loads part `part`. `slots_of_cells` belong to the sink, have 8 or 16
    /// bits and count nodes; `entry` is cell n + node.
    TESSERA_HOST_DEVICE void
    load(const GatherRows<Number> &in, const Slot *const slots_of_cells,
         const int row, const unsigned int entry, const int part,
         const int member)
    {
      constexpr int n_upper    = n_local_entries(true, all);
      const unsigned int cell  = entry / n;
      const int node           = static_cast<int>(entry % n);
      const int i              = row % n_components * n + node;
      const int lane           = static_cast<int>(cell % lanes);
      const std::int64_t batch = cell / lanes;
      const Slot *const of_row =
        slots_of_cells + (batch * n * n + node * n) * lanes + lane;
      const Number *const of_cell =
        in.matrices + batch * n_upper * lanes + lane;
      TESSERA_UNROLL_BY(size)
      for (int c = 0; c < size; ++c)
        {
          const int j = (part * size + c) * members + member;
          slots[c]    = none;
          if (size * n_parts * members == all || j < all)
            {
              slots[c] =
                read_only(of_row + (n_components == 1 ? j : j % n) * lanes);
              values[c] = read_only(
                of_cell + lanes * (j < i ? local_entry(true, all, j, i)
                                         : local_entry(true, all, i, j)));
            }
        }
    }

    /// Calls `add(slot, value)` for all columns.
    template <class Add>
    TESSERA_HOST_DEVICE void
    add_to(const Add &add, const int part, const int member) const
    {
      TESSERA_UNROLL_BY(size)
      for (int c = 0; c < size; ++c)
        if (slots[c] != none)
          add(n_components * static_cast<int>(slots[c]) +
                (n_components == 1
                   ? 0
                   : ((part * size + c) * members + member) / n),
              values[c]);
    }
  };
} // namespace tessera
