#pragma once

#include <cstddef>
#include <functional>

/// The shim runs thread blocks on the host: every thread is a fiber, and blocks
/// run one after another. A barrier switches to the next fiber. It is an error
/// if not all threads of a block reach the same barrier, or not all lanes of a
/// warp the same shuffle. Races cannot be found this way, because only one
/// fiber runs at a time, but the sanitizers see every memory access.
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

  /// The position of the running fiber.
  extern Position current;

  /// Calls `thread` once for every thread of every block. Throws
  /// std::logic_error for a divergent barrier or shuffle, and passes on any
  /// exception that a thread throws.
  void
  run(int n_blocks, int n_threads, const std::function<void()> &thread);

  /// Suspends the running fiber until the other threads of its block or warp
  /// have reached the same `state`.
  void
  wait(State state);

  /// Offers `bytes` (at most 8) of `value` to the other lanes of the warp and
  /// reads into `result` what the lane `source` offers. All lanes of the warp
  /// take part.
  void
  exchange(const void *value, std::size_t bytes, int source, void *result);
} // namespace tessera::shim
