#pragma once

#include <tessera/base/backend.h>

#include <cstdint>
#include <optional>
#include <vector>

// This header records which kernels a piece of work launches and asks the
// device for their properties.
namespace tessera::runtime
{
  struct KernelLaunch
  {
    const void *kernel;
    std::int64_t n_blocks;
    int n_threads;    ///< threads per block
    int shared_bytes; ///< of a block, beside its static shared memory
  };

  /// While an object of this class exists, it records the launches of its
  /// thread in their order. Launches that a graph replays are not recorded. If
  /// several logs exist, only the innermost one records.
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

    /// Returns the launch whose threads have the most registers together, the
    /// first of several, or nothing if no kernel was launched.
    std::optional<KernelLaunch>
    largest() const;

  private:
    friend void
    note_launch(const void *, std::int64_t, int, int);

    std::vector<KernelLaunch> list;
    LaunchLog *outer;
  };

  struct KernelAttributes
  {
    int registers    = 0; ///< per thread
    int shared_bytes = 0; ///< shared memory per block
    int local_bytes  = 0; ///< per thread: spilled registers and stack
    /// Threads that can be resident on a multiprocessor at a time, divided by
    /// the largest number that any kernel can have.
    double occupancy = 0;
    /// The preferred share of L1 as shared memory in per cent; -1 means that
    /// the driver chooses.
    int shared_percent = -1;
  };

  /// Returns the properties of a launched kernel. The fiber shim has no such
  /// limits and returns zeros.
  KernelAttributes
  attributes(const KernelLaunch &launch);

  /// Asks for this percentage of a multiprocessor's L1 cache as shared memory
  /// in all later launches; without a value, the driver chooses.
  /// RegulyGiles2015, section 10.4, compares 16 KB and 48 KB of L1. Throws
  /// ParameterError for a percentage outside [0, 100].
  void
  prefer_shared_memory(const std::optional<int> &percent);

  /// Records a launch; `launch` calls this for every kernel.
  void
  note_launch(const void *kernel, std::int64_t n_blocks, int n_threads,
              int shared_bytes = 0);

  /// Sets the share of shared memory of one kernel. The run-time library
  /// (`cuda_runtime.cu` or `shim_runtime.cc`) implements this.
  void
  set_shared_percent(const void *kernel, int percent);
} // namespace tessera::runtime
