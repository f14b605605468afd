#include <tessera/base/first_at_least.h>
#include <tessera/base/for_each.cuh>

#include "slices.cuh"

// Bytes are given for n rows in S slices. With lengths (12 n) and a sort by CUB
// (4 n, and 16 n for every 8 bits of keys), making a layout of sorted rows
// moves some 70 n before its columns are placed, or 180 n if neighbours in a
// slice are far apart; placing columns moves 12 per entry and 21 n. Predicted
// for an H200 and 27 entries per row: 250,000 rows (0.1 GB) take 30 us, and 0.3
// to 0.6 ms of launches (4 to 6 here, as many in CUB), waiting (three times)
// and up to 16 allocations; 16 million rows (6 to 9 GB) take 2 to 3 ms, and
// allocations take as long again. None of this has been measured.
namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Cuts groups of slices with one warp. Lane l finds the first row for
    /// which 2^l threads are enough, and lane 0 cuts all rows from these. There
    /// are at most 31 dependent reads, and six more.
    TESSERA_KERNEL(32, 1)
    void
    group_kernel(const std::uint32_t *keys, const int longest,
                 TESSERA_ARGUMENT(SliceThreshold) threshold,
                 TESSERA_ARGUMENT(SliceGroups) none, SliceGroups *result)
    {
      TESSERA_SHARED int enough[SliceGroups::most_groups];
      const int lane = device::thread_index();
      if (lane < SliceGroups::most_groups)
        {
          // A row with `most` entries has the key longest - most.
          const std::int64_t most = static_cast<std::int64_t>(threshold.entries)
                                    << lane;
          enough[lane] =
            most >= longest
              ? 0
              : first_at_least(keys, none.n_rows,
                               static_cast<std::uint32_t>(longest - most));
        }
      device::barrier();
      if (lane > 0)
        return;
      *result = none;
      for (int log2 = threshold.log2_most; log2 >= threshold.log2_least; --log2)
        {
          const int end =
            log2 > threshold.log2_least ? enough[log2 - 1] : none.n_rows;
          if (result->n_cut < end)
            result->append(log2, end,
                           longest - static_cast<int>(keys[result->n_cut]));
        }
    }

    /// Fills slices with 2^log2_readers consecutive threads per slice, which
    /// find its longest row together. Reads 4 n, or with a permutation 8 n, of
    /// which lengths are in order among equally long rows alone; writes 9 S.
    TESSERA_KERNEL(threads, 1)
    void
    slice_kernel(TESSERA_ARGUMENT(SliceGroups) all,
                 TESSERA_ARGUMENT(SlicesToFill) to)
    {
      const std::int64_t thread = global_thread<threads>();
      const int readers         = 1 << to.log2_readers;
      const int lane            = static_cast<int>(thread & (readers - 1));
      const std::int64_t s      = thread >> to.log2_readers;
      int g = 0, last = 0;
      std::int32_t longest = 0;
      if (s < all.n_slices)
        {
          while (g + 1 < all.n_groups && s >= all.groups[g + 1].first_slice)
            ++g;
          const int log2_rows = all.log2_lanes - all.groups[g].log2_threads;
          const std::int64_t first =
            all.groups[g].first_row +
            ((s - all.groups[g].first_slice) << log2_rows);
          const std::int64_t end = first + (1 << log2_rows);
          last = static_cast<int>(end < all.n_rows ? end : all.n_rows);
          for (std::int64_t i = first + lane; i < last; i += readers)
            {
              const std::int32_t length =
                to.lengths[to.permutation != nullptr ? to.permutation[i] : i];
              longest = length > longest ? length : longest;
            }
        }
      for (int offset = readers / 2; offset > 0; offset /= 2)
        {
          const std::int32_t other =
            device::shuffle_down(longest, offset, readers);
          longest = other > longest ? other : longest;
        }
      if (s >= all.n_slices || lane > 0)
        return;
      const int log2        = all.groups[g].log2_threads;
      const std::int64_t up = (std::int64_t(1) << log2) - 1;
      to.widths[s] =
        to.one_width ? all.widest : static_cast<int>((longest + up) >> log2);
      to.rows[s + 1]     = last;
      to.log2_threads[s] = static_cast<std::uint8_t>(log2);
    }

    /// Fills the arrays of rows with 2^log2_readers threads per slice, which
    /// take its rows in turn. Reads 21 S, and 4 n with a permutation; writes 13
    /// n, scattered if there is a permutation.
    TESSERA_KERNEL(threads, 1)
    void
    row_kernel(TESSERA_ARGUMENT(SellSlices) slices,
               TESSERA_ARGUMENT(RowsOfSlices) to, const int log2_readers)
    {
      const std::int64_t thread = global_thread<threads>();
      const std::int64_t slice  = thread >> log2_readers;
      if (slice >= slices.n_slices)
        return;
      const int s       = static_cast<int>(slice);
      const int readers = 1 << log2_readers;
      for (std::int64_t i = slices.rows[s] + (thread & (readers - 1));
           i < slices.rows[s + 1]; i += readers)
        fill_row(slices, to, s, static_cast<int>(i));
    }
  } // namespace


  void
  cut_groups(const std::uint32_t *keys, const int longest,
             const SliceThreshold &threshold, const SliceGroups &none,
             SliceGroups *result)
  {
    launch(group_kernel, {1, 32}, {}, keys, longest, threshold, none, result);
  }


  void
  fill_slices(const SliceGroups &groups, const SlicesToFill &to)
  {
    launch(slice_kernel,
           shape_of_threads<threads>(std::int64_t(groups.n_slices)
                                     << to.log2_readers),
           {}, groups, to);
  }


  void
  fill_rows_on_device(const SellSlices &slices, const RowsOfSlices &to,
                      const int log2_readers)
  {
    launch(
      row_kernel,
      shape_of_threads<threads>(std::int64_t(slices.n_slices) << log2_readers),
      {}, slices, to, log2_readers);
  }


  TESSERA_FOR_EACH(EntriesOfBlocks)
  TESSERA_FOR_EACH(RowKeys<std::uint32_t>)
  TESSERA_FOR_EACH(RowKeys<std::uint64_t>)
} // namespace tessera
