#pragma once

#include <tessera/matrix/sparse_rows.h>

#include <functional>

namespace tessera
{
  /// Communication that set-up needs if rows belong to one of several parts:
  /// columns are [owned | ghosts], and so are vectors. By default there is one
  /// part.
  struct PartExchange
  {
    /// Sets the n values of each ghost, [n_columns][n] in the memory of the
    /// host, to the values of the owners.
    std::function<void(double *values, int n)> import = [](double *, int) {};
    /// Replaces a value in the memory of the host by its sum over all parts.
    std::function<void(double *value)> sum = [](double *) {};
  };

  /// The nodes of a matrix in aggregates of neighbours.
  struct Aggregates
  {
    int n = 0;
    /// [n_nodes]: the aggregate of a node; `n` for a node that cannot join any
    /// aggregate.
    Array<int> of_node;
    Array<int> roots; ///< [n]: the node at the centre of each aggregate
  };

  /// The quantity with which a coupling is compared.
  enum class StrengthMeasure
  {
    /// |a_ij| with the root of |a_ii| |a_jj|, where |a| is the root of the sum
    /// of squares of a block (Vanek, Mandel and Brezina 1996).
    to_diagonal,
    /// -a_ij with the root of m_i m_j, where m_i is the largest -a_ik of node i
    /// with k != i (Ruge and Stueben 1987, made symmetric), for single entries.
    /// A positive entry is no coupling: bilinear functions on stretched cells
    /// have large positive entries across the direction that couples. A node at
    /// a large coefficient is no strong neighbour of a node surrounded by small
    /// ones; otherwise two such nodes would be joined through it.
    to_largest
  };

  /// The strong neighbours of the nodes of a matrix with square blocks.
  struct StrongGraph
  {
    StrengthMeasure measure = StrengthMeasure::to_largest;
    double threshold        = 0;
    /// [n_columns]: |a_ii|, or m_i, or 1e300 for an m_i that does not count.
    Array<double> sizes;
    Array<std::int64_t> row_start; ///< [n_nodes + 1]
    /// The strong neighbours of a node and the node itself, increasing. A node
    /// without strong neighbours has an empty row; with `to_largest` it lists
    /// itself if m_i > a_ii / 100, and otherwise does not count.
    Array<int> columns;

    int
    n_nodes() const
    {
      return static_cast<int>(row_start.size()) - 1;
    }
  };

  /// Finds the neighbours whose coupling is larger than threshold times the
  /// measure. Ghosts are neighbours, too.
  StrongGraph
  make_strong_graph(const RowsView &A, StrengthMeasure measure,
                    double threshold, Backend backend,
                    const PartExchange &parts = {});

  /// The threshold of `to_largest`: bilinear functions on stretched cells
  /// couple across by 0.25 of their largest coupling.
  constexpr double part_of_largest = 0.3;

  /// Makes aggregates as Bell, Dalton and Olson (2012) do. Their roots are a
  /// maximal independent set of the second power of the graph: no two of them
  /// are neighbours or have a common neighbour. Priorities are hashed from node
  /// and round; the rounds follow Kelley and Rajamanickam (2022). A root and
  /// its neighbours are an aggregate. Remaining nodes make aggregates in the
  /// same way where half of a root's neighbours remain; the others join the
  /// aggregate to which they have the strongest ties: the largest sum of a_ij^2
  /// / |a_jj| or a_ij^2 / m_j. At last, nodes that have only weak couplings
  /// follow their largest one. Aggregates are numbered in the order of their
  /// roots. The result is the same on both backends and for any number of
  /// threads.
  Aggregates
  make_aggregates(const RowsView &A, const StrongGraph &graph);
} // namespace tessera
