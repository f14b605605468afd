#pragma once

#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/transpose.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/algebraic_levels.h>

#include <memory>
#include <string>
#include <type_traits>

#include "../base/convert.cuh"
#include "../matrix/csr_pattern_kernels.h"

// Where Multigrid has its levels from.
namespace tessera
{
  /// The matrices of levels on the host, stored by operators of a backend.
  template <class Number>
  struct LevelsOfHost
  {
    const MultigridLevels &levels;
    Backend backend;

    using Rows = std::unique_ptr<RowOperator<Number>>;

    int
    n_coarser() const
    {
      return static_cast<int>(levels.matrices.size());
    }

    int
    n_rows(const int coarser) const
    {
      return levels.matrices[coarser].n_rows();
    }

    Rows
    matrix(const int coarser, const std::string &name) const
    {
      return make_row_operator<Number>(name, levels.matrices[coarser], backend);
    }

    Rows
    prolongation(const int coarser, const std::string &name) const
    {
      return make_row_operator<Number>(name, levels.prolongations[coarser],
                                       backend);
    }

    Rows
    restriction(const int coarser, const std::string &name) const
    {
      return make_row_operator<Number>(
        name, transpose(levels.prolongations[coarser]), backend);
    }

    SparseMatrix
    coarsest() const
    {
      return levels.matrices.back();
    }
  };

  /// The same of levels on the backend.
  template <class Number>
  struct LevelsOfBackend
  {
    const std::vector<AlgebraicLevel> &levels;

    using Rows = std::unique_ptr<RowOperator<Number>>;

    int
    n_coarser() const
    {
      return static_cast<int>(levels.size());
    }

    int
    n_rows(const int coarser) const
    {
      const SparseRows &rows = levels[coarser].matrix;
      return rows.n_rows * rows.row_block;
    }

    Rows
    matrix(const int coarser, const std::string &name) const
    {
      return store(levels[coarser].matrix, name);
    }

    Rows
    prolongation(const int coarser, const std::string &name) const
    {
      return store(levels[coarser].prolongation, name);
    }

    Rows
    restriction(const int coarser, const std::string &name) const
    {
      return store(levels[coarser].restriction, name);
    }

    SparseMatrix
    coarsest() const
    {
      return to_host(levels.back().matrix);
    }

    Rows
    store(const SparseRows &rows, const std::string &name) const
    {
      CsrPattern pattern   = single_entries(rows);
      const auto row_start = row_starts(pattern);
      auto result = make_row_operator<Number>(name, std::move(pattern), 0);
      Array<float> rounded;
      if constexpr (std::is_same_v<Number, double>)
        place_values(result->matrix(), row_start, rows.values);
      else
        {
          rounded = Array<float>(rows.backend(), rows.values.size());
          for_each(
            rows.backend(), std::int64_t(rounded.size()),
            Conversion<float, double>{rounded.data(), rows.values.data(), 1.});
          place_values(result->matrix(), row_start, rounded);
        }
      result->values_changed();
      if (rows.backend() == Backend::cuda)
        runtime::synchronize({}); // what was copied from goes away
      return result;
    }
  };
} // namespace tessera
