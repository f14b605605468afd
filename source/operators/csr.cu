#include <tessera/base/launch.h>

#include <algorithm>

#include "csr_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::csr_threads;

    /// T neighbouring threads sum up a row, each every T-th entry; groups go
    /// over the rows with the stride of the grid. Bytes a row: 12 a nonzero,
    /// 4 or 8 for its start, 16 for x and y.
    template <int T, class Number, class Offset>
    TESSERA_KERNEL(threads)
    void csr(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      const int lane = device::thread_index() % T;
      Number energy  = Number(0);
      // All threads of a warp make the same number of steps.
      for (std::int64_t first =
             static_cast<std::int64_t>(device::block_index()) * (threads / T);
           first < apply.n_rows;
           first +=
           static_cast<std::int64_t>(device::n_blocks()) * (threads / T))
      {
        const std::int64_t row = first + device::thread_index() / T;
        const bool inside      = row < apply.n_rows;
        const Offset begin     = inside ? apply.row_start[row] : 0;
        const Offset end       = inside ? apply.row_start[row + 1] : 0;
        Number sum             = Number(0);
        for (Offset k = begin + lane; k < end; k += T)
          sum += device::load_once(apply.values + k) *
                 apply.x[device::load_once(apply.columns + k)];
        for (int offset = T / 2; offset > 0; offset /= 2)
          sum += device::shuffle_down(sum, offset, T);
        if (inside && lane == 0)
        {
          apply.y[row] = apply.add ? apply.y[row] + sum : sum;
          if (apply.sum.result != nullptr)
            energy += apply.x[row] * sum;
        }
      }
      if (apply.sum.result != nullptr)
        device::grid_sum<threads>(energy, device::block_index(), apply.sum);
    }

    /// One thread a row searches its diagonal entry.
    template <class Number, class Offset>
    TESSERA_KERNEL(threads)
    void diagonal(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      const std::int64_t row =
        static_cast<std::int64_t>(device::block_index()) * threads +
        device::thread_index();
      if (row >= apply.n_rows)
        return;
      Number d = Number(0);
      for (Offset k = apply.row_start[row]; k < apply.row_start[row + 1]; ++k)
        if (apply.columns[k] == row)
          d = apply.values[k];
      apply.y[row] = d;
    }

    template <int T, class Number, class Offset>
    void
    launch_csr(const CsrApply<Number, Offset> &apply, const Stream stream)
    {
      launch(csr<T, Number, Offset>, {csr_blocks(apply.n_rows, T), threads},
             stream, apply);
    }
  } // namespace

  int
  csr_blocks(const int n_rows, const int threads_per_row)
  {
    const std::int64_t groups = threads / threads_per_row;
    return static_cast<int>(std::min<std::int64_t>(
      (n_rows + groups - 1) / groups, tuning::csr_max_blocks));
  }

  template <class Number, class Offset>
  void
  apply_csr(Cuda, const CsrApply<Number, Offset> &apply, const Stream stream)
  {
    switch (apply.threads_per_row)
    {
      case 1:
        return launch_csr<1>(apply, stream);
      case 2:
        return launch_csr<2>(apply, stream);
      case 4:
        return launch_csr<4>(apply, stream);
      case 8:
        return launch_csr<8>(apply, stream);
      case 16:
        return launch_csr<16>(apply, stream);
      default:
        return launch_csr<32>(apply, stream);
    }
  }

  template <class Number, class Offset>
  void
  csr_diagonal(Cuda, const CsrApply<Number, Offset> &apply, const Stream stream)
  {
    launch(diagonal<Number, Offset>,
           {(apply.n_rows + threads - 1) / threads, threads}, stream, apply);
  }

#define INSTANTIATE(Number, Offset)                  \
  template void apply_csr<Number, Offset>(           \
    Cuda, const CsrApply<Number, Offset> &, Stream); \
  template void csr_diagonal<Number, Offset>(        \
    Cuda, const CsrApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera
