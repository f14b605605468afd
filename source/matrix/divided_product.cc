#include <tessera/matrix/divided_rows.h>
#include <tessera/matrix/sparse_product.h>

#include "sparse_product.cuh"

#include <utility>

namespace tessera
{
  namespace
  {
    /// Appends rows to others.
    void
    append_rows(NumberedRows &rows, const NumberedRows &behind)
    {
      const std::int64_t first = rows.row_start.back();
      for (int row = 0; row < behind.n_rows(); ++row)
        rows.row_start.push_back(first + behind.row_start[row + 1]);
      rows.columns.insert(rows.columns.end(), behind.columns.begin(),
                          behind.columns.end());
      rows.values.insert(rows.values.end(), behind.values.begin(),
                         behind.values.end());
    }

    SparseRows
    product(const RowsView &A, const RowsView &B, const bool with_diagonal)
    {
      SparseRows C = product_pattern(A, B, Backend::host, with_diagonal);
      multiply(A, B, C);
      return C;
    }
  } // namespace


  DividedProduct
  divided_galerkin_product(const Messages &messages, const RowsView &A,
                           const DividedNodes &nodes, const NumberedRows &P,
                           const std::vector<std::int64_t> &first,
                           const int group)
  {
    NumberedRows contributions;
    SharedNodes shared; // of the coarser nodes that are met here
    {
      NumberedRows of_known = P; // of owned nodes and ghosts of A
      append_rows(of_known, fetch_rows(messages, nodes.shared, P));
      const DividedRows extended = divide_rows(messages, of_known, first);
      SparseRows transposed;
      {
        const SparseRows owned = local_rows(P, extended.nodes);
        transposed             = transpose(owned);
      }
      const SparseRows half = product(A, extended.rows.view(), false);
      contributions         = number_columns(
                product(transposed.view(), half.view(), true).view(), extended.nodes);
      shared = extended.nodes.shared;
    }
    const int n_coarse =
      static_cast<int>(first[messages.part() + 1] - first[messages.part()]);
    DividedProduct result;
    result.matrix =
      divide_rows(messages, sum_rows(messages, shared, n_coarse, contributions),
                  first, group, &P);
    SparseRows &coarse = result.matrix.rows;
    for_each(Backend::host, std::int64_t(coarse.n_rows) * coarse.row_block,
             OneOnEmptyDiagonal{coarse.row_block, coarse.row_start.data(),
                                coarse.columns.data(), coarse.values.data()});
    result.prolongation = local_rows(P, result.matrix.nodes);
    return result;
  }
} // namespace tessera
