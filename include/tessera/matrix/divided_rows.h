#pragma once

#include <tessera/base/messages.h>
#include <tessera/matrix/sparse_rows.h>
#include <tessera/space/ghost_tail.h>

#include <algorithm>
#include <cstdint>
#include <vector>

// Matrices whose rows are divided among the parts of a problem; set-up
// makes and multiplies them on the host. All parts call these functions
// together.
namespace tessera
{
  /// The nodes that a part knows: its own nodes and, behind them, ghosts of
  /// other parts. Nodes are numbered through all parts, beginning with the
  /// first part.
  struct DividedNodes
  {
    std::vector<std::int64_t> first;  ///< numbers of each part, [n_parts + 1]
    int part = 0;                     ///< number of this part
    std::vector<std::int64_t> ghosts; ///< numbers of ghosts, [n_ghosts()]
    SharedNodes shared;               ///< for the exchange of values

    int
    n_owned() const
    {
      return static_cast<int>(first[part + 1] - first[part]);
    }

    int
    n_ghosts() const
    {
      return static_cast<int>(ghosts.size());
    }

    std::int64_t
    n_all() const
    {
      return first.back();
    }

    bool
    owns(const std::int64_t number) const
    {
      return number >= first[part] && number < first[part + 1];
    }

    /// Returns the number of a node of this part.
    std::int64_t
    number(const int node) const
    {
      return node < n_owned() ? first[part] + node : ghosts[node - n_owned()];
    }
  };

  /// Rows of blocks whose columns are numbers of nodes.
  struct NumberedRows
  {
    int row_block = 1, column_block = 1;
    std::vector<std::int64_t> row_start = {0}; ///< [n_rows() + 1]
    std::vector<std::int64_t> columns;         ///< increasing along a row
    std::vector<double> values;                ///< ordered as in SparseRows

    int
    n_rows() const
    {
      return static_cast<int>(row_start.size()) - 1;
    }
  };

  /// A divided matrix: every part stores the rows of its own nodes.
  struct DividedRows
  {
    DividedNodes nodes; ///< of the columns
    SparseRows rows;    ///< of owned nodes
  };

  /// Returns the numbers of the nodes of each part.
  std::vector<std::int64_t>
  number_nodes(const Messages &messages, int n_owned);

  /// Agrees with other parts on how the values of ghosts are exchanged. Their
  /// numbers increase.
  DividedNodes
  share_nodes(const Messages &messages, std::vector<std::int64_t> first,
              std::vector<std::int64_t> ghosts);

  /// Sets the n values of each ghost in [owned | ghosts][n] to the values at
  /// its owner.
  template <class T>
  void
  import_values(const Messages &messages, const SharedNodes &shared,
                const int n_owned, T *const values, const int n = 1)
  {
    std::vector<Messages::Bytes> to(messages.n_parts());
    for (std::size_t k = 0; k < shared.to.part.size(); ++k)
      for (int i = shared.to.start[k]; i < shared.to.start[k + 1]; ++i)
        append(to[shared.to.part[k]], values + std::size_t(shared.owned[i]) * n,
               n);
    const auto from = messages.exchange(std::move(to));
    for (std::size_t k = 0; k < shared.from.part.size(); ++k)
      {
        MessageReader reader(from[shared.from.part[k]]);
        for (int i = shared.from.start[k]; i < shared.from.start[k + 1]; ++i)
          reader.read(values + (std::size_t(n_owned) + shared.ghost[i]) * n, n);
      }
  }

  /// Returns rows with the numbers of their columns.
  NumberedRows
  number_columns(const RowsView &rows, const DividedNodes &columns);

  /// Returns the rows of the ghosts from their owners, [n_ghosts].
  NumberedRows
  fetch_rows(const Messages &messages, const SharedNodes &shared,
             const NumberedRows &owned);

  /// Returns the rows of the n_owned nodes of this part: the sums of the
  /// contributions of all parts to [owned | ghosts]. Contributions are added
  /// part by part, so that bits repeat.
  NumberedRows
  sum_rows(const Messages &messages, const SharedNodes &shared, int n_owned,
           const NumberedRows &contributions);

  /// Makes a matrix from its owned rows: finds the ghosts among their columns
  /// and the columns of `others`, in whole groups of `group` nodes.
  DividedRows
  divide_rows(const Messages &messages, const NumberedRows &owned,
              std::vector<std::int64_t> first, int group = 1,
              const NumberedRows *others = nullptr);

  /// Returns rows with the columns [owned | ghosts] of `columns`, in host
  /// memory; `columns` must contain all of them.
  SparseRows
  local_rows(const NumberedRows &rows, const DividedNodes &columns);

  /// Returns the rows of all parts in each part. Throws MatrixError if they are
  /// too many to be numbered by int.
  SparseRows
  gather_rows(const Messages &messages, const NumberedRows &owned,
              std::int64_t n_columns);

  /// The result of a Galerkin product: the prolongation with columns of the
  /// coarser nodes, and the coarser matrix.
  struct DividedProduct
  {
    SparseRows prolongation;
    DividedRows matrix;
  };

  /// Computes P^T A P. A has the rows of owned nodes, as has P, whose columns
  /// are numbered by `first`. Rows of ghosts of A are fetched;
  /// contributions to coarser nodes of other parts are sent there. Rows without
  /// entries get a one on the diagonal. Ghosts come in whole groups.
  DividedProduct
  divided_galerkin_product(const Messages &messages, const RowsView &A,
                           const DividedNodes &nodes, const NumberedRows &P,
                           const std::vector<std::int64_t> &first,
                           int group = 1);
} // namespace tessera
