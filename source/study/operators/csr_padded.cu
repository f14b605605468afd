#include <tessera/base/launch.h>

#include "../../operators/row_operator.cuh"
#include "csr_padded_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int group = csr_padded_group, threads = 128;

    /// y = A x or y += A x for padded compressed rows, and the sum x . A x if
    /// requested.
    ///
    /// The threads of a group work on a row, each on one entry of every group:
    /// one step of a row reads a whole sector of values in double, and half a
    /// sector of columns. The order of additions is fixed, so the result is
    /// repeatable.
    ///
    /// Bytes per row in double: 12 per place, 8 for its start, 16 for x and y.
    template <class Number>
    TESSERA_KERNEL(threads)
    void csr_padded(TESSERA_ARGUMENT(CsrPaddedApply<Number>) apply)
    {
      constexpr int n_rows = threads / group; // of a block
      const int thread     = device::thread_index();
      double energy        = 0;
      for (std::int64_t first =
             static_cast<std::int64_t>(n_rows) * device::block_index();
           first < apply.rows.n_rows;
           first += static_cast<std::int64_t>(n_rows) * device::n_blocks())
        {
          const std::int64_t row = first + thread / group;
          const bool inside      = row < apply.rows.n_rows;
          Number sum             = Number(0);
          if (inside)
            {
              const std::int64_t end = read_only(apply.row_start + row + 1);
              TESSERA_UNROLL_BY(4)
              for (std::int64_t k =
                     read_only(apply.row_start + row) + thread % group;
                   k < end; k += group)
                sum += device::load_once(apply.values + k) *
                       read_only(apply.rows.x +
                                 device::load_once(apply.columns + k));
            }
          for (int offset = group / 2; offset > 0; offset /= 2)
            sum += device::shuffle_down(sum, offset, group);
          if (inside && thread % group == 0)
            energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  int
  csr_padded_blocks(const int n_rows)
  {
    return row_blocks(n_rows, threads / group);
  }

  template <class Number>
  void
  apply_csr_padded(Cuda, const CsrPaddedApply<Number> &apply,
                   const Stream stream)
  {
    launch(csr_padded<Number>, {csr_padded_blocks(apply.rows.n_rows), threads},
           stream, apply);
  }

  template void
  apply_csr_padded<double>(Cuda, const CsrPaddedApply<double> &, Stream);
  template void
  apply_csr_padded<float>(Cuda, const CsrPaddedApply<float> &, Stream);
} // namespace tessera
