#pragma once

#include <tessera/program/options.h>
#include <tessera/program/parameters.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::program
{
  /// The command line of an application:
  ///
  ///   APPLICATION FILE.prm [-s "Section/Key=value"]... [-o DIR]
  ///     [--backend auto|host|cuda] [--device N] [--threads N] [--validate]
  ///     [--processes N] [--mesh-only] [--export-matrix FILE] [--export-space
  ///     FILE]
  ///     [--print-parameters [--markdown]] [--list] [--version] [--help]
  struct CommandLine
  {
    std::string application;
    std::string parameter_file; ///< `-` for standard input; empty if none
    /// Paths and values of entries: -s "Section/Key=value".
    std::vector<std::pair<std::string, std::string>> overrides;
    std::string output_folder;
    std::string export_matrix; ///< for the matrix of the last case
    std::string export_space;  ///< for its mesh and degrees of freedom
    std::string backend   = "auto";
    int device            = 0;
    bool device_given     = false;
    int threads           = 0; ///< 0 for all threads of the processor
    bool validate         = false;
    int n_processes       = 1; ///< for which --validate estimates memory
    bool mesh_only        = false;
    bool print_parameters = false;
    bool markdown         = false; ///< format of --print-parameters
    bool list             = false;
    std::vector<std::string> arguments; ///< as given, for the record

    /// Returns the name of the parameter file without folder and extension.
    std::string
    case_name() const;
  };

  /// Adds the options that every program has: --backend, --device, --threads,
  /// -o, --version and --help. `output` is the default output folder.
  void
  add_common_options(Options &options, const std::string &output);

  /// Declares the options of a program that reads a parameter file: FILE.prm,
  /// -s, the common ones, --validate, --print-parameters and --list.
  Options
  parameter_options(const std::string &program, const std::string &sentence);

  /// Declares all options of CommandLine, but parses nothing.
  Options
  application_options(const std::string &application,
                      const std::string &sentence);

  /// Converts parsed `parameter_options`; the file may be missing. Throws
  /// ParameterError if an override has no `=`, or a number is out of
  /// range.
  CommandLine
  parameter_line(const Options &options);

  /// Converts parsed `application_options`. Throws ParameterError if a required
  /// parameter file is missing, too.
  CommandLine
  command_line(const Options &options);

  /// Reads the parameter file and then the overrides, unless --list was given.
  void
  read_parameters(Parameters &parameters, const CommandLine &line);

  /// Answers --list or --print-parameters on standard output. Returns false if
  /// neither was given.
  bool
  answer(const Parameters &parameters, const CommandLine &line);
} // namespace tessera::program
