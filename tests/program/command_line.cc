#include <tessera/base/error.h>
#include <tessera/program/command_line.h>

#include "test.h"

using namespace tessera;
using namespace tessera::program;

namespace
{
  CommandLine
  parse(const std::vector<std::string> &words)
  {
    Options options = application_options("poisson", "Solves.");
    options.parse(words);
    return command_line(options);
  }

  std::string
  sentence(const std::vector<std::string> &words)
  {
    try
      {
        parse(words);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "no error";
  }
} // namespace

TEST(CommandLine, Defaults)
{
  const CommandLine line = parse({"prm/poisson/sine.prm"});
  EXPECT_EQ(line.parameter_file, "prm/poisson/sine.prm");
  EXPECT_EQ(line.output_folder, "out/poisson/sine");
  EXPECT_EQ(line.backend, "auto");
  EXPECT_EQ(line.device, 0);
  EXPECT_EQ(line.threads, 0);
  EXPECT_EQ(line.n_processes, 1);
  EXPECT_FALSE(line.validate || line.print_parameters || line.list);
  EXPECT_EQ(parse({"-"}).output_folder, "out/poisson/stdin");
}

TEST(CommandLine, EverythingGiven)
{
  const CommandLine line = parse(
    {"--backend=cuda", "-s", "Mesh/Grid/Name=a=b/c", "a.prm", "-o", "x",
     "--device", "1", "--threads", "2", "--validate", "-s", "Cycles=3",
     "--mesh-only", "--export-matrix", "a.mtx", "--export-space", "a.space"});
  ASSERT_EQ(line.overrides.size(), 2u);
  EXPECT_EQ(line.overrides[0].first, "Mesh/Grid/Name");
  EXPECT_EQ(line.overrides[0].second, "a=b/c");
  EXPECT_EQ(line.overrides[1].first, "Cycles");
  EXPECT_EQ(line.backend, "cuda");
  EXPECT_EQ(line.device, 1);
  EXPECT_EQ(line.threads, 2);
  EXPECT_TRUE(line.validate);
  EXPECT_TRUE(line.mesh_only);
  EXPECT_EQ(line.output_folder, "x");
  EXPECT_EQ(line.export_matrix, "a.mtx");
  EXPECT_EQ(line.export_space, "a.space");
  EXPECT_EQ(parse({"a.prm", "--validate", "--processes", "64"}).n_processes,
            64);
}

TEST(CommandLine, ErrorsNameOptionValueAndLegalOnes)
{
  EXPECT_EQ(sentence({"a.prm", "--validat"}),
            "The option --validat is not known; did you mean '--validate'?");
  EXPECT_EQ(sentence({"a.prm", "-x"}), "The option -x is not known.");
  EXPECT_EQ(sentence({"a.prm", "--backend", "gpu"}),
            "The option --backend was given 'gpu'; it takes auto, host or "
            "cuda.");
  EXPECT_EQ(sentence({"a.prm", "--threads", "two"}),
            "The option --threads was given 'two'; it takes a whole number "
            "from 0 to 4096.");
  EXPECT_EQ(sentence({"a.prm", "--device", "1.5"}),
            "The option --device was given '1.5'; it takes a whole number "
            "from 0 to 1023.");
  EXPECT_EQ(sentence({"a.prm", "--export-matrix="}),
            "The option --export-matrix was given ''; it takes a file.");
  EXPECT_EQ(sentence({"a.prm", "--processes", "4"}),
            "The option --processes is for --validate; mpirun -n N starts "
            "processes.");
  EXPECT_EQ(sentence({"a.prm", "--validate", "--processes", "0"}),
            "The option --processes was given '0'; it takes a whole number "
            "from 1 to 1048576.");
  EXPECT_EQ(sentence({"a.prm", "--export-space", ""}),
            "The option --export-space was given ''; it takes a file.");
  EXPECT_EQ(sentence({"a.prm", "-o"}), "The option -o needs a value: -o DIR.");
  EXPECT_EQ(sentence({"a.prm", "--validate=1"}),
            "The option --validate takes no value, but '1' was given.");
  EXPECT_EQ(sentence({"a.prm", "-s", "Cycles"}),
            "The option -s was given 'Cycles'; it takes 'Section/Key=value'.");
  for (const char *entry : {"=3", "Mesh/=3", ""})
    EXPECT_NE(sentence({"a.prm", "-s", entry}).find("it takes 'Section/Key"),
              std::string::npos)
      << entry;
  EXPECT_EQ(sentence({"a.prm", "b.prm"}),
            "poisson does not know what to do with 'b.prm'; it takes one "
            "FILE.prm.");
  EXPECT_NE(sentence({}).find("No parameter file"), std::string::npos);
}

TEST(CommandLine, ListAndPrintParametersNeedNoFile)
{
  EXPECT_TRUE(parse({"--list"}).list);
  EXPECT_TRUE(parse({"--print-parameters"}).print_parameters);
  EXPECT_FALSE(parse({"--print-parameters"}).markdown);
  EXPECT_TRUE(parse({"--print-parameters", "--markdown"}).markdown);
}

TEST(Options, Numbers)
{
  Options options("bench", "Measures.");
  options.add("operators", "NAMES", "all", "what");
  options.add("degrees", "P,...", "1,2", "degrees");
  options.add("dofs", "N", "1e6", "size");
  EXPECT_EQ(options.integer("dofs", 1, 2000000000), 1000000);
  options.parse({"--dofs", "1e99"});
  EXPECT_THROW(options.integer("dofs", 1, 2000000000), ParameterError);
  EXPECT_THROW(options.integer("degrees", 1, 4), ParameterError);
  EXPECT_THROW(options.parse({"word"}), ParameterError);
  EXPECT_NE(options.help().find("--degrees P,...    degrees [1,2]"),
            std::string::npos);
}

TEST(CommandLine, ProgramsThatMeasureNeedNoFile)
{
  const auto line = [](const std::vector<std::string> &words) {
    Options options = parameter_options("bench_operators", "Measures.");
    options.parse(words);
    return parameter_line(options);
  };
  EXPECT_EQ(line({}).output_folder, "out/bench_operators");
  EXPECT_EQ(line({"a/few.prm"}).output_folder, "out/bench_operators/few");
  Parameters parameters;
  parameters.declare("Study/Seed", "1", Patterns::Integer(0), "seed");
  read_parameters(parameters, line({"-s", "Study/Seed=3"}));
  EXPECT_EQ(parameters.get_integer("Study/Seed"), 3);
  EXPECT_FALSE(answer(parameters, line({})));
  EXPECT_THROW(read_parameters(parameters, line({"nowhere.prm"})),
               ParameterError);
}
