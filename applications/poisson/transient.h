#pragma once

#include "mesh_in_time.h"

/// The rate du/dt at the end of the time, by deal.II's index, [n_dofs].
using Rate = std::vector<double>;

/// Takes all time steps of a case, which may change its mesh, and writes the
/// files of its series. Leaves `data` and the formulas at the end of the time,
/// and sets the rate there.
///
/// A step from u to u' solves for w = theta u' + (1 - theta) u
///     (C / (theta dt) + A) w = C / (theta dt) u + theta f' + (1 - theta) f
/// where A is the matrix of -div(kappa grad w) + c w with Robin boundaries, and
/// boundary values are averaged in the same way. All steps on a mesh have the
/// same matrix, and each takes one solve and one product with the mass matrix.
template <int dim>
tessera::Solution
solve_in_time(Equation<dim> &equation, MeshInTime<dim> &mesh,
              tessera::Discretization<dim> &d, Data &data,
              const std::string &folder, Rate &rate);
