#pragma once

#include "report.h"

#include <tessera/assembly/options.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/coefficients.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/sampling.h>
#include <tessera/dealii/solution_writer.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>
#include <tessera/study/command_line.h>
#include <tessera/study/record.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

/// Declares all entries, which are the same in both dimensions.
void
declare_parameters(tessera::Parameters &parameters);

/// -div(kappa grad u) = f with u = g on Dirichlet boundaries and
/// (kappa grad u) . n + alpha u = g on the others (alpha = 0: Neumann), for
/// every degree on a sequence of meshes, each refined once more than the one
/// before.
template <int dim>
class Poisson
{
public:
  /// Reads all entries. Throws ParameterError.
  explicit Poisson(const tessera::Parameters &parameters);

  /// Makes the first mesh, checks everything that a run would find there but
  /// the solver, and estimates sizes and memory of the largest case.
  void
  validate(const tessera::study::CommandLine &line, std::ostream &out);

  /// Solves all cases; every one is in the output folder and in the record
  /// before the next begins. Throws DeviceError where the memory that is free
  /// does not suffice for the largest case, NotConverged and ValidationFailed
  /// after everything else is done, and what its parts throw.
  void
  run(const tessera::study::CommandLine &line, tessera::study::Record &record);

private:
  /// The discrete problem of one case.
  struct Discretization
  {
    tessera::Mesh<dim> mesh;
    tessera::Geometry geometry;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::unique_ptr<dealii::FiniteElement<dim>> fe;
    dealii::DoFHandler<dim> dof_handler;
    tessera::FlatProblem flat;
    tessera::BoundaryFaces faces;
    std::shared_ptr<const tessera::Space> space;
    tessera::Coefficient kappa, source; ///< on its cells
  };

  struct Solution
  {
    std::vector<double> values; ///< by deal.II's index
    tessera::CGResult result;
  };

  /// Throws ParameterError where options of the operator do not fit to it.
  void
  choose_backend(const tessera::study::CommandLine &line);

  /// Of assembly into rows.
  tessera::Route
  route(tessera::CellType type) const;

  /// Of the mesh of the last cycle.
  int
  n_refinements() const;

  /// Throws DeviceError unless the largest case fits into the memory that is
  /// free, judging by the mesh before all refinements, which is made here
  /// unless it is that of the first case.
  void
  check_refinements(const tessera::study::CommandLine &line) const;

  /// The same for a mesh that is refined that often.
  void
  check_memory(const tessera::Mesh<dim> &mesh, int refinements,
               const tessera::study::CommandLine &line) const;

  /// Makes mesh, degrees of freedom, flat arrays, their numbering and the
  /// coefficients, and fills in the times. What the mesh is goes to `summary`,
  /// if there is one, before boundaries are looked at.
  std::unique_ptr<Discretization>
  discretize(int degree, int cycle, tessera::study::Phases &phases,
             std::ostream *summary) const;

  void
  solve_case(std::size_t degree_index, int cycle,
             const tessera::study::CommandLine &line,
             tessera::study::Record &record);

  /// On the backend chosen; fills `entry`. The matrix is written to a file of
  /// that name where one is given.
  template <class Number>
  Solution
  solve(const Discretization &d, const std::string &matrix_file,
        tessera::study::Case &entry) const;

  /// Errors, rates, fluxes, and files; fills `entry`.
  Resolution
  evaluate(const Discretization &d, const Solution &solution,
           const std::string &folder, int cycle, tessera::study::Case &entry);

  std::vector<tessera::study::Flux>
  fluxes(const Discretization &d, const dealii::Vector<double> &u) const;

  const tessera::Parameters &parameters;
  const std::vector<int> degrees;
  const int n_cycles;
  const std::string geometry;
  const tessera::MaterialExpression<dim> kappa, source;
  const tessera::BoundaryConditions<dim> boundary;
  const bool eliminate_after;
  std::unique_ptr<tessera::ExactSolution<dim>> exact;
  const std::string operator_name, number;
  const tessera::Numbering numbering;
  const tessera::CellOrder cell_order;
  const int block_side;
  const tessera::AssemblyOptions assembly;
  const std::string preconditioner_name;
  const tessera::PreconditionerOptions preconditioner_options;
  const tessera::CGControl control;
  const Validation validation;
  const int subdivisions; ///< 0: as the degree
  tessera::Sampling<dim> sampling;

  tessera::Backend backend = tessera::Backend::host;
  std::unique_ptr<tessera::SolutionWriter<dim>> writer;
  Report report;
  std::vector<std::string> missed; ///< sentences of the validation
};
