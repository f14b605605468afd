#include <tessera/base/launch.h>
#include <tessera/base/on_constant.h>
#include <tessera/matrix/ell_layout.h>

#include "ell_kernels.h"
#include "row_operator.cuh"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::ell_threads;

    /// y = A x or y += A x for rows in ELLPACK, and the sum x . A x if
    /// requested.
    ///
    /// One thread works on a row, and one warp on a slice of 32 rows. A thread
    /// stops at the last entry of its row, so that a warp reads as many columns
    /// as its longest row has. Values and columns are read once, coalesced, in
    /// whole lines, and `ahead` of them are loaded before the reads of x. These
    /// are coalesced if neighbouring rows have their k-th columns side by side
    /// (numbering batch_interleaved). Beyond its end a row adds 0 times its own
    /// x, as padding does. The order of additions is fixed, so the result is
    /// repeatable.
    ///
    /// In a matrix of blocks of b x b entries, a row reads one index for every
    /// b entries, and the b rows of a block read the same indices.
    ///
    /// Bytes per row in double: 8 + 4 / b^2 per nonzero, 4 for its length, 16
    /// for x and y.
    template <int b, class Number>
    TESSERA_KERNEL(threads, tuning::ell_blocks)
    void ell(TESSERA_ARGUMENT(EllApply<Number>) apply)
    {
      constexpr int ahead = tuning::ell_ahead / b * b;
      double energy       = 0;
      for (std::int64_t row =
             static_cast<std::int64_t>(threads) * device::block_index() +
             device::thread_index();
           row < apply.rows.n_rows;
           row += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const int length        = read_only(apply.lengths + row);
          const int end           = length < apply.width ? length : apply.width;
          const std::int64_t base = ell_base(row, apply.width);
          const Number *const from = apply.values + base;
          const int *const columns =
            apply.columns +
            (b == 1 ? base : ell_base(row / b, apply.width / b));
          Number sum = Number(0);
          for (int first = 0; first < end; first += ahead)
            {
              Number value[ahead];
              int column[ahead / b];
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                {
                  const bool inside = first + a < end;
                  const int place   = (first + a) * ell_slice_rows;
                  value[a] =
                    inside ? device::load_once(from + place) : Number(0);
                  if (a % b == 0)
                    column[a / b] =
                      inside ? device::load_once(columns +
                                                 (b == 1 ? place : place / b))
                             : static_cast<int>(row / b);
                }
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                sum += value[a] *
                       read_only(apply.rows.x + column[a / b] * b + a % b);
            }
          energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  int
  ell_blocks(const int n_rows)
  {
    return row_blocks(n_rows, threads);
  }

  template <class Number>
  void
  apply_ell(Cuda, const EllApply<Number> &apply, const Stream stream)
  {
    on_constant<1, 2, 3>(apply.block, [&](const auto b) {
      launch(ell<decltype(b)::value, Number>,
             {ell_blocks(apply.rows.n_rows), threads}, stream, apply);
    });
  }

  template void
  apply_ell<double>(Cuda, const EllApply<double> &, Stream);
  template void
  apply_ell<float>(Cuda, const EllApply<float> &, Stream);
} // namespace tessera
