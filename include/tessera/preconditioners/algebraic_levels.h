#pragma once

#include <tessera/matrix/divided_rows.h>
#include <tessera/matrix/near_null_space.h>
#include <tessera/preconditioners/multigrid.h>
#include <tessera/space/parts.h>

#include <vector>

namespace tessera
{
  /// Options of the aggregation of nodes, for all methods of aggregation.
  struct AggregationOptions
  {
    int n_components = 1; ///< rows of a node, which are aggregated together
    /// Functions that coarse levels represent exactly; if there are none, the
    /// constants of the components. Entries of rows that couple to no other
    /// row, such as rows of given values, count as zero.
    NearNullSpace near_null_space = {};
    /// Entries with |a_ij|^2 <= threshold^2 |a_ii| |a_jj| do not join nodes.
    double threshold = 1e-4;
    /// Levels with at most this many rows are not coarsened further.
    int max_coarsest = 512;
    int max_levels   = 12;
  };

  /// The threshold is halved from level to level. It is for blocks: single
  /// entries are compared with the largest ones of their rows (aggregates.h).
  struct AlgebraicLevelsOptions : AggregationOptions
  {
    /// The prolongation from a first coarser level that does not consist of
    /// aggregates, such as the space of degree 1; null if there is none. Nodes
    /// and near-null space then belong to that level. The prolongation is in
    /// the memory of the backend, and is moved from.
    SparseRows *first = nullptr;
    /// The prolongation is smoothed by P = P_0 - damping / lambda D^-1 A P_0,
    /// where lambda is the largest eigenvalue of D^-1 A after `lanczos_steps`
    /// steps of Lanczos's method.
    double damping    = 4. / 3;
    int lanczos_steps = 8;
    /// Keeps the data that `update` needs for new values: a column index for
    /// each entry of A P. Otherwise `update` computes these again.
    bool keeps_patterns = false;
    /// The first level of several parts with at most this many rows is
    /// gathered: from there on all parts make the same levels, which takes 0.03
    /// s for Laplace.
    int max_gathered = 10000;
  };

  /// Throws MatrixError for a matrix with `n_entries` that cannot be
  /// aggregated: one that is not square, empty or not symmetric, or that has a
  /// value which is not finite or a diagonal entry that is not positive. If
  /// nodes are divided among parts, the matrix has the owned rows.
  void
  check_for_aggregation(const RowsView &A, std::int64_t n_entries,
                        Backend backend, const Messages &messages = {},
                        const DividedNodes &nodes = {});

  /// Throws MatrixError: the matrix cannot be aggregated, because of `what`.
  [[noreturn]] void
  refuse_levels(const std::string &what);

  /// Throws MatrixError for a value that is not finite or a diagonal entry that
  /// is not positive. The first row counts as row `first` in the sentence.
  void
  check_entries(const RowsView &A, Backend backend, std::int64_t first = 0);

  /// Throws ParameterError for options that do not fit a matrix.
  void
  check_options(const AggregationOptions &options, int n_rows);

  /// Returns the identity, the prolongation if nothing is coarsened. Throws
  /// MatrixError for more than Multigrid::max_coarsest rows.
  SparseMatrix
  identity_prolongation(int n_rows);

  /// A coarser level on its backend. A block belongs to the functions of an
  /// aggregate.
  struct AlgebraicLevel
  {
    SparseRows prolongation; ///< from this level to the next finer one
    SparseRows restriction;  ///< its transpose
    SparseRows matrix;       ///< restriction * finer matrix * prolongation
    /// The nodes of a level whose rows are divided among parts. Vectors are
    /// [owned | ghosts], and the matrix has the rows of owned nodes.
    DividedNodes nodes;
  };

  /// The coarser levels of a symmetric positive definite matrix by smoothed
  /// aggregation (Vanek, Mandel and Brezina 1996), made where the solve runs:
  /// strong neighbours and aggregates (aggregates.h), the near-null space
  /// orthonormalised on each aggregate, one step of damped Jacobi with the
  /// strong entries, and Galerkin products (sparse_product.h). All of it is
  /// loops over rows, scans and sorts that are written once, and gives the same
  /// bits on both backends and for any number of threads.
  ///
  /// Rows that couple to no other row have no part in coarser levels, nor have
  /// single rows whose largest coupling is less than a hundredth of their
  /// diagonal. If an aggregate is too small for a function, the function gets a
  /// row of the identity. There is at least one coarser level: a matrix with at
  /// most `max_coarsest` rows has the identity as its prolongation.
  ///
  /// A matrix may be divided among parts. Then large levels are divided, too,
  /// and made on the host. Their aggregates do not cross parts, but
  /// prolongations are smoothed with the rows of the whole matrix, and Galerkin
  /// products multiply the whole matrices. The matrix of the first level that
  /// is small enough is gathered, and every part makes the same levels below
  /// it. This level itself stays divided in a cycle; the part has its rows of
  /// the prolongation. A problem that is small as a whole has the same levels
  /// as in one process, up to rounding and the numbering of nodes.
  class AlgebraicLevels
  {
  public:
    /// Makes the levels on a backend, in whose memory the view is. The matrix
    /// has single entries. Throws MatrixError for a matrix that is not square,
    /// empty or not symmetric, that has a value which is not finite or a
    /// diagonal entry that is not positive, and one of more than
    /// Multigrid::max_coarsest rows that cannot be coarsened; ParameterError
    /// for options that do not fit.
    AlgebraicLevels(const RowsView &A, Backend backend,
                    const AlgebraicLevelsOptions &options = {});

    /// Makes the levels of a matrix of the host, which is copied to the backend
    /// meanwhile.
    AlgebraicLevels(const SparseMatrix &A, Backend backend,
                    const AlgebraicLevelsOptions &options = {});

    /// Makes the levels of one of several parts; all parts call it together. A
    /// has single entries, and its ghosts come in whole nodes of
    /// `options.n_components`; the near-null space has the owned rows. `first`
    /// replaces `options.first`: the owned rows of the prolongation from a
    /// coarser level without aggregates, whose rows have the numbers
    /// `first_rows`; null if there is none. Throws the same in all parts.
    AlgebraicLevels(DividedRows A, const OtherParts &others, Backend backend,
                    const AlgebraicLevelsOptions &options       = {},
                    const NumberedRows *first                   = nullptr,
                    const std::vector<std::int64_t> &first_rows = {});

    /// Computes the matrices of all levels for other values of the same
    /// pattern, as in a time step or a Newton iteration, and keeps the
    /// prolongations. This works in one process.
    void
    update(const RowsView &A);

    void
    update(const SparseMatrix &A);

    Backend
    backend() const
    {
      return where;
    }

    /// The coarser levels, finest first.
    const std::vector<AlgebraicLevel> &
    levels() const
    {
      return coarser;
    }

    /// Returns how many of them are divided among parts. The prolongation of
    /// the next one has the rows of this part.
    int
    n_divided() const
    {
      return n_of_parts;
    }

    /// Returns how vectors of several parts are exchanged and summed, or null.
    const std::shared_ptr<const Transport> &
    transport() const
    {
      return others.transport;
    }

    /// Returns the nonzeros of all levels per nonzero of the finest one, in the
    /// whole matrices.
    double
    operator_complexity() const
    {
      return complexity;
    }

    /// Returns the seconds that the set-up or the last update took.
    double
    seconds() const
    {
      return set_up_seconds;
    }

    /// Copies the levels to the host.
    MultigridLevels
    to_host() const;

  private:
    /// The level that is coarsened next.
    struct Finer;

    void
    make(Finer finer, const NumberedRows *first = nullptr,
         const std::vector<std::int64_t> &first_rows = {});

    /// Begins with blocks of nodes and the modes of their rows.
    void
    begin_aggregates(Finer &finer);

    /// Places the matrix in blocks if its nodes have several rows.
    void
    place_blocks(Finer &finer, int block);

    /// Adds a level of aggregates. Returns false if nothing can be joined.
    bool
    add_aggregates(Finer &finer);

    void
    add_level(Finer &finer, SparseRows P);

    void
    add_divided_level(Finer &finer, const NumberedRows &P,
                      const std::vector<std::int64_t> &first, int group);

    /// Ends the levels that are divided.
    void
    gather(Finer &finer);

    /// Leaves the rows of this part where a level was gathered, and brings the
    /// levels to the backend.
    void
    finish_divided(const Finer &finer);

    int
    n_levels() const
    {
      return static_cast<int>(coarser.size());
    }

    /// Keeps the pattern of A P for the next update if `keeps_patterns` is set.
    void
    keep_pattern(SparseRows &half) const
    {
      if (!options.keeps_patterns)
        half = {};
      half.values = {};
    }

    Backend where;
    AlgebraicLevelsOptions options;
    OtherParts others;
    std::vector<AlgebraicLevel> coarser;
    std::vector<SparseRows> halves; ///< A P, or empty
    SparseRows blocks; ///< of the matrix that is aggregated first, or empty
    int n_given                  = 0; ///< levels without aggregates
    int n_of_parts               = 0; ///< levels that are divided
    std::int64_t finest_nonzeros = 0; ///< of this part
    double complexity = 0, set_up_seconds = 0;
  };
} // namespace tessera
