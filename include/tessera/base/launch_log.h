#pragma once

#include <tessera/base/backend.h>

#include <cstdint>
#include <optional>
#include <vector>

// What kernels a piece of work launches, and what the device says of them.
namespace tessera::runtime
{
  struct KernelLaunch
  {
    const void *kernel;
    std::int64_t n_blocks;
    int n_threads; ///< of a block
  };

  /// Keeps the launches of its thread while it lives, in their order; those
  /// that a graph replays are not among them. An inner log takes launches from
  /// an outer one.
  class LaunchLog
  {
  public:
    LaunchLog();
    ~LaunchLog();
    LaunchLog(const LaunchLog &) = delete;
    LaunchLog &
    operator=(const LaunchLog &) = delete;

    const std::vector<KernelLaunch> &
    launches() const
    {
      return list;
    }

    /// The launch of most threads, the first of several; nothing was launched:
    /// empty.
    std::optional<KernelLaunch>
    largest() const;

  private:
    friend void
    note_launch(const void *, std::int64_t, int);

    std::vector<KernelLaunch> list;
    LaunchLog *outer;
  };

  struct KernelAttributes
  {
    int registers      = 0;  ///< of a thread
    int shared_bytes   = 0;  ///< of a block, static ones
    int local_bytes    = 0;  ///< of a thread: what spills and stacks take
    double occupancy   = 0;  ///< threads that fit at a time, of those possible
    int shared_percent = -1; ///< of L1 that is asked for; -1: the driver's
  };

  /// The shim, which has no such limits, says zeros.
  KernelAttributes
  attributes(const KernelLaunch &launch);

  /// From now on all kernels are launched with so many per cent of a
  /// multiprocessor's L1 cache asked for as shared memory (RegulyGiles2015,
  /// section 10.4: 16 or 48 KB of L1); empty: what the driver chooses. Throws
  /// ParameterError for a number that is not in [0, 100].
  void
  prefer_shared_memory(const std::optional<int> &percent);

  /// Called by `launch`.
  void
  note_launch(const void *kernel, std::int64_t n_blocks, int n_threads);

  /// Implemented with the run-time library.
  void
  set_shared_percent(const void *kernel, int percent);
} // namespace tessera::runtime
