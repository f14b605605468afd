#include <tessera/base/error.h>
#include <tessera/program/affinity.h>
#include <tessera/program/choices.h>
#include <tessera/program/command_line.h>

#include <filesystem>
#include <iostream>

namespace tessera::program
{
  namespace
  {
    std::pair<std::string, std::string>
    parse_override(const std::string &text)
    {
      const std::size_t equals = text.find('=');
      const std::string path   = text.substr(0, equals);
      if (equals == std::string::npos || path.empty() || path.back() == '/')
        throw ParameterError("The option -s was given '" + text +
                             "'; it takes 'Section/Key=value'.");
      return {path, text.substr(equals + 1)};
    }
  } // namespace

  std::string
  CommandLine::case_name() const
  {
    return parameter_file == "-"
             ? "stdin"
             : std::filesystem::path(parameter_file).stem().string();
  }

  void
  add_common_options(Options &options, const std::string &output)
  {
    options.add("output", "DIR", output,
                "folder of the results; earlier ones of the same names are "
                "replaced",
                'o');
    options.add("backend", "auto|host|cuda", "auto", "where to compute");
    options.add("device", "N", "0", "number of the CUDA device");
    options.add("threads", "N", "0", "threads on the host; 0: all cores");
    options.add_flag("version", "print version and build, and stop");
    options.add_flag("help", "print this text, and stop");
  }

  Options
  parameter_options(const std::string &program, const std::string &sentence)
  {
    Options options(program, sentence);
    options.add_positional("FILE.prm", "parameter file; -: standard input");
    options.add("set", "\"Section/Key=value\"", "",
                "an entry that overrides the file's; may be repeated", 's');
    add_common_options(options, "");
    options.add_flag("validate",
                     "check parameters, mesh and boundaries, "
                     "estimate memory, solve nothing");
    options.add_flag("markdown",
                     "with --print-parameters: tables for a manual");
    options.add_flag("print-parameters",
                     "print all entries with their values, and stop");
    options.add_flag("list", "print what can be chosen, and stop");
    return options;
  }

  Options
  application_options(const std::string &application,
                      const std::string &sentence)
  {
    Options options = parameter_options(application, sentence);
    options.add("processes", "N", "1",
                "with --validate: estimate memory of one of N processes that "
                "share the case");
    options.add_flag("mesh-only",
                     "make the mesh, print its summary, and stop; bodies leave "
                     "it as mesh.msh in the output folder");
    options.add(
      "export-matrix", "FILE", "",
      "write the assembled matrix of the last case: .mtx or .mtx.gz, "
      "Matrix Market, or .matrix, binary; FILE.rows.csv beside it says "
      "where its rows are, and FILE.rhs.mtx is the right-hand side");
    options.add("export-space", "FILE", "",
                "write mesh and degrees of freedom of the last case, for the "
                "entry Study/Spaces of programs that measure");
    return options;
  }

  CommandLine
  parameter_line(const Options &options)
  {
    CommandLine line;
    line.application    = options.program();
    line.parameter_file = options.positional();
    for (const std::string &text : options.values("set"))
      line.overrides.push_back(parse_override(text));
    line.backend = options.value("backend");
    if (line.backend != "auto" && line.backend != "host" &&
        line.backend != "cuda")
      throw ParameterError("The option --backend was given '" + line.backend +
                           "'; it takes auto, host or cuda.");
    line.device           = options.integer("device", 0, 1023);
    line.device_given     = options.given("device");
    line.threads          = options.integer("threads", 0, most_threads);
    line.validate         = options.given("validate");
    line.print_parameters = options.given("print-parameters");
    line.markdown         = options.given("markdown");
    line.list             = options.given("list");
    line.arguments        = options.arguments();
    if (options.given("output") && options.value("output").empty())
      throw ParameterError("The option -o was given ''; it takes a folder.");
    line.output_folder = "out/" + line.application;
    if (options.given("output"))
      line.output_folder = options.value("output");
    else if (!line.parameter_file.empty())
      line.output_folder += '/' + line.case_name();
    return line;
  }

  CommandLine
  command_line(const Options &options)
  {
    CommandLine line = parameter_line(options);
    line.n_processes = options.integer("processes", 1, 1 << 20);
    if (options.given("processes") && !line.validate)
      throw ParameterError(
        "The option --processes is for --validate; mpirun -n "
        "N starts processes.");
    line.mesh_only = options.given("mesh-only");
    if (line.parameter_file.empty() && !line.list && !line.print_parameters)
      throw ParameterError(
        "No parameter file was given; usage: " + line.application +
        " FILE.prm [OPTION]..., or " + line.application + " --help.");
    line.export_matrix = options.value("export-matrix");
    line.export_space  = options.value("export-space");
    for (const std::string option : {"export-matrix", "export-space"})
      if (options.given(option) && options.value(option).empty())
        throw ParameterError("The option --" + option +
                             " was given ''; it takes a file.");
    return line;
  }

  void
  read_parameters(Parameters &parameters, const CommandLine &line)
  {
    if (line.list)
      return;
    if (!line.parameter_file.empty())
      parameters.read(line.parameter_file);
    for (const auto &[path, value] : line.overrides)
      parameters.set(path, value);
  }

  bool
  answer(const Parameters &parameters, const CommandLine &line)
  {
    if (line.list)
      list_choices(std::cout);
    else if (line.print_parameters && line.markdown)
      parameters.print_markdown(std::cout);
    else if (line.print_parameters)
      parameters.print(std::cout);
    return line.list || line.print_parameters;
  }
} // namespace tessera::program
