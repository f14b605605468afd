#pragma once

#include "report.h"

#include <tessera/base/error.h>
#include <tessera/study/options.h>

#include <functional>

// What programs that sweep by options of a command line do alike.
namespace tessera::benchmarks
{
  /// Threads and backend as the common options say; tells the backend on
  /// stderr.
  Backend
  begin(const study::Options &options);

  /// Opens the record with the seed of the options, and with the device that
  /// has this copy bandwidth where that is the backend.
  void
  open(study::Record &record, const study::Options &options, Backend backend,
       double copy_bandwidth);

  /// Calls `sweep`, which fills the report, and prints the table, also where
  /// that throws.
  ExitCode
  finish(const study::Record &record, const Report &report,
         const std::function<void()> &sweep);
} // namespace tessera::benchmarks
