#pragma once

#include "equation.h"

/// The rate du/dt at the end of the time, by deal.II's index, [n_dofs].
using Rate = std::vector<double>;

/// Takes all time steps of a case, and writes the files of its series. Leaves
/// `data` and the formulas as of the end of the time, and there sets the rate.
///
/// A step from u to u' solves for w = theta u' + (1 - theta) u
///     (C / (theta dt) + A) w = C / (theta dt) u + theta f' + (1 - theta) f
/// with A of -div(kappa grad w) + c w and Robin boundaries, and with boundary
/// values that are averaged in the same way: one matrix and one product with
/// the mass matrix a step.
template <int dim>
tessera::Solution
solve_in_time(Equation<dim> &equation, tessera::Discretization<dim> &d,
              Data &data, const std::string &folder, Rate &rate);
