#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/slices.h>

#include <algorithm>

#include "csr_pattern_kernels.h"
#include "place_rows_kernels.h"
#include "slices.cuh"

namespace tessera
{
  namespace
  {
    int
    log2_readers(const SellShape &shape)
    {
      return std::min(5, log2_of(shape.lanes / shape.threads_per_row));
    }

    /// Cuts slices and returns the number of their places.
    std::int64_t
    cut_on_host(SellLayout &layout, const CsrPattern &pattern)
    {
      const Backend backend = pattern.backend();
      const Slices slices =
        make_slices(pattern.row_start.to_vector(), layout.shape);
      layout.slice_start  = {backend, slices.start};
      layout.slice_rows   = {backend, slices.rows};
      layout.log2_threads = {backend, slices.log2_threads};
      layout.permutation  = {backend, slices.sorted};
      for (const std::uint8_t log2 : slices.log2_threads)
        layout.most_log2_threads =
          std::max<int>(layout.most_log2_threads, log2);
      return slices.start.back();
    }

    /// Sorts rows by keys, all below 2^n_bits, and returns the sorted keys.
    /// Rows that are already in order are not sorted and get no permutation.
    template <class Key>
    Array<Key>
    sort_rows(SellLayout &layout, const int window, const int longest,
              const int n_bits)
    {
      const auto n = static_cast<int>(layout.lengths.size());
      Array<Key> keys(Backend::cuda, n);
      Array<int> rows(Backend::cuda, n), unsorted(Backend::cuda, 1);
      for_each_on_device(n,
                         RowKeys<Key>{window, longest, layout.lengths.data(),
                                      keys.data(), rows.data(),
                                      unsorted.data()},
                         {});
      if (unsorted.to_vector()[0] == 0)
        return keys;
      Array<Key> sorted(Backend::cuda, n);
      layout.permutation = Array<int>(Backend::cuda, n);
      algorithms::sort_pairs(keys.data(), sorted.data(), rows.data(),
                             layout.permutation.data(), n, n_bits);
      return sorted;
    }

    bool
    all_are_sorted(const SellShape &shape, const int n_rows)
    {
      return shape.window == SellShape::all_rows || shape.window >= n_rows;
    }

    /// Sorts the rows if the shape asks for it, and determines the groups of
    /// slices.
    SliceGroups
    group_on_device(SellLayout &layout, const int n, const int longest)
    {
      const SellShape &shape = layout.shape;
      const bool all         = all_are_sorted(shape, n);
      const int window       = all ? std::max(n, 1) : shape.window;
      // Keys have 32 bits if there is one window, as thresholds require.
      Array<std::uint32_t> keys;
      if (shape.window != 1 || shape.threshold > 0)
        {
          const std::uint64_t n_windows =
            (std::int64_t(n) + window - 1) / window;
          const int n_bits = log2_of(n_windows * (std::uint64_t(longest) + 1));
          if (n_bits <= 32)
            keys = sort_rows<std::uint32_t>(layout, window, longest, n_bits);
          else
            sort_rows<std::uint64_t>(layout, window, longest, n_bits);
        }

      SliceGroups groups   = {n, layout.log2_lanes, 0, 0, 0, 0, {}};
      const int log2_least = log2_of(shape.threads_per_row);
      if (shape.threshold == 0)
        {
          groups.append(log2_least, n, longest);
          return groups;
        }
      Array<SliceGroups> result(Backend::cuda, 1);
      cut_groups(keys.data(), longest,
                 {shape.threshold, log2_least,
                  log2_of(std::min(shape.lanes, SellShape::most_threads))},
                 groups, result.data());
      return result.to_vector()[0];
    }

    std::int64_t
    cut_on_device(SellLayout &layout, const CsrPattern &pattern)
    {
      const SliceGroups groups =
        group_on_device(layout, pattern.n_rows, pattern.max_row_length);
      const std::size_t n = groups.n_slices;
      layout.slice_start  = Array<std::int64_t>(Backend::cuda, n + 1);
      layout.slice_rows   = Array<int>(Backend::cuda, n + 1);
      layout.log2_threads = Array<std::uint8_t>(Backend::cuda, n);
      if (groups.n_groups > 0)
        layout.most_log2_threads = groups.groups[0].log2_threads;
      Array<int> widths(Backend::cuda, n);
      fill_slices(groups, {layout.lengths.data(), layout.permutation.data(),
                           log2_readers(layout.shape), layout.shape.one_width,
                           widths.data(), layout.slice_rows.data(),
                           layout.log2_threads.data()});
      algorithms::exclusive_scan(widths.data(), layout.slice_start.data(), n,
                                 layout.shape.lanes);
      std::int64_t n_places = 0;
      runtime::copy(&n_places, layout.slice_start.data() + n,
                    sizeof(std::int64_t), runtime::Copy::device_to_host);
      return n_places;
    }

    void
    fill_rows(const Backend backend, const SellLayout &layout,
              const RowsOfSlices &to)
    {
      const SellSlices slices = layout.slices();
      if (backend == Backend::cuda)
        return fill_rows_on_device(slices, to, log2_readers(layout.shape));
#pragma omp parallel for schedule(static)
      for (int s = 0; s < slices.n_slices; ++s)
        for (int i = slices.rows[s]; i < slices.rows[s + 1]; ++i)
          fill_row(slices, to, s, i);
    }
  } // namespace


  SellLayout
  make_sell_layout(const CsrPattern &pattern, const SellShape &shape)
  {
    check_shape(shape);
    const Backend backend = pattern.backend();
    const int b = pattern.block, n = pattern.n_rows;
    if (b > 1 && (shape.threads_per_row > 1 || shape.threshold > 0))
      throw ParameterError("Rows of blocks in slices have one lane; " +
                           std::to_string(shape.threads_per_row) +
                           (shape.threshold > 0 ? " by a threshold" : "") +
                           " were asked for.");
    SellLayout layout;
    layout.block         = b;
    layout.shape         = shape;
    layout.log2_lanes    = log2_of(shape.lanes);
    layout.lengths       = lengths_in_blocks(pattern);
    const bool on_device = backend == Backend::cuda &&
                           (shape.threshold == 0 || all_are_sorted(shape, n));
    const std::int64_t n_places =
      on_device ? cut_on_device(layout, pattern) : cut_on_host(layout, pattern);

    layout.columns          = Array<int>(backend, n_places);
    layout.base             = Array<std::int64_t>(backend, n);
    layout.row_log2_threads = Array<std::uint8_t>(backend, n);
    Array<std::int32_t> widths(backend, n);
    fill_rows(
      backend, layout,
      {layout.base.data(), layout.row_log2_threads.data(), widths.data()});
    if (b > 1)
      {
        layout.entry_base    = Array<std::int64_t>(backend, n * b);
        layout.entry_lengths = row_lengths(pattern);
        for_each(backend, n * b,
                 EntriesOfBlocks{b, shape.lanes, layout.base.data(),
                                 layout.entry_base.data()});
      }
    place_columns(pattern,
                  {layout.base.data(), nullptr, nullptr,
                   layout.row_log2_threads.data(), shape.lanes,
                   layout.lengths.data()},
                  layout.columns.data(), widths.data());
    return layout;
  }
} // namespace tessera
