#pragma once

#include "equation.h"

#include <string>
#include <vector>

/// Computes results of the displacement `values`, [n_dofs]: strains and
/// stresses in files, extremes, energy and reactions in tables and the record.
/// `loads`, [n_dofs], are the loads of all degrees of freedom, given ones too,
/// by deal.II's index. In several processes each has the loads of its own cells
/// and computes on these cells; results belong to the whole body.
template <int dim>
void
add_results(const Equation<dim> &equation, tessera::Discretization<dim> &d,
            const Data<dim> &data, const std::vector<double> &values,
            const std::vector<double> &loads, const std::string &folder);
