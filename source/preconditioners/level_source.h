#pragma once

#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/transpose.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/divided_levels.h>

#include <memory>
#include <string>
#include <type_traits>

#include "../base/convert.cuh"
#include "../matrix/csr_pattern_kernels.h"
#include "level_transfer.h"

// Where Multigrid has its levels from: what a source makes is the operator of
// each coarser level but the last, the transfer to it, and the last matrix.
namespace tessera
{
  template <class Number>
  using LevelOperator = std::unique_ptr<Operator<Number>>;

  template <class Number>
  using Transfer = std::unique_ptr<LevelTransfer<Number>>;

  /// What is known of ghosts where levels are not divided.
  template <class Number>
  struct WholeLevels
  {
    int
    n_divided() const
    {
      return 0;
    }

    int
    n_ghosts(int) const
    {
      return 0;
    }

    /// True if a level has half as many functions in each direction as the
    /// finer one, and cells that are not stretched.
    bool
    is_isotropic(int) const
    {
      return false;
    }

    /// Entries behind the owned ones that the transfer to the last level reads.
    int
    n_tail_of_last() const
    {
      return 0;
    }

    std::shared_ptr<const Tail<Number>>
    ghosts(int) const
    {
      return nullptr;
    }
  };

  /// The matrices of levels on the host, stored by operators of a backend.
  template <class Number>
  struct LevelsOfHost : WholeLevels<Number>
  {
    LevelsOfHost(const MultigridLevels &levels, const Backend backend)
      : levels(levels), backend(backend)
    {}

    const MultigridLevels &levels;
    Backend backend;

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

    LevelOperator<Number>
    make_operator(const int coarser, const std::string &name) const
    {
      return make_row_operator<Number>(name, levels.matrices[coarser], backend);
    }

    Transfer<Number>
    transfer(const int coarser, const std::string &name) const
    {
      const SparseMatrix &P = levels.prolongations[coarser];
      return std::make_unique<RowTransfer<Number>>(
        make_row_operator<Number>(name, P, backend),
        make_row_operator<Number>(name, tessera::transpose(P), backend));
    }

    SparseMatrix
    coarsest() const
    {
      return levels.matrices.back();
    }
  };

  /// The same of levels on the backend.
  template <class Number>
  struct LevelsOfBackend : WholeLevels<Number>
  {
    explicit LevelsOfBackend(const std::vector<AlgebraicLevel> &levels)
      : levels(levels)
    {}

    const std::vector<AlgebraicLevel> &levels;

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

    LevelOperator<Number>
    make_operator(const int coarser, const std::string &name) const
    {
      return store(levels[coarser].matrix, name);
    }

    Transfer<Number>
    transfer(const int coarser, const std::string &name) const
    {
      return std::make_unique<RowTransfer<Number>>(
        store(levels[coarser].prolongation, name),
        store(levels[coarser].restriction, name));
    }

    SparseMatrix
    coarsest() const
    {
      return to_host(levels.back().matrix);
    }

    /// Vectors have `n_tail` entries behind those that have rows.
    static std::unique_ptr<RowOperator<Number>>
    store(const SparseRows &rows, const std::string &name, const int n_tail = 0)
    {
      CsrPattern pattern   = single_entries(rows);
      const auto row_start = row_starts(pattern);
      auto result = make_row_operator<Number>(name, std::move(pattern), n_tail);
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

  /// The tail of a vector whose ghosts are read and never added to.
  template <class Number>
  class ImportedGhosts : public Tail<Number>
  {
  public:
    explicit ImportedGhosts(std::shared_ptr<const Tail<Number>> ghosts)
      : ghosts(std::move(ghosts))
    {}

    void
    import(const Vector<Number> &x, const Stream stream) const override
    {
      ghosts->import(x, stream);
    }

    void
    export_add(Vector<Number> &, Stream) const override
    {}

  private:
    std::shared_ptr<const Tail<Number>> ghosts;
  };

  /// Divided levels, and behind them the ones that all parts have.
  template <class Number>
  struct LevelsOfParts : WholeLevels<Number>
  {
    LevelsOfParts(const DividedLevels &levels, const Backend backend)
      : levels(levels), whole(levels.gathered().levels()), backend(backend)
    {
      for (const DividedLevel &level : levels.divided())
        {
          Space nodes;
          nodes.n_owned = level.matrix.n_rows();
          tails.push_back(std::make_shared<const GhostTail<Number>>(
            nodes, level.shared, *levels.transport(), backend));
        }
    }

    int
    n_divided() const
    {
      return static_cast<int>(tails.size());
    }

    int
    n_coarser() const
    {
      return n_divided() + whole.n_coarser();
    }

    int
    n_rows(const int coarser) const
    {
      return coarser < n_divided() ? levels.divided()[coarser].matrix.n_rows()
                                   : whole.n_rows(coarser - n_divided());
    }

    int
    n_ghosts(const int coarser) const
    {
      return coarser < n_divided() ? levels.divided()[coarser].n_ghosts : 0;
    }

    std::shared_ptr<const Tail<Number>>
    ghosts(const int coarser) const
    {
      return coarser < n_divided() ? tails[coarser] : nullptr;
    }

    LevelOperator<Number>
    make_operator(const int coarser, const std::string &name) const
    {
      if (coarser >= n_divided())
        return whole.make_operator(coarser - n_divided(), name);
      const DividedLevel &level = levels.divided()[coarser];
      auto result               = LevelsOfBackend<Number>::store(
                      SparseRows(level.matrix, backend), name, level.n_ghosts);
      result->set_tail(
        std::make_shared<const ImportedGhosts<Number>>(tails[coarser]), 0,
        nullptr, nullptr);
      result->set_parts({levels.transport(), tails[coarser]});
      return result;
    }

    Transfer<Number>
    transfer(const int coarser, const std::string &name) const
    {
      if (coarser > n_divided())
        return whole.transfer(coarser - n_divided(), name);
      const SparseMatrix &P = coarser < n_divided()
                                ? levels.divided()[coarser].prolongation
                                : levels.last_prolongation();
      return std::make_unique<RowTransfer<Number>>(
        make_row_operator<Number>(name, P, backend),
        make_row_operator<Number>(name, tessera::transpose(P), backend));
    }

    SparseMatrix
    coarsest() const
    {
      return whole.coarsest();
    }

  private:
    const DividedLevels &levels;
    LevelsOfBackend<Number> whole;
    Backend backend;
    std::vector<std::shared_ptr<const GhostTail<Number>>> tails;
  };
} // namespace tessera
