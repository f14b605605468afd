#include "packed_columns.cuh"
#include "short_columns.cuh"

namespace tessera
{
  std::vector<std::int64_t>
  starts_of(const Backend backend, const SellSlices &slices)
  {
    std::vector<std::int64_t> starts(slices.n_slices + 1, 0);
    if (slices.n_slices == 0)
      return starts;
    if (backend == Backend::host)
      starts.assign(slices.start, slices.start + slices.n_slices + 1);
    else
      runtime::copy(starts.data(), slices.start,
                    starts.size() * sizeof(starts[0]),
                    runtime::Copy::device_to_host);
    return starts;
  }

  template <class Work>
  void
  go_through_lines(const Backend backend, const Work &work)
  {
    for_each(backend, work.n_lines, EachLine<Work>{work});
    if (backend == Backend::cuda)
      runtime::synchronize({});
  }


  template void
  go_through_lines(Backend, const MeasureGaps &);
  template void
  go_through_lines(Backend, const PackGaps &);
  template void
  go_through_lines(Backend, const MeasureReach &);
  template void
  go_through_lines(Backend, const ShortenColumns &);
} // namespace tessera
