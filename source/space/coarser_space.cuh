#pragma once

#include "point_evaluator.cuh"

namespace tessera::internal
{
  /// mean_i = sum over children and points of weight_q value / n_children, for
  /// i = cell n_components + component of the coarser space. Moves the values
  /// of the finer cells and 8 bytes a mean.
  struct MeanOfChildren
  {
    CoefficientValues finer;
    const int *children;   ///< [n_cells][n_children]
    const double *weights; ///< [n_points], whose sum is 1
    int n_children, n_points, n_components;
    double *means;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = i / n_components;
      const int c             = static_cast<int>(i % n_components);
      double sum              = 0;
      for (int k = 0; k < n_children; ++k)
        for (int q = 0; q < n_points; ++q)
          sum += weights[q] * finer.at(children[cell * n_children + k], q, c);
      means[i] = sum / n_children;
    }
  };
} // namespace tessera::internal
