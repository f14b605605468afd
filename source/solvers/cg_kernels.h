#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>
#include <tessera/solvers/cg.h>

#include <cstdint>

// The vector kernels of CG, once for the device (cg.cu) and once for the host
// (cg_host.cc). All run over owned entries alone.
namespace tessera
{
  /// Places in CGData::sums.
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
    const Number *weight; ///< entries of M^-1 where it is diagonal, or null
    const Number *z;      ///< M^-1 r where it is not, or null

    CGState<Number> *state;
    Number *sums;           ///< [n_cg_sums], over all parts once summed up
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

  /// What `start` gives to the recurrence.
  struct CGStart
  {
    double relative_squared;
    double absolute_squared;
    int max_iterations;
  };

  /// False for what is not a number, too.
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

  /// The state after the residual of the initial x is known.
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

  /// The step x += alpha p of an iteration that began in `state`; 0 where it
  /// cannot be made.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  step(const CGState<Number> &state, const Number *sums)
  {
    return is_positive(sums[sum_p_q]) ? state.r_dot_z / sums[sum_p_q]
                                      : Number(0);
  }

  /// The state after an iteration that began in `state`.
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

  /// r = b - q, and the sums r.z (M diagonal), r.r and b.b.
  template <class Number>
  void
  cg_residual(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_residual(Target, const CGData<Number> &data, Stream stream);

  /// r -= alpha q with alpha = r.z / p.q, and the sums r.z (M diagonal) and
  /// r.r; nothing where the recurrence has ended or ends now.
  template <class Number>
  void
  cg_update(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_update(Target, const CGData<Number> &data, Stream stream);

  /// The sum r.z where M is not diagonal.
  template <class Number>
  void
  cg_dot(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_dot(Target, const CGData<Number> &data, Stream stream);

  /// p = z and the first state.
  template <class Number>
  void
  cg_begin(Cuda, const CGData<Number> &data, const CGStart &start,
           Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_begin(Target, const CGData<Number> &data, const CGStart &start,
           Stream stream);

  /// x += alpha p, p = z + beta p with beta = r.z / (r.z before), and the next
  /// state: p is read once for both. Nothing where the recurrence has ended, x
  /// alone where it ends now.
  template <class Number>
  void
  cg_advance(Cuda, const CGData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  cg_advance(Target, const CGData<Number> &data, Stream stream);
} // namespace tessera
