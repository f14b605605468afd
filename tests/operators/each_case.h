#pragma once

#include "cases.h"

#include <cctype>

namespace tessera::test
{
  /// Its tests (TEST_P) are run for every prepared case: a failure names the
  /// case, and runs can share the cases (GTEST_TOTAL_SHARDS). What takes turns
  /// in a case begins by its number, so that it does the same alone.
  class EachCase : public testing::TestWithParam<std::size_t>
  {
  protected:
    const PreparedCase &c = prepared_cases()[GetParam()];
  };

  INSTANTIATE_TEST_SUITE_P(
    , EachCase, testing::Range(std::size_t(0), prepared_cases().size()),
    [](const auto &info) {
      std::string name = prepared_cases()[info.param].name;
      for (char &each : name)
        if (!std::isalnum(static_cast<unsigned char>(each)))
          each = '_';
      return name;
    });
} // namespace tessera::test
