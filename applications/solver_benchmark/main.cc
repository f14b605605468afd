#include "processes.h"
#include "study.h"

#include <tessera/base/error.h>
#include <tessera/fem/driver/application.h>

#include <iostream>

using namespace tessera;

namespace
{
  int
  run(int argc, char **argv)
  {
    return run_application(
      argc, argv, "solver_benchmark",
      "Measures solvers: operators, preconditioners, number types and sizes, "
      "with "
      "true residuals and errors, beside other libraries; for generated meshes "
      "and for a system of Matrix Market files.",
      declare_parameters,
      [](Parameters &parameters, const program::CommandLine &line,
         program::Record &record) {
        if (!line.export_matrix.empty() || !line.export_space.empty() ||
            line.mesh_only)
          throw ParameterError(
            "solver_benchmark generates its meshes or reads a matrix; "
            "--export-matrix and --mesh-only are for the other applications.");
        const SolverStudy study(parameters, line);
        if (!line.validate)
          return ::run(study, record);
        validate(study, std::cout);
        return ExitCode::done;
      },
      []() { return true; }); // the other processes are in run_with_processes
  }
} // namespace


int
main(int argc, char **argv)
{
  return run_with_processes([&]() { return run(argc, argv); });
}
