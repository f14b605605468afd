#pragma once

#include <tessera/base/target.h>

#include <cstdint>

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
  /// [n_batches][n_points][lanes], lane fastest; the states r have
  /// [n_recoveries] of them.
  template <class Number>
  struct PointMembraneView
  {
    int n_batches, lanes, n_points, n_nodes; ///< points and nodes of a cell
    int n_stimulated;                        ///< owned nodes and ghosts
    const int *dofs;                         ///< [n_batches][n_nodes][lanes]
    const Number *shapes;                    ///< [n_points][n_nodes]
    const Number *potential;                 ///< [n_owned | tail]
    /// Before the step, and before the last one (null in backward Euler).
    const Number *former, *earlier;
    const Number *stimulus;       ///< [n_stimulated] or null
    const unsigned char *regions; ///< [n_batches][lanes]
    const Number *parameters;     ///< [n_regions][n_parameters]
    Number tau, factor_former, factor_earlier;
    /// r at those times. `r_earlier` is null in backward Euler and for models
    /// with more than one recovery variable.
    const Number *r_former, *r_earlier, *r_guess;
    Number *r_after, *source;
    PointCoefficients<Number> coefficients;
    Number step; ///< for states that follow the potential
    int order;

    TESSERA_HOST_DEVICE std::int64_t
    n_all_points() const
    {
      return std::int64_t(n_batches) * n_points * lanes;
    }
  };

  /// On the host a lane has a cell.
  template <class Model, class Number, class Target, IfHost<Target> = 0>
  void
  linearize_points(Target, const PointMembraneView<Number> &view);
} // namespace tessera
