#pragma once

#include "equation.h"

/// Computes the results of the entries `Fluxes`, `Gradients` and `Integrals` of
/// the section `Output`.
template <int dim>
class Results
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// `equation` must outlive this object.
  Results(const Equation<dim> &equation, const tessera::Parameters &parameters);

  /// Adds fluxes and integrals to the record of the case, and the gradient and
  /// the flux to its fields. `rate` is du/dt, or empty. `d` must outlive the
  /// fields.
  void
  evaluate(tessera::Discretization<dim> &d, const Data &data,
           const dealii::Vector<double> &u,
           const std::vector<double> &rate) const;

private:
  void
  add_fluxes(tessera::Discretization<dim> &d, const Data &data,
             const dealii::Vector<double> &u,
             const std::vector<double> &rate) const;

  void
  add_integrals(tessera::Discretization<dim> &d, const Data &data,
                const dealii::Vector<double> &u) const;

  const Equation<dim> &equation;
  const bool fluxes, gradients, integrals;
};
