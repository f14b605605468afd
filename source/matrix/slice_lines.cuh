#pragma once

#include <tessera/base/for_each.h>

#include "sell.cuh"
#include "slice_lines.h"

namespace tessera
{
  /// Returns the slice of a line: the last slice that begins at or before it.
  TESSERA_HOST_DEVICE int
  slice_of(const SellSlices &slices, const std::int64_t line)
  {
    const std::int64_t place = line << slices.log2_lanes;
    int first = 0, last = slices.n_slices;
    while (last - first > 1)
      {
        const int middle = first + (last - first) / 2;
        (slices.start[middle] <= place ? first : last) = middle;
      }
    return first;
  }

  /// Line by line: the thread of a line reads its columns, and the columns of
  /// the line before where `work` asks for gaps. Only this thread writes the
  /// line's descriptor.
  template <class Work>
  struct EachLine
  {
    Work work;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t line) const
    {
      work_on_line(work, line);
    }
  };
} // namespace tessera
