#include "operator_benchmark.h"

#include <tessera/base/error.h>
#include <tessera/dealii/application.h>
#include <tessera/dealii/exception.h>
#include <tessera/study/program.h>

#include <iostream>

using namespace tessera;

int
main(int argc, char **argv)
{
  return study::run_application(
    argc, argv, "operator_benchmark",
    "Measures how operators are stored, assembled and applied, one choice at a "
    "time or all combinations, beside other libraries; every row has its "
    "error.",
    [](const study::CommandLine &line, study::Record &record) {
      Parameters parameters;
      declare_parameters(parameters);
      if (!read_command_line(parameters, line, std::cout))
        return ExitCode::done;
      if (!line.export_matrix.empty())
        throw ParameterError(
          "operator_benchmark makes a matrix of every variant and exports "
          "none; "
          "poisson --export-matrix writes that of its last case.");

      ExitCode code = ExitCode::done;
      translate_exceptions([&]() {
        OperatorBenchmark benchmark(parameters, line);
        if (line.validate)
          benchmark.validate(std::cout);
        else
          code = benchmark.run(record);
      });
      return code;
    });
}
