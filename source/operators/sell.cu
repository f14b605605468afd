#include <tessera/base/launch.h>
#include <tessera/base/on_constant.h>

#include "../matrix/packed_columns.cuh"
#include "row_operator.cuh"
#include "sell_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr int tuned_threads = tuning::sell_threads;

    /// Entries of a lane that are loaded before the first of them is used.
    template <bool many>
    constexpr int ahead_of =
      many ? tuning::sell_ahead_many : tuning::sell_ahead_few;

    /// Blocks that a multiprocessor must hold, so that registers are as tuned.
    template <int threads, bool many>
    constexpr int blocks = (many ? tuning::sell_blocks_many
                                 : tuning::sell_blocks_few) *
                           tuned_threads / threads;

    /// What a thread has of a row: its lane, and where.
    struct Part : SellLane
    {
      std::int64_t slice = 0;
      int in_slice       = 0;
      std::int64_t place = 0; ///< of its first entry
    };

    TESSERA_DEVICE Part
    find_part(const SellSlices &slices, const std::int64_t lane)
    {
      Part part;
      if (lane >= sell_lanes(slices.n_slices, slices.log2_lanes))
        return part;
      part.slice = lane >> slices.log2_lanes;
      part.in_slice =
        static_cast<int>(lane - (part.slice << slices.log2_lanes));
      static_cast<SellLane &>(part) =
        find_lane(slices, part.slice, part.in_slice);
      part.place = read_only(slices.start + part.slice) + part.in_slice;
      return part;
    }

    /// Reads the columns of a lane, `ahead` lines a round: `load` stands beside
    /// the load of the value, `go_on` behind those of all values; then `column`
    /// says them in turn, beyond the end of the lane its row.
    template <class Columns, int ahead>
    class ColumnReader;

    template <int ahead>
    class ColumnReader<SellColumns, ahead>
    {
    public:
      TESSERA_DEVICE
      ColumnReader(const SellColumns &columns, const SellSlices &, const Part &)
        : columns(columns.columns)
      {}

      TESSERA_DEVICE void
      load(const int a, const bool inside, const std::int64_t place,
           const Part &part)
      {
        loaded[a] = inside ? device::load_once(columns + place) : part.row;
      }

      TESSERA_DEVICE void
      go_on(int, const Part &)
      {}

      TESSERA_DEVICE int
      column(const int a, bool, const Part &)
      {
        return loaded[a];
      }

    private:
      const int *columns;
      int loaded[ahead];
    };

    /// Lines are read one round before they are used, so that words, which
    /// stand where lines say, go as far ahead as columns would.
    template <int ahead>
    class ColumnReader<SellPackedColumns, ahead>
    {
    public:
      TESSERA_DEVICE
      ColumnReader(const SellPackedColumns &columns, const SellSlices &slices,
                   const Part &part)
        : lines(columns.packed.lines +
                ((part.place - part.in_slice) >> slices.log2_lanes)),
          words(columns.packed.words +
                read_only(columns.packed.word_start + part.slice)),
          log2_lanes(slices.log2_lanes),
          before(static_cast<std::uint32_t>(part.row + part.of_row))
      {
        read_lines(0);
      }

      TESSERA_DEVICE void
      load(int, bool, std::int64_t, const Part &)
      {}

      /// `first` is that of the round. Words come after all values, which need
      /// not wait for lines.
      TESSERA_DEVICE void
      go_on(const int first, const Part &part)
      {
        TESSERA_UNROLL
        for (int a = 0; a < ahead; ++a)
          {
            line[a]        = next[a];
            const int bits = line_bits(line[a]);
            word[a]        = first + a < part.n && bits > 0
                               ? read_only(words + (part.in_slice * bits >> 5))
                               : 0u;
            words += line_words(bits, log2_lanes);
          }
        read_lines(first + ahead);
      }

      TESSERA_DEVICE int
      column(const int a, const bool inside, const Part &part)
      {
        before += static_cast<std::uint32_t>(line_base(line[a])) +
                  offset_of(word[a], part.in_slice, line_bits(line[a]));
        return inside ? static_cast<int>(before) : part.row;
      }

    private:
      static_assert(2 * ahead <= PackedColumns::lines_behind,
                    "what is read behind the last line");

      TESSERA_DEVICE void
      read_lines(const int first)
      {
        TESSERA_UNROLL
        for (int a = 0; a < ahead; ++a)
          next[a] = read_only(lines + first + a);
      }

      const std::int32_t *lines;
      const std::uint32_t *words;
      int log2_lanes;
      std::uint32_t before; ///< the column before
      std::int32_t line[ahead], next[ahead];
      std::uint32_t word[ahead];
    };

    /// A thread takes a lane of a slice. Values and columns, or the words they
    /// are packed in, are read once, coalesced, and go ahead of the reads of x;
    /// beyond its end a lane adds 0 times its row's own x, as padding does.
    /// Whole warps meet at the shuffles, which sum lanes of a row in a fixed
    /// order.
    /// Bytes a row: a value and a column (4, or what PackedColumns has) for
    /// each nonzero, 4 for its length, 4 for its place if it is sorted, 16 for
    /// x and y; a slice 13, or 21.
    template <int threads, bool many, bool x_read_only, class Number,
              class Columns, class Value>
    TESSERA_KERNEL(threads, (blocks<threads, many>))
    void sell(TESSERA_ARGUMENT(SellApply<Number, Columns, Value>) apply)
    {
      constexpr int ahead      = ahead_of<many>;
      const SellSlices &slices = apply.slices;
      const std::int64_t n_lanes =
        (sell_lanes(slices.n_slices, slices.log2_lanes) + 31) / 32 * 32;
      const int step = 1 << slices.log2_lanes;
      Number energy  = Number(0);
      for (std::int64_t lane =
             static_cast<std::int64_t>(threads) * device::block_index() +
             device::thread_index();
           lane < n_lanes;
           lane += static_cast<std::int64_t>(threads) * device::n_blocks())
        {
          const Part part = find_part(slices, lane);
          ColumnReader<Columns, ahead> columns(apply.columns, slices, part);
          Number sum = Number(0);
          for (int first = 0; first < part.n; first += ahead)
            {
              Value value[ahead];
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                {
                  const bool inside = first + a < part.n;
                  const std::int64_t place =
                    part.place + static_cast<std::int64_t>(first + a) * step;
                  value[a] =
                    inside ? device::load_once(apply.values + place) : Value(0);
                  columns.load(a, inside, place, part);
                }
              columns.go_on(first, part);
              TESSERA_UNROLL
              for (int a = 0; a < ahead; ++a)
                {
                  const Number *const x =
                    apply.rows.x + columns.column(a, first + a < part.n, part);
                  sum += static_cast<Number>(value[a]) *
                         (x_read_only ? read_only(x) : *x);
                }
            }
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
    const auto go = [&](const auto threads, const auto x_read_only) {
      const auto with = [&](const auto many) {
        launch(sell<decltype(threads)::value, decltype(many)::value,
                    decltype(x_read_only)::value, Number, Columns, Value>,
               {sell_blocks(n_lanes, threads), threads}, stream, apply);
      };
      if (apply.many)
        with(std::true_type());
      else
        with(std::false_type());
    };
    const auto tuned = std::integral_constant<int, tuned_threads>();
    if constexpr (std::is_same_v<Columns, SellColumns>)
      {
        if (!apply.read_only)
          return go(tuned, std::false_type());
        if (apply.block != 0)
          return on_constant<32, 64, 96, 128, 160, 192, 224, 256>(
            apply.block,
            [&](const auto threads) { go(threads, std::true_type()); });
      }
    go(tuned, std::true_type());
  }

  template void
  apply_sell(Cuda, const SellApply<double> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<float> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<double, SellPackedColumns> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<float, SellPackedColumns> &, Stream);
  template void
  apply_sell(Cuda, const SellApply<double, SellPackedColumns, float> &, Stream);
} // namespace tessera
