#pragma once

#include <tessera/base/error.h>
#include <tessera/program/command_line.h>
#include <tessera/program/record.h>

#include <functional>
#include <map>
#include <string>

namespace tessera::program
{
  /// Returns true after SIGINT, SIGTERM, SIGHUP, SIGXCPU or SIGUSR1, except if
  /// the signal is ignored, as SIGHUP is under nohup. A second signal ends the
  /// program at once. Long loops should check this function.
  bool
  interrupted();

  /// Throws Error with ExitCode::interrupted if a signal was received.
  void
  throw_if_interrupted();

  /// Prints one line on stderr, which the next one replaces unless it is
  /// `done`. If stderr is no terminal, only lines that are done are printed.
  void
  progress(const std::string &text, bool done);

  /// The main function of every program. It parses the command line, handles
  /// --help and --version, and calls `body` with the parsed options and a
  /// record; nothing is written before `body` opens the record. An exception is
  /// printed as one line on stderr, "error: ...". The exit code is
  /// `exit_code()` of a tessera::Error, 6 for std::bad_alloc and 1 for any
  /// other exception. The record is finished with the same code and message.
  /// Returns the exit code.
  ///
  /// If mpirun started several processes, all of them call `body` provided that
  /// `divides` is given and returns true; only the first one prints on stdout.
  /// Otherwise the first one ends with a ParameterError, and the others leave
  /// silently, since they would write the same files. `divides` calls `start`
  /// in every process before it returns true. `start` reads the command line,
  /// checks the environment, and returns true if only --help or --version was
  /// asked for. If it throws or returns true in only some processes, `divides`
  /// must throw in all, because the first one speaks for them
  /// (`start_together`).
  int
  run_program(int argc, char **argv, Options options,
              const std::function<ExitCode(const Options &, Record &)> &body,
              const std::function<bool(const std::function<bool()> &start)>
                &divides = {});

  /// How a program with parameters works in several processes.
  struct Collective
  {
    /// See `run_program`.
    std::function<bool(const std::function<bool()> &start)> divides;
    /// Calls `work` in all processes.
    std::function<ExitCode(Record &record,
                           const std::function<ExitCode()> &work)>
      run;
    /// Throws if the settings or the contents of the files, both by name, are
    /// not the same in all processes.
    std::function<void(const std::map<std::string, std::string> &settings,
                       const std::map<std::string, std::string> &files)>
      agree;
  };

  /// The main function of a program that reads parameters: `run_program` with
  /// --list and --print-parameters. `line_of` converts the options. `body` gets
  /// the parameters of `declare` with the values of the file and the command
  /// line. If `list` is not empty, it is the answer to --list.
  int
  run_with_parameters(
    int argc, char **argv, const Options &options,
    CommandLine (*line_of)(const Options &),
    const std::function<void(Parameters &)> &declare,
    const std::function<ExitCode(Parameters &, const CommandLine &, Record &)>
      &body,
    const Collective &collective = {}, const std::string &list = "");
} // namespace tessera::program
