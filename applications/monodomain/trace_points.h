#pragma once

#include <tessera/cell_models/traces.h>
#include <tessera/dealii/discretization.h>

#include <deal.II/base/point.h>

#include <string>
#include <vector>

/// Returns what makes values at points of values at the nodes of the whole
/// mesh, by deal.II's index. Throws ParameterError, which names the entry, for
/// a point outside of the mesh.
template <int dim>
std::vector<tessera::Traces<double>::Point>
interpolation_at(const tessera::Discretization<dim> &d,
                 const std::vector<dealii::Point<dim>> &points,
                 const std::string &entry);

/// Returns what makes the share of this process, which is all of the value if
/// there are no others, of the values at its owned nodes.
std::vector<tessera::Traces<double>::Point>
shares_of_process(const std::vector<tessera::Traces<double>::Point> &points,
                  const tessera::Space &space);
