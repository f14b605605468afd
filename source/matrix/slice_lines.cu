#include <tessera/base/for_each.cuh>

#include "packed_columns.cuh"
#include "short_columns.cuh"

namespace tessera
{
  template void
  for_each_on_device(std::int64_t, const EachLine<MeasureGaps> &, Stream);
  template void
  for_each_on_device(std::int64_t, const EachLine<PackGaps> &, Stream);
  template void
  for_each_on_device(std::int64_t, const EachLine<MeasureReach> &, Stream);
  template void
  for_each_on_device(std::int64_t, const EachLine<ShortenColumns> &, Stream);
} // namespace tessera
