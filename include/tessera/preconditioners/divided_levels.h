#pragma once

#include <tessera/matrix/divided_rows.h>
#include <tessera/preconditioners/algebraic_levels.h>

#include <memory>
#include <vector>

namespace tessera
{
  struct DividedLevelsOptions : AlgebraicLevelsOptions
  {
    /// The first level with at most this many rows is gathered: from there on
    /// all parts make the same levels, which takes 0.03 s for Laplace.
    int max_gathered = 10000;
  };

  /// A coarser level whose rows are divided among the parts, as matrices on the
  /// host. Vectors are [owned | ghosts].
  struct DividedLevel
  {
    SparseMatrix prolongation; ///< rows of the finer level, columns of this one
    SparseMatrix matrix;       ///< owned rows
    int n_ghosts = 0;
    SharedNodes shared; ///< entries that are exchanged
  };

  /// The coarser levels of a matrix that is divided among parts. Large levels
  /// are divided, too. Their aggregates do not cross parts, but prolongations
  /// are smoothed with the rows of the whole matrix, and Galerkin products
  /// multiply the whole matrices. The matrix of the first level that is small
  /// enough is gathered, and every part makes the same AlgebraicLevels of it.
  /// This level itself stays divided in a cycle; the part has its rows of the
  /// prolongation. A problem that is small as a whole has the same levels as in
  /// one process, up to rounding and the numbering of nodes.
  class DividedLevels
  {
  public:
    /// Makes the levels. All parts call it together. A has single entries, and
    /// its ghosts come in whole nodes of `options.n_components`; the near-null
    /// space has the owned rows. `first` replaces `options.first`: the owned
    /// rows of the prolongation from a coarser level without aggregates. The
    /// rows of that level have the numbers `first_rows`. Null if there is none.
    /// Throws in all parts what AlgebraicLevels throws.
    DividedLevels(const std::shared_ptr<const Messages> &messages,
                  std::shared_ptr<const Transport> transport, DividedRows A,
                  Backend backend, const DividedLevelsOptions &options = {},
                  const NumberedRows *first                   = nullptr,
                  const std::vector<std::int64_t> &first_rows = {});

    /// The divided levels, finest first.
    const std::vector<DividedLevel> &
    divided() const
    {
      return of_parts;
    }

    /// The levels below the one that was gathered, the same in all parts.
    const AlgebraicLevels &
    gathered() const
    {
      return *of_all;
    }

    /// Returns the prolongation to the last divided level, or to the finest
    /// one: the owned rows of the first prolongation of `gathered`.
    const SparseMatrix &
    last_prolongation() const
    {
      return to_divided;
    }

    const std::shared_ptr<const Transport> &
    transport() const
    {
      return carrier;
    }

    /// Returns the nonzeros of all levels per nonzero of the finest one, in the
    /// whole matrices.
    double
    operator_complexity() const
    {
      return complexity;
    }

    /// Returns the seconds that the set-up took.
    double
    seconds() const
    {
      return set_up_seconds;
    }

  private:
    /// The level that is coarsened next, with modes for its owned rows.
    struct State;

    void
    check(const State &finest) const;

    void
    add_level(State &state, const NumberedRows &P,
              const std::vector<std::int64_t> &first, int group);

    /// Adds a level of aggregates. Returns false if nothing can be joined.
    bool
    add_aggregates(State &state);

    void
    gather(const State &state);

    std::shared_ptr<const Messages> messages;
    std::shared_ptr<const Transport> carrier;
    Backend backend;
    DividedLevelsOptions options;
    std::vector<DividedLevel> of_parts;
    std::unique_ptr<AlgebraicLevels> of_all;
    SparseMatrix to_divided;
    double complexity = 0, set_up_seconds = 0;
  };
} // namespace tessera
