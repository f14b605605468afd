#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/matrix/reordering.h>

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera
{
  std::vector<int>
  order_by_row_length(const std::vector<std::int64_t> &row_start,
                      const int window)
  {
    const std::int64_t n = row_start.size() - 1;
    const std::int64_t piece =
      window == 0 ? std::max<std::int64_t>(n, 1) : window;
    const auto length = [&](const int row) {
      return row_start[row + 1] - row_start[row];
    };
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t first = 0; first < n; first += piece)
      std::stable_sort(
        order.begin() + first, order.begin() + std::min(first + piece, n),
        [&](const int a, const int b) { return length(a) > length(b); });
    return order;
  }


  std::vector<int>
  inverse_permutation(const std::vector<int> &permutation)
  {
    const int n = static_cast<int>(permutation.size());
    std::vector<int> inverse(n, -1);
    for (int i = 0; i < n; ++i)
      {
        const int to = permutation[i];
        if (to < 0 || to >= n || inverse[to] >= 0)
          throw ParameterError("An order of " + counted(n, "row") +
                               " is no permutation: " + std::to_string(to) +
                               " at place " + std::to_string(i) +
                               " is not one of them or stands there again.");
        inverse[to] = i;
      }
    return inverse;
  }


  SparseMatrix
  reorder(const SparseMatrix &A, const std::vector<int> &order,
          const bool sorted)
  {
    if (A.n_columns != A.n_rows())
      throw ParameterError("A matrix of " + counted(A.n_rows(), "row") +
                           " and " + counted(A.n_columns, "column") +
                           " cannot be reordered with its vectors, "
                           "which are of different sizes.");
    if (order.size() != std::size_t(A.n_rows()))
      throw ParameterError("An order of " + counted(order.size(), "row") +
                           " was given for a matrix of " +
                           std::to_string(A.n_rows()) + ".");
    const std::vector<int> place = inverse_permutation(order);
    const auto &start            = A.pattern.row_start;
    SparseMatrix result;
    result.n_columns = A.n_columns;
    result.pattern.row_start.assign(1, 0);
    for (const int row : order)
      result.pattern.row_start.push_back(result.pattern.row_start.back() +
                                         start[row + 1] - start[row]);
    result.pattern.columns.resize(A.n_nonzeros());
    result.values.resize(A.n_nonzeros());
    // Memory is allocated here because exceptions cannot leave the threads.
    std::vector<std::vector<std::pair<int, double>>> scratch(
      omp_get_max_threads());
    for (auto &entries : scratch)
      entries.reserve(A.pattern.max_row_length());
#pragma omp parallel
    {
      auto &entries = scratch[omp_get_thread_num()];
#pragma omp for schedule(static)
      for (int i = 0; i < A.n_rows(); ++i)
        {
          entries.clear();
          for (auto k = start[order[i]]; k < start[order[i] + 1]; ++k)
            entries.emplace_back(place[A.pattern.columns[k]], A.values[k]);
          if (sorted)
            std::sort(entries.begin(), entries.end());
          auto to = result.pattern.row_start[i];
          for (const auto &[column, value] : entries)
            {
              result.pattern.columns[to] = column;
              result.values[to++]        = value;
            }
        }
    }
    return result;
  }
} // namespace tessera
