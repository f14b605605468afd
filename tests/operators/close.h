#pragma once

#include "test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tessera::test
{
  /// Expects values within 100 rounding units of the largest expected one, or
  /// equal bits if `exact`. The largest must not be zero.
  template <class Number>
  void
  check_close(const std::vector<Number> &values,
              const std::vector<Number> &expected, const bool exact,
              const std::string &what)
  {
    double largest = 0;
    for (const Number value : expected)
      largest = std::max(largest, std::abs(double(value)));
    ASSERT_GT(largest, 0);
    ASSERT_EQ(values.size(), expected.size());
    const double tolerance =
      exact ? 0 : 100 * std::numeric_limits<Number>::epsilon() * largest;
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], expected[i], tolerance) << what << " entry " << i;
  }
} // namespace tessera::test
