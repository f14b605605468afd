#include <algorithm>

#include "short_columns.cuh"

namespace tessera
{
  /// Lines are measured where columns are, and their slices on the host.
  ShortColumns::ShortColumns(const Backend backend, const SellSlices &slices,
                             const int *const columns,
                             const std::int64_t n_places)
  {
    const SliceLines all{slices, columns, n_places >> slices.log2_lanes};
    Array<int> least_of_lines(backend, all.n_lines);
    Array<int> most_of_lines(backend, all.n_lines);
    go_through_lines(backend, MeasureReach{all, least_of_lines.data(),
                                           most_of_lines.data()});

    const std::vector<int> least           = least_of_lines.to_vector();
    const std::vector<int> most            = most_of_lines.to_vector();
    const std::vector<std::int64_t> starts = starts_of(backend, slices);
    std::vector<int> of_slices(slices.n_slices, 0);
    for (int slice = 0; slice < slices.n_slices; ++slice)
      {
        const std::int64_t first = starts[slice] >> slices.log2_lanes;
        const std::int64_t end   = starts[slice + 1] >> slices.log2_lanes;
        int from = 0, to = 0;
        if (first < end)
          {
            from = *std::min_element(&least[first], &least[end - 1] + 1);
            to   = *std::max_element(&most[first], &most[end - 1] + 1);
          }
        const bool fits  = to - from <= 0xffff;
        of_slices[slice] = fits ? from : reaches_further;
        n_short_slices += fits;
        bytes_read += 4 * ((fits ? (end - first + 1) / 2 : end - first)
                           << slices.log2_lanes);
      }

    bases = {backend, of_slices};
    words = {backend,
             static_cast<std::size_t>(first_pair(all.n_lines, slices.n_slices)
                                      << slices.log2_lanes) +
               words_behind};
    bytes_read += bases.bytes();
    go_through_lines(
      backend, ShortenColumns{all, bases.data(),
                              reinterpret_cast<std::uint16_t *>(words.data())});
  }
} // namespace tessera
