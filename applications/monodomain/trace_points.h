#pragma once

#include "cell_models/traces.h"
#include <tessera/fem/driver/discretization.h>

#include <deal.II/base/point.h>

#include <string>
#include <vector>

/// Returns functions for the values at points: each computes the share of this
/// process, which is the whole value if there are no others, from the values at
/// its owned nodes. Throws ParameterError, which names the entry, for a point
/// outside of the mesh. All processes call it together.
template <int dim>
std::vector<tessera::Traces<double>::Point>
interpolation_at(const tessera::Discretization<dim> &d,
                 const std::vector<dealii::Point<dim>> &points,
                 const std::string &entry);
