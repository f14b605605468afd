#pragma once

#include <tessera/base/backend.h>
#include <tessera/space/cell_type.h>

#include <gtest/gtest.h>

#include <vector>

namespace tessera::test
{
  /// Returns the backends of this run (`--backend host|cuda|both`).
  const std::vector<Backend> &
  backends();

  /// Returns true if the library is the one under sanitizers. Its fibers take
  /// minutes where a device takes none, so tests give it less to do.
  bool
  is_watched();

  /// Returns the degrees >= `first` for which there are cell kernels.
  std::vector<int>
  degrees(CellType type, int first = 1);
} // namespace tessera::test
