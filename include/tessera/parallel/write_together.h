#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/parallel/processes.h>

namespace tessera
{
  /// Lets the first process write files to which all contribute. It calls
  /// `write(collect)`, and `collect(section, take)` there hands to `take` what
  /// `produce(section, ...)` produces in every process, in their order. A piece
  /// is sent as it is produced, so that no process has more than one of another
  /// one. What `write` throws in the first process, or `produce` in any, is
  /// thrown in all of them; `collect` throws in the first process what
  /// `produce` throws elsewhere, so that `write` does not complete a file that
  /// lacks something. Neither may call a function of all processes.
  void
  write_together(const Processes &processes,
                 const std::function<void(const CollectBytes &collect)> &write,
                 const CollectBytes &produce);
} // namespace tessera
