#pragma once

#include "report.h"

#include <tessera/base/error.h>
#include <tessera/program/command_line.h>

#include <exception>
#include <functional>

// The common parts of programs that measure.
namespace tessera::benchmarks
{
  /// Sets threads as the command line asks, and returns the backend that it
  /// names, which it prints to stderr. The current device stays as it is.
  Backend
  choose(const program::CommandLine &line);

  /// Does the same, and makes the device of the command line the current one.
  Backend
  begin(const program::CommandLine &line);

  /// Opens the record with parameters and seed. If the backend is a device, the
  /// record gets the current one with its copy bandwidth.
  void
  open(program::Record &record, const Parameters &parameters,
       const program::CommandLine &line, Backend backend,
       double copy_bandwidth);

  /// Says that all is well where --validate was given.
  ExitCode
  valid();

  /// Calls `work`. If there is no device, no memory or no such combination,
  /// calls `give_up` with what was thrown, where a row then says so. Throws
  /// after a signal, and if one of several processes fails alone.
  void
  attempt(const std::function<void()> &work,
          const std::function<void(const std::exception_ptr &)> &give_up,
          const Team &team = Team());

  /// Calls `sweep`, which fills the report, and prints the table, the verdict
  /// and where the record is. If `sweep` throws, the rows until then are
  /// printed, and the verdict never says that all is well.
  ExitCode
  finish(const program::Record &record, const Report &report,
         const std::function<void()> &sweep);
} // namespace tessera::benchmarks
