#pragma once

#include <cstddef>
#include <functional>

/// Thread blocks on the host: one fiber a thread, blocks one after another. A
/// barrier is a switch; a block whose threads do not all reach the same
/// barrier is an error, as is a shuffle that not all lanes of a warp reach.
/// There are no races to find here (one fiber runs at a time), but every
/// access is seen by the sanitizers.
namespace tessera::shim
{
  enum class State
  {
    running,
    at_barrier,
    at_exchange,
    done
  };

  struct Position
  {
    int thread;
    int block;
    int n_threads;
    int n_blocks;
  };

  /// Of the fiber that runs.
  extern Position current;

  /// Runs `thread` for every thread of every block. Throws std::logic_error
  /// for a divergent barrier or exchange; passes on what a thread throws.
  void
  run(int n_blocks, int n_threads, const std::function<void()> &thread);

  /// Waits for the other threads of the block or warp.
  void
  wait(State state);

  /// Leaves `bytes` (at most 8) of `value` for the warp and reads those of the
  /// lane `source`. All lanes of the warp take part.
  void
  exchange(const void *value, std::size_t bytes, int source, void *result);
} // namespace tessera::shim
