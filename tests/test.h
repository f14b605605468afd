#pragma once

#include <tessera/base/backend.h>

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test
{
  /// The backends this run was asked for (`--backend host|cuda|both`).
  const std::vector<Backend> &
  backends();
} // namespace tessera::test
