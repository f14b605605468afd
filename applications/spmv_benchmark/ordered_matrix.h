#pragma once

#include "matrix_oracle.h"
#include "storage.h"

#include <tessera/base/error.h>
#include <tessera/base/vector.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_market.h>
#include <tessera/matrix/permutation.h>
#include <tessera/matrix/reordering.h>
#include <tessera/operators/operator.h>

#include <memory>

namespace tessera::spmv
{
  /// A matrix in one order, with the reference of its products.
  template <class Number>
  struct OrderedMatrix
  {
    SparseMatrix matrix;
    MatrixOracle oracle;
    Vector<Number> x, y;
    Array<std::int64_t> row_start;
    Array<Number> values; ///< along the pattern
    Array<int> back;      ///< brings vectors to the order given, or empty
    Vector<Number> given; ///< y in that order

    /// Throws MatrixError for values beyond Number, and errors of `reorder`.
    static std::unique_ptr<OrderedMatrix>
    make(const SparseMatrix &A, const Ordering ordering, const Backend backend,
         const std::uint64_t seed)
    {
      check_fits<Number>(A);
      const int n      = A.n_rows();
      const int n_tail = std::max(A.n_columns - n, 0);
      auto result      = std::make_unique<OrderedMatrix>();
      std::vector<int> order;
      if (ordering == Ordering::given)
        result->matrix = A;
      else
        {
          order = order_by_row_length(A.pattern.row_start);
          result->matrix =
            reorder(A, order, ordering == Ordering::by_length_sorted);
        }
      result->oracle = make_matrix_oracle<Number>(result->matrix, seed);
      result->x      = Vector<Number>(backend, n, n_tail);
      result->y      = Vector<Number>(backend, n, n_tail);
      result->x.copy_from(
        std::vector<Number>(result->oracle.x.begin(), result->oracle.x.end()));
      result->row_start =
        Array<std::int64_t>(backend, result->matrix.pattern.row_start);
      result->values = Array<Number>(
        backend, std::vector<Number>(result->matrix.values.begin(),
                                     result->matrix.values.end()));
      if (ordering != Ordering::given)
        {
          result->back  = Array<int>(backend, inverse_permutation(order));
          result->given = Vector<Number>(backend, n, n_tail);
        }
      return result;
    }
  };

  /// Writes x and y = A x, in the order of the matrix that was given, to the
  /// files that have a name. Throws Error if there is no matrix or operator for
  /// them.
  template <class Number>
  void
  write_vectors(OrderedMatrix<Number> *const of,
                const Operator<Number> *const A, const std::string &x_file,
                const std::string &y_file)
  {
    if (x_file.empty() && y_file.empty())
      return;
    if (of == nullptr || A == nullptr)
      throw Error(ExitCode::other,
                  "There is no product to write; the row of "
                  "the record says why.");
    OrderedMatrix<Number> &M = *of;
    const auto write = [&M](const Vector<Number> &v, const std::string &file,
                            const int n) {
      if (file.empty())
        return;
      const bool is_permuted = M.back.size() > 0;
      if (is_permuted)
        permute(M.given, v, M.back);
      const auto values = (is_permuted ? M.given : v).to_vector();
      write_market_vector({values.begin(), values.begin() + n}, file);
    };
    if (!y_file.empty())
      A->vmult(M.y, M.x);
    write(M.x, x_file, M.matrix.n_columns);
    write(M.y, y_file, M.matrix.n_rows());
  }
} // namespace tessera::spmv
