#include <tessera/base/launch.h>

#include "dense_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// y = A x or y += A x for rows with all their zeros, and the sum x . A x
    /// if requested (LinLau2025, section II.A).
    ///
    /// A thread works on a row. The block brings x on chip, as many entries as
    /// it has threads at a time, so that x is read once for 128 rows.
    /// Neighbouring threads read values that are a row apart; the other values
    /// of a sector wait in the cache. The order of additions is fixed, so the
    /// result is repeatable.
    ///
    /// Bytes per row in double: 8 per column, 8 / 128 per column for x, 8 for
    /// y.
    template <class Number>
    TESSERA_KERNEL(threads)
    void dense_by_threads(TESSERA_ARGUMENT(DenseApply<Number>) apply)
    {
      TESSERA_SHARED Number x[threads];
      const int thread = device::thread_index();
      const int n      = apply.n_columns;
      double energy    = 0;
      for (std::int64_t first =
             static_cast<std::int64_t>(threads) * device::block_index();
           first < apply.rows.n_rows;
           first += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const std::int64_t row     = first + thread;
          const bool inside          = row < apply.rows.n_rows;
          const Number *const values = apply.values + (inside ? row * n : 0);
          Number sum                 = Number(0);
          for (int begin = 0; begin < n; begin += threads)
            {
              const int end = n - begin < threads ? n - begin : threads;
              if (thread < end)
                x[thread] = read_only(apply.rows.x + begin + thread);
              device::barrier();
              if (inside)
                {
                  TESSERA_UNROLL_BY(8)
                  for (int k = 0; k < end; ++k)
                    sum += read_only(values + begin + k) * x[k];
                }
              device::barrier();
            }
          if (inside)
            energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }

    /// The same with a block a row (LinLau2025, section II.A).
    ///
    /// Neighbouring threads read neighbouring values and entries of x. Their
    /// sums are added up in a fixed order, so the result is repeatable.
    ///
    /// Bytes per row in double: 8 per column, as many for x, which comes from
    /// the cache, 8 for y.
    template <class Number>
    TESSERA_KERNEL(threads)
    void dense_by_blocks(TESSERA_ARGUMENT(DenseApply<Number>) apply)
    {
      const int thread = device::thread_index();
      double energy    = 0;
      for (std::int64_t row = device::block_index(); row < apply.rows.n_rows;
           row += device::n_blocks())
        {
          const Number *const values = apply.values + row * apply.n_columns;
          Number sum                 = Number(0);
          TESSERA_UNROLL_BY(8)
          for (int column = thread; column < apply.n_columns; column += threads)
            sum += device::load_once(values + column) *
                   read_only(apply.rows.x + column);
          sum = device::block_sum<threads>(sum);
          if (thread == 0)
            energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  int
  dense_blocks(const int n_rows, const bool by_blocks)
  {
    return row_blocks(n_rows, by_blocks ? 1 : threads);
  }

  template <class Number>
  void
  apply_dense(Cuda, const DenseApply<Number> &apply, const Stream stream)
  {
    launch(apply.by_blocks ? dense_by_blocks<Number> : dense_by_threads<Number>,
           {dense_blocks(apply.rows.n_rows, apply.by_blocks), threads}, stream,
           apply);
  }

  template void
  apply_dense<double>(Cuda, const DenseApply<double> &, Stream);
  template void
  apply_dense<float>(Cuda, const DenseApply<float> &, Stream);
} // namespace tessera
