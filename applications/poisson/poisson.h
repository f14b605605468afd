#pragma once

#include <tessera/fem/driver/refinement_study.h>

/// Declares all entries, which are the same in both dimensions.
void
declare_poisson(tessera::Parameters &parameters);

/// Runs the study of -div(kappa grad u) = f with u = g on Dirichlet boundaries
/// and (kappa grad u) . n + alpha u = g on the others (alpha = 0: Neumann).
/// Throws what `run_study`, the boundary conditions and the coefficients throw.
template <int dim>
void
run_poisson(const tessera::Parameters &parameters,
            const tessera::program::CommandLine &line,
            tessera::program::Record &record);
