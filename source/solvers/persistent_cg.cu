#include <tessera/base/global_thread.cuh>
#include <tessera/base/launch_together.cuh>

#include <algorithm>

#include "persistent_cg.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 512, blocks_per_multiprocessor = 2;

    /// Returns in all threads of the grid the sums of `values` over all of
    /// them. `partial`, [n][n_blocks], must not be used again before the next
    /// call but one. The order of additions is fixed.
    template <int n>
    TESSERA_DEVICE void
    sum_together(double (&values)[n], double *partial, unsigned int *counter)
    {
      TESSERA_SHARED double totals[n];
      for (int k = 0; k < n; ++k)
        {
          const double sum = device::block_sum<threads>(values[k]);
          if (device::thread_index() == 0)
            partial[k * device::n_blocks() + device::block_index()] = sum;
        }
      device::grid_barrier(counter);
      for (int k = 0; k < n; ++k)
        {
          double part = 0;
          for (int b = device::thread_index(); b < device::n_blocks();
               b += threads)
            part += partial[k * device::n_blocks() + b];
          part = device::block_sum<threads>(part);
          if (device::thread_index() == 0)
            totals[k] = part;
        }
      device::barrier();
      for (int k = 0; k < n; ++k)
        values[k] = totals[k];
      device::barrier();
    }

    template <class Number>
    TESSERA_DEVICE Number
    row_product(const RowEntries<const Number> &rows, const int row,
                const Number *x)
    {
      const int length = rows.rows.length(row);
      Number sum       = Number(0);
      for (int k = 0; k < length; ++k)
        sum += rows.values[rows.rows.position(row, k)] * x[rows.column(row, k)];
      return sum;
    }

    /// The vectors of an iteration; returns this thread's shares of r.u and r.r.
    template <class Number>
    TESSERA_DEVICE void
    advance(const SingleReductionData<Number> &d, const int first, const int n,
            const int stride, const bool start, const Number alpha,
            const Number beta, double (&r_sums)[2])
    {
      r_sums[0] = r_sums[1] = 0;
      for (int i = first; i < n; i += stride)
        {
          const Number u = d.u[i];
          const Number p = start ? u : u + beta * d.p[i];
          const Number s = start ? d.w[i] : d.w[i] + beta * d.s[i];
          const Number r = d.r[i] - alpha * s;
          d.p[i]         = p;
          d.s[i]         = s;
          d.r[i]         = r;
          d.x[i] += alpha * p;
          d.u[i] = static_cast<Number>(d.weight[i]) * r;
          r_sums[0] += d.share(sum_r_z, i);
          r_sums[1] += d.share(sum_r_r, i);
        }
    }

    /// Iterations of SingleReductionAdvance, in which x moves every time. A
    /// thread has the rows that are a grid apart. All threads compute the same
    /// scalars.
    template <class Number>
    TESSERA_KERNEL(threads, blocks_per_multiprocessor)
    void all_iterations(TESSERA_ARGUMENT(PersistentCGArguments<Number>) a)
    {
      const SingleReductionData<Number> &d = a.data;
      const int n                          = a.rows.n_rows;
      const int first                      = global_thread<threads>();
      const int stride                     = device::n_blocks() * threads;
      const bool writes                    = first == 0;
      CGState state                        = *d.state;
      double r_sums[2] = {a.sums[sum_r_z], a.sums[sum_r_r]};
      for (int k = 0;
           k < a.n_iterations && state.status == CGState::Status::running; ++k)
        {
          double u_w[1] = {0};
          for (int i = first; i < n; i += stride)
            {
              const Number w = row_product(a.rows, i, d.u);
              d.w[i]         = w;
              u_w[0] += double(d.u[i]) * double(w);
            }
          sum_together(u_w, a.partial, a.counter);

          const SingleReductionStep step =
            single_reduction_step(state, r_sums[0], r_sums[1], u_w[0]);
          const bool start_of_all = state.alpha == 0;
          state                   = step.next;
          if (state.status != CGState::Status::running)
            break;
          state.alpha = step.alpha;
          state.beta  = step.beta;
          if (writes)
            note_residual(d.history, state.iterations - 1, state.r_dot_r);
          advance(d, first, n, stride, start_of_all,
                  static_cast<Number>(step.alpha),
                  static_cast<Number>(step.beta), r_sums);
          sum_together(r_sums, a.partial + 2 * device::n_blocks(), a.counter);
        }
      if (writes)
        {
          if (state.status != CGState::Status::running)
            note_residual(d.history, state.iterations, state.r_dot_r);
          a.sums[sum_r_z] = r_sums[0];
          a.sums[sum_r_r] = r_sums[1];
          *d.state        = state;
        }
    }
  } // namespace

  template <class Number>
  void
  run_persistent_cg(const PersistentCGArguments<Number> &arguments,
                    const int n_blocks, const Stream stream)
  {
    launch_together(all_iterations<Number>, {n_blocks, threads}, stream,
                    arguments);
  }

  int
  persistent_cg_blocks(const int n)
  {
    const int needed = (n + threads - 1) / threads;
    return std::clamp(needed, 1,
                      blocks_per_multiprocessor * n_multiprocessors());
  }

  int
  persistent_cg_rows()
  {
    return blocks_per_multiprocessor * n_multiprocessors() * threads;
  }

  template void
  run_persistent_cg<double>(const PersistentCGArguments<double> &, int, Stream);
  template void
  run_persistent_cg<float>(const PersistentCGArguments<float> &, int, Stream);
} // namespace tessera
