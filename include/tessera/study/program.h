#pragma once

#include <tessera/base/error.h>
#include <tessera/study/command_line.h>
#include <tessera/study/record.h>

#include <functional>

namespace tessera::study
{
  /// True after the first SIGINT, SIGTERM or SIGHUP (unless that is ignored, as
  /// by nohup); a second one ends the program at once. Long loops look here.
  bool
  interrupted();

  /// Throws Error with ExitCode::interrupted after a signal.
  void
  throw_if_interrupted();

  /// The main function of every program: reads the command line, answers
  /// --help and --version, and calls `body` with the parsed options and a
  /// record, which writes nothing before the body opens it. An exception
  /// becomes one line on stderr, "error: ...", and the exit code: that of a
  /// tessera::Error, 6 for std::bad_alloc, 1 for any other. The record is
  /// finished with the same code and sentence. Returns the exit code.
  int
  run_program(int argc, char **argv, Options options,
              const std::function<ExitCode(const Options &, Record &)> &body);

  /// The same for an application, see CommandLine.
  int
  run_application(
    int argc, char **argv, const std::string &name, const std::string &sentence,
    const std::function<ExitCode(const CommandLine &, Record &)> &body);
} // namespace tessera::study
