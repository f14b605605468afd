#pragma once

#include <tessera/base/target.h>

namespace tessera
{
  /// The coefficients (D, c) of the points, [n_batches][n_points n][lanes].
  /// With reduced integration they are (D - c G, c), where D and G are
  /// `diffusion` and `spread` in the same layout; both are null otherwise.
  template <class Number>
  struct PointCoefficients
  {
    Number *values;
    const Number *diffusion, *spread;
    int n, lanes;
  };

  /// What the kernels of PointMembrane::linearize work on. Arrays of points are
  /// [n_batches][n_points][lanes], lane fastest.
  template <class Number>
  struct PointMembraneView
  {
    int n_batches, lanes, n_points, n_nodes; ///< points and nodes of a cell
    int n_stimulated;                        ///< owned nodes and ghosts
    const int *dofs;                         ///< [n_batches][n_nodes][lanes]
    const Number *shapes;                    ///< [n_points][n_nodes]
    const Number *potential;                 ///< [n_owned | tail]
    const Number *history;                   ///< the same
    const Number *stimulus;                  ///< [n_stimulated] or null
    const unsigned char *regions;            ///< [n_batches][lanes]
    const Number *parameters;                ///< [n_regions][n_parameters]
    Number tau, factor_before, factor_earlier;
    const Number *before, *earlier, *guess;
    Number *after, *source;
    PointCoefficients<Number> coefficients;
  };

  /// On the host a lane has a cell.
  template <class Model, class Number, class Target, IfHost<Target> = 0>
  void
  linearize_points(Target, const PointMembraneView<Number> &view);
} // namespace tessera
