#include "poisson.h"

#include <tessera/dealii/application.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/threads.h>
#include <tessera/study/program.h>

#include <iostream>

using namespace tessera;

namespace
{
  template <int dim>
  void
  solve(const Parameters &parameters, const study::CommandLine &line,
        study::Record &record)
  {
    Poisson<dim> problem(parameters);
    if (line.validate)
      problem.validate(line, std::cout);
    else
      problem.run(line, record);
  }
} // namespace

int
main(int argc, char **argv)
{
  return study::run_application(
    argc, argv, "poisson",
    "Solves -div(kappa grad u) = f in two and three dimensions by continuous "
    "finite elements of degree 1 to 4.",
    [](const study::CommandLine &line, study::Record &record) {
      set_threads(line.threads);
      Parameters parameters;
      declare_parameters(parameters);
      if (!read_command_line(parameters, line, std::cout))
        return ExitCode::done;

      translate_exceptions([&]() {
        if (mesh_dimension(parameters) == 2)
          solve<2>(parameters, line, record);
        else
          solve<3>(parameters, line, record);
      });
      return ExitCode::done;
    });
}
