#include <tessera/base/launch.h>
#include <tessera/base/on_constant.h>

#include "row_operator.cuh"
#include "sell_columns.cuh"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int tuned_threads = tuning::sell_threads;

    /// Tuned constants of a kernel. `ahead` is the number of entries of a lane
    /// that are loaded before the first of them is used. `blocks` is the number
    /// of blocks of `tuned_threads` that a multiprocessor must hold, which
    /// limits registers.
    template <class Columns, bool many, class Number>
    struct Tuned
    {
      static constexpr int ahead  = many ? tuning::sell_ahead_many
                                         : tuning::sell_ahead_few,
                           blocks = many ? tuning::sell_blocks_many
                                         : tuning::sell_blocks_few;
    };

    template <bool many, class Number>
    struct Tuned<PackedColumns::View, many, Number>
    {
      static constexpr int ahead  = tuning::sell_packed_ahead,
                           blocks = sizeof(Number) == 8
                                      ? tuning::sell_packed_blocks_double
                                      : tuning::sell_packed_blocks_float;
    };

    template <bool many, class Number>
    struct Tuned<ShortColumns::View, many, Number>
    {
      static constexpr int ahead  = many ? tuning::sell_short_ahead_many
                                         : tuning::sell_short_ahead_few,
                           blocks = many ? tuning::sell_short_blocks_many
                                         : tuning::sell_short_blocks_few;
    };

    template <int threads, bool many, class Columns, class Number>
    constexpr int blocks =
      Tuned<Columns, many, Number>::blocks *tuned_threads / threads;

    /// Returns the sum of a lane. Values and columns, or the words that these
    /// are packed in, are loaded ahead of the reads of x.
    template <int ahead, bool x_read_only, class Number, class Columns,
              class Value>
    TESSERA_DEVICE Number
    sum_lane(const SellSlices &slices, const Columns &all, const Part &part,
             const Value *const values, const Number *const x)
    {
      const int step = 1 << slices.log2_lanes;
      ColumnReader<Columns, ahead> columns(all, slices, part);
      const Number *const from = x + columns.origin();
      Number sum               = Number(0);
      for (int first = 0; first < part.n; first += ahead)
        {
          Value value[ahead];
          TESSERA_UNROLL
          for (int a = 0; a < ahead; ++a)
            {
              const bool inside = first + a < part.n;
              const std::int64_t place =
                part.place + static_cast<std::int64_t>(first + a) * step;
              value[a] = inside ? device::load_once(values + place) : Value(0);
              columns.load(a, inside, place, part);
            }
          columns.go_on(first, part);
          TESSERA_UNROLL
          for (int a = 0; a < ahead; ++a)
            {
              const Number *const entry =
                from + columns.column(a, first + a < part.n, part);
              sum += static_cast<Number>(value[a]) *
                     (x_read_only ? read_only(entry) : *entry);
            }
        }
      return sum;
    }

    TESSERA_DEVICE bool
    reaches_further(const ShortColumns::View &columns, const Part &part)
    {
      return part.n > 0 && read_only(columns.bases + part.slice) ==
                             ShortColumns::reaches_further;
    }

    /// Calls `add` with the columns of the slice in the form in which they are
    /// stored. Without `with_line_bases` there are slices with one base or none
    /// only. The branches are written as in the kernels that were measured: the
    /// compiler produces other kernels from other spellings.
    template <bool with_line_bases, class Add>
    TESSERA_DEVICE void
    add_short(const ShortColumns::View &columns, const Part &part,
              const Add &add)
    {
      if constexpr (with_line_bases)
        {
          const int base =
            part.n > 0 ? read_only(columns.bases + part.slice) : 0;
          if (base == ShortColumns::reaches_further)
            add(SellColumns{columns.columns});
          else if (base == ShortColumns::base_a_line)
            add(ShortLines{columns});
          else
            add(columns);
        }
      else if (reaches_further(columns, part))
        add(SellColumns{columns.columns});
      else
        add(columns);
    }

    /// y = A x or y += A x for rows in sliced ELLPACK, and the sum x . A x if
    /// requested.
    ///
    /// One thread works on a lane of a slice. Values and columns, or the words
    /// that these are packed in, are read once, coalesced, and ahead of the
    /// reads of x. Beyond its end a lane adds 0 times the x of its own row, as
    /// padding does. All lanes of a warp take part in the shuffles that sum the
    /// lanes of a row, in a fixed order, so the result is repeatable.
    ///
    /// Bytes per row in double: a value (8, or 4 if rounded) and a column (4,
    /// or as stored by PackedColumns or ShortColumns) for each nonzero, 4 for
    /// its length, 4 for its place if rows are sorted, 16 for x and y. Per
    /// slice: 13, with PackedColumns 21, with ShortColumns 17.
    template <int threads, bool many, bool x_read_only, bool with_line_bases,
              class Number, class Columns, class Value>
    TESSERA_KERNEL(threads, (blocks<threads, many, Columns, Number>))
    void sell(TESSERA_ARGUMENT(SellApply<Number, Columns, Value>) apply)
    {
      constexpr int ahead      = Tuned<Columns, many, Number>::ahead;
      const SellSlices &slices = apply.slices;
      const std::int64_t n_lanes =
        (sell_lanes(slices.n_slices, slices.log2_lanes) + 31) / 32 * 32;
      double energy = 0;
      for (std::int64_t lane =
             static_cast<std::int64_t>(threads) * device::block_index() +
             device::thread_index();
           lane < n_lanes;
           lane += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const Part part = find_part(slices, lane);
          Number sum      = Number(0);
          const auto add  = [&](const auto &columns) {
            sum = sum_lane<ahead, x_read_only>(slices, columns, part,
                                               apply.values, apply.rows.x);
          };
          if constexpr (std::is_same_v<Columns, ShortColumns::View>)
            add_short<with_line_bases>(apply.columns, part, add);
          else
            add(apply.columns);
          for (int offset = (1 << apply.most_log2_threads) / 2; offset > 0;
               offset /= 2)
            {
              const Number other = device::shuffle_down(sum, offset);
              if (offset < 1 << part.log2_threads)
                sum += other;
            }
          if (part.row >= 0 && part.of_row == 0)
            energy += finish_product(apply.rows, part.row, sum);
        }
      if (apply.rows.sum.result != nullptr)
        device::leave_sum<threads>(energy, device::block_index(),
                                   apply.rows.sum);
    }
  } // namespace

  int
  sell_blocks(const std::int64_t n_lanes, const int block)
  {
    return row_blocks(n_lanes, block);
  }

  template <class Number, class Columns, class Value>
  void
  apply_sell(Cuda, const SellApply<Number, Columns, Value> &apply,
             const Stream stream)
  {
    const std::int64_t n_lanes =
      sell_lanes(apply.slices.n_slices, apply.slices.log2_lanes);
    const auto go = [&](const auto threads, const auto x_read_only,
                        const auto with_line_bases) {
      const auto with = [&](const auto many) {
        launch(sell<decltype(threads)::value, decltype(many)::value,
                    decltype(x_read_only)::value,
                    decltype(with_line_bases)::value, Number, Columns, Value>,
               {sell_blocks(n_lanes, threads), threads}, stream, apply);
      };
      if constexpr (std::is_same_v<Columns, PackedColumns::View>)
        with(std::false_type()); // one kernel for few and many entries
      else if (apply.many)
        with(std::true_type());
      else
        with(std::false_type());
    };
    const auto tuned = std::integral_constant<int, tuned_threads>();
    const auto yes   = std::true_type();
    const auto no    = std::false_type();
    if constexpr (std::is_same_v<Columns, SellColumns>)
      {
        if (!apply.read_only)
          return go(tuned, no, no);
        if (apply.block != 0)
          return on_constant<32, 64, 96, 128, 160, 192, 224, 256>(
            apply.block, [&](const auto threads) { go(threads, yes, no); });
      }
    if constexpr (std::is_same_v<Columns, ShortColumns::View>)
      if (apply.columns.with_line_bases)
        return go(tuned, yes, yes);
    go(tuned, yes, no);
  }

  template void
  apply_sell(Cuda, const SellApply<double> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<float> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<double, PackedColumns::View> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<float, PackedColumns::View> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<double, PackedColumns::View, float> &,
             Stream);
  template void
  apply_sell(Cuda, const SellApply<double, ShortColumns::View> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<float, ShortColumns::View> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<double, ShortColumns::View, float> &,
             Stream);
} // namespace tessera
