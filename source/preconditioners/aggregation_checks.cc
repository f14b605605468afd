#include <tessera/base/algorithms.h>
#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/preconditioners/algebraic_levels.h>

#include <cmath>
#include <numeric>

#include "algebraic_levels.cuh"
#include "divided_aggregates.h"

namespace tessera
{
  namespace
  {
    /// Compares x . A y and y . A x for hashed vectors: their difference, to
    /// which rounding of the entries to float contributes, against what signs
    /// at random make of the terms.
    void
    check_symmetric(const RowsView &A, const std::int64_t n_entries,
                    const Backend backend, const PartExchange &parts)
    {
      const int n = A.n_rows;
      Array<double> x(backend, A.n_columns), y(backend, A.n_columns),
        difference(backend, n), size(backend, n);
      for_each(backend, n, HashedVectors{x.data(), y.data()});
      parts.import(x.data(), 1);
      parts.import(y.data(), 1);
      for_each(backend, n,
               CompareTranspose{A, x.data(), y.data(), difference.data(),
                                size.data()});
      double sums[] = {algorithms::ordered_sum(backend, difference.data(), n),
                       algorithms::ordered_sum(backend, size.data(), n),
                       static_cast<double>(n_entries)};
      for (double &sum : sums)
        parts.sum(&sum);
      if (std::abs(sums[0]) > 1e-4 * sums[1] / std::sqrt(sums[2]))
        refuse_levels("it is not symmetric.");
    }
  } // namespace


  void
  refuse_levels(const std::string &what)
  {
    throw MatrixError("The matrix cannot be aggregated for multigrid: " + what);
  }


  void
  check_entries(const RowsView &A, const Backend backend,
                const std::int64_t first)
  {
    if (A.n_rows == 0)
      return;
    Array<int> fault(backend, A.n_rows);
    Array<double> value(backend, A.n_rows);
    for_each(backend, A.n_rows, CheckRow{A, fault.data(), value.data()});
    if (algorithms::maximum(backend, fault.data(), A.n_rows) == 0)
      return;
    const auto faults = fault.to_vector();
    std::size_t row   = 0;
    while (faults[row] == 0)
      ++row;
    const std::string found = few_digits(value.to_vector()[row]);
    const std::string name  = std::to_string(first + std::int64_t(row));
    if (faults[row] == CheckRow::not_finite)
      refuse_levels("an entry of row " + name + " is " + found + '.');
    refuse_levels("the diagonal entry of row " + name + " is " + found +
                  "; legal are positive ones, and boundary values or "
                  "supports may be missing.");
  }


  void
  check_for_aggregation(const RowsView &A, const std::int64_t n_entries,
                        const Backend backend, const Messages &messages,
                        const DividedNodes &nodes)
  {
    messages.collectively([&]() {
      const bool is_divided = !nodes.first.empty();
      if ((is_divided ? nodes.n_all() : A.n_rows) == 0 ||
          (!is_divided && A.n_rows != A.n_columns))
        refuse_levels(
          "it has " + std::to_string(A.n_rows) + " rows and " +
          std::to_string(A.n_columns) +
          " columns, of which there must be as many and one at least.");
      check_entries(A, backend, is_divided ? nodes.first[nodes.part] : 0);
    });
    check_symmetric(A, n_entries, backend, exchange_of(messages, nodes));
  }


  void
  check_options(const AggregationOptions &options, const int n_rows)
  {
    const NearNullSpace &modes = options.near_null_space;
    const auto require         = [](const bool good, const std::string &why) {
      if (!good)
        throw ParameterError("Aggregation was given " + why);
    };
    require(options.n_components > 0 && n_rows % options.n_components == 0,
            std::to_string(options.n_components) +
              " components of a node, but a matrix of " +
              std::to_string(n_rows) + " rows.");
    require(modes.modes.size() == std::size_t(modes.n) * n_rows,
            std::to_string(modes.modes.size()) + " entries of " +
              std::to_string(modes.n) + " modes, but a matrix of " +
              std::to_string(n_rows) + " rows.");
    require(options.max_levels > 1 && options.max_coarsest > 0 &&
              options.threshold >= 0,
            "less than 2 levels, a coarsest level without unknowns or a "
            "negative threshold.");
    for (const double value : modes.modes)
      require(std::isfinite(value), "a mode that is not finite.");
  }


  SparseMatrix
  identity_prolongation(const int n_rows)
  {
    if (n_rows > Multigrid<double>::max_coarsest)
      refuse_levels("of its " + std::to_string(n_rows) +
                    " rows none are coupled strongly enough; another "
                    "preconditioner suits it.");
    SparseMatrix result;
    result.n_columns = n_rows;
    result.values.assign(n_rows, 1.);
    result.pattern.row_start.resize(n_rows + 1);
    result.pattern.columns.resize(n_rows);
    std::iota(result.pattern.row_start.begin(), result.pattern.row_start.end(),
              0);
    std::iota(result.pattern.columns.begin(), result.pattern.columns.end(), 0);
    return result;
  }
} // namespace tessera
