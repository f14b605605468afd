#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/preconditioners/polynomial.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// The coarser levels of a problem A_0 x = b as matrices on the host. Level 0
  /// is the problem itself. Its operator is not kept here and may store
  /// nothing. Prolongation l, of n_l rows and n_(l+1) columns, is the matrix
  /// P_l that maps a vector of level l + 1 to level l, and
  ///   A_(l+1) = P_l^T A_l P_l.
  struct MultigridLevels
  {
    std::vector<SparseMatrix> prolongations; ///< [n_levels - 1]: P_0, P_1, ...
    std::vector<SparseMatrix> matrices;      ///< [n_levels - 1]: A_1, A_2, ...
    std::int64_t finest_nonzeros = 0;        ///< of A_0
    double seconds               = 0;        ///< of the set-up
    std::string made_by          = "given";  ///< as the record shows it

    int
    n_levels() const
    {
      return static_cast<int>(matrices.size()) + 1;
    }

    /// Returns the nonzeros of all levels per nonzero of the finest one.
    double
    operator_complexity() const;
  };

  class AlgebraicLevels;
  template <class Number>
  struct LevelsOfMesh;
  class GeometricLevels;

  /// The way through the levels: a V visits each level once, a W visits a level
  /// twice whenever it visits the next finer one.
  enum class MultigridCycle
  {
    V,
    W
  };

  std::string
  to_string(MultigridCycle cycle);

  /// Returns the cycle with this name. Throws ParameterError naming the legal
  /// values.
  MultigridCycle
  multigrid_cycle_from_string(const std::string &name);

  struct MultigridOptions
  {
    MultigridCycle cycle = MultigridCycle::W;
    /// The degree of the polynomial, >= 1. Without a value it is 1 above spaces
    /// with half as many functions in each direction, for one component on
    /// cells that are not stretched, and 2 elsewhere. It is also 2 in a W,
    /// which can make M indefinite if it smooths less, and for full multigrid,
    /// whose single cycles have to reach the discretisation error.
    std::optional<int> smoother_degree = {};
    /// The smoother damps the upper part of the spectrum, [upper / range,
    /// upper]. The range is 4 where the degree is 1 without a value: the error
    /// that such a space does not have.
    double smoothing_range = 10;
    int lanczos_steps      = 12; ///< for the estimate of `upper`
    /// The operator that stores matrices, prolongations and their transposes;
    /// if empty, it is sell on the device and csr on the host.
    std::string level_operator = {};
    bool full                  = false; ///< solves begin with full multigrid
    std::string reason = {}; ///< for these levels, as the record shows it
  };

  template <class Number>
  class DenseInverse;

  /// z = M^-1 r is one multigrid cycle from z = 0. On every level but the
  /// coarsest one it smooths by a polynomial, computes r - A z, restricts it by
  /// P^T, lets the coarser level correct z by P, and smooths by the same
  /// polynomial. So M is symmetric, and it is positive definite if the smoother
  /// converges. The coarsest level stores the inverse of its matrix.
  ///
  /// Matrices are stored in the format of a row operator of either backend, P^T
  /// besides P, so that everything is a product y = A x. Levels that are spaces
  /// store neither. Results are repeatable if products with A and with the
  /// operators of spaces are repeatable. A cycle is a sequence of kernels. In
  /// several parts, divided levels exchange ghosts as A does: P reads ghosts,
  /// and P^T adds to them. On the first level that all parts have, results of
  /// P^T are summed over the parts. For cycles in float in a solve in double,
  /// make a Multigrid<float> from the same levels.
  template <class Number>
  class Multigrid : public Preconditioner<Number>
  {
  public:
    /// The largest number of unknowns of the coarsest level.
    static constexpr int max_coarsest = 4096;

    /// `A` is the operator of the finest level and must outlive this object.
    /// The levels are copied to the backend of A. Throws ParameterError if the
    /// levels do not fit to A or to each other, or if an option is illegal, and
    /// MatrixError if the coarsest matrix is too large or not positive
    /// definite.
    Multigrid(const Operator<Number> &A, const MultigridLevels &levels,
              const MultigridOptions &options = {}, Stream stream = {});

    /// The same for levels on the backend of A, as algebraic_levels.h makes
    /// them; they need not outlive the constructor. Several parts do this at
    /// the same time.
    Multigrid(const Operator<Number> &A, const AlgebraicLevels &levels,
              const MultigridOptions &options = {}, Stream stream = {});

    /// The same for levels that are spaces, on the backend of A. They need not
    /// outlive the constructor.
    Multigrid(const Operator<Number> &A, const GeometricLevels &levels,
              const MultigridOptions &options = {}, Stream stream = {});

    ~Multigrid() override;

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    /// If `full` is set, sets x to the result of full multigrid: b is
    /// restricted to all levels; then, from the coarsest one on, the solution
    /// is prolongated to the next finer level and improved by a cycle. On
    /// levels that are spaces its error is about the discretisation error.
    bool
    set_start(Vector<Number> &x, const Vector<Number> &b,
              Stream stream) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "multigrid";
    }

    /// Converges in tens of iterations, unless its levels do not suit the
    /// matrix.
    Patience
    patience() const override
    {
      return {250,
              "a larger 'Solver/Smoother degree', 'Solver/Coarsening' = "
              "aggregation, jacobi or less stretched cells"};
    }

    /// Returns the number of levels, the unknowns of the coarsest one, the
    /// operator complexity, the cycle, the smoother, and the bytes and seconds
    /// of the set-up.
    RecordValues
    parameters() const override;

    std::string
    note() const override
    {
      return options.reason.empty() ? "" : "levels are " + options.reason;
    }

  private:
    struct Level;

    void
    make_levels(const Operator<Number> &A, const LevelsOfMesh<Number> &given,
                Stream stream);

    /// Restricts the residual of the next finer level to b of a level.
    void
    restrict_to(const Level &coarse, const Level &fine, Stream stream) const;

    void
    cycle(std::size_t level, Vector<Number> &x, const Vector<Number> &b,
          bool from_zero, Stream stream) const;

    MultigridOptions options;
    std::string made_by; ///< the name of the code that made the levels
    double complexity, hierarchy_seconds, upload_seconds, bounds_seconds = 0;
    int n_divided = 0; ///< coarser levels that are divided among parts
    std::shared_ptr<const Communicator> sums;
    std::vector<std::unique_ptr<Level>> levels;    ///< finest first
    std::unique_ptr<DenseInverse<Number>> inverse; ///< of the coarsest level
  };
} // namespace tessera
