#pragma once

#include <tessera/base/array.h>
#include <tessera/base/for_each.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/quadrature.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  /// The points of a rule in a piece of the cells, and a function of a space at
  /// these points. Point q of cell c of the piece has the place ((c / lanes)
  /// n_points + q) lanes + c % lanes, as in `CoefficientData`. Places behind
  /// the last cell repeat it with the weight 0. Arrays are in backend memory,
  /// and their parts are `pitch` numbers apart.
  struct PointPiece
  {
    int first_cell     = 0;
    std::int64_t n     = 0; ///< places
    std::int64_t pitch = 0;
    Array<double> dx;        ///< weight times determinant of the Jacobian
    Array<double> x;         ///< [dim][pitch]
    Array<double> values;    ///< [n_components][pitch]
    Array<double> gradients; ///< [n_components][dim][pitch]
  };

  /// Evaluates functions of a space, with their gradients, at the points of any
  /// rule in the cells, on either backend, in the same geometry as
  /// `CellEvaluator` on the host. It works on a piece of the cells at a time,
  /// point by point with tables of all functions, so that one kernel serves all
  /// cell types and degrees. On a device, moving the arrays of a piece, about 8
  /// (1 + 2 dim) bytes per point, takes longer than the arithmetic.
  class PointEvaluator
  {
  public:
    /// `rule` is as for `CellEvaluator`. A piece has about `points_at_once`
    /// points.
    PointEvaluator(std::shared_ptr<const CellData<double>> cells,
                   const QuadratureRule &rule, int n_components,
                   int points_at_once = 1 << 20);

    /// Evaluates at the points of `cell_rule`.
    PointEvaluator(const std::shared_ptr<const CellData<double>> &cells,
                   int n_components);

    const std::shared_ptr<const CellData<double>> &
    cells() const
    {
      return of_cells;
    }

    int
    n_points() const
    {
      return static_cast<int>(weights.size());
    }

    int
    n_pieces() const
    {
      return (of_cells->n_batches() + batches_at_once - 1) / batches_at_once;
    }

    PointPiece
    make_piece() const;

    /// Computes points and weights of a piece, and the function u, [n_local]
    /// [n_components] in backend memory, there. On a device, the call does not
    /// wait.
    void
    evaluate(const double *u, int number, PointPiece &piece,
             Stream stream = {}) const;

  private:
    template <int dim>
    void
    evaluate_in(const double *u, PointPiece &piece, Stream stream) const;

    std::shared_ptr<const CellData<double>> of_cells;
    int n_functions, n_map_functions, n_components, batches_at_once;
    /// The nodes of the maps, [n_cells][n_map_functions] and [nodes][dim], if
    /// CellData lacks them. Curved cells share no nodes, and `corners` is
    /// empty.
    Array<int> corners;
    Array<double> map_nodes;
    /// [functions][points], [dim][functions][points]
    Array<double> values, gradients, map_values, map_gradients;
    Array<double> weights; ///< [points]
  };

  /// Sums over the points of pieces, which stay in backend memory until they
  /// are asked for. They are repeatable.
  class PointSums
  {
  public:
    /// `n_sums` is even.
    PointSums(Backend backend, int n_sums);

    /// Adds sum w (a - b)^2 to sum k and sum w b^2 to the next one.
    void
    add_squares(int k, std::int64_t n, const double *w, const double *a,
                const double *b);

    /// Adds sum w f to sum k and sum w |f| to the next one.
    void
    add(int k, std::int64_t n, const double *w, const double *f);

    /// Waits for all sums and returns them.
    std::vector<double>
    totals();

  private:
    /// Returns the memory for the sums of a call, which are added to sums k and
    /// k + 1.
    GridSum
    next(int k, std::int64_t n);

    void
    fetch();

    std::vector<double> sums;
    std::vector<int> of_call; ///< the sum that a call adds to
    Array<double> partial, results;
    Array<unsigned int> counter;
  };

  /// The largest |a - b| over the points of pieces, or NaN if there is one.
  class PointMaximum
  {
  public:
    explicit PointMaximum(const Backend backend) : largest(backend, 1)
    {}

    void
    add(std::int64_t n, const double *a, const double *b);

    /// Waits and returns it; 0 without points.
    double
    total() const;

  private:
    Array<std::uint64_t> largest; ///< its bits
  };

  /// The values that a coefficient may have, besides being finite.
  enum class Legal
  {
    any,
    not_negative, ///< numbers of at least 0
    positive      ///< positive definite tensors, and positive numbers
  };

  /// A coefficient at the quadrature points of cells in backend memory, in the
  /// order of `CoefficientData`. `Coefficient::packed` refers to it. One of
  /// kind `per_cell` has one point in each cell.
  class PackedCoefficient
  {
  public:
    PackedCoefficient(std::shared_ptr<const CellData<double>> cells,
                      int n_components, bool per_cell = false);

    /// Sets component c at the places of a piece of the points of `cell_rule`,
    /// if the number of the cell in `numbers` is `which` or if `numbers` is
    /// null, to values[i * stride].
    void
    set(const PointPiece &piece, int c, const double *values,
        std::int64_t stride, const unsigned char *numbers = nullptr,
        int which = 0);

    /// Returns true if all values are legal. Waits.
    bool
    is_good(Legal legal) const;

    /// Returns the values in cells of the space, [cells][points][components],
    /// on the host.
    std::vector<double>
    in_cells(const std::vector<int> &cells) const;

    const Array<double> &
    values() const
    {
      return packed;
    }

    /// Returns the values for writing.
    double *
    data()
    {
      return packed.data();
    }

    const std::shared_ptr<const CellData<double>> &
    cells() const
    {
      return of_cells;
    }

  private:
    std::shared_ptr<const CellData<double>> of_cells;
    int n_points, n_components;
    Array<double> packed;
  };

  /// Returns the values of a coefficient in cells of a space that has
  /// `n_points` points in each, [cells][points][components], on the host,
  /// whatever its kind.
  std::vector<double>
  values_of_cells(const Coefficient &c, const std::vector<int> &cells,
                  int n_points);

  /// Returns a function u of the space of `cells`, [n_local][n_components], at
  /// the points of `cell_rule`.
  Coefficient
  values_at_points(const std::shared_ptr<const CellData<double>> &cells,
                   const std::vector<double> &u);

  /// A term of component `to` of a coefficient: factor a_i b_j, or factor a_i
  /// without b.
  struct CoefficientTerm
  {
    int to;
    double factor;
    const Coefficient *a;
    int i                = 0;
    const Coefficient *b = nullptr;
    int j                = 0;
  };

  /// Returns the coefficient whose n components are sums of terms, which are
  /// added in their order. It is as fine as the finest coefficient among them.
  /// If one of them is in the memory of a device, the device adds them up and
  /// keeps the result; if all are on the host, `cells` asks for the same. There
  /// may be 16 terms.
  Coefficient
  sum_of_terms(int n, const std::vector<CoefficientTerm> &terms,
               const Space &space,
               std::shared_ptr<const CellData<double>> cells = nullptr);

  /// Returns the integrals of a coefficient of one component, and of its
  /// magnitude, over the cells.
  std::array<double, 2>
  integrals(const PackedCoefficient &c);

  /// Returns the coefficient with its values in the memory of the host.
  Coefficient
  on_host(const Coefficient &c);
} // namespace tessera
