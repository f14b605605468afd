#pragma once

#include "rows.h"

#include <tessera/matrix/sell.h>

namespace tessera::test
{
  inline const std::vector<SellShape> &
  shapes()
  {
    static const std::vector<SellShape> all = {
      {},                  // sliced ELLPACK
      {1},                 // rows in their own order
      {4, 8},              // SELL-4-8
      {256, 40},           // windows that are no multiple of slices
      {32, 0},             // pJDS, ELL-WARP K1
      {32, 1, 4},          // sliced ELLR-T
      {8, 1, 8},           // a row per slice, several slices per warp
      {32, 0, 1, 12},      // ELL-WARP K2
      {64, 0, 2, 3},       // two warps per slice
      {32, 1, 8, 0, true}, // ELLR-T
      {16, 128, 1, 1}};    // slices in a warp differ in lanes per row
    return all;
  }

  inline std::string
  describe(const SellShape &s)
  {
    return "C " + std::to_string(s.lanes) + ", sigma " +
           std::to_string(s.window) + ", T " +
           std::to_string(s.threads_per_row) + ", threshold " +
           std::to_string(s.threshold);
  }
} // namespace tessera::test
