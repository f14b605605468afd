#include "cg_kernels.h"
#include "vector_loops.h"

namespace tessera
{
  namespace
  {
    /// Returns the part of r.z of one block if M is diagonal. The block's
    /// entries of r are in the cache.
    template <class Number>
    Number
    weighted_norm(const CGData<Number> &data, const std::int64_t first,
                  const std::int64_t last)
    {
      Number r_z = 0;
      if (data.weight != nullptr)
        {
#pragma omp simd reduction(+ : r_z)
          for (std::int64_t i = first; i < last; ++i)
            r_z += data.r[i] * data.weight[i] * data.r[i];
        }
      return r_z;
    }

    /// Computes x += alpha p.
    template <class Number>
    void
    add_step(const CGData<Number> &data, const Number alpha)
    {
#pragma omp parallel for simd schedule(static)
      for (std::int64_t i = 0; i < data.n; ++i)
        data.x[i] += alpha * data.p[i];
    }

    /// Computes x += alpha p and p = z + beta p. For the first direction p is
    /// set to zero before, so that its old values do not matter.
    template <bool first_direction, class Number>
    void
    set_direction(const CGData<Number> &data, const Number alpha,
                  const Number beta)
    {
      Number *const x           = data.x;
      Number *const p           = data.p;
      const Number *const from  = data.weight != nullptr ? data.r : data.z;
      const Number *const scale = data.weight;
#pragma omp parallel for schedule(static)
      for (int b = 0; b < data.n_blocks; ++b)
        {
          const std::int64_t first = b * entries_per_block;
          const std::int64_t last  = end_of_block(data.n, b);
          if (first_direction)
            for (std::int64_t i = first; i < last; ++i)
              p[i] = Number(0);
          if (scale != nullptr)
            {
#pragma omp simd
              for (std::int64_t i = first; i < last; ++i)
                {
                  x[i] += alpha * p[i];
                  p[i] = scale[i] * from[i] + beta * p[i];
                }
            }
          else
            {
#pragma omp simd
              for (std::int64_t i = first; i < last; ++i)
                {
                  x[i] += alpha * p[i];
                  p[i] = from[i] + beta * p[i];
                }
            }
        }
    }
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  cg_residual(Target target, const CGData<Number> &data, Stream)
  {
    sum_over_blocks(
      target, data.n,
      {data.grid_sum(sum_r_z), data.grid_sum(sum_r_r), data.grid_sum(sum_b_b)},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number r_r = 0, b_b = 0;
#pragma omp simd reduction(+ : r_r, b_b)
        for (std::int64_t i = first; i < last; ++i)
          {
            const Number b = data.b[i], r = b - data.q[i];
            data.r[i] = r;
            r_r += r * r;
            b_b += b * b;
          }
        sums[0] = weighted_norm(data, first, last);
        sums[1] = r_r;
        sums[2] = b_b;
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  cg_update(Target target, const CGData<Number> &data, Stream)
  {
    const Number alpha = step(*data.state, data.sums);
    if (data.state->status != CGState<Number>::Status::running ||
        alpha == Number(0))
      return;
    sum_over_blocks(
      target, data.n, {data.grid_sum(sum_r_z), data.grid_sum(sum_r_r)},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number r_r = 0;
#pragma omp simd reduction(+ : r_r)
        for (std::int64_t i = first; i < last; ++i)
          {
            const Number r = data.r[i] - alpha * data.q[i];
            data.r[i]      = r;
            r_r += r * r;
          }
        sums[0] = weighted_norm(data, first, last);
        sums[1] = r_r;
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  cg_dot(Target target, const CGData<Number> &data, Stream)
  {
    sum_over_blocks(
      target, data.n, {data.grid_sum(sum_r_z)},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number r_z = 0;
#pragma omp simd reduction(+ : r_z)
        for (std::int64_t i = first; i < last; ++i)
          r_z += data.r[i] * data.z[i];
        sums[0] = r_z;
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  cg_begin(Target, const CGData<Number> &data, const CGStart &start, Stream)
  {
    *data.state = first_state(start, data.sums);
    set_direction<true>(data, Number(0), Number(0));
  }

  template <class Number, class Target, IfHost<Target>>
  void
  cg_advance(Target, const CGData<Number> &data, Stream)
  {
    using Status = typename CGState<Number>::Status;
    if (data.state->status != Status::running)
      return;
    const Number before = data.state->r_dot_z;
    const Number alpha  = step(*data.state, data.sums);
    *data.state         = next_state(*data.state, data.sums);
    if (data.state->status == Status::running)
      set_direction<false>(data, alpha, data.state->r_dot_z / before);
    else
      add_step(data, alpha);
  }

#define INSTANTIATE(Number)                                                  \
  template void cg_residual<Number>(TESSERA_ISA, const CGData<Number> &,     \
                                    Stream);                                 \
  template void cg_update<Number>(TESSERA_ISA, const CGData<Number> &,       \
                                  Stream);                                   \
  template void cg_dot<Number>(TESSERA_ISA, const CGData<Number> &, Stream); \
  template void cg_begin<Number>(TESSERA_ISA, const CGData<Number> &,        \
                                 const CGStart &, Stream);                   \
  template void cg_advance<Number>(TESSERA_ISA, const CGData<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
