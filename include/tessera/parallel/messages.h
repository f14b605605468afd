#pragma once

#include <tessera/base/messages.h>
#include <tessera/parallel/processes.h>

#include <memory>

namespace tessera
{
  /// Returns the messages between processes, which MPI carries. `processes`
  /// must outlive them.
  std::shared_ptr<const Messages>
  make_messages(const Processes &processes);
} // namespace tessera
