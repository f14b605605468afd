#pragma once

#include <tessera/space/local_entry.h>

#include "../../operators/local_matrices_kernels.h"

#include <cstdint>

// Where the entries of packed cell matrices stand, and the kernels of teams.
namespace tessera
{
  /// The layouts of PackedMatrices.
  enum class CellLayout
  {
    cells,        ///< [n_batches][entry][lanes], all or upper halves
    off_diagonal, ///< the same without blocks of a node with itself
    rows,         ///< a thread has the rows of a node or degree of freedom
    pairs         ///< a thread has a node, and in turn each other one
  };

  /// The most values of a cell's nodes for which there are kernels for
  /// `off_diagonal`: beyond it saves less than 8 %.
  constexpr int most_values_of_differences = 25;

  /// Returns the number of entries of a symmetric cell matrix without the
  /// entries of a node with itself. Component c of node a and component d of
  /// node b have the place (pair n_components + c) n_components + d, where
  /// pairs a < b are counted row by row.
  TESSERA_HOST_DEVICE constexpr int
  n_off_diagonal(const int n_nodes, const int n_components)
  {
    return n_nodes * (n_nodes - 1) / 2 * n_components * n_components;
  }

  /// Returns the place of a pair a < b among the pairs of n nodes.
  TESSERA_HOST_DEVICE constexpr int
  pair_of_nodes(const int n, const int a, const int b)
  {
    return a * n - a * (a + 1) / 2 + b - a - 1;
  }

  /// Threads of a block of teams, and its cells.
  constexpr int team_block = 128;

  /// How teams of threads share the cells of a block. A team of at most a warp
  /// lies within one; larger teams share the block. The cells whose teams lie
  /// side by side are a group, whose values stand together.
  struct TeamShape
  {
    int team; ///< threads of a cell

    TESSERA_HOST_DEVICE bool
    in_warp() const
    {
      return team <= 32;
    }

    /// Returns the number of cells of a group, but for the last of a block.
    TESSERA_HOST_DEVICE int
    cells_of_group() const
    {
      return (in_warp() ? 32 : team_block) / team;
    }

    TESSERA_HOST_DEVICE int
    n_groups() const
    {
      return (team_block - 1) / cells_of_group() + 1;
    }

    /// Returns the number of cells of group g of a block.
    TESSERA_HOST_DEVICE int
    cells_of_group(const int g) const
    {
      const int left = team_block - g * cells_of_group();
      return left < cells_of_group() ? left : cells_of_group();
    }
  };

  /// The rounds of a tournament of n nodes: in round g, node k meets
  /// (2 g - k) mod m, where m is the odd one of n - 1 and n. If n is even, the
  /// node that would meet itself meets node m; otherwise it pauses.
  struct Tournament
  {
    int n;

    TESSERA_HOST_DEVICE int
    n_rounds() const
    {
      return n % 2 == 0 ? n - 1 : n;
    }

    TESSERA_HOST_DEVICE int
    n_pairs() const
    {
      return n / 2;
    }

    /// Returns the partner of node k in round g, or k if it pauses.
    TESSERA_HOST_DEVICE int
    partner(const int g, const int k) const
    {
      const int m = n_rounds();
      if (k == m)
        return g;
      const int other = (2 * g + m - k) % m;
      return other == k && n % 2 == 0 ? m : other;
    }

    /// Returns the place of node k's pair among the pairs of the round.
    TESSERA_HOST_DEVICE int
    pair(const int g, const int k) const
    {
      const int m = n_rounds();
      if (k == m)
        return 0;
      const int distance = (k - g + m) % m;
      const int s        = 2 * distance > m ? m - distance : distance;
      return n % 2 == 0 ? s : s - 1;
    }

    /// Returns the round in which a and b meet.
    TESSERA_HOST_DEVICE int
    round(const int a, const int b) const
    {
      const int m = n_rounds();
      return a == m ? b : b == m ? a : (a + b) * ((m + 1) / 2) % m;
    }
  };

  /// Where the entries of cell matrices stand.
  struct CellPlaces
  {
    CellLayout layout;
    bool halves;
    /// Nodes of a cell and their components; of `rows` by degrees of freedom,
    /// these are the nodes, with one component.
    int n_nodes, n_components;
    int n_stored; ///< values of a cell
    int lanes;

    /// Returns the place of entry (i, j) of a cell, or -1 if it is not stored.
    /// For halves, j must be at least i.
    TESSERA_HOST_DEVICE std::int64_t
    operator()(const std::int64_t cell, const int i, const int j) const
    {
      const int nn = n_nodes, m = n_components;
      if (layout == CellLayout::cells)
        return of_lane(cell, local_entry(halves, nn * m, i, j));
      const bool turned = j % nn < i % nn;
      const int a = (turned ? j : i) % nn, c = (turned ? j : i) / nn;
      const int b = (turned ? i : j) % nn, d = (turned ? i : j) / nn;
      if (layout == CellLayout::off_diagonal)
        return a == b
                 ? -1
                 : of_lane(cell, (pair_of_nodes(nn, a, b) * m + c) * m + d);
      const TeamShape shape{nn};
      const int in_block       = static_cast<int>(cell % team_block);
      const int group          = in_block / shape.cells_of_group();
      const int slot           = in_block % shape.cells_of_group();
      const int n_cells        = shape.cells_of_group(group);
      const std::int64_t first = (cell - slot) * n_stored;
      if (layout == CellLayout::rows)
        return first + (j * m + i / nn) * n_cells * nn + slot * nn + i % nn;
      if (a == b)
        return first + local_entry(true, m, c, d) * n_cells * nn + slot * nn +
               a;
      const Tournament rounds{nn};
      const int round = rounds.round(a, b);
      return first + m * (m + 1) / 2 * n_cells * nn +
             (((round * m + c) * m + d) * n_cells + slot) * rounds.n_pairs() +
             rounds.pair(round, a);
    }

  private:
    TESSERA_HOST_DEVICE std::int64_t
    of_lane(const std::int64_t cell, const int entry) const
    {
      return (cell / lanes * n_stored + entry) * lanes + cell % lanes;
    }
  };

  /// Stores the values of the cells from `first_cell` on, which stand in the
  /// layout of LocalMatrices, in their own places: a functor for the device's
  /// `for_each` over all [n_batches][n][n][lanes].
  template <class Number>
  struct PackCells
  {
    CellPlaces places;
    std::int64_t first_cell;
    const Number *from; ///< [n_batches][n n or n (n + 1) / 2][lanes]
    Number *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t index) const
    {
      const int n     = places.n_nodes * places.n_components;
      const int lane  = static_cast<int>(index % places.lanes);
      const int entry = static_cast<int>(index / places.lanes % (n * n));
      const std::int64_t batch = index / places.lanes / (n * n);
      const int i = entry / n, j = entry % n;
      if (places.halves && j < i)
        return;
      const std::int64_t place =
        places(first_cell + batch * places.lanes + lane, i, j);
      if (place >= 0)
        to[place] = from[source(batch, i, j) + lane];
    }

    /// Returns the place in `from` of entry (i, j) of a batch's first cell.
    TESSERA_HOST_DEVICE std::int64_t
    source(const std::int64_t batch, const int i, const int j) const
    {
      const int n = places.n_nodes * places.n_components;
      return (batch * n_local_entries(places.halves, n) +
              local_entry(places.halves, n, i, j)) *
             places.lanes;
    }
  };

  /// Cell matrices of teams of threads, in the layouts `rows` and `pairs`.
  template <class Number>
  struct TeamValues
  {
    CellPlaces places;
    const Number *values;
    int n_nodes, n_components; ///< of the cells and their nodes
    bool diagonal;             ///< add the diagonals to y instead
  };

  template <class Number>
  void
  apply_teams(const CellApply<Number> &apply, const TeamValues<Number> &teams,
              Stream stream);

  /// Applies cell matrices of which the entries between different nodes are
  /// stored, `off_diagonal`, or adds their diagonals to y, for cells with at
  /// most `most_values_of_differences` values.
  template <class E, class Number, class Stored>
  void
  apply_differences(Cuda, const CellApply<Number> &apply,
                    const LocalValues<Number, Stored> &local, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_differences(Target, const CellApply<Number> &apply,
                    const LocalValues<Number> &local, Stream stream);
} // namespace tessera
