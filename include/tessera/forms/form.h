#pragma once

#include <tessera/base/attributes.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/geometry.h>

#include <stdexcept>

// A form is a bilinear form a(u, v), or the tangent of a nonlinear one, that is
// an integral over cells. It is one class, which defines the work at one
// quadrature point; products, cell matrices, diagonals and residuals derive
// from that. doc/add_a_form.md goes through an example.
namespace tessera
{
  struct CompiledForm;

  /// A form and its data. Functions with the names of the forms return it, for
  /// example `laplace(kappa)`.
  struct Form
  {
    const CompiledForm *compiled; ///< its kernels
    Coefficient coefficient;
  };

  /// The values and the gradients in reference coordinates of a function with
  /// `n` components at a quadrature point: of the function to which a form is
  /// applied (trial), or the factors of the test function (test).
  template <int n, int dim, class T>
  struct PointValues
  {
    T value[n];
    T gradient[n][dim];
  };

  /// The data that a form can read at a quadrature point.
  template <class F, class T>
  struct Fields
  {
    T coefficient[F::n_coefficients];
    /// The current solution, if the form reads it.
    PointValues<F::n_components, F::dim, T> solution;
    /// The state of the point, if the form has one.
    T state[F::n_state > 0 ? F::n_state : 1];
    /// kappa P(f(u)) at the point, for products with a form that projects.
    T projection;
  };

  /// The base of every form `F`. It holds the defaults of most forms; a form
  /// redeclares whatever differs. A form has to define
  ///
  ///     static constexpr int n_coefficients; // 1 to 9 numbers
  ///     static constexpr int n_point;        // numbers that a point keeps
  ///
  ///     template <class T, class Number>
  ///     static void
  ///     linearize(const T (&j)[dim][dim], Number weight,
  ///               const Fields<F, T> &, T (&point)[n_point]);
  ///
  ///     template <class T, class U>
  ///     static void
  ///     apply(const T (&point)[n_point],
  ///           const PointValues<n_components, dim, U> &trial,
  ///           PointValues<n_components, dim, T> &test);
  ///
  /// - `linearize` sets what a point keeps, from the Jacobian dx_i/dxi_k, the
  ///   weight of the quadrature rule and the fields. The strategy local_reuse
  ///   calls it once for a point, or, for the upper half of the matrix of a
  ///   hexahedron, once for a point and a pair of components.
  /// - `apply` sets `test`, so that the point's part of a(u, v) is
  ///     test.value . v + test.gradient . grad v,
  ///   for values and reference gradients of u in `trial`. It is linear in u.
  ///   It sets all parts that the form uses, zeros too; parts that the form
  ///   does not use are not initialised.
  ///
  /// A form that reads the solution is the tangent of a residual r(u, v), which
  /// it defines as well; one with a state says how the state changes:
  ///
  ///     template <class T>
  ///     static void
  ///     residual(const T (&point)[n_point], const Fields<F, T> &,
  ///              PointValues<n_components, dim, T> &test);
  ///     template <class T>
  ///     static void
  ///     update(const T (&j)[dim][dim], const Fields<F, T> &,
  ///            T (&state)[n_state]);
  ///
  /// A form that projects has one more term, the integral over each cell of
  ///   kappa P(f(u)) P(f(v)),
  /// where f is linear in the values and gradients of a point, kappa >= 0
  /// follows from the coefficient, and P is the L2 projection onto the few
  /// functions of space/cell_projection.h. It defines
  ///
  ///     template <class T, class U>
  ///     static T
  ///     projected(const T (&point)[n_point],
  ///               const PointValues<n_components, dim, U> &trial);
  ///     template <class T>
  ///     static void
  ///     add_projected(const T (&point)[n_point], T factor,
  ///                   PointValues<n_components, dim, T> &test);
  ///     static double
  ///     projection_weight(const double (&coefficient)[n_coefficients]);
  ///
  /// which return w det J f(trial), add to `test` the factors of v in w det J
  /// factor f(v), and return kappa. Such a form is symmetric, reads no solution
  /// and is compiled for local_reuse up to degree 2.
  ///
  /// All functions except `projection_weight` are TESSERA_HOST_DEVICE: on the
  /// host T is a SIMD type with a cell in each lane. Cells that fill up a batch
  /// have the solution zero, or the last cell's; their results are not used.
  template <class F, int dimension, int components = 1>
  struct PointForm
  {
    static constexpr int dim             = dimension;
    static constexpr int n_components    = components;
    static constexpr bool symmetric      = true;
    static constexpr bool uses_values    = false;
    static constexpr bool uses_gradients = true;
    static constexpr bool reads_solution = false;
    static constexpr bool projects       = false;
    static constexpr int n_state         = 0;
    /// True for forms that derive from FluxForm.
    static constexpr bool is_flux = false;

    /// Returns the coefficient with all of its components. Throws
    /// std::length_error if their number is wrong.
    static Coefficient
    complete(const Coefficient &coefficient)
    {
      if (coefficient.n_components != F::n_coefficients)
        throw std::length_error("a form of " +
                                std::to_string(F::n_coefficients) +
                                " coefficients was given " +
                                std::to_string(coefficient.n_components));
      return coefficient;
    }

    /// Does `linearize` and `apply` in one step, if a point is used once. A
    /// form may have a shorter way.
    template <class T, class Number>
    TESSERA_HOST_DEVICE static void
    apply_once(const T (&j)[dim][dim], const Number weight,
               const Fields<F, T> &fields,
               const PointValues<components, dim, T> &trial,
               PointValues<components, dim, T> &test)
    {
      T point[F::n_point];
      F::linearize(j, weight, fields, point);
      F::apply(point, trial, test);
      if constexpr (F::projects)
        F::add_projected(point, fields.projection, test);
    }
  };

  /// Sets `test` to the value of `trial` for the transposed form:
  ///   test . u = a_q(u, trial)  for all u.
  /// Row i of a matrix is its integral for trial = phi_i. If a form is not
  /// symmetric, this applies the form to the unit vectors.
  template <class F, class T, class U>
  TESSERA_HOST_DEVICE void
  apply_transposed(const T (&point)[F::n_point],
                   const PointValues<F::n_components, F::dim, U> &trial,
                   PointValues<F::n_components, F::dim, T> &test)
  {
    if constexpr (F::symmetric)
      F::apply(point, trial, test);
    else
      {
        constexpr int n = F::n_components, dim = F::dim;
        TESSERA_UNROLL
        for (int k = 0; k < n * (dim + 1); ++k)
          {
            PointValues<n, dim, T> unit, image;
            TESSERA_UNROLL
            for (int c = 0; c < n; ++c)
              {
                unit.value[c] = T(k == c * (dim + 1) ? 1. : 0.);
                TESSERA_UNROLL
                for (int d = 0; d < dim; ++d)
                  unit.gradient[c][d] = T(k == c * (dim + 1) + d + 1 ? 1. : 0.);
              }
            F::apply(point, unit, image);
            T sum = T(0.);
            TESSERA_UNROLL
            for (int c = 0; c < n; ++c)
              {
                if constexpr (F::uses_values)
                  sum += image.value[c] * trial.value[c];
                if constexpr (F::uses_gradients)
                  {
                    TESSERA_UNROLL
                    for (int d = 0; d < dim; ++d)
                      sum += image.gradient[c][d] * trial.gradient[c][d];
                  }
              }
            if (k % (dim + 1) == 0)
              test.value[k / (dim + 1)] = sum;
            else
              test.gradient[k / (dim + 1)][k % (dim + 1) - 1] = sum;
          }
      }
  }
} // namespace tessera
