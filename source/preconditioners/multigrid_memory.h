#pragma once

#include <tessera/preconditioners/multigrid_setup.h>

namespace tessera
{
  /// Counts the levels without the matrix of the finest one. While they are
  /// made, rows are assembled unless they are stored anyway.
  PreconditionerMemory
  memory_of_levels(const PreconditionerCounts &n, Coarsening coarsening,
                   bool made_on_host);
} // namespace tessera
