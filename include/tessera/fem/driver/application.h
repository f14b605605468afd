#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/program/command_line.h>
#include <tessera/program/parameters.h>
#include <tessera/program/record.h>

#include <functional>
#include <string>

namespace tessera
{
  using DeclareParameters = std::function<void(Parameters &)>;

  /// The main function of an application with a parameter file: it does
  /// program::run_program, --list and --print-parameters. `body` gets the
  /// parameters of `declare` with the values of the file and the command line;
  /// an exception of deal.II ends the program like any other one. Several
  /// processes of mpirun are refused unless `divides` is given and returns
  /// true. If `can_be_divided`, they read the command line by `start_together`
  /// and call `body` by `run_together`; otherwise --processes is refused.
  /// Returns the exit code.
  int
  run_application(
    int argc, char **argv, const std::string &name, const std::string &sentence,
    const DeclareParameters &declare,
    const std::function<ExitCode(Parameters &, const program::CommandLine &,
                                 program::Record &)> &body,
    const std::function<bool()> &divides = {}, bool can_be_divided = false);

  /// Does the same for an application on the section `Mesh`: sets the threads
  /// and calls the function for the dimension of the mesh. If `can_be_divided`,
  /// its cases use `SolverCase::problem`, and it works in several
  /// processes (`mpirun -n 4 ...`), too; otherwise several processes are
  /// refused.
  using RunStudy = void(const Parameters &, const program::CommandLine &,
                        program::Record &);
  int
  run_application(int argc, char **argv, const std::string &name,
                  const std::string &sentence, const DeclareParameters &declare,
                  RunStudy *in_2d, RunStudy *in_3d,
                  bool can_be_divided = false);
} // namespace tessera
