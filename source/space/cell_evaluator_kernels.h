#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_evaluator.h>

namespace tessera
{
  /// Sets values and gradients, in reference coordinates, of a function with
  /// the coefficients `nodes` at the points of the tables. `values` may be
  /// null.
  /// nodes: [nodes of the cell][lanes]
  /// values: [n_points][lanes]
  /// gradients: [dim][n_points][lanes]
  /// scratch: as many numbers as `interpolation_scratch` says
  template <class Target, IfHost<Target> = 0>
  void
  interpolate_on(Target, const InterpolationTables &tables, const double *nodes,
                 double *values, double *gradients, double *scratch);

  /// Turns gradients in reference coordinates into gradients in space, and sets
  /// dx. weights: [n_points] jacobians, dx_k/dxi_d: [k][d][n_points][lanes]
  /// gradients: [n_components][dim][n_points][lanes]
  /// dx: [n_points][lanes]
  template <class Target, IfHost<Target> = 0>
  void
  map_gradients_on(Target, int dim, int n_components,
                   const std::vector<double> &weights, const double *jacobians,
                   double *gradients, double *dx);

  inline std::size_t
  interpolation_scratch(const InterpolationTables &tables)
  {
    const std::size_t n = tables.n, m = tables.m;
    return is_simplex(tables.cell_type)
             ? 0
             : CellEvaluator::lanes * (dimension(tables.cell_type) == 2
                                         ? 2 * n * m
                                         : 2 * n * n * m + 3 * n * m * m);
  }
} // namespace tessera
