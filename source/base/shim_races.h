#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Sanitizers do not watch the functions that run at every access or at every
/// switch between threads.
#define TESSERA_UNWATCHED __attribute__((no_sanitize("address", "undefined")))

// The fibers tell the race detector (shim_races.cc) by these functions what
// happens. Two threads race for a word if one of them writes it, not both do so
// atomically, and nothing orders one access before the other. Ordered are
//   - what a block does before and after a barrier, and a warp before and after
//     `warp_synchronize` (a shuffle alone orders nothing),
//   - what a block does before a fence and another one after a later fence, as
//     in sums over a grid,
//   - all before and after a barrier of the grid, and launch after launch.
// A write of what is there already, as padding cells add zeros to one word, is
// a read. Accesses are seen in code that is compiled with -fsanitize=thread:
// its calls end here and not in that sanitizer's library.
namespace tessera::shim::races
{
  enum class Kind
  {
    read,
    write,
    atomic
  };

  /// What a thread does between two points where others may run, and before
  /// or after a fence.
  struct Slice
  {
    int block;
    int thread;
    unsigned int phase;
    unsigned int warp_phase;
  };

  /// Slices are counted through all launches: one that is older than the
  /// launch is forgotten without being cleared. 0 is none.
  struct Access
  {
    std::uint32_t slice;
    std::uint32_t bits; ///< of the word
    std::uint32_t old;  ///< the word before the first write of the slice
    const void *code;
  };

  struct Race
  {
    Access first, second;
    Kind first_kind, second_kind;
    Slice first_slice, second_slice;
    std::uintptr_t address;
  };

  /// Returns true for static variables, which are shared memory on the device.
  bool
  is_static(std::uintptr_t address);

  /// Says in a sentence who races for what; there were `n` races until then.
  std::string
  describe(const Race &race, std::int64_t n);

  /// What happened so far comes before all that follows.
  void
  begin_all();

  /// The running block begins, or has passed a barrier.
  void
  begin_phase();

  /// The running warp has passed `warp_synchronize`.
  void
  begin_warp_phase();

  /// The thread `current` runs from now on; its stack is its own.
  void
  begin_thread(const void *stack, std::size_t bytes);

  /// No thread runs.
  void
  end_thread();

  /// Returns the races since the last call: a sentence about the first one,
  /// empty without any.
  std::string
  take_report();

  /// Returns true if `take_report` has something to say.
  bool
  found();
} // namespace tessera::shim::races
