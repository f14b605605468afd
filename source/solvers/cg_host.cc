#include "cg_kernels.h"

namespace tessera
{
  namespace
  {
    /// Entries whose sums are added up on their own. Independent of the number
    /// of threads, so that sums are repeatable.
    constexpr std::int64_t entries_per_block = 4096;

    template <class Number>
    std::int64_t
    end_of(const CGData<Number> &data, const int block)
    {
      const std::int64_t end = (block + 1) * entries_per_block;
      return end < data.n ? end : data.n;
    }

    /// Calls `block(first, last, sums)` for all blocks, where `sums` has n_sums
    /// zeros, and adds what it finds there in the order of blocks.
    template <int n_sums, class Number, class Block>
    void
    sum_over_blocks(const CGData<Number> &data, const int (&places)[n_sums],
                    const Block &block)
    {
#pragma omp parallel for schedule(static)
      for (int b = 0; b < data.n_blocks; ++b)
        {
          Number sums[n_sums] = {};
          block(b * entries_per_block, end_of(data, b), sums);
          for (int k = 0; k < n_sums; ++k)
            data.grid_sum(places[k]).partial[b] = sums[k];
        }
      for (const int place : places)
        {
          const GridSum<Number> sum = data.grid_sum(place);
          Number total              = 0;
          for (int b = 0; b < data.n_blocks; ++b)
            total += sum.partial[b];
          *sum.result = total;
        }
    }

    /// r.z for entries of a block where M is diagonal; r is at hand in cache.
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

    /// x += alpha p
    template <class Number>
    void
    add_step(const CGData<Number> &data, const Number alpha)
    {
#pragma omp parallel for simd schedule(static)
      for (std::int64_t i = 0; i < data.n; ++i)
        data.x[i] += alpha * data.p[i];
    }

    /// x += alpha p, p = z + beta p; p is not read for beta = 0.
    template <class Number>
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
          const std::int64_t last  = end_of(data, b);
          if (beta == Number(0))
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
  int
  cg_blocks(Target, const std::int64_t n)
  {
    return static_cast<int>(n > 0 ? (n - 1) / entries_per_block + 1 : 1);
  }

  template <class Number, class Target, IfHost<Target>>
  void
  cg_residual(Target, const CGData<Number> &data, Stream)
  {
    sum_over_blocks(
      data, {sum_r_z, sum_r_r, sum_b_b},
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
  cg_update(Target, const CGData<Number> &data, Stream)
  {
    const Number alpha = step(*data.state, data.sums);
    if (data.state->status != CGState<Number>::Status::running ||
        alpha == Number(0))
      return;
    sum_over_blocks(
      data, {sum_r_z, sum_r_r},
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
  cg_dot(Target, const CGData<Number> &data, Stream)
  {
    sum_over_blocks(
      data, {sum_r_z},
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
    set_direction(data, Number(0), Number(0));
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
      set_direction(data, alpha, data.state->r_dot_z / before);
    else
      add_step(data, alpha);
  }

#define INSTANTIATE(Number)                                                  \
  template int cg_blocks<Number>(TESSERA_ISA, std::int64_t);                 \
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
