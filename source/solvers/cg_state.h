#pragma once

#include <tessera/base/attributes.h>

#include <cfloat>
#include <cstdint>
#include <limits>

// The scalars of conjugate gradients, in backend memory.
namespace tessera
{
  /// Indices of sums. A pass computes the first ones.
  enum CGSum : int
  {
    sum_r_z,
    sum_r_r,
    sum_r_scaled, ///< of |D^-1 r|^2
    sum_p_q,
    sum_b_b, ///< this and the next one only at the start
    sum_b_scaled,
    n_cg_sums
  };

  /// Squared norms of the residual are kept of the last iterations: as many as
  /// this, a power of two. The host looks more often.
  constexpr int cg_history = 1024;

  struct CGState
  {
    enum class Status : int
    {
      running,
      converged,
      exhausted, ///< max_iterations is reached
      stagnated, ///< r is far below the rounding errors of b - A x
      operator_indefinite,
      preconditioner_indefinite,
      not_finite
    };

    Status status;
    int iterations;
    int max_iterations;
    bool preconditioned; ///< the tolerance is for r.z
    double r_dot_z;
    double r_dot_r;
    double initial_r_dot_r;
    double tolerance_squared;
    double floor_squared; ///< of |r|, below which r says nothing about x

    // The scaled norm |D^-1 r|, D being the diagonal of A divided by a number
    // that makes the mean of D^-1 equal to 1. Where it does not count, its
    // tolerance and floor are DBL_MAX.
    double r_scaled; ///< squared
    double scaled_tolerance_squared;
    double scaled_floor_squared;

    // The last step of single_reduction, and whether x lacks it:
    double alpha, beta;
    bool pending;
  };

  /// The parameters of the recurrence that `start` sets.
  struct CGStart
  {
    double relative_squared;
    double absolute_squared;
    int max_iterations;
    bool preconditioned;
    bool scaled;    ///< |D^-1 r| counts, too
    int iterations; ///< that were done before
    double floor;   ///< relative to the larger one of b.b and the initial r.r
  };

  /// Returns a thousandth of the rounding unit, squared: the floor of CGStart.
  /// For float it is 6e-11, below the default tolerance 1e-10.
  template <class Number>
  constexpr double
  cg_floor()
  {
    constexpr double floor =
      1e-3 * (std::numeric_limits<Number>::epsilon() / 2);
    return floor * floor;
  }

  TESSERA_HOST_DEVICE bool
  is_finite(const double value)
  {
    return value - value == 0;
  }

  TESSERA_HOST_DEVICE void
  set_status(CGState &state)
  {
    using Status         = CGState::Status;
    const double measure = state.preconditioned ? state.r_dot_z : state.r_dot_r;
    if (!is_finite(state.r_dot_r) || !is_finite(state.r_dot_z))
      state.status = Status::not_finite;
    else if (measure <= state.tolerance_squared && measure >= 0 &&
             !(state.r_scaled > state.scaled_tolerance_squared))
      state.status = Status::converged;
    else if (state.r_dot_r <= state.floor_squared &&
             !(state.r_scaled > state.scaled_floor_squared))
      state.status = Status::stagnated;
    else if (!(state.r_dot_z > 0))
      state.status = Status::preconditioner_indefinite;
    else if (state.iterations >= state.max_iterations)
      state.status = Status::exhausted;
    else
      state.status = Status::running;
  }

  /// Returns the state once the residual of the initial x is known.
  TESSERA_HOST_DEVICE CGState
  first_state(const CGStart &start, const double *sums)
  {
    const double relative =
      start.relative_squared *
      (start.preconditioned ? sums[sum_r_z] : sums[sum_b_b]);
    // An absolute tolerance that is the larger one decides alone.
    const bool scaled = start.scaled && relative > start.absolute_squared;
    CGState state;
    state.iterations      = start.iterations;
    state.max_iterations  = start.max_iterations;
    state.preconditioned  = start.preconditioned;
    state.r_dot_z         = sums[sum_r_z];
    state.r_dot_r         = sums[sum_r_r];
    state.initial_r_dot_r = sums[sum_r_r];
    state.tolerance_squared =
      relative > start.absolute_squared ? relative : start.absolute_squared;
    state.floor_squared =
      start.floor *
      (sums[sum_b_b] > sums[sum_r_r] ? sums[sum_b_b] : sums[sum_r_r]);
    state.r_scaled = sums[sum_r_scaled];
    state.scaled_tolerance_squared =
      scaled ? start.relative_squared * sums[sum_b_scaled] : DBL_MAX;
    state.scaled_floor_squared =
      scaled ? start.floor * (sums[sum_b_scaled] > sums[sum_r_scaled]
                                ? sums[sum_b_scaled]
                                : sums[sum_r_scaled])
             : DBL_MAX;
    state.alpha   = 0;
    state.beta    = 0;
    state.pending = false;
    set_status(state);
    return state;
  }

  /// Returns the status of a recurrence whose p.Ap, in the denominator of the
  /// step length, is `p_q`.
  TESSERA_HOST_DEVICE CGState::Status
  status_of_step(const double p_q)
  {
    using Status = CGState::Status;
    return !is_finite(p_q) ? Status::not_finite
           : p_q > 0       ? Status::running
                           : Status::operator_indefinite;
  }

  /// D^-1, by which the scaled norm multiplies.
  template <class Number>
  struct CGScaling
  {
    const Number *inverse; ///< of the diagonal of A, [n_owned]
    double factor;         ///< 1 / the mean of `inverse`

    TESSERA_HOST_DEVICE double
    squared(const std::int64_t i, const double value) const
    {
      const double scaled = factor * double(inverse[i]) * value;
      return scaled * scaled;
    }
  };

  /// Keeps |r|^2 for the host.
  TESSERA_HOST_DEVICE void
  note_residual(double *history, const int iteration, const double r_dot_r)
  {
    history[iteration & (cg_history - 1)] = r_dot_r;
  }
} // namespace tessera
