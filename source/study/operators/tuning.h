#pragma once

#include "../../operators/tuning.h"

// Launch shapes of operators that are for studies alone, measured like the
// core's.
namespace tessera::tuning
{
  /// Work in tiles of entries: entries of a thread, or entries and row ends of
  /// the merge path, an odd number so that threads begin in different banks;
  /// and blocks that a multiprocessor must hold.
  // clang-format off
  constexpr int coo_values       = 8; // tuned: 4 6 8 10 12 | --operators coo --kinds application
  constexpr int coo_blocks       = 8; // tuned: 6 8 10 | --operators coo --kinds application
  constexpr int csr_merge_items  = 9; // tuned: 5 7 9 11 | --operators csr_merge --kinds application
  constexpr int csr_merge_blocks = 8; // tuned: 6 8 9 10 | --operators csr_merge --kinds application
  // clang-format on
} // namespace tessera::tuning
