#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// From so many entries on a row is summed up in four parts: each addition
  /// to a single sum waits for the one before, which takes as long as four
  /// entries. Shorter rows overlap with the next ones.
  constexpr int long_row = 32;

  /// Entries `k` to `end` times x.
  template <class Number, class Offset>
  TESSERA_HOST Number
  sum_entries(const Number *const values, const int *const columns,
              const Number *const x, Offset k, const Offset end)
  {
    Number sum = Number(0);
    if (end - k >= long_row)
      {
        Number second = Number(0), third = Number(0), fourth = Number(0);
        for (; k + 4 <= end; k += 4)
          {
            sum += values[k] * x[columns[k]];
            second += values[k + 1] * x[columns[k + 1]];
            third += values[k + 2] * x[columns[k + 2]];
            fourth += values[k + 3] * x[columns[k + 3]];
          }
        sum = (sum + second) + (third + fourth);
      }
    for (; k < end; ++k)
      sum += values[k] * x[columns[k]];
    return sum;
  }
} // namespace tessera
