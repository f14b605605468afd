#pragma once

#include <tessera/parallel/processes.h>
#include <tessera/study/record.h>

#include <functional>
#include <string>

namespace tessera
{
  /// Runs `body`, the work of a program, in every process. The first process
  /// speaks for all of them: standard output and standard error of the others
  /// are closed. Throws ParameterError if `settings` or the version of the
  /// program are not the same in all processes. Where `body` throws in all of
  /// them, this is thrown; where one process fails alone, it waits some seconds
  /// for the others to fail as well, says why, finishes the record and ends all
  /// of them with its exit code, so that none waits for it.
  ExitCode
  run_together(const Processes &processes, const std::string &settings,
               study::Record &record, const std::function<ExitCode()> &body);
} // namespace tessera
