#pragma once

#include <cstddef>
#include <functional>

/// The shim runs thread blocks on the host: every thread is a fiber, and blocks
/// run one after another. A barrier switches to the next fiber. It is an error
/// if not all threads of a block reach the same barrier, or not all lanes of a
/// warp the same shuffle. The sanitizers see every memory access.
///
/// Between barriers, the threads of a block run in an order that changes with
/// every launch and that the environment variable TESSERA_SHIM_SEED chooses
/// (default 1; 0 is the order of their indices). So results that depend on the
/// order differ from launch to launch. Code that is compiled with
/// -fsanitize=thread is watched for races as well: that two threads access a
/// word without an order, and not both of them read it or add to it atomically,
/// is an error that names both.
namespace tessera::shim
{
  enum class State
  {
    running,
    at_barrier,
    at_exchange,
    at_warp_barrier,
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
  /// std::logic_error for a divergent barrier or shuffle and for a race, and
  /// passes on any exception that a thread throws.
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

  /// Records that the running fiber accesses these bytes atomically, in the
  /// code at `code`.
  void
  note_atomic(const void *word, std::size_t bytes, const void *code);

  /// Records that the running fiber is at a fence.
  void
  note_fence();

  /// Adds `value` to *to and returns the value before.
  template <class Number>
  __attribute__((noinline, no_sanitize("thread"))) Number
  add_atomically(Number *to, const Number value)
  {
    note_atomic(to, sizeof(Number), __builtin_return_address(0));
    const Number before = *to;
    *to += value;
    return before;
  }
} // namespace tessera::shim
