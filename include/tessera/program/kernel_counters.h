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
    const runtime::KernelLaunch *launch = nullptr;
    runtime::KernelAttributes said;
    double most = -1;
    for (const runtime::KernelLaunch &other : log.launches())
      {
        const runtime::KernelAttributes of = runtime::attributes(other);
        const double registers =
          double(other.n_blocks) * other.n_threads * (1 + of.registers);
        if (registers <= most)
          continue;
        launch = &other;
        said   = of;
        most   = registers;
      }
    if (launch == nullptr)
      return {};
    return Counters{{"registers", double(said.registers)},
                    {"shared_bytes", double(said.shared_bytes)},
                    {"local_bytes", double(said.local_bytes)},
                    {"occupancy", said.occupancy},
                    {"block_size", double(launch->n_threads)},
                    {"blocks", double(launch->n_blocks)},
                    {"launches", double(log.launches().size())}};
  }
} // namespace tessera::program
