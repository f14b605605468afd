#pragma once

#include <tessera/base/backend.h>
#include <tessera/space/cell_type.h>

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test
{
  /// The backends this run was asked for (`--backend host|cuda|both`).
  const std::vector<Backend> &
  backends();

  /// True if the library is the one that sanitizers watch. Its fibers take
  /// minutes where a device takes none, so tests have less to do with it.
  bool
  is_watched();

  /// The degrees from `first` on that the library has cell kernels for.
  std::vector<int>
  degrees(CellType type, int first = 1);
} // namespace tessera::test
