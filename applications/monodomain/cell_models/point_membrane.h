#pragma once

#include "backward_difference.h"
#include "cell_model.h"
#include <tessera/assembly/form_data.h>

#include <memory>
#include <vector>

namespace tessera
{
  template <class Number>
  struct PointCoefficients;

  /// Says at which points the potential, its reaction and its rate are
  /// integrated.
  enum class Integration
  {
    full,   ///< at the points of the element's rule
    reduced ///< at one point, the centre of a simplex of degree 1
  };

  /// Cells of heart tissue with their states r at every quadrature point, for
  /// implicit steps of
  ///   dphi/dt = div(D grad phi) + f(phi, r),   dr/dt = g(phi, r).
  /// For a potential phi at the nodes, `linearize` finds r(phi) at all points
  /// and makes the numbers of which tangent and residual of the potential
  /// consist:
  ///   int D grad phi . grad v + c phi v  =  int s v   for all v,
  ///   c = 1 / tau - df/dphi,   s = h / tau + f - df/dphi phi,
  /// where df/dphi has the contribution of r(phi). One recovery variable that
  /// is no gate solves the equation of the same backward difference
  /// (WongKuhlDarve2015, Table 1). The states of all other models follow the
  /// potential by the method of Rush and Larsen for gates and by explicit Euler
  /// for the others, of the order of the difference (`follow_potential` in
  /// implicit_cell.h).
  /// The tangent is the form whose coefficient is (D, c): -div(D grad u) + c u,
  /// such as `reaction_diffusion`. Its c this object overwrites, and the
  /// residual int s v - a(phi, v). All data is in the memory of the backend.
  ///
  /// Reduced integration has the point x_m, the mean of the vertices x_k, where
  /// the d + 1 shape functions of a simplex of degree 1 are all 1 / (d + 1).
  /// Compared with the exact integral it misses
  ///   int c phi v - c(x_m) |K| phi(x_m) v(x_m) = int c G grad phi . grad v,
  ///   G = 1 / ((d + 1) (d + 2)) sum_k (x_k - x_m) (x_k - x_m)^T,
  /// so that the same form with the coefficient (D - c G, c), constant in every
  /// cell, is the tangent of one point, in every operator.
  template <class Number>
  class PointMembrane
  {
  public:
    /// Returns true for simplices of degree 1, which one point suits.
    static bool
    can_reduce(const Space &space);

    /// Returns (D, 0) at all points or, for reduced integration, with the mean
    /// of D in every cell. The form is made with this coefficient. D is a
    /// symmetric tensor, or a number for all directions. Throws
    /// std::length_error for reduced integration of other cells.
    static Coefficient
    coefficient(const Coefficient &D, const Space &space,
                Integration integration = Integration::full);

    /// `tangent` is the form -div(D grad u) + c u with that coefficient, whose
    /// kind says which points there are. `regions` says for every cell of the
    /// space which of the lists in `parameters`, [n_regions][n_parameters], its
    /// points have. Throws std::length_error where sizes do not fit.
    PointMembrane(const CellModel &model,
                  std::shared_ptr<const CellData<Number>> cells,
                  const std::vector<unsigned char> &regions,
                  const std::vector<std::vector<double>> &parameters,
                  std::shared_ptr<FormData<Number>> tangent);

    /// Returns true if r is one variable for which an equation is solved.
    static bool
    solves_for_recovery(const CellModel &model);

    /// Returns the number of arrays of points that are stored for a model.
    static int
    n_arrays(const CellModel &model);

    /// Sets c of all points to 1 / tau: the tangent without reactions. Does not
    /// wait for the device.
    void
    set_without_reactions(double tau, Stream stream = {});

    /// Computes r, c and s of all points for a potential, the one before the
    /// step and, where the difference needs it, the one before the last step;
    /// all have their tails. `stimulus`, [n_owned + n_ghosts], in the memory of
    /// the backend, is added to f; null: none. Newton's method for a recovery
    /// variable begins with r before the step or, if `from_last_call` is true,
    /// with r of the last call. Where it fails, s is not a number. Costs some
    /// iterations a point, or two or three rates with their derivatives; reads
    /// the potentials of the nodes of its cell and moves 5 or 6 numbers, or two
    /// for each state and two. Does not wait for the device, allocates nothing
    /// and is repeatable.
    void
    linearize(const Vector<Number> &potential, const Vector<Number> &former,
              const Vector<Number> &earlier, const Number *stimulus,
              const BackwardDifference &difference, bool from_last_call,
              Stream stream = {});

    /// Ends a step: r of the last call is that before the next step.
    void
    accept();

    /// Returns the form, for operators and residuals.
    const std::shared_ptr<FormData<Number>> &
    tangent() const
    {
      return form;
    }

    /// s, whose memory stays the same.
    CoefficientView<Number>
    source() const;

    /// Returns r before the next step and, for one recovery variable, before
    /// the last one, [n_fields()][n_cells][n_points], for output and restarts.
    std::vector<Number>
    states() const;

    /// Returns the number of fields that `states` has.
    int
    n_fields() const;

    /// Overwrites them. Throws std::length_error for another number of values.
    void
    set_states(const std::vector<Number> &values);

    /// Returns the bytes in memory, without the form's.
    std::size_t
    bytes() const;

  private:
    /// Calls visit(whether it is of the time before the last step, index in
    /// the arrays of r, index in `states()`) for all states.
    template <class Visit>
    void
    for_states(const Visit &visit) const;

    PointCoefficients<Number>
    to_coefficients();

    CellModel model;
    std::shared_ptr<const CellData<Number>> cells;
    std::shared_ptr<FormData<Number>> form;
    /// The coefficients of the form, [n_batches][n_points
    /// n_coefficients][lanes].
    Number *coefficients;
    int n_coefficients, n_points;
    /// D and G of reduced integration in the layout of the coefficients; empty
    /// for full integration.
    Array<Number> diffusion, spread;
    Array<Number> shapes;         ///< [n_points][n]: phi_i(x_q)
    Array<unsigned char> regions; ///< [n_batches][lanes]
    Array<Number> parameters;     ///< [n_regions][n_parameters]
    Array<Number> sources;        ///< [n_batches][n_points][lanes]
    /// r, [n_recoveries] of these. A model with other than one recovery
    /// variable has no earlier one.
    Array<Number> after, before, earlier;
  };
} // namespace tessera
