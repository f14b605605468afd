#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/parallel/processes.h>

namespace tessera
{
  /// Lets the first process write files to which all processes contribute. It
  /// calls `write(collect)` there, and `collect(section, take)` hands to `take`
  /// the output of `produce(section, ...)` in every process, in their order. A
  /// piece is sent as it is produced, so that no process holds more than one
  /// piece of another one. If `write` throws in the first process, or `produce`
  /// in any, all processes throw the same; `collect` throws in the first
  /// process if `produce` throws elsewhere, so that `write` does not complete a
  /// file with missing parts. Neither may call a function of all processes.
  void
  write_together(const Processes &processes,
                 const std::function<void(const CollectBytes &collect)> &write,
                 const CollectBytes &produce);
} // namespace tessera
