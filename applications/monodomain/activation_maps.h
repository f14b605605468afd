#pragma once

#include <tessera/fem/driver/discretization.h>

#include <vector>

/// Adds maps of the wave to the files of a case: `activation_time`,
/// `repolarisation_time`, `action_potential_duration` and, if files are
/// written, `conduction_velocity`: 1 / |grad t| of the activation time t, whose
/// gradients in cells are averaged at nodes. Missing values are NaN.
/// Adds the activated part of the nodes and the latest activation to the
/// quantities; the case fails if the part is below 'Validation/Minimal
/// activated part'. Times and the durations that it returns belong to owned
/// nodes, [n_owned]. All processes call it together.
template <int dim>
std::vector<double>
add_activation_maps(tessera::Discretization<dim> &d,
                    const std::vector<double> &activated,
                    const std::vector<double> &repolarised);
