#include "poisson.h"

#include <tessera/dealii/choices.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/threads.h>
#include <tessera/study/program.h>

#include <iostream>

using namespace tessera;

int
main(int argc, char **argv)
{
  return study::run_application(
    argc, argv, "poisson",
    "Solves -div(kappa grad u) = f on quadrilaterals by continuous finite "
    "elements of degree 1 to 4.",
    [](const study::CommandLine &line, study::Record &record) {
      if (line.list)
        {
          list_choices(std::cout);
          return ExitCode::done;
        }
      set_threads(line.threads);

      Parameters parameters;
      Poisson::declare(parameters);
      if (!line.parameter_file.empty())
        parameters.read(line.parameter_file);
      for (const auto &entry : line.overrides)
        parameters.set(entry.path(), entry.value);
      if (line.print_parameters)
        {
          parameters.print(std::cout);
          return ExitCode::done;
        }

      translate_exceptions([&]() {
        Poisson problem(parameters);
        if (line.validate)
          problem.validate(std::cout);
        else
          problem.run(line, record);
      });
      return ExitCode::done;
    });
}
