#pragma once

#include "report.h"

#include <tessera/base/error.h>
#include <tessera/program/options.h>

#include <functional>

// The common parts of programs that sweep by options of a command line.
namespace tessera::benchmarks
{
  /// Sets threads by the common options and returns the backend that they name,
  /// which it prints to stderr. The current device stays as it is.
  Backend
  choose(const program::Options &options);

  /// Does the same, and makes the device of the options the current one.
  Backend
  begin(const program::Options &options);

  /// Opens the record with the seed of the options. If the backend is a device,
  /// the record gets the current one with its copy bandwidth.
  void
  open(program::Record &record, const program::Options &options,
       Backend backend, double copy_bandwidth);

  /// Calls `sweep`, which fills the report, and prints the table, the verdict
  /// and where the record is. If `sweep` throws, the rows until then are
  /// printed, and the verdict never says that all is well.
  ExitCode
  finish(const program::Record &record, const Report &report,
         const std::function<void()> &sweep);
} // namespace tessera::benchmarks
