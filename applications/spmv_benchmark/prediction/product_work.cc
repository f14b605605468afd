#include "product_work.h"
#include <tessera/operators/csr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "csr_kernels.h"
#include "lanes_have_many.h"
#include "product_schedules.h"

namespace tessera::spmv
{
  using namespace schedules;

  namespace
  {
    constexpr int sector = 32;

    std::int64_t
    count_distinct(std::vector<std::int64_t> &values)
    {
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      return static_cast<std::int64_t>(values.size());
    }

    /// Sums up the work of the blocks that are looked at.
    class Counter
    {
    public:
      /// Where a kernel reads the columns of slices.
      enum class Columns
      {
        elsewhere, ///< the kernel has no slices
        beside,    ///< beside values, 4 bytes each
        packed,    ///< in lines with a base and offsets of the fewest bits
        halves     ///< in halves of words, with a base per warp or per step
      };

      Counter(const SparsityPattern &pattern, const int number_bytes,
              const Columns columns, const int of_round = 1)
        : pattern(pattern), number_bytes(number_bytes), columns(columns),
          of_round(of_round)
      {}

      template <class Rows>
      void
      add(const Rows &rows, const std::int64_t w)
      {
        const Warp lanes = rows.at(w);
        int n_steps      = 0;
        for (int l = 0; l < warp; ++l)
          {
            n_steps   = std::max(n_steps, lanes[l].n());
            before[l] = lanes[l].row;
          }
        offsets      = 0;
        whole        = 0;
        first_column = std::numeric_limits<std::int64_t>::max();
        last_column  = 0;
        far_line     = false;
        for (int k = 0; k < n_steps; ++k)
          step(lanes, k);
        const int n_rounds = (n_steps + of_round - 1) / of_round;
        if (columns == Columns::halves)
          work.stored += far_line ? whole
                         : last_column - first_column > 0xffff
                           ? offsets + 4 * n_steps
                           : offsets;
        if constexpr (std::is_same_v<Rows, StagedRows>)
          work.steps += rows.turns(lanes, w, number_bytes);
        else
          work.steps += n_rounds * of_round;
        asked.clear();
        for (const Lane &lane : lanes)
          if (lane.row >= 0)
            asked.push_back(std::int64_t(lane.row) * number_bytes / sector);
        work.vectors += static_cast<double>(sector * count_distinct(asked));
      }

      void
      end_block()
      {
        work.gathered += static_cast<double>(sector * count_distinct(of_block));
        of_block.clear();
      }

      ProductWork work;

    private:
      void
      step(const Warp &lanes, const int k)
      {
        asked.clear();
        std::uint32_t active = 0;
        std::int64_t least = 0, most = 0;
        std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = 0;
        for (int l = 0; l < warp; ++l)
          {
            const Lane &lane  = lanes[l];
            const bool inside = k < lane.n();
            const std::int64_t column =
              inside
                ? pattern.columns[lane.first + std::int64_t(k) * lane.stride]
                : lane.row;
            if (column >= 0)
              {
                from = std::min(from, column);
                to   = std::max(to, column);
              }
            if (!inside)
              continue;
            const std::int64_t gap = column - before[l];
            before[l]              = column;
            least                  = active == 0 ? gap : std::min(least, gap);
            most                   = active == 0 ? gap : std::max(most, gap);
            active |= std::uint32_t(1) << l;
            asked.push_back(column * number_bytes / sector);
          }
        far_line     = far_line || to - from > 0xffff;
        first_column = std::min(first_column, from);
        last_column  = std::max(last_column, to);
        work.requests += static_cast<double>(count_distinct(asked));
        of_block.insert(of_block.end(), asked.begin(), asked.end());
        if (columns != Columns::elsewhere)
          work.stored += sector * sectors(active, sector / number_bytes);
        if (columns == Columns::beside)
          work.stored += sector * sectors(active, sector / 4);
        if (columns == Columns::packed)
          work.stored += 4 + 4 * bits_of(most - least);
        if (columns == Columns::halves)
          {
            const int bytes = sector * sectors(active, sector / 4);
            whole += bytes;
            offsets += k % 2 == 0 ? bytes : 0;
          }
      }

      /// Returns the number of bits (0, 1, 2, 4, 8, 16 or 32) that hold an
      /// offset.
      static int
      bits_of(const std::int64_t offset)
      {
        int bits = offset > 0;
        while (bits > 0 && bits < 32 && offset >> bits != 0)
          bits *= 2;
        return bits;
      }

      /// Returns the sectors that active lanes touch if each has `width` lanes.
      static int
      sectors(const std::uint32_t active, const int width)
      {
        const std::uint32_t all = (std::uint32_t(1) << width) - 1;
        int n                   = 0;
        for (int l = 0; l < warp; l += width)
          n += (active >> l & all) != 0;
        return n;
      }

      const SparsityPattern &pattern;
      int number_bytes;
      Columns columns;
      int of_round;                            ///< steps that form a round
      std::array<std::int64_t, warp> before{}; ///< previous column of each lane
      /// Bytes of the warp's columns in halves of words, and in whole words.
      double offsets = 0, whole = 0;
      std::int64_t first_column = 0, last_column = 0; ///< of the warp
      bool far_line = false; ///< true if a line spans more than 2^16 columns
      std::vector<std::int64_t> asked, of_block;
    };

    /// The counts that are summed over blocks.
    constexpr double ProductWork::*const summed[] = {
      &ProductWork::stored,   &ProductWork::vectors, &ProductWork::requests,
      &ProductWork::gathered, &ProductWork::steps,   &ProductWork::padded,
      &ProductWork::starts,   &ProductWork::entries};

    /// Counts the work of `rows` from at most `most_blocks` blocks. Sums are of
    /// integers or halves of them, so that their order does not matter.
    template <class Rows>
    ProductWork
    count(const Rows &rows, const Counter &empty, const int most_blocks)
    {
      const std::int64_t n_warps = rows.n_warps();
      const std::int64_t n_blocks =
        (n_warps + warps_of_block - 1) / warps_of_block;
      const std::int64_t looked_at =
        std::min<std::int64_t>(n_blocks, most_blocks);
      ProductWork sum;
#pragma omp parallel
      {
        Counter counter = empty;
#pragma omp for schedule(dynamic, 4)
        for (std::int64_t i = 0; i < looked_at; ++i)
          {
            const std::int64_t first =
              i * n_blocks / looked_at * warps_of_block;
            for (std::int64_t w = first;
                 w < std::min(first + warps_of_block, n_warps); ++w)
              counter.add(rows, w);
            counter.end_block();
          }
#pragma omp critical
        for (const auto part : summed)
          sum.*part += counter.work.*part;
      }
      const double scale =
        looked_at > 0 ? static_cast<double>(n_blocks) / looked_at : 0;
      for (const auto part : summed)
        sum.*part *= scale;
      sum.starts = static_cast<double>(n_warps);
      return sum;
    }

    int
    n_columns(const SparsityPattern &pattern)
    {
      int largest = -1;
#pragma omp parallel for reduction(max : largest)
      for (std::int64_t k = 0; k < pattern.n_nonzeros(); ++k)
        largest = std::max(largest, pattern.columns[k]);
      return largest + 1;
    }

    /// Returns the passes over empty rows, which the block stores whose tile
    /// ends before the next entry. In csr_merge empty rows count like entries.
    double
    passes_over(const std::int64_t gap, const ProductKernel kernel)
    {
      constexpr std::int64_t threads = tuning::tile_threads,
                             ahead   = tuning::tile_rows_ahead;
      return kernel == ProductKernel::csr_merge
               ? 0.
               : static_cast<double>(std::max(
                   (gap + threads - 1) / threads - ahead, std::int64_t(0)));
    }

    bool
    in_tiles(const ProductKernel kernel)
    {
      return kernel == ProductKernel::coo ||
             kernel == ProductKernel::csr_merge ||
             kernel == ProductKernel::csr_mgpu;
    }

    Counter::Columns
    columns_of(const ProductKernel kernel)
    {
      return !in_slices(kernel) ? Counter::Columns::elsewhere
             : kernel == ProductKernel::packed_slices ? Counter::Columns::packed
             : kernel == ProductKernel::short_slices  ? Counter::Columns::halves
                                                     : Counter::Columns::beside;
    }

    /// Returns the rows per block in kernels for compressed rows.
    int
    rows_of_block(const int threads_per_row, const double mean_row,
                  const int number_bytes)
    {
      return number_bytes == 8
               ? csr_rows_per_block<double>(threads_per_row, mean_row)
               : csr_rows_per_block<float>(threads_per_row, mean_row);
    }

    /// Returns the entries of a lane per round. Lanes take whole rounds, even
    /// for one entry.
    int
    entries_of_round(const ProductKernel kernel, const bool many)
    {
      switch (kernel)
        {
          case ProductKernel::ellpack:
            return tuning::ell_ahead;
          case ProductKernel::slices:
            return many ? tuning::sell_ahead_many : tuning::sell_ahead_few;
          case ProductKernel::packed_slices:
            return tuning::sell_packed_ahead;
          case ProductKernel::short_slices:
            return many ? tuning::sell_short_ahead_many
                        : tuning::sell_short_ahead_few;
          default:
            return 1;
        }
    }
  } // namespace

  ProductWork
  count_work(const SparsityPattern &pattern, const Product &product,
             const int number_bytes, const int most_blocks)
  {
    const double n       = pattern.n_rows();
    const double entries = static_cast<double>(pattern.n_nonzeros());
    const double mean    = entries / std::max(n, 1.);
    ProductWork work;
    if (in_tiles(product.kernel))
      {
        work =
          count(TiledEntries(pattern),
                Counter(pattern, number_bytes, Counter::Columns::elsewhere),
                most_blocks);
        work.vectors = number_bytes * n; // y, by neighbouring threads
        work.longest =
          passes_over(longest_gap(pattern.row_start), product.kernel);
      }
    else if (product.kernel == ProductKernel::rows_streamed)
      {
        work =
          count(StreamedRows(pattern,
                             rows_of_block(streamed_rows, mean, number_bytes)),
                Counter(pattern, number_bytes, Counter::Columns::elsewhere),
                most_blocks);
        // A warp has 32 rows and goes through the steps of all of them.
        work.longest = pattern.max_row_length();
      }
    else if (product.kernel == ProductKernel::rows_staged)
      {
        work = count(
          StagedRows(pattern, rows_of_block(staged_rows, mean, number_bytes),
                     number_bytes == 8 ? tuning::csr_tile_double
                                       : tuning::csr_tile_float),
          Counter(pattern, number_bytes, Counter::Columns::elsewhere),
          most_blocks);
        work.vectors = number_bytes * n; // y, by neighbouring threads
        work.longest = std::ceil(
          static_cast<double>(pattern.max_row_length()) *
          rows_of_block(staged_rows, mean, number_bytes) / tuning::csr_threads);
      }
    else
      {
        const bool sliced = in_slices(product.kernel);
        const SlicedRows rows(
          pattern,
          sliced ? product.shape : SellShape{warp, 1, product.threads_per_row});
        work         = count(rows,
                             Counter(pattern, number_bytes, columns_of(product.kernel),
                                     entries_of_round(
                                       product.kernel,
                                       lanes_have_many(
                                         product.kernel == ProductKernel::short_slices,
                                         entries, 32. * rows.n_warps(), number_bytes))),
                             most_blocks);
        work.longest = rows.longest();
        // Few columns in 16 bits need more bytes than these.
        const double column_bytes =
          product.kernel == ProductKernel::short_slices ? 2 : 4;
        work.padded =
          (column_bytes + number_bytes) * rows.places() + rows.index_bytes();
        if (sliced)
          work.stored += rows.index_bytes();
      }
    if (!in_slices(product.kernel))
      {
        const int indices = product.kernel == ProductKernel::coo ? 8 : 4;
        work.stored       = (indices + number_bytes) * entries + 4 * n;
        work.padded       = work.stored;
      }
    work.entries      = entries;
    work.number_bytes = number_bytes;
    work.vectors += static_cast<double>(number_bytes) * n_columns(pattern);
    return work;
  }
} // namespace tessera::spmv
