#include <tessera/base/launch.h>

#include <algorithm>

#include "csr_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::csr_threads;

    /// A block takes R neighbouring rows. It copies their entries to shared
    /// memory tile by tile, coalesced, and sums them there with neighbouring
    /// threads on neighbouring rows: where these have their k-th columns side
    /// by side (batch_interleaved numbering), x is read coalesced too. A row is
    /// summed by threads / R threads, in a fixed order. `pad` leaves out one
    /// word in 17, for rows of even length, which would otherwise start in the
    /// same banks.
    /// Bytes a row: 12 a nonzero, 4 or 8 for its start, 16 for x and y.
    template <int R, bool pad, class Number, class Offset>
    TESSERA_KERNEL(threads, (tuning::csr_blocks<Number, Offset>))
    void csr(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      constexpr int tile  = tuning::csr_tile<Number>;
      constexpr int parts = threads / R;
      constexpr int words = pad ? tile + tile / 16 : tile;
      TESSERA_SHARED Number values[words];
      TESSERA_SHARED int columns[words];
      TESSERA_SHARED Number sums[threads];
      const auto place = [](const int k) { return pad ? k + k / 16 : k; };

      const int thread = device::thread_index();
      const int part   = thread / R;
      Number energy    = Number(0);
      for (std::int64_t first =
             static_cast<std::int64_t>(R) * device::block_index();
           first < apply.n_rows;
           first += static_cast<std::int64_t>(R) * device::n_blocks())
        {
          const std::int64_t row = first + thread % R;
          const bool inside      = row < apply.n_rows;
          const std::int64_t last_row =
            first + R < apply.n_rows ? first + R : apply.n_rows;
          const Offset begin = inside ? read_only(apply.row_start + row) : 0;
          const Offset end = inside ? read_only(apply.row_start + row + 1) : 0;
          const Offset block_begin = read_only(apply.row_start + first);
          const Offset block_end   = read_only(apply.row_start + last_row);

          Number sum = Number(0);
          for (Offset start = block_begin; start < block_end; start += tile)
            {
              const int n = block_end - start < tile
                              ? static_cast<int>(block_end - start)
                              : tile;
              TESSERA_UNROLL_BY(4)
              for (int k = thread; k < n; k += threads)
                {
                  device::copy_async(values + place(k),
                                     apply.values + start + k);
                  device::copy_async(columns + place(k),
                                     apply.columns + start + k);
                }
              device::wait_for_copies();
              device::barrier();
              const int from =
                begin > start ? static_cast<int>(begin - start) : 0;
              const int to =
                end - start < n ? static_cast<int>(end - start) : n;
              TESSERA_UNROLL_BY(4)
              for (int k = from + part; k < to; k += parts)
                sum +=
                  values[place(k)] * read_only(apply.x + columns[place(k)]);
              device::barrier();
            }

          if constexpr (parts > 1)
            {
              sums[thread] = sum;
              device::barrier();
              if (part == 0)
                for (int p = 1; p < parts; ++p)
                  sum += sums[thread + p * R];
              device::barrier();
            }
          if (inside && part == 0)
            {
              apply.y[row] = apply.add ? apply.y[row] + sum : sum;
              if (apply.sum.result != nullptr)
                energy += apply.x[row] * sum;
            }
        }
      if (apply.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(), apply.sum);
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

    template <int R, class Number, class Offset>
    void
    launch_csr(const CsrApply<Number, Offset> &apply, const Stream stream)
    {
      launch(apply.pad ? csr<R, true, Number, Offset>
                       : csr<R, false, Number, Offset>,
             {csr_blocks(apply.n_rows, R), threads}, stream, apply);
    }
  } // namespace

  template <class Number>
  int
  csr_rows_per_block(const double mean_length)
  {
    for (int rows = threads; rows > 32; rows /= 2)
      if (rows * mean_length <= tuning::csr_tile<Number>)
        return rows;
    return 32;
  }

  template int
  csr_rows_per_block<double>(double);
  template int
  csr_rows_per_block<float>(double);

  int
  csr_blocks(const int n_rows, const int rows_per_block)
  {
    return static_cast<int>(std::min(
      (static_cast<std::int64_t>(n_rows) + rows_per_block - 1) / rows_per_block,
      static_cast<std::int64_t>(tuning::csr_max_blocks)));
  }

  template <class Number, class Offset>
  void
  apply_csr(Cuda, const CsrApply<Number, Offset> &apply, const Stream stream)
  {
    switch (apply.rows_per_block)
      {
        case 128:
          return launch_csr<128>(apply, stream);
        case 64:
          return launch_csr<64>(apply, stream);
        default:
          return launch_csr<32>(apply, stream);
      }
  }

  template <class Number, class Offset>
  void
  csr_diagonal(Cuda, const CsrApply<Number, Offset> &apply, const Stream stream)
  {
    launch(diagonal<Number, Offset>,
           {(static_cast<std::int64_t>(apply.n_rows) + threads - 1) / threads,
            threads},
           stream, apply);
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
