#pragma once

#include "time_steps.h"

#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/forms/form.h>

#include <functional>
#include <optional>
#include <vector>

/// The equation C du/dt - div(kappa grad u) + c u = f, which several sections
/// of the parameter file describe.
template <int dim>
struct Equation
{
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for parameters that contradict each other.
  explicit Equation(const tessera::Parameters &parameters);

  bool
  reacts() const
  {
    return !reaction.is_zero();
  }

  /// Returns true if loads or boundary values depend on time.
  bool
  varies_in_time() const
  {
    return source.varies_in_time() || boundary.varies_in_time();
  }

  /// Sets the time of boundary values and the time of loads.
  void
  set_time(double t, double t_of_loads);

  /// Sets t = 0. Backward Euler begins with the loads of the end of the first
  /// step, so that loads need not be finite at t = 0.
  void
  begin_time(int cycle);

  tessera::MaterialExpression<dim> kappa, source, reaction, capacity;
  tessera::Field<dim> initial;
  tessera::BoundaryConditions<dim> boundary;
  std::optional<TimeSteps> time; ///< empty: du/dt is 0
  bool eliminate_after;
  /// The measures of cells and faces are multiplied by this formula: 2 pi x if
  /// y is the axis of a solid of revolution. It is empty otherwise.
  std::optional<tessera::MaterialExpression<dim>> measure;
  std::function<double(const dealii::Point<dim> &)> weight; ///< its values
};

/// Returns false for a coefficient that represents no term.
inline bool
is_given(const tessera::Coefficient &c)
{
  return c.packed != nullptr || !c.values.empty();
}

/// The equation on the cells and faces of a case, weighted.
struct Data
{
  tessera::BoundaryFaces faces;
  tessera::Coefficient kappa, source;
  /// They have no values if there is no such term.
  tessera::Coefficient reaction, capacity;
  tessera::Coefficient measure; ///< `Equation::measure`, likewise

  bool
  reacts() const
  {
    return is_given(reaction);
  }

  /// Returns the coefficient of -div(kappa grad u) + c u; `form` returns the
  /// form with it.
  tessera::Coefficient
  k_and_c(const tessera::Space &space) const;

  tessera::Form
  form(const tessera::Space &space) const;
};

/// Builds the space of a case and returns the data of the equation there, with
/// loads and boundary values at the time that is set. Throws MeshError if u
/// would be determined up to a constant only, or if a solid of revolution
/// crosses its axis, and what `on_cells` throws.
template <int dim>
Data
discretize(const Equation<dim> &equation, tessera::Discretization<dim> &d);

/// Returns the data of the equation on the cells of `d.space` and on all faces,
/// at the time that is set. Throws ParameterError for c < 0 and C <= 0.
template <int dim>
Data
on_cells(const Equation<dim> &equation, const tessera::Discretization<dim> &d);

/// Sets the loads at the time that is set.
template <int dim>
void
set_loads(Data &data, const Equation<dim> &equation,
          const tessera::Discretization<dim> &d);
