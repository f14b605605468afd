#pragma once

#include <tessera/base/launch_log.h>
#include <tessera/study/record.h>

namespace tessera::benchmarks
{
  /// What the device says of the kernel of most threads that `work` launches;
  /// nothing where it launches none of ours.
  template <class Work>
  std::optional<study::Counters>
  kernel_counters(const Work &work)
  {
    const runtime::LaunchLog log;
    work();
    const auto launch = log.largest();
    if (!launch)
      return {};
    const runtime::KernelAttributes said = runtime::attributes(*launch);
    return study::Counters{{"registers", double(said.registers)},
                           {"shared_bytes", double(said.shared_bytes)},
                           {"local_bytes", double(said.local_bytes)},
                           {"occupancy", said.occupancy},
                           {"block_size", double(launch->n_threads)},
                           {"blocks", double(launch->n_blocks)},
                           {"launches", double(log.launches().size())}};
  }
} // namespace tessera::benchmarks
