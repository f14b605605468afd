#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>
#include <tessera/solvers/cg.h>

#include <cstdint>

// The vector kernels of CG, for the device (cg.cu) and for the host
// (cg_host.cc). All loop over owned entries only.
namespace tessera
{
  /// Indices into CGData::sums.
  enum CGSum : int
  {
    sum_r_z,
    sum_r_r,
    sum_b_b,
    sum_p_q,
    n_cg_sums
  };

  template <class Number>
  struct CGData
  {
    std::int64_t n; ///< owned entries
    int n_blocks;

    Number *x;
    Number *r;
    Number *p;
    const Number *q;
    const Number *b;
    const Number *weight; ///< entries of M^-1 if M is diagonal, else null
    const Number *z;      ///< M^-1 r if M is not diagonal, else null

    CGState<Number> *state;
    Number *sums;           ///< [n_cg_sums], over all parts after communication
    Number *partial;        ///< [n_cg_sums][n_blocks]
    unsigned int *counters; ///< [n_cg_sums], 0 between kernels

    TESSERA_HOST_DEVICE GridSum<Number>
    grid_sum(const int k) const
    {
      return {partial + static_cast<std::int64_t>(k) * n_blocks, counters + k,
              sums + k, n_blocks};
    }

    TESSERA_HOST_DEVICE Number
    preconditioned(const std::int64_t i) const
    {
      return weight != nullptr ? weight[i] * r[i] : z[i];
    }
  };

  /// The parameters of the recurrence that `start` sets.
  struct CGStart
  {
    double relative_squared;
    double absolute_squared;
    int max_iterations;
  };

  /// Returns false for infinity and for what is not a number, too.
  template <class Number>
  TESSERA_HOST_DEVICE bool
  is_positive(const Number value)
  {
    return value > Number(0) && value - value == Number(0);
  }

  template <class Number>
  TESSERA_HOST_DEVICE void
  set_status(CGState<Number> &state)
  {
    using Status = typename CGState<Number>::Status;
    if (state.r_dot_r - state.r_dot_r == Number(0) &&
        state.r_dot_r <= state.tolerance_squared)
      state.status = Status::converged;
    else if (!is_positive(state.r_dot_r) || !is_positive(state.r_dot_z))
      state.status = Status::broken;
    else if (state.iterations >= state.max_iterations)
      state.status = Status::exhausted;
    else
      state.status = Status::running;
  }

  /// Returns the state once the residual of the initial x is known.
  template <class Number>
  TESSERA_HOST_DEVICE CGState<Number>
  first_state(const CGStart &start, const Number *sums)
  {
    const double relative = start.relative_squared * sums[sum_b_b];
    CGState<Number> state;
    state.iterations      = 0;
    state.max_iterations  = start.max_iterations;
    state.r_dot_z         = sums[sum_r_z];
    state.r_dot_r         = sums[sum_r_r];
    state.initial_r_dot_r = sums[sum_r_r];
    state.tolerance_squared =
      relative > start.absolute_squared ? relative : start.absolute_squared;
    set_status(state);
    return state;
  }

  /// Returns the step length alpha of an iteration that began in `state`, or 0
  /// if the step cannot be made because p.Ap is not positive.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  step(const CGState<Number> &state, const Number *sums)
  {
    return is_positive(sums[sum_p_q]) ? state.r_dot_z / sums[sum_p_q]
                                      : Number(0);
  }

  /// Returns the state after an iteration that began in `state`.
  template <class Number>
  TESSERA_HOST_DEVICE CGState<Number>
  next_state(CGState<Number> state, const Number *sums)
  {
    if (!is_positive(sums[sum_p_q]))
      {
        state.status = CGState<Number>::Status::broken;
        return state;
      }
    ++state.iterations;
    state.r_dot_z = sums[sum_r_z];
    state.r_dot_r = sums[sum_r_r];
    set_status(state);
    return state;
  }

  /// Computes r = b - q and the sums r.z (if M is diagonal), r.r and b.b.
  template <class Number>
  void
  cg_residual(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_residual(Target, const CGData<Number> &data, Stream stream);

  /// Computes r -= alpha q with alpha = r.z / p.q, and the sums r.z (if M is
  /// diagonal) and r.r. Does nothing if the recurrence has ended or ends now.
  template <class Number>
  void
  cg_update(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_update(Target, const CGData<Number> &data, Stream stream);

  /// Computes the sum r.z if M is not diagonal.
  template <class Number>
  void
  cg_dot(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_dot(Target, const CGData<Number> &data, Stream stream);

  /// Sets p = z and computes the first state.
  template <class Number>
  void
  cg_begin(Cuda, const CGData<Number> &data, const CGStart &start,
           Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_begin(Target, const CGData<Number> &data, const CGStart &start,
           Stream stream);

  /// Computes x += alpha p, p = z + beta p with beta = r.z / (r.z before), and
  /// the next state; p is read once for both updates. Does nothing if the
  /// recurrence has ended, and updates only x if it ends now.
  template <class Number>
  void
  cg_advance(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_advance(Target, const CGData<Number> &data, Stream stream);
} // namespace tessera
