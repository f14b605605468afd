#include <tessera/base/on_constant.h>

#include <tessera/base/array.h>
#include <tessera/base/global_thread.cuh>
#include <tessera/operators/csr.h>

#include "csr_kernels.h"
#include "row_operator.cuh"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = tuning::csr_threads;

    /// y = A x or y += A x for staged compressed rows, and the sum x . A x if
    /// requested.
    ///
    /// A block works on R neighbouring rows. It copies their entries to shared
    /// memory tile by tile, coalesced, and sums them there with neighbouring
    /// threads on neighbouring rows. If these rows have their k-th columns side
    /// by side (numbering batch_interleaved), reads of x are coalesced too. A
    /// row is summed by threads / R threads in a fixed order, so the result is
    /// repeatable. With `pad`, one word in 17 of shared memory stays unused:
    /// rows of even length would otherwise start in the same banks.
    ///
    /// In a matrix of blocks of b x b entries, indices are not copied: the b
    /// rows of a block read the same ones, each for b entries, from the cache.
    ///
    /// Bytes per row in double: 8 + 4 / b^2 per nonzero, 4 or 8 for its start,
    /// 16 for x and y.
    template <int R, bool pad, int b, class Number, class Offset>
    TESSERA_KERNEL(threads, (tuning::csr_blocks<Number, Offset>))
    void csr(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      constexpr int tile  = tuning::csr_tile<Number>;
      constexpr int parts = threads / R;
      constexpr int words = pad ? tile + tile / 16 : tile;
      TESSERA_SHARED Number values[words];
      TESSERA_SHARED int columns[b == 1 ? words : 1];
      TESSERA_SHARED Number sums[threads];
      const auto place = [](const int k) { return pad ? k + k / 16 : k; };

      const int thread = device::thread_index();
      const int part   = thread / R;
      double energy    = 0;
      for (std::int64_t first =
             static_cast<std::int64_t>(R) * device::block_index();
           first < apply.rows.n_rows;
           first += static_cast<std::int64_t>(R) * device::n_blocks())
        {
          const std::int64_t row = first + thread % R;
          const bool inside      = row < apply.rows.n_rows;
          const std::int64_t last_row =
            first + R < apply.rows.n_rows ? first + R : apply.rows.n_rows;
          const Offset begin = inside ? read_only(apply.row_start + row) : 0;
          const Offset end = inside ? read_only(apply.row_start + row + 1) : 0;
          const Offset block_begin = read_only(apply.row_start + first);
          const Offset block_end   = read_only(apply.row_start + last_row);
          const int *const indices =
            b > 1 && inside
              ? apply.columns + read_only(apply.block_start + row / b)
              : nullptr;

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
                  if constexpr (b == 1)
                    device::copy_async(columns + place(k),
                                       apply.columns + start + k);
                }
              device::wait_for_copies();
              device::barrier();
              const int from =
                begin > start ? static_cast<int>(begin - start) : 0;
              const int to =
                end - start < n ? static_cast<int>(end - start) : n;
              const auto before = static_cast<int>(start - begin);
              TESSERA_UNROLL_BY(4)
              for (int k = from + part; k < to; k += parts)
                {
                  const int column =
                    b == 1 ? columns[place(k)]
                           : read_only(indices + (before + k) / b) * b +
                               (before + k) % b;
                  sum += values[place(k)] * read_only(apply.rows.x + column);
                }
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
            energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }

    /// y = A x or y += A x with T threads per row, for the rows of `row_list`
    /// if it is given, and the sum x . A x if requested (RegulyGiles2015,
    /// section 6).
    ///
    /// T neighbouring threads of a warp work on a row, so that a block has R =
    /// threads / T rows. They stride through its entries in device memory, T
    /// neighbours at a time, and add up their sums by shuffles in a fixed
    /// order, so the result is repeatable. Entries are read coalesced along a
    /// row, while x is read wherever its columns are. Use it for rows that are
    /// too long for shared memory. Blocks are as above.
    template <int T, int b, class Number, class Offset>
    TESSERA_KERNEL(threads, tuning::csr_row_blocks)
    void csr_by_threads(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      constexpr int R  = threads / T;
      const int thread = device::thread_index();
      double energy    = 0;
      for (std::int64_t first =
             static_cast<std::int64_t>(R) * device::block_index();
           first < apply.rows.n_rows;
           first += static_cast<std::int64_t>(R) * device::n_blocks())
        {
          const std::int64_t row = first + thread / T;
          const bool inside      = row < apply.rows.n_rows;
          Number sum             = Number(0);
          if (inside)
            {
              const Offset end = read_only(apply.row_start + row + 1);
              if constexpr (b == 1)
                {
                  TESSERA_UNROLL_BY(4)
                  for (Offset k = read_only(apply.row_start + row) + thread % T;
                       k < end; k += T)
                    sum += device::load_once(apply.values + k) *
                           read_only(apply.rows.x +
                                     device::load_once(apply.columns + k));
                }
              else
                {
                  const Offset begin = read_only(apply.row_start + row);
                  const auto n       = static_cast<int>(end - begin);
                  const Number *const row_values = apply.values + begin;
                  const int *const indices =
                    apply.columns + read_only(apply.block_start + row / b);
                  TESSERA_UNROLL_BY(4)
                  for (int k = thread % T; k < n; k += T)
                    sum += device::load_once(row_values + k) *
                           read_only(apply.rows.x +
                                     read_only(indices + k / b) * b + k % b);
                }
            }
          TESSERA_UNROLL
          for (int offset = T / 2; offset > 0; offset /= 2)
            sum += device::shuffle_down(sum, offset, T);
          if (inside && thread % T == 0)
            energy += finish_product(
              apply.rows, apply.row_list != nullptr ? apply.row_list[row] : row,
              sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }

    /// y = A x or y += A x for streamed compressed rows, and the sum x . A x if
    /// requested (CSR-Stream of Greathouse and Daga, 2014, but with warps that
    /// do not wait for one another).
    ///
    /// A warp works on 32 / parts neighbouring rows, with `parts` lanes each.
    /// First it forms products entry by entry, with neighbouring lanes on
    /// neighbouring entries: values and columns are read coalesced, and so is x
    /// if columns follow one another along a row (numbering cell_first_touch).
    /// Then it sums the products from shared memory row by row, in a fixed
    /// order, so the result is repeatable.
    ///
    /// Bytes per row in double: 12 per nonzero, 4 or 8 for its start, 16 for x
    /// and y.
    template <int parts, class Number, class Offset>
    TESSERA_KERNEL(threads, tuning::csr_streamed_blocks)
    void csr_streamed(TESSERA_ARGUMENT(CsrApply<Number, Offset>) apply)
    {
      constexpr int tile  = tuning::csr_streamed_tile;
      constexpr int ahead = tuning::csr_streamed_ahead;
      constexpr int R     = 32 / parts;
      TESSERA_SHARED Number of_warps[threads / 32][tile];
      const int lane         = device::thread_index() % 32;
      const int warp         = device::thread_index() / 32;
      const int part         = lane % parts;
      Number *const products = of_warps[warp];
      const auto start_of    = [&apply](const std::int64_t row) {
        return read_only(apply.row_start +
                            (row < apply.rows.n_rows ? row : apply.rows.n_rows));
      };
      double energy = 0;
      for (std::int64_t of_block =
             static_cast<std::int64_t>(apply.rows_per_block) *
             device::block_index();
           of_block < apply.rows.n_rows;
           of_block +=
           static_cast<std::int64_t>(apply.rows_per_block) * device::n_blocks())
        {
          const std::int64_t first = of_block + R * warp;
          const std::int64_t row   = first + lane / parts;
          const Offset begin = start_of(row), end = start_of(row + 1);
          const Offset warp_end = start_of(first + R);
          Number sum            = Number(0);
          for (Offset start = start_of(first); start < warp_end; start += tile)
            {
              const int n = warp_end - start < tile
                              ? static_cast<int>(warp_end - start)
                              : tile;
              for (int k = lane; k < n; k += 32 * ahead)
                {
                  Number value[ahead];
                  int column[ahead];
                  TESSERA_UNROLL
                  for (int a = 0; a < ahead; ++a)
                    {
                      const Offset from =
                        start + (k + 32 * a < n ? k + 32 * a : k);
                      column[a] = device::load_once(apply.columns + from);
                      value[a]  = device::load_once(apply.values + from);
                    }
                  TESSERA_UNROLL
                  for (int a = 0; a < ahead; ++a)
                    value[a] *= read_only(apply.rows.x + column[a]);
                  TESSERA_UNROLL
                  for (int a = 0; a < ahead; ++a)
                    if (k + 32 * a < n)
                      products[k + 32 * a] = value[a];
                }
              device::warp_synchronize();
              const int from =
                begin > start ? static_cast<int>(begin - start) : 0;
              const int to =
                end - start < n ? static_cast<int>(end - start) : n;
              TESSERA_UNROLL_BY(4)
              for (int k = from + part; k < to; k += parts)
                sum += products[k];
              device::warp_synchronize();
            }
          TESSERA_UNROLL
          for (int offset = parts / 2; offset > 0; offset /= 2)
            sum += device::shuffle_down(sum, offset, parts);
          if (row < apply.rows.n_rows && part == 0)
            energy += finish_product(apply.rows, row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }

    /// Counts neighbouring columns along rows and across rows, see
    /// ColumnNeighbours. One thread compares one sampled row with the next row;
    /// samples are `step` rows apart.
    template <class Offset>
    TESSERA_KERNEL(threads, 1)
    void count_kernel(const Offset *row_start, const int *columns,
                      const int n_rows, const std::int64_t step,
                      unsigned int *along_across)
    {
      const std::int64_t row = step * global_thread<threads>();
      if (row + 1 >= n_rows)
        return;
      const Offset begin = row_start[row], end = row_start[row + 1];
      const Offset next_length = row_start[row + 2] - end;
      ColumnNeighbours neighbours{0, 0};
      for (Offset k = begin; k < end; ++k)
        {
          neighbours.along += k + 1 < end && columns[k + 1] - columns[k] == 1;
          if (k - begin < next_length)
            {
              const int d = columns[end + (k - begin)] - columns[k];
              neighbours.across += d == 0 || d == 1;
            }
        }
      device::atomic_add(along_across, neighbours.along);
      device::atomic_add(along_across + 1, neighbours.across);
    }
  } // namespace

  template <class Number>
  int
  csr_threads(const double mean_length, const int max_length)
  {
    constexpr std::int64_t tile = tuning::csr_tile<Number>;
    int T                       = 1;
    while (T < 32 && (tuning::csr_entries_of_thread * T < mean_length ||
                      tile * T < max_length))
      T *= 2;
    return T;
  }

  template int
  csr_threads<double>(double, int);
  template int
  csr_threads<float>(double, int);

  template <class Offset>
  ColumnNeighbours
  count_neighbours(const Offset *row_start, const int *columns,
                   const int n_rows)
  {
    const std::int64_t step = 1 + (n_rows - 1) / tuning::csr_sampled_rows;
    Array<unsigned int> along_across(Backend::cuda, 2);
    launch(count_kernel<Offset>,
           shape_of_threads<threads>((n_rows + step - 1) / step), {}, row_start,
           columns, n_rows, step, along_across.data());
    const std::vector<unsigned int> counted = along_across.to_vector();
    return {counted[0], counted[1]};
  }

  template ColumnNeighbours
  count_neighbours(const std::int32_t *, const int *, int);
  template ColumnNeighbours
  count_neighbours(const std::int64_t *, const int *, int);

  template <class Number>
  int
  csr_rows_per_block(const int threads_per_row, const double mean_length)
  {
    if (threads_per_row > 0)
      return threads / threads_per_row;
    if (threads_per_row == streamed_rows)
      {
        int rows = 32;
        while (rows > 1 && rows * mean_length > tuning::csr_streamed_longest)
          rows /= 2;
        return rows * (threads / 32);
      }
    for (int rows = threads; rows > 32; rows /= 2)
      if (rows * mean_length <= tuning::csr_tile<Number>)
        return rows;
    return 32;
  }

  template int
  csr_rows_per_block<double>(int, double);
  template int
  csr_rows_per_block<float>(int, double);

  template <class Number, class Offset>
  void
  apply_csr(Cuda, const CsrApply<Number, Offset> &apply, const Stream stream)
  {
    const Shape shape{row_blocks(apply.rows.n_rows, apply.rows_per_block),
                      threads};
    if (apply.threads_per_row == streamed_rows)
      on_constant<1, 2, 4, 8, 16, 32>(
        threads / apply.rows_per_block, [&](const auto parts) {
          launch(csr_streamed<decltype(parts)::value, Number, Offset>, shape,
                 stream, apply);
        });
    else if (apply.threads_per_row > 0)
      on_constant<1, 2, 4, 8, 16, 32>(apply.threads_per_row, [&](const auto T) {
        on_constant<1, 2, 3>(apply.block, [&](const auto b) {
          launch(csr_by_threads<decltype(T)::value, decltype(b)::value, Number,
                                Offset>,
                 shape, stream, apply);
        });
      });
    else
      on_constant<128, 64, 32>(apply.rows_per_block, [&](const auto R) {
        constexpr int rows = decltype(R)::value;
        on_constant<1, 2, 3>(apply.block, [&](const auto b) {
          constexpr int block   = decltype(b)::value;
          constexpr bool padded = block > 1;
          launch(apply.pad || padded ? csr<rows, true, block, Number, Offset>
                                     : csr<rows, padded, block, Number, Offset>,
                 shape, stream, apply);
        });
      });
  }

#define INSTANTIATE(Number, Offset)        \
  template void apply_csr<Number, Offset>( \
    Cuda, const CsrApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera
