#include <tessera/base/global_thread.cuh>
#include <tessera/base/launch_together.cuh>

#include <algorithm>

#include "persistent_cg.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 512, blocks_per_multiprocessor = 2;
    constexpr int n_warps = threads / 32;

    TESSERA_DEVICE double
    warp_sum(double value, const int width = 32)
    {
      for (int offset = width / 2; offset > 0; offset /= 2)
        value += device::shuffle_down(value, offset, width);
      return value;
    }

    /// Returns in all threads of the grid the sums of `values` over all of
    /// them. `partial`, [n][n_blocks], must not be used again before the next
    /// call but one. The order of additions is fixed.
    template <int n>
    TESSERA_DEVICE void
    sum_together(double (&values)[n], double *partial, unsigned int *counter)
    {
      static_assert(n <= n_warps, "a warp for each sum");
      TESSERA_SHARED double of_warp[n][n_warps], totals[n];
      const int lane = device::thread_index() % 32;
      const int warp = device::thread_index() / 32;
      for (int k = 0; k < n; ++k)
        {
          const double sum = warp_sum(values[k]);
          if (lane == 0)
            of_warp[k][warp] = sum;
        }
      device::barrier();
      if (warp < n)
        {
          const double sum =
            warp_sum(lane < n_warps ? of_warp[warp][lane] : 0.);
          if (lane == 0)
            partial[warp * device::n_blocks() + device::block_index()] = sum;
        }
      device::grid_barrier(counter);
      if (warp < n)
        {
          double part = 0;
          for (int b = lane; b < device::n_blocks(); b += 32)
            part += partial[warp * device::n_blocks() + b];
          part = warp_sum(part);
          if (lane == 0)
            totals[warp] = part;
        }
      device::barrier();
      for (int k = 0; k < n; ++k)
        values[k] = totals[k];
    }

    /// Returns the share of a lane in the product of a row, of which it has
    /// every `step`-th entry from `first` on. Several entries are under way at
    /// the same time, because it is their latency that counts.
    template <class Number>
    TESSERA_DEVICE Number
    row_product(const RowEntries<const Number> &rows, const int row,
                const int first, const int step, const Number *x)
    {
      constexpr int n  = 4;
      const int length = rows.rows.length(row);
      Number sum       = Number(0);
      for (int k = first; k < length; k += n * step)
        {
          Number values[n], of_x[n];
          TESSERA_UNROLL
          for (int j = 0; j < n; ++j)
            {
              const int at  = k + j * step;
              const bool is = at < length;
              values[j] =
                is ? rows.values[rows.rows.position(row, at)] : Number(0);
              of_x[j] = is ? x[rows.column(row, at)] : Number(0);
            }
          TESSERA_UNROLL
          for (int j = 0; j < n; ++j)
            sum += values[j] * of_x[j];
        }
      return sum;
    }

    /// w = A u with `lanes` threads for a row; returns this thread's share of
    /// u.w.
    template <class Number>
    TESSERA_DEVICE double
    product(const RowEntries<const Number> &rows, const int lanes,
            const int first, const int stride, const Number *u, Number *w)
    {
      double u_w     = 0;
      const int lane = device::thread_index() % lanes;
      // All lanes of a warp take part in the shuffles.
      const int of_warp = first - device::thread_index() % 32;
      for (int at = of_warp; at / lanes < rows.n_rows; at += stride)
        {
          const int row = (at + device::thread_index() % 32) / lanes;
          double sum    = row < rows.n_rows
                            ? double(row_product(rows, row, lane, lanes, u))
                            : 0.;
          sum           = warp_sum(sum, lanes);
          if (lane == 0 && row < rows.n_rows)
            {
              w[row] = static_cast<Number>(sum);
              u_w += double(u[row]) * sum;
            }
        }
      return u_w;
    }

    /// The vectors of an iteration; returns this thread's shares of r.u, r.r
    /// and |D^-1 r|^2.
    template <class Number>
    TESSERA_DEVICE void
    advance(const SingleReductionData<Number> &d, const int first, const int n,
            const int stride, const bool start, const Number alpha,
            const Number beta, double (&r_sums)[3])
    {
      r_sums[0] = r_sums[1] = r_sums[2] = 0;
      for (int i = first; i < n; i += stride)
        {
          const Number u = d.u[i];
          const Number w = d.preconditioned(i, d.w[i]);
          const Number p = start ? u : u + beta * d.p[i];
          const Number s = start ? w : w + beta * d.s[i];
          d.p[i]         = p;
          d.s[i]         = s;
          d.x[i] += alpha * p;
          d.u[i] = u - alpha * s;
          r_sums[0] += d.share(sum_r_z, i);
          r_sums[1] += d.share(sum_r_r, i);
          r_sums[2] += d.share(sum_r_scaled, i);
        }
    }

    /// Returns a state whose constants are read from memory again, so that they
    /// take no registers meanwhile. Nothing writes them.
    TESSERA_DEVICE CGState
    with_constants(CGState state, const CGState &stored)
    {
      state.max_iterations           = stored.max_iterations;
      state.preconditioned           = stored.preconditioned;
      state.tolerance_squared        = stored.tolerance_squared;
      state.floor_squared            = stored.floor_squared;
      state.scaled_tolerance_squared = stored.scaled_tolerance_squared;
      state.scaled_floor_squared     = stored.scaled_floor_squared;
      return state;
    }

    /// Iterations of SingleReductionAdvance, in which x moves every time. A
    /// thread has the entries that are a grid apart. All threads compute the
    /// same scalars.
    template <class Number>
    TESSERA_KERNEL(threads, blocks_per_multiprocessor)
    void all_iterations(TESSERA_ARGUMENT(PersistentCGArguments<Number>) a)
    {
      const SingleReductionData<Number> &d = a.data;
      const int n                          = a.rows.n_rows;
      const int first                      = global_thread<threads>();
      const int stride                     = device::n_blocks() * threads;
      CGState state                        = *d.state;
      if (state.status != CGState::Status::running)
        return;
      double r_sums[3] = {a.sums[sum_r_z], a.sums[sum_r_r],
                          a.sums[sum_r_scaled]};
      for (int k = 0; k < a.n_iterations; ++k)
        {
          double u_w[1] = {product(a.rows, a.lanes, first, stride, d.u, d.w)};
          sum_together(u_w, a.partial, a.counter);
          const SingleReductionStep step =
            single_reduction_step(with_constants(state, *d.state), r_sums[0],
                                  r_sums[1], r_sums[2], u_w[0]);
          const bool start = state.alpha == 0;
          state            = step.next;
          if (first == 0)
            note_residual(d.history, state.iterations - (step.alpha != 0),
                          state.r_dot_r);
          if (step.alpha == 0)
            break;
          state.alpha = step.alpha;
          state.beta  = step.beta;
          advance(d, first, n, stride, start, static_cast<Number>(step.alpha),
                  static_cast<Number>(step.beta), r_sums);
          sum_together(r_sums, a.partial + 2 * device::n_blocks(), a.counter);
        }
      if (first == 0) // all others have read the state before the first sum
        {
          a.sums[sum_r_z]      = r_sums[0];
          a.sums[sum_r_r]      = r_sums[1];
          a.sums[sum_r_scaled] = r_sums[2];
          CGState &stored      = *d.state;
          stored.status        = state.status;
          stored.iterations    = state.iterations;
          stored.r_dot_z       = state.r_dot_z;
          stored.r_dot_r       = state.r_dot_r;
          stored.r_scaled      = state.r_scaled;
          stored.alpha         = state.alpha;
          stored.beta          = state.beta;
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
  persistent_cg_lanes(const int n, const int mean_length)
  {
    int lanes = 1;
    while (2 * lanes <= mean_length / 2 && lanes < 32 &&
           std::int64_t(lanes) * n <=
             8 * blocks_per_multiprocessor * threads * n_multiprocessors())
      lanes *= 2;
    return lanes;
  }

  int
  persistent_cg_blocks(const int n, const int lanes)
  {
    const int needed =
      static_cast<int>((std::int64_t(n) * lanes + threads - 1) / threads);
    return std::clamp(needed, 1,
                      blocks_per_multiprocessor * n_multiprocessors());
  }

  template void
  run_persistent_cg<double>(const PersistentCGArguments<double> &, int, Stream);
  template void
  run_persistent_cg<float>(const PersistentCGArguments<float> &, int, Stream);
} // namespace tessera
