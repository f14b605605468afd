#pragma once

#include <tessera/base/launch_log.h>
#include <tessera/base/profiled_range.h>
#include <tessera/program/record.h>

namespace tessera::program
{
  /// Runs `work` and returns the registers, memory, occupancy and launch sizes
  /// of the kernel that it launches whose threads have the most registers
  /// together: not of one that sets many entries to zero. The result is empty
  /// if no kernel of Tessera is launched. Profilers show the work as a range
  /// with the name `range`.
  template <class Work>
  std::optional<Counters>
  kernel_counters(const Work &work, const std::string &range)
  {
    const runtime::LaunchLog log;
    {
      const runtime::ProfiledRange profiled(range);
      work();
    }
    const auto launch = log.largest();
    if (!launch)
      return {};
    const runtime::KernelAttributes said = runtime::attributes(*launch);
    return Counters{{"registers", double(said.registers)},
                    {"shared_bytes", double(said.shared_bytes)},
                    {"local_bytes", double(said.local_bytes)},
                    {"occupancy", said.occupancy},
                    {"block_size", double(launch->n_threads)},
                    {"blocks", double(launch->n_blocks)},
                    {"launches", double(log.launches().size())}};
  }
} // namespace tessera::program
