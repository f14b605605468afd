#include <algorithm>

#include "short_columns.cuh"

namespace tessera
{
  /// Lines are measured on the backend of the columns, slices on the host.
  ShortColumns::ShortColumns(const Backend backend, const SellSlices &slices,
                             const int *const columns,
                             const std::int64_t n_places)
  {
    const SliceLines all{slices, columns, n_places >> slices.log2_lanes};
    Array<int> least_of_lines(backend, all.n_lines);
    Array<int> most_of_lines(backend, all.n_lines);
    go_through_lines(
      backend, MeasureReach{all, least_of_lines.data(), most_of_lines.data()});

    const std::vector<int> least           = least_of_lines.to_vector();
    const std::vector<int> most            = most_of_lines.to_vector();
    const std::vector<std::int64_t> starts = starts_of(backend, slices);
    std::vector<int> of_slices(slices.n_slices, 0);
    const auto first_line = [&](const int slice) {
      return starts[slice] >> slices.log2_lanes;
    };
    for (int slice = 0; slice < slices.n_slices; ++slice)
      {
        const std::int64_t first = first_line(slice);
        int from = 0, to = 0;
        bool lines_fit = true;
        for (std::int64_t line = first; line < first_line(slice + 1); ++line)
          {
            from = line == first ? least[line] : std::min(from, least[line]);
            to   = std::max(to, most[line]);
            lines_fit = lines_fit && most[line] - least[line] <= 0xffff;
          }
        const bool fits  = to - from <= 0xffff;
        of_slices[slice] = fits        ? from
                           : lines_fit ? base_a_line
                                       : reaches_further;
        n_based += fits;
        n_lines_based += lines_fit && !fits;
      }
    if (n_lines_based <= slices.n_slices / slices_for_line_bases)
      {
        n_lines_based = 0;
        std::replace(of_slices.begin(), of_slices.end(), base_a_line,
                     reaches_further);
      }
    for (int slice = 0; slice < slices.n_slices; ++slice)
      {
        const std::int64_t n = first_line(slice + 1) - first_line(slice);
        const bool whole     = of_slices[slice] == reaches_further;
        bytes_read += 4 * ((whole ? n : (n + 1) / 2) << slices.log2_lanes) +
                      (of_slices[slice] == base_a_line ? 4 * n : 0);
      }

    bases = {backend, of_slices};
    words = {backend,
             static_cast<std::size_t>(first_pair(all.n_lines, slices.n_slices)
                                      << slices.log2_lanes) +
               words_behind};
    if (n_lines_based > 0)
      line_bases = {backend, static_cast<std::size_t>(
                               first_line_base(all.n_lines, slices.n_slices))};
    bytes_read += bases.bytes();
    go_through_lines(backend,
                     ShortenColumns{all, bases.data(), least_of_lines.data(),
                                    line_bases.data(),
                                    reinterpret_cast<Half *>(words.data())});
  }
} // namespace tessera
