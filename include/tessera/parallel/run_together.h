#pragma once

#include <tessera/parallel/processes.h>
#include <tessera/program/record.h>

#include <functional>
#include <map>
#include <string>

namespace tessera
{
  /// What a program was told, by name.
  using Settings = std::map<std::string, std::string>;

  /// Returns, in all processes, a few words on the first setting, of the first
  /// process, that differs from process 0, as "Mesh/Cycles is '2' in process 0
  /// and '3' in process 1"; empty if all processes have the same settings.
  std::string
  difference(const Processes &processes, const Settings &settings);

  /// Throws ParameterError, which names what differs, if the settings or the
  /// version of the program are not the same in all processes.
  void
  require_same(const Processes &processes, Settings settings);

  /// Calls `start`, which reads the command line of a program and checks the
  /// environment, in all processes, and throws in all of them what it throws in
  /// the first process in which it does. It returns true if nothing but --help
  /// or --version was asked for. Throws ParameterError if that is not so in all
  /// processes, since those that answer end and the others would wait for them.
  void
  start_together(const Processes &processes,
                 const std::function<bool()> &start);

  /// Runs `body`, the work of a program, in every process. The first process
  /// speaks for all of them: standard output and standard error of the others
  /// are closed. Where `body` throws in all of them, this is thrown; where one
  /// process fails alone, it waits some seconds for the others to fail as well,
  /// says why, finishes the record and ends all of them with its exit code, so
  /// that none waits for it.
  ExitCode
  run_together(const Processes &processes, program::Record &record,
               const std::function<ExitCode()> &body);
} // namespace tessera
