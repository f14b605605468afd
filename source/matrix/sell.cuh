#pragma once

#include <tessera/base/attributes.h>
#include <tessera/matrix/sell.h>

namespace tessera
{
  /// The part of a row that a lane of a slice has.
  struct SellLane
  {
    int row          = -1; ///< -1 if the lane has none
    int log2_threads = 0;  ///< number of lanes of the row
    int of_row       = 0;  ///< number of the lane among them
    int n            = 0;  ///< entries of the lane
  };

  TESSERA_HOST_DEVICE SellLane
  find_lane(const SellSlices &slices, const std::int64_t slice,
            const int in_slice)
  {
    SellLane lane;
    const bool alike = slices.log2_of_all >= 0;
    const int log2 =
      alike ? slices.log2_of_all : read_only(slices.log2_threads + slice);
    const std::int64_t first =
      alike ? slice << (slices.log2_lanes - log2)
            : static_cast<std::int64_t>(read_only(slices.rows + slice));
    const std::int64_t sorted = first + (in_slice >> log2);
    if (sorted >= (alike ? slices.n_rows : read_only(slices.rows + slice + 1)))
      return lane;
    lane.row          = slices.permutation != nullptr
                          ? read_only(slices.permutation + sorted)
                          : static_cast<int>(sorted);
    lane.log2_threads = log2;
    lane.of_row       = in_slice & ((1 << log2) - 1);
    lane.n =
      (read_only(slices.lengths + lane.row) - lane.of_row + (1 << log2) - 1) >>
      log2;
    return lane;
  }
} // namespace tessera
