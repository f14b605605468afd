#pragma once

#include "measure.h"
#include "our_solver.h"

#include <tessera/program/command_line.h>
#include <tessera/program/parameters.h>

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>

/// Runs a study: systems, on each operators in their number types, then
/// preconditioners and methods, and beside them the solvers of others.
class SolverBenchmark
{
public:
  /// Takes the backend of the command line in the place of those of the file,
  /// and reads the files of a system.
  SolverBenchmark(tessera::Parameters &parameters,
                  const tessera::program::CommandLine &line);

  /// Says what would be solved, and how much memory the largest system takes.
  void
  validate(std::ostream &out) const;

  /// Measures everything and prints the table. Returns
  /// ExitCode::validation_failed where a row is wrong.
  tessera::ExitCode
  run(tessera::program::Record &record);

private:
  using Variants = std::vector<Variant>;
  using Row      = tessera::program::Row;

  void
  run_system(const Variants &group);

  void
  run_backend(const Variants &group, const tessera::Connectivity &mesh);

  template <class Number>
  void
  run_operator(const Variants &group);

  template <class Number>
  void
  run_cusparse();

  void
  run_host_solvers();

  SolverChoice
  choice_of(const Variant &variant) const;

  /// Throws DeviceError where a solve on a mesh needs more memory than is free.
  void
  check_memory(const Variant &variant) const;

  /// A row of the system at hand.
  Row
  row_of(const Variant &variant) const;

  Row
  row_of_peer(const std::string &library, const std::string &number,
              const std::string &preconditioner) const;

  /// Calls `work`. If it throws, the rows of the group are added as not
  /// completed, with that reason. Throws after a signal.
  void
  attempt(const Variants &group, const std::function<void()> &work);

  bool
  has_peer(const std::string &name) const;

  const tessera::Parameters &parameters;
  const tessera::program::CommandLine &line;
  const Study study;
  const Variants all;
  FileSystem files;

  std::unique_ptr<tessera::benchmarks::Report> report;
  std::map<tessera::Backend, double> bandwidths; ///< of copies
  std::unique_ptr<System> system;                ///< the one at hand
};
