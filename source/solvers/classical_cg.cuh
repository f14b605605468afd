#pragma once

#include <tessera/base/for_each.h>

#include "cg_state.h"

// The passes over vectors of classical conjugate gradients, and what all
// methods share. All loop over owned entries only.
namespace tessera
{
  template <class Number>
  struct CGData : Pass
  {
    Number *x;
    Number *r;
    Number *p;
    const Number *q;
    const Number *b;
    const Number *weight;      ///< entries of M^-1 if M is diagonal, else null
    const Number *z;           ///< M^-1 r if M is not diagonal, else null
    CGScaling<Number> scaling; ///< its `inverse` may be `weight`

    CGState *state;
    double *history;
    const double *sums; ///< [n_cg_sums], over all parts after communication

    TESSERA_HOST_DEVICE Number
    preconditioned(const std::int64_t i) const
    {
      return weight != nullptr ? weight[i] * r[i] : z[i];
    }

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      if (k == sum_r_z && weight == nullptr)
        return 0; // z is not known yet
      const double value = r[i];
      if (k == sum_r_r)
        return value * value;
      // A number is converted to double once for both sums.
      if (k == sum_r_scaled && scaling.inverse != weight)
        return scaling.squared(i, value);
      const double z_i = double(weight[i]) * value;
      return k == sum_r_z ? z_i * value
                          : scaling.factor * scaling.factor * z_i * z_i;
    }
  };

  /// Returns the step length alpha of an iteration that began in `state`, or 0
  /// if the step cannot be made because p.Ap is not positive.
  TESSERA_HOST_DEVICE double
  step(const CGState &state, const double *sums)
  {
    return status_of_step(sums[sum_p_q]) == CGState::Status::running
             ? state.r_dot_z / sums[sum_p_q]
             : 0.;
  }

  /// Returns the state after an iteration that began in `state`.
  TESSERA_HOST_DEVICE CGState
  next_state(CGState state, const double *sums)
  {
    state.status = status_of_step(sums[sum_p_q]);
    if (state.status != CGState::Status::running)
      return state;
    ++state.iterations;
    state.r_dot_z  = sums[sum_r_z];
    state.r_dot_r  = sums[sum_r_r];
    state.r_scaled = sums[sum_r_scaled];
    set_status(state);
    return state;
  }

  /// r = b - q and the sums r.z (if M is diagonal), r.r and |D^-1 r|^2. Moves 4
  /// numbers per entry: b, q and M^-1 are read, r is written; and D^-1 unless
  /// it is M^-1.
  template <class Number>
  struct CGResidual : CGData<Number>
  {
    static constexpr int n_sums = sum_r_scaled + 1;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Pass::Scalars &) const
    {
      this->r[i] = this->b[i] - this->q[i];
    }
  };

  /// The sums of b: b.b and |D^-1 b|^2. Moves 2 numbers per entry.
  template <class Number>
  struct CGRightHandSide : CGData<Number>
  {
    static constexpr int n_sums = n_cg_sums - sum_b_b;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Pass::Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      const double value = this->b[i];
      return sum_b_b + k == sum_b_b ? value * value
                                    : this->scaling.squared(i, value);
    }
  };

  /// The sums of b - q as the sums of r, and x.x as r.z. Moves 4 numbers per
  /// entry.
  template <class Number>
  struct CGTrueResidual : CGData<Number>
  {
    static constexpr int n_sums = sum_r_scaled + 1;
    const Number *solution;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Pass::Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      const double x = solution[i];
      const double r = double(this->b[i]) - double(this->q[i]);
      return k == sum_r_z   ? x * x
             : k == sum_r_r ? r * r
                            : this->scaling.squared(i, r);
    }
  };

  /// r -= alpha q with alpha = r.z / p.q, and the sums r.z (if M is diagonal),
  /// r.r and |D^-1 r|^2. Does nothing if the recurrence has ended or ends now.
  /// Moves 4 numbers per entry: r, q and M^-1 are read, r is written; and D^-1
  /// unless it is M^-1.
  template <class Number>
  struct CGUpdate : CGData<Number>
  {
    static constexpr int n_sums = sum_r_scaled + 1;

    struct Scalars
    {
      bool idle;
      Number alpha;
    };

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      const CGState state = *this->state;
      const double alpha  = step(state, this->sums);
      return {state.status != CGState::Status::running || alpha == 0,
              static_cast<Number>(alpha)};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      this->r[i] -= scalars.alpha * this->q[i];
    }
  };

  /// The sum r.z if M is not diagonal. Moves 2 numbers per entry.
  template <class Number>
  struct CGDot : CGData<Number>
  {
    static constexpr int n_sums = sum_r_z + 1;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Pass::Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      return double(this->r[i]) * double(this->z[i]);
    }
  };

  /// p = M^-1 r and the first state. Moves 3 numbers per entry if M is
  /// diagonal: r and M^-1 are read, p is written.
  template <class Number>
  struct CGBegin : CGData<Number>
  {
    static constexpr bool ends = true;
    CGStart start;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Pass::Scalars &) const
    {
      this->p[i] = this->preconditioned(i);
    }

    TESSERA_HOST_DEVICE void
    end(const Pass::Scalars &) const
    {
      *this->state = first_state(start, this->sums);
      note_residual(this->history, start.iterations, this->state->r_dot_r);
    }
  };

  /// x += alpha p, p = z + beta p with beta = r.z / (r.z before), and the next
  /// state; p is read once for both updates, and is not needed any more if the
  /// recurrence ends now. Does nothing if it has ended. Moves 6 numbers per
  /// entry if M is diagonal: x, r, M^-1 and p are read, x and p are written.
  template <class Number>
  struct CGAdvance : CGData<Number>
  {
    static constexpr bool ends = true;

    struct Scalars
    {
      bool idle;
      Number alpha, beta;
      CGState next;
    };

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      const CGState before = *this->state;
      if (before.status != CGState::Status::running)
        return {true, Number(0), Number(0), before};
      const CGState next = next_state(before, this->sums);
      const double alpha = step(before, this->sums);
      return {alpha == 0, static_cast<Number>(alpha),
              static_cast<Number>(next.r_dot_z / before.r_dot_z), next};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      const Number p = this->p[i];
      this->x[i] += scalars.alpha * p;
      this->p[i] = this->preconditioned(i) + scalars.beta * p;
    }

    TESSERA_HOST_DEVICE void
    end(const Scalars &scalars) const
    {
      *this->state = scalars.next;
      note_residual(this->history, scalars.next.iterations,
                    scalars.next.r_dot_r);
    }
  };
} // namespace tessera
