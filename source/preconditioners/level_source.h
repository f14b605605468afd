#pragma once

#include <tessera/matrix/place_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/algebraic_levels.h>

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

  /// The matrices of levels on the backend. The first ones may be divided among
  /// parts; all parts have the others.
  template <class Number>
  struct LevelsOfBackend
  {
    explicit LevelsOfBackend(const std::vector<AlgebraicLevel> &levels)
      : levels(levels)
    {}

    explicit LevelsOfBackend(const AlgebraicLevels &given)
      : levels(given.levels()), transport(given.transport())
    {
      for (int l = 0; l < given.n_divided(); ++l)
        {
          Space nodes;
          nodes.n_owned = n_rows(l);
          tails.push_back(std::make_shared<const GhostTail<Number>>(
            nodes,
            entries_of_nodes(levels[l].nodes.shared,
                             levels[l].matrix.row_block),
            *transport, given.backend()));
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
      return static_cast<int>(levels.size());
    }

    int
    n_rows(const int coarser) const
    {
      const SparseRows &rows = levels[coarser].matrix;
      return rows.n_rows * rows.row_block;
    }

    int
    n_ghosts(const int coarser) const
    {
      const SparseRows &rows = levels[coarser].matrix;
      return rows.n_columns * rows.column_block - n_rows(coarser);
    }

    std::shared_ptr<const Tail<Number>>
    ghosts(const int coarser) const
    {
      return coarser < n_divided() ? tails[coarser] : nullptr;
    }

    LevelOperator<Number>
    make_operator(const int coarser, const std::string &name) const
    {
      auto result = store(levels[coarser].matrix, name, n_ghosts(coarser));
      if (coarser < n_divided())
        {
          result->set_tail(
            std::make_shared<const ImportedGhosts<Number>>(tails[coarser]), 0,
            nullptr, nullptr);
          result->set_parts({transport, tails[coarser]});
        }
      return result;
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

  private:
    const std::vector<AlgebraicLevel> &levels;
    std::shared_ptr<const Transport> transport;
    std::vector<std::shared_ptr<const GhostTail<Number>>> tails;
  };
} // namespace tessera
