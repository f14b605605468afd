#pragma once

#include <tessera/fem/driver/refinement_study.h>

/// Declares all entries, which are the same in both dimensions.
void
declare_elasticity(tessera::Parameters &parameters);

/// Runs the study of -div sigma(u) = f, sigma = C eps(u), with the displacement
/// u given on some boundaries, in all components or some, and tractions
/// sigma n = t on others. Throws what `run_study`, the boundary conditions and
/// `ElasticMaterial` throw, and MeshError if nothing holds the body.
template <int dim>
void
run_elasticity(const tessera::Parameters &parameters,
               const tessera::program::CommandLine &line,
               tessera::program::Record &record);
