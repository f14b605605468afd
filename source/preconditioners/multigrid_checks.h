#pragma once

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/preconditioners/multigrid.h>

#include <string>

// What a multigrid method refuses before it makes anything.
namespace tessera::multigrid_checks
{
  inline std::string
  size_of(const SparseMatrix &matrix)
  {
    return std::to_string(matrix.n_rows()) + " x " +
           std::to_string(matrix.n_columns);
  }

  [[noreturn]] inline void
  refuse(const std::string &sentence)
  {
    throw ParameterError(sentence);
  }

  /// Throws ParameterError unless levels for `n` unknowns fit to A.
  template <class Number>
  void
  check_fit(const int n, const Backend backend, const Operator<Number> &A)
  {
    if (n != A.n_owned())
      refuse("Multigrid was given levels for " + counted(n, "unknown") +
             ", but its operator has " + counted(A.n_owned(), "unknown") + ".");
    if (backend != A.backend())
      refuse("Multigrid was given levels on the backend " + to_string(backend) +
             ", but its operator is on " + to_string(A.backend()) + ".");
  }

  /// Throws ParameterError unless the levels fit to each other and to n
  /// unknowns.
  inline void
  check_sizes(const MultigridLevels &levels, int n)
  {
    const std::size_t n_coarser = levels.matrices.size();
    if (n_coarser == 0 || levels.prolongations.size() != n_coarser)
      refuse("Multigrid was given " +
             std::to_string(levels.prolongations.size()) +
             " prolongations and " + std::to_string(n_coarser) +
             " coarser matrices; legal is one of each for every coarser "
             "level, of which there must be one at least.");
    for (std::size_t l = 0; l < n_coarser; ++l)
      {
        const SparseMatrix &P = levels.prolongations[l];
        const SparseMatrix &A = levels.matrices[l];
        if (P.n_rows() != n || A.n_rows() != P.n_columns ||
            A.n_columns != P.n_columns)
          refuse("Multigrid was given a prolongation of " + size_of(P) +
                 " and a matrix of " + size_of(A) + " on level " +
                 std::to_string(l + 1) + ", but the next finer level has " +
                 counted(n, "unknown") + ".");
        n = P.n_columns;
      }
  }

  inline void
  check_options(const MultigridOptions &options)
  {
    if (options.smoother_degree &&
        (*options.smoother_degree < 1 || *options.smoother_degree > 64))
      refuse("The degree of the smoother of multigrid is " +
             std::to_string(*options.smoother_degree) +
             "; legal are integers from 1 to 64.");
    if (!(options.smoothing_range > 1))
      refuse("The smoothing range of multigrid is " +
             std::to_string(options.smoothing_range) +
             "; legal are numbers above 1.");
  }
} // namespace tessera::multigrid_checks
