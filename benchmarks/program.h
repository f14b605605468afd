#pragma once

#include "report.h"

#include <tessera/base/error.h>
#include <tessera/study/options.h>

#include <functional>

// The common parts of programs that sweep by options of a command line.
namespace tessera::benchmarks
{
  /// Sets threads and backend by the common options, and prints the backend to
  /// stderr.
  Backend
  begin(const study::Options &options);

  /// Opens the record with the seed of the options. If the backend is a device,
  /// the record gets the device with its copy bandwidth.
  void
  open(study::Record &record, const study::Options &options, Backend backend,
       double copy_bandwidth);

  /// Calls `sweep`, which fills the report, and prints the table, even if
  /// `sweep` throws.
  ExitCode
  finish(const study::Record &record, const Report &report,
         const std::function<void()> &sweep);
} // namespace tessera::benchmarks
