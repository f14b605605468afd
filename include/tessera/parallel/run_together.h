#pragma once

#include <tessera/parallel/processes.h>
#include <tessera/program/record.h>

#include <functional>
#include <map>
#include <string>

namespace tessera
{
  /// The settings that a program was given, by name.
  using Settings = std::map<std::string, std::string>;

  /// Returns, in all processes, a description of the first setting, in the
  /// first process, that differs from process 0: "Mesh/Cycles is '2' in process
  /// 0 and '3' in process 1"; empty if all processes have the same settings.
  std::string
  difference(const Processes &processes, const Settings &settings);

  /// Throws ParameterError, naming the difference, if the settings, the
  /// contents of files or the version of the program are not the same in all
  /// processes. `files` are paths by name; a file may be missing in all
  /// processes. Several processes read all files.
  void
  require_same(const Processes &processes, Settings settings,
               const Settings &files = {});

  /// Calls `start`, which reads the command line of a program and checks the
  /// environment, in all processes. If it throws, all processes throw the
  /// exception of the first process that failed. Returns true if only --help or
  /// --version was asked for. Throws ParameterError if only some processes were
  /// asked, since these end and the others would wait for them.
  void
  start_together(const Processes &processes,
                 const std::function<bool()> &start);

  /// Runs `body`, the work of a program, in every process. The first process
  /// speaks for all: standard output and standard error of the others are
  /// closed. If `body` throws in all processes, the exception is passed on. If
  /// one process fails alone, it waits 3 to 8 seconds for the others to fail as
  /// well, prints the reason, finishes the record and ends all processes with
  /// its exit code, so that none waits for it.
  ExitCode
  run_together(const Processes &processes, program::Record &record,
               const std::function<ExitCode()> &body);
} // namespace tessera
