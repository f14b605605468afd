#pragma once

namespace tessera
{
  /// The end of a step in one value y. The derivative of y at the new time is
  /// the backward difference (y - h) / tau, where h is made of former values.
  /// In backward Euler tau is the step and h is the value before.
  struct BackwardDifference
  {
    double tau;
    double former;  ///< factor of the value before the step in h
    double earlier; ///< factor of the one before that; 0 in backward Euler
    double step;    ///< its length

    /// Returns the difference of order 1 (backward Euler) or 2 (BDF2) for a
    /// step. The step before had the length `former`, which order 1 does not
    /// use.
    static BackwardDifference
    of_order(const int order, const double step, const double former = 1)
    {
      if (order == 1)
        return {step, 1., 0., step};
      const double ratio = step / former;
      return {step * (1 + ratio) / (1 + 2 * ratio),
              (1 + ratio) * (1 + ratio) / (1 + 2 * ratio),
              -ratio * ratio / (1 + 2 * ratio), step};
    }
  };
} // namespace tessera
