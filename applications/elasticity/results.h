#pragma once

#include "equation.h"

#include <string>
#include <vector>

/// Computes what follows from the displacement `values`, [n_dofs]: strains and
/// stresses in files, extremes, energy and reactions in tables and the record.
/// `loads`, [n_dofs], are those of all degrees of freedom, given ones too, by
/// deal.II's index. In several processes they are those of the cells of this
/// one, which computes on these cells; results are those of the whole body.
template <int dim>
void
add_results(const Equation<dim> &equation, tessera::Discretization<dim> &d,
            const Data<dim> &data, const std::vector<double> &values,
            const std::vector<double> &loads, const std::string &folder);
