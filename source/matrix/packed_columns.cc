#include "packed_columns.cuh"

namespace tessera
{
  namespace
  {
    template <LineWork work>
    void
    go_through_lines(const Backend backend, const PackedLines &packed)
    {
      if (backend == Backend::cuda)
        {
          go_through_lines_on_device<work>(packed);
          return runtime::synchronize({});
        }
#pragma omp parallel for schedule(static)
      for (std::int64_t line = 0; line < packed.n_lines; ++line)
        work_on_line<work>(packed, line);
    }
  } // namespace


  /// Lines are measured where columns are; their first words are summed up on
  /// the host.
  PackedColumns::PackedColumns(const Backend backend, const SellSlices &slices,
                               const int *const columns,
                               const std::int64_t n_places)
  {
    PackedLines packed{slices,  columns, n_places >> slices.log2_lanes,
                       nullptr, nullptr, nullptr};
    lines = {backend, static_cast<std::size_t>(packed.n_lines) + lines_behind};
    packed.lines = lines.data();
    go_through_lines<LineWork::measure>(backend, packed);

    const std::vector<std::int32_t> measured = lines.to_vector();
    std::vector<std::int64_t> first_word(packed.n_lines + 1);
    for (std::int64_t line = 0; line < packed.n_lines; ++line)
      first_word[line + 1] =
        first_word[line] +
        line_words(line_bits(measured[line]), slices.log2_lanes);

    std::vector<std::int64_t> of_slices(slices.n_slices);
    std::vector<std::int64_t> starts(slices.n_slices);
    if (backend == Backend::host)
      starts.assign(slices.start, slices.start + slices.n_slices);
    else if (slices.n_slices > 0)
      runtime::copy(starts.data(), slices.start,
                    starts.size() * sizeof(starts[0]),
                    runtime::Copy::device_to_host);
    for (int slice = 0; slice < slices.n_slices; ++slice)
      of_slices[slice] = first_word[starts[slice] >> slices.log2_lanes];

    word_start = {backend, of_slices};
    words      = {backend,
                  static_cast<std::size_t>(first_word.back()) + words_behind};
    const Array<std::int64_t> line_starts(backend, first_word);
    packed.first_word = line_starts.data();
    packed.words      = words.data();
    go_through_lines<LineWork::pack>(backend, packed);
  }
} // namespace tessera
