#pragma once

#include <functional>

namespace tessera::shim
{
  /// Calls `thread` once for every thread of every block, as `run` does, but
  /// with all blocks under way: a block that waits for the others gives way to
  /// the next one. Shared memory does not survive that wait, because there is
  /// one copy of it for all blocks. Throws std::logic_error if some blocks wait
  /// and others have ended.
  void
  run_together(int n_blocks, int n_threads,
               const std::function<void()> &thread);

  /// Suspends the running fiber until all threads of all blocks are here.
  void
  wait_for_all_blocks();
} // namespace tessera::shim
