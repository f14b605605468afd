#include "packed_columns.cuh"

namespace tessera
{
  /// Lines are measured on the backend of the columns; the first words of lines
  /// are summed up on the host.
  PackedColumns::PackedColumns(const Backend backend, const SellSlices &slices,
                               const int *const columns,
                               const std::int64_t n_places)
  {
    const SliceLines all{slices, columns, n_places >> slices.log2_lanes};
    lines = {backend, static_cast<std::size_t>(all.n_lines) + lines_behind};
    go_through_lines(backend, MeasureGaps{all, lines.data()});

    const std::vector<std::int32_t> measured = lines.to_vector();
    std::vector<std::int64_t> first_word(all.n_lines + 1);
    for (std::int64_t line = 0; line < all.n_lines; ++line)
      first_word[line + 1] =
        first_word[line] +
        line_words(line_bits(measured[line]), slices.log2_lanes);

    const std::vector<std::int64_t> starts = starts_of(backend, slices);
    std::vector<std::int64_t> of_slices(slices.n_slices);
    for (int slice = 0; slice < slices.n_slices; ++slice)
      of_slices[slice] = first_word[starts[slice] >> slices.log2_lanes];

    word_start = {backend, of_slices};
    words      = {backend,
                  static_cast<std::size_t>(first_word.back()) + words_behind};
    const Array<std::int64_t> line_starts(backend, first_word);
    go_through_lines(
      backend, PackGaps{all, lines.data(), line_starts.data(), words.data()});
  }
} // namespace tessera
