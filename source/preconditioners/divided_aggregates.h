#pragma once

#include <tessera/matrix/divided_rows.h>
#include <tessera/preconditioners/aggregates.h>

// What levels of aggregates need besides if their rows are divided among parts.
namespace tessera
{
  /// Returns how a part imports the values of its ghosts, or an exchange with
  /// nobody if nodes are not divided. Both arguments must outlive it.
  PartExchange
  exchange_of(const Messages &messages, const DividedNodes &nodes);

  /// Returns rows of single entries in blocks of b.
  DividedRows
  in_blocks(const Messages &messages, const RowsView &single,
            const DividedNodes &nodes, int b);

  /// Makes aggregates of owned nodes. A node that could only join nodes of
  /// other parts makes one of its own.
  Aggregates
  aggregates_of_part(const RowsView &A, const StrongGraph &graph);

  /// Extends aggregates of owned nodes to ghosts: a ghost has the aggregate
  /// that its owner gave it. Returns the aggregates as nodes of the coarser
  /// level.
  DividedNodes
  know_aggregates(const Messages &messages, const DividedNodes &nodes,
                  Aggregates &aggregates);

  /// Returns the values of all parts, one part after the other.
  std::vector<double>
  gather_all(const Messages &messages, const double *values, std::size_t n);

  /// Returns n rows of a matrix from one on.
  SparseMatrix
  some_rows(const SparseMatrix &matrix, std::int64_t first, int n);
} // namespace tessera
