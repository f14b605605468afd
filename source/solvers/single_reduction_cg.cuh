#pragma once

#include <tessera/base/for_each.h>

#include "cg_state.h"

#include <cfloat>

// Conjugate gradients with one pass over vectors and one sum over all parts an
// iteration, after Chronopoulos and Gear, for a diagonal M. With u = M^-1 r and
// w = A u,
//   beta = r.u / (r.u before), alpha = r.u / (u.w - beta r.u / (alpha before)),
//   p = u + beta p,  s = M^-1 w + beta s,  x += alpha p,  u -= alpha s,
// where s is M^-1 A p. The residual r = M u is not stored. Only x needs p, so
// that both move every second iteration, which makes two steps at once; the
// pass finds the u of the iteration before as u + alpha s.
namespace tessera
{
  /// Returns 1 / value in double, by a step of Newton's method from the
  /// quotient in float, because a division in double needs many registers.
  TESSERA_HOST_DEVICE double
  reciprocal(const float value)
  {
    const double rough = 1 / value;
    return rough * (2 - double(value) * rough);
  }

  template <class Number>
  struct SingleReductionData : Pass
  {
    Number *x;
    Number *p;
    Number *s;
    Number *u;
    Number *w;
    const Number *b;
    const float *weight; ///< M^-1 times a common factor
    /// Its `inverse` is null if M is the diagonal of A, so that u is D^-1 r.
    CGScaling<Number> scaling;

    CGState *state;
    double *history;
    const double *sums; ///< [n_cg_sums], over all parts

    /// Shares of r.u, r.r and |D^-1 r|^2.
    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      const double value = u[i];
      if (k == sum_r_scaled && scaling.inverse == nullptr)
        return value * value;
      const double r = value * reciprocal(weight[i]);
      return k == sum_r_z   ? value * r
             : k == sum_r_r ? r * r
                            : scaling.squared(i, r);
    }

    /// M^-1 times an entry.
    TESSERA_HOST_DEVICE Number
    preconditioned(const std::int64_t i, const Number value) const
    {
      return value * static_cast<Number>(weight[i]);
    }
  };

  /// to = from in float. What is beyond the range of float becomes its
  /// end: then M is another one, but still positive.
  template <class Number>
  struct Rounding
  {
    float *to;
    const Number *from;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const double value = from[i];
      to[i] = static_cast<float>(value > 0 && value < FLT_MIN          ? FLT_MIN
                                 : value > FLT_MAX && value <= DBL_MAX ? FLT_MAX
                                                                       : value);
    }
  };

  /// The scalars of an iteration.
  struct SingleReductionStep
  {
    double alpha, beta;
    CGState next;
  };

  /// Returns the iteration that begins in `state`, where the sums belong to its
  /// r, u and w. If it ends the recurrence, next.status is not `running`.
  TESSERA_HOST_DEVICE SingleReductionStep
  single_reduction_step(CGState state, const double r_z, const double r_r,
                        const double r_scaled, const double u_w)
  {
    const bool first     = state.alpha == 0;
    const double r_z_old = state.r_dot_z;
    state.r_dot_z        = r_z;
    state.r_dot_r        = r_r;
    state.r_scaled       = r_scaled;
    set_status(state);
    if (state.status != CGState::Status::running)
      return {0, 0, state};
    const double beta  = first ? 0. : r_z / r_z_old;
    const double p_q   = first ? u_w : u_w - beta * r_z / state.alpha;
    const double alpha = r_z / p_q;
    state.status       = status_of_step(p_q);
    if (state.status != CGState::Status::running)
      return {0, 0, state};
    ++state.iterations;
    return {alpha, beta, state};
  }

  /// u = M^-1 (b - w) and the sums r.u, r.r and |D^-1 r|^2.
  template <class Number>
  struct SingleReductionResidual : SingleReductionData<Number>
  {
    static constexpr int n_sums = sum_r_scaled + 1;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Pass::Scalars &) const
    {
      this->u[i] = this->preconditioned(i, this->b[i] - this->w[i]);
    }
  };

  /// The first state.
  template <class Number>
  struct SingleReductionBegin : SingleReductionData<Number>
  {
    static constexpr bool ends = true;
    CGStart start;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Pass::Scalars &) const
    {}

    TESSERA_HOST_DEVICE void
    end(const Pass::Scalars &) const
    {
      *this->state = first_state(start, this->sums);
      note_residual(this->history, start.iterations, this->state->r_dot_r);
    }
  };

  /// An iteration, once w and the sums are known. u and s are read and written
  /// and w is read; every second time x and p are read and written, too: 7
  /// numbers per entry and M^-1 in the mean, and D^-1 unless it is M^-1.
  template <class Number>
  struct SingleReductionAdvance : SingleReductionData<Number>
  {
    static constexpr int n_sums        = sum_r_scaled + 1;
    static constexpr bool ends         = true;
    static constexpr bool adds_product = true;
    GridSum product; ///< u.w

    struct Scalars
    {
      bool idle, moves, first, first_pair;
      Number alpha, beta, alpha_before, beta_before;
      CGState next;
    };

    TESSERA_HOST_DEVICE Scalars
    begin(const double u_w) const
    {
      const CGState before = *this->state;
      if (before.status != CGState::Status::running)
        return {true, false, false, false, 0, 0, 0, 0, before};
      SingleReductionStep step =
        single_reduction_step(before, this->sums[sum_r_z], this->sums[sum_r_r],
                              this->sums[sum_r_scaled], u_w);
      const bool idle = step.next.status != CGState::Status::running;
      if (!idle)
        {
          step.next.alpha   = step.alpha;
          step.next.beta    = step.beta;
          step.next.pending = !before.pending;
        }
      return {idle,
              before.pending,
              before.alpha == 0,
              before.beta == 0,
              static_cast<Number>(step.alpha),
              static_cast<Number>(step.beta),
              static_cast<Number>(before.alpha),
              static_cast<Number>(before.beta),
              step.next};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      const Number u = this->u[i];
      Number s       = this->preconditioned(i, this->w[i]);
      if (!scalars.first)
        {
          const Number before = this->s[i];
          s += scalars.beta * before;
          if (scalars.moves)
            {
              Number p = u + scalars.alpha_before * before;
              if (!scalars.first_pair)
                p += scalars.beta_before * this->p[i];
              const Number next = u + scalars.beta * p;
              this->x[i] += scalars.alpha_before * p + scalars.alpha * next;
              this->p[i] = next;
            }
        }
      this->s[i] = s;
      this->u[i] = u - scalars.alpha * s;
    }

    TESSERA_HOST_DEVICE void
    end(const Scalars &scalars) const
    {
      *this->state = scalars.next;
      // What is known now is the residual before this iteration.
      note_residual(this->history,
                    scalars.next.iterations - (scalars.idle ? 0 : 1),
                    scalars.next.r_dot_r);
    }
  };

  /// Makes the last step of x if it is pending.
  template <class Number>
  struct SingleReductionFinish : SingleReductionData<Number>
  {
    static constexpr bool ends = true;

    struct Scalars
    {
      bool idle;
      Number alpha, beta;
    };

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      const CGState state = *this->state;
      return {!state.pending, static_cast<Number>(state.alpha),
              static_cast<Number>(state.beta)};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      Number p = this->u[i] + scalars.alpha * this->s[i];
      if (scalars.beta != Number(0))
        p += scalars.beta * this->p[i];
      this->x[i] += scalars.alpha * p;
      this->p[i] = p;
    }

    TESSERA_HOST_DEVICE void
    end(const Scalars &) const
    {
      this->state->pending = false;
    }
  };
} // namespace tessera
