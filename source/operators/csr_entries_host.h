#pragma once

#include <tessera/base/attributes.h>

#include <cstdint>

namespace tessera
{
  /// A row with at least so many entries is summed up in four parts, because
  /// each addition to a single sum waits for the one before, which takes as
  /// long as four entries. Shorter rows overlap with the next ones.
  constexpr int long_row = 32;

  /// Adds `n` entries times x to the sum, one after the other. Each of four
  /// entries has an exit of its own, so that processors learn where rows of
  /// different lengths end: with one exit for all of them matrices of some
  /// thousand rows take up to twice as long.
  template <class Number>
  TESSERA_HOST Number
  add_entries(Number sum, const Number *values, const int *columns,
              const Number *const x, std::int64_t n)
  {
    for (; n > 0; n -= 4, values += 4, columns += 4)
      {
        sum += values[0] * x[columns[0]];
        if (n == 1)
          break;
        sum += values[1] * x[columns[1]];
        if (n == 2)
          break;
        sum += values[2] * x[columns[2]];
        if (n == 3)
          break;
        sum += values[3] * x[columns[3]];
      }
    return sum;
  }

  /// The sum of `n` entries times x.
  template <class Number>
  TESSERA_HOST Number
  sum_entries(const Number *values, const int *columns, const Number *const x,
              std::int64_t n)
  {
    Number sum = Number(0);
    if (n >= long_row)
      {
        Number second = Number(0), third = Number(0), fourth = Number(0);
        for (; n >= 4; n -= 4, values += 4, columns += 4)
          {
            sum += values[0] * x[columns[0]];
            second += values[1] * x[columns[1]];
            third += values[2] * x[columns[2]];
            fourth += values[3] * x[columns[3]];
          }
        sum = (sum + second) + (third + fourth);
      }
    return add_entries(sum, values, columns, x, n);
  }
} // namespace tessera
