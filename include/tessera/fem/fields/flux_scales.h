#pragma once

#include <tessera/fem/fields/flux.h>

#include <map>

namespace tessera
{
  /// The flow through a boundary by different measures.
  struct BoundaryScale
  {
    double through   = 0; ///< integral of |(kappa grad u) . n|
    double conducted = 0; ///< integral of (kappa n) . n |u| / h
    double exchanged = 0; ///< integral of |g| + alpha |u|
  };

  struct FluxScales
  {
    std::map<dealii::types::boundary_id, BoundaryScale> boundaries;
    double sources   = 0; ///< the integral of f minus the terms of `masses`
    double magnitude = 0; ///< the integral of its magnitude
    double given     = 0; ///< the integrals of |f| and of given |g|
  };

  /// Integrates over the boundaries and, if there are sources, over the cells.
  /// The results are sums over all processes.
  template <int dim>
  FluxScales
  flux_scales(const FluxProblem<dim> &problem);
} // namespace tessera
