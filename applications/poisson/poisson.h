#pragma once

#include "report.h"

#include <tessera/assembly/options.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/solution_writer.h>
#include <tessera/solvers/cg.h>
#include <tessera/study/command_line.h>
#include <tessera/study/record.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

/// -div(kappa grad u) = f with u = g on Dirichlet boundaries and
/// (kappa grad u) . n = 0 on the others, for every degree on a sequence of
/// meshes, each refined once more than the one before.
class Poisson
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Reads all entries. Throws ParameterError.
  explicit Poisson(const tessera::Parameters &parameters);

  /// Makes the first mesh, checks its boundaries and the coefficient there,
  /// and estimates sizes and memory of the largest case.
  void
  validate(std::ostream &out);

  /// Solves all cases; every one is in the output folder and in the record
  /// before the next begins. Throws NotConverged and ValidationFailed after
  /// everything else is done, and what its parts throw.
  void
  run(const tessera::study::CommandLine &line, tessera::study::Record &record);

private:
  struct Solution
  {
    std::vector<double> values; ///< by deal.II's index
    tessera::CGResult result;
  };

  void
  solve_case(std::size_t degree_index, int cycle,
             const tessera::study::CommandLine &line,
             tessera::study::Record &record, tessera::SolutionWriter &writer);

  /// On the backend chosen; fills `entry`.
  template <class Number>
  Solution
  solve(const tessera::FlatProblem &flat, tessera::study::Case &entry) const;

  const tessera::Parameters &parameters;
  const std::vector<int> degrees;
  const int n_cycles;
  const tessera::Expression kappa, source;
  const tessera::BoundaryConditions boundary;
  std::unique_ptr<tessera::ExactSolution> exact;
  const std::string operator_name, number;
  const tessera::Numbering numbering;
  const tessera::CellOrder cell_order;
  const tessera::AssemblyOptions assembly;
  const tessera::CGControl control;
  const Validation validation;

  tessera::Backend backend = tessera::Backend::host;
  Report report;
  std::vector<std::string> missed; ///< sentences of the validation
};
