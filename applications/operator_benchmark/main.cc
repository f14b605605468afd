#include "operator_benchmark.h"

#include <tessera/base/error.h>
#include <tessera/fem/driver/application.h>
#include <tessera/parallel/processes.h>

#include <iostream>

using namespace tessera;

int
main(int argc, char **argv)
{
  return run_application(
    argc, argv, "operator_benchmark",
    "Measures how operators are stored, assembled and applied, one choice at a "
    "time or all combinations, beside other libraries; every row has its "
    "error.",
    declare_parameters,
    [](Parameters &parameters, const program::CommandLine &line,
       program::Record &record) {
      if (!line.export_matrix.empty() || !line.export_space.empty())
        throw ParameterError(
          "operator_benchmark makes a matrix of every variant and exports "
          "none; "
          "poisson --export-matrix writes the last case's matrix.");

      if (line.mesh_only)
        throw ParameterError(
          "operator_benchmark generates its meshes and has "
          "no file of one; --mesh-only is for the other "
          "applications.");

      const OperatorStudy study(parameters, line);
      if (!line.validate)
        return run(study, record);
      validate(study, std::cout);
      return ExitCode::done;
    },
    []() { return Processes::of_program().size() > 1; }, true);
}
