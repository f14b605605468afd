#pragma once

#include <tessera/fem/driver/refinement_study.h>

/// Declares all entries, which are the same in both dimensions.
void
declare_monodomain(tessera::Parameters &parameters);

/// Runs the study of the monodomain equation
///   dV/dt = div(D grad V) + f(V, r),  dr/dt = g(V, r)
/// with a cell model f, g and no flux through the boundary (WongKuhlDarve2015,
/// equations 1 to 5), by the TimeScheme that the section `Time` names. Throws
/// what `run_study` throws, and ParameterError and MeshError for what its
/// sections say.
template <int dim>
void
run_monodomain(const tessera::Parameters &parameters,
               const tessera::program::CommandLine &line,
               tessera::program::Record &record);
