#pragma once

#include <tessera/study/options.h>

#include <string>
#include <vector>

namespace tessera::study
{
  /// `-s "Section/Key=value"`: one entry of the parameter file, given on the
  /// command line.
  struct Override
  {
    std::vector<std::string> sections; ///< from the outermost; may be empty
    std::string key;
    std::string value;

    /// "Section/Key", as it was given.
    std::string
    path() const;
  };

  /// What the command line of an application says:
  ///
  ///   APPLICATION FILE.prm [-s "Section/Key=value"]... [-o DIR]
  ///     [--backend auto|host|cuda] [--device N] [--threads N] [--validate]
  ///     [--export-matrix FILE]
  ///     [--print-parameters [--markdown]] [--list] [--version] [--help]
  struct CommandLine
  {
    std::string application;
    std::string parameter_file; ///< `-`: standard input; empty: none
    std::vector<Override> overrides;
    std::string output_folder;
    std::string export_matrix; ///< file of the last case's; empty: none
    std::string backend   = "auto";
    int device            = 0;
    int threads           = 0; ///< 0: as many as the processor offers
    bool validate         = false;
    bool print_parameters = false;
    bool markdown         = false; ///< of --print-parameters
    bool list             = false;
    std::vector<std::string> arguments; ///< as given, for the record

    /// The parameter file's name without folder and ending.
    std::string
    case_name() const;
  };

  /// Options of every program: --backend, --device, --threads, -o, --version
  /// and --help. The default output folder is `output`.
  void
  add_common_options(Options &options, const std::string &output);

  /// Declares all the options above, but parses nothing.
  Options
  application_options(const std::string &application,
                      const std::string &sentence);

  /// Reads parsed `application_options`. Throws ParameterError where a
  /// parameter file is needed and missing, an override has no `=`, or a number
  /// is out of range.
  CommandLine
  command_line(const Options &options);
} // namespace tessera::study
