#pragma once

#include "system.h"

#include <engine.h>
#include <peer_descriptor.h>

#include <iosfwd>
#include <string>
#include <vector>

/// The factors of the study, in the order of its loops: those before `Backends`
/// make another system.
const tessera::benchmarks::Factors &
factors();

/// The entries of a parameter file.
struct SolverStudy : tessera::benchmarks::Study
{
  /// The backend of the command line replaces the backends of the file. Reads
  /// the files of a system. Throws ParameterError.
  SolverStudy(tessera::Parameters &parameters,
              const tessera::program::CommandLine &line);

  bool
  of_file() const
  {
    return !matrix.empty();
  }

  /// Returns the options of the preconditioner of a variant.
  tessera::OptionValues
  options_of(const tessera::benchmarks::Variant &variant) const;

  /// Throws DeviceError if a solve on a mesh needs more than the free memory.
  void
  check_memory(const tessera::benchmarks::Variant &variant) const;

  const tessera::program::CommandLine &line;
  /// Files of a Matrix Market system; without a matrix, meshes are generated.
  std::string matrix, right_hand_side, solution;
  const tessera::benchmarks::Peers peers;
  const tessera::OptionValues common; ///< options that are not varied
  const double relative_tolerance, largest_condition;
  const int max_iterations;
  const tessera::benchmarks::Variants solves;
  FileSystem files; ///< as they were read

private:
  void
  make_canonical(tessera::benchmarks::Variant &v) const;
};

void
declare_parameters(tessera::Parameters &parameters);

/// Prints the systems that would be solved, and the memory of the largest one.
void
validate(const SolverStudy &study, std::ostream &out);

/// Measures everything and prints the table: systems, on each operators in
/// their number types, then preconditioners and methods, and beside them the
/// solvers of others.
tessera::ExitCode
run(const SolverStudy &study, tessera::program::Record &record);
