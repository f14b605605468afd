#include <tessera/base/launch.h>

#include "cg_kernels.h"
#include "vector_loops.cuh"

namespace tessera
{
  namespace
  {
    template <class Number>
    TESSERA_DEVICE void
    sum_up(const Number value, const CGData<Number> &data, const int k)
    {
      device::grid_sum<vector_threads>(value, device::block_index(),
                                       data.grid_sum(k));
    }

    /// Computes r = b - q and the sums r.z (if M is diagonal), r.r and b.b. One
    /// thread works on entry i. Moves 4 numbers per entry: b, q and M^-1 are
    /// read, r is written. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void residual(TESSERA_ARGUMENT(CGData<Number>) data)
    {
      Number r_z = 0, r_r = 0, b_b = 0;
      for_each_entry(data.n, [&](const std::int64_t i) {
        const Number b = data.b[i];
        const Number r = b - data.q[i];
        data.r[i]      = r;
        r_r += r * r;
        b_b += b * b;
        if (data.weight != nullptr)
          r_z += r * data.weight[i] * r;
      });
      sum_up(r_z, data, sum_r_z);
      sum_up(r_r, data, sum_r_r);
      sum_up(b_b, data, sum_b_b);
    }

    /// Computes r -= alpha q and the sums r.z (if M is diagonal) and r.r. One
    /// thread works on entry i. Moves 4 numbers per entry: r, q and M^-1 are
    /// read, r is written. All blocks compute the same alpha and status,
    /// because the kernel writes nothing that this depends on. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void update(TESSERA_ARGUMENT(CGData<Number>) data)
    {
      const CGState<Number> state = *data.state;
      const Number alpha          = step(state, data.sums);
      if (state.status != CGState<Number>::Status::running ||
          alpha == Number(0))
        return;
      Number r_z = 0, r_r = 0;
      for_each_entry(data.n, [&](const std::int64_t i) {
        const Number r = data.r[i] - alpha * data.q[i];
        data.r[i]      = r;
        r_r += r * r;
        if (data.weight != nullptr)
          r_z += r * data.weight[i] * r;
      });
      sum_up(r_z, data, sum_r_z);
      sum_up(r_r, data, sum_r_r);
    }

    /// Computes the sum r.z if M is not diagonal. One thread works on entry i.
    /// Moves 2 numbers per entry. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void dot(TESSERA_ARGUMENT(CGData<Number>) data)
    {
      Number r_z = 0;
      for_each_entry(
        data.n, [&](const std::int64_t i) { r_z += data.r[i] * data.z[i]; });
      sum_up(r_z, data, sum_r_z);
    }

    /// The last block to finish writes the state for the next kernel. At that
    /// point all blocks have read the old state.
    template <class Number>
    TESSERA_DEVICE void
    leave_state(const CGData<Number> &data, const CGState<Number> &state)
    {
      device::barrier();
      if (device::thread_index() != 0)
        return;
      device::fence();
      if (device::atomic_increment(data.counters) + 1 ==
          static_cast<unsigned int>(data.n_blocks))
        {
          *data.state    = state;
          *data.counters = 0;
        }
    }

    /// Sets p = M^-1 r and the first state. One thread works on entry i. Moves
    /// 3 numbers per entry if M is diagonal: r and M^-1 are read, p is written.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void begin(TESSERA_ARGUMENT(CGData<Number>) data,
               TESSERA_ARGUMENT(CGStart) start)
    {
      const CGState<Number> state = first_state(start, data.sums);
      for_each_entry(data.n, [&](const std::int64_t i) {
        data.p[i] = data.preconditioned(i);
      });
      leave_state(data, state);
    }

    /// Computes x += alpha p and p = z + beta p. One thread works on entry i.
    /// Moves 6 numbers per entry if M is diagonal: x, r, M^-1 and p are read, x
    /// and p are written. Repeatable.
    template <class Number>
    TESSERA_KERNEL(vector_threads, 4)
    void advance(TESSERA_ARGUMENT(CGData<Number>) data)
    {
      const CGState<Number> before = *data.state;
      if (before.status != CGState<Number>::Status::running)
        return;
      const CGState<Number> state = next_state(before, data.sums);
      const Number alpha          = step(before, data.sums);
      if (state.status == CGState<Number>::Status::running)
        {
          const Number beta = state.r_dot_z / before.r_dot_z;
          for_each_entry(data.n, [&](const std::int64_t i) {
            const Number p = data.p[i];
            data.x[i] += alpha * p;
            data.p[i] = data.preconditioned(i) + beta * p;
          });
        }
      else if (alpha != Number(0))
        for_each_entry(data.n, [&](const std::int64_t i) {
          data.x[i] += alpha * data.p[i];
        });
      leave_state(data, state);
    }

    template <class Number>
    Shape
    shape(const CGData<Number> &data)
    {
      return {data.n_blocks, vector_threads};
    }
  } // namespace

  template <class Number>
  void
  cg_residual(Cuda, const CGData<Number> &data, const Stream stream)
  {
    launch(residual<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  cg_update(Cuda, const CGData<Number> &data, const Stream stream)
  {
    launch(update<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  cg_dot(Cuda, const CGData<Number> &data, const Stream stream)
  {
    launch(dot<Number>, shape(data), stream, data);
  }

  template <class Number>
  void
  cg_begin(Cuda, const CGData<Number> &data, const CGStart &start,
           const Stream stream)
  {
    launch(begin<Number>, shape(data), stream, data, start);
  }

  template <class Number>
  void
  cg_advance(Cuda, const CGData<Number> &data, const Stream stream)
  {
    launch(advance<Number>, shape(data), stream, data);
  }

#define INSTANTIATE(Number)                                                \
  template void cg_residual<Number>(Cuda, const CGData<Number> &, Stream); \
  template void cg_update<Number>(Cuda, const CGData<Number> &, Stream);   \
  template void cg_dot<Number>(Cuda, const CGData<Number> &, Stream);      \
  template void cg_begin<Number>(Cuda, const CGData<Number> &,             \
                                 const CGStart &, Stream);                 \
  template void cg_advance<Number>(Cuda, const CGData<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
