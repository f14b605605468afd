#pragma once

#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/program/command_line.h>

#include <deal.II/base/function.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Declares the sections `Operator`, `Solver`, `Validation` and `Output`; to
  /// the last one `own_output` may add entries. `derived` are the names of the
  /// quantities that `StudyCase::derive` makes. A study also reads the sections
  /// of `declare_discretization`; an application declares its own in between.
  void
  declare_study(
    Parameters &parameters, const std::function<void()> &own_output = []() {},
    const std::vector<std::string> &derived = {});

  /// The steps of an application for a case of a study: three functions, which
  /// are called one after another. Each case is a separate object, so that a
  /// step finds the results of the steps before it.
  template <int dim>
  class StudyCase
  {
  public:
    virtual ~StudyCase() = default;

    /// Discretises the case, which has its mesh, by `Discretization::build`.
    virtual void
    discretize() = 0;

    /// Solves the case, and may add its own results to `entry`.
    virtual Solution
    solve() = 0;

    /// Computes quantities from the solution, for the record and for files. It
    /// is called if the solve converged.
    virtual void
    evaluate(const Solution &, const dealii::Vector<double> &)
    {}

    /// Returns the quantities of these names, which the application has
    /// declared, of the solution u, [n_dofs]. Their columns are in the order of
    /// the names. The case and u outlive them.
    virtual std::unique_ptr<DerivedQuantities<dim>>
    derive(const std::vector<std::string> &, const dealii::Vector<double> &)
    {
      return nullptr;
    }
  };

  /// Makes the application's object for a case, which outlives it.
  template <int dim>
  using MakeCase =
    std::function<std::unique_ptr<StudyCase<dim>>(Discretization<dim> &)>;

  /// Solves an equation for every degree on a sequence of meshes, each refined
  /// once more than the previous one. The application defines by `make_case`
  /// how a case is discretised and solved; this function does everything else:
  /// meshes, errors and rates if there is an `exact` solution, files, the
  /// record, tables, validation, and estimates of memory. Every case is in the
  /// output folder and in the record before the next begins. A case whose solve
  /// does not converge has no errors, probes and derived numbers, and its last
  /// iterate is in a file of another name.
  ///
  /// With --validate only the first mesh is discretised, nothing is solved, and
  /// sizes and memory of the largest case are printed. `n_components` counts
  /// the components of the solution at a node. In several processes meshes are
  /// distributed (`DistributedMesh`), so that an application looks at the cells
  /// of its process alone.
  ///
  /// Throws ParameterError; DeviceError if the largest case does not fit into
  /// the free memory; NotConverged; and ValidationFailed after everything else
  /// is done.
  template <int dim>
  void
  run_study(const Parameters &parameters, const program::CommandLine &line,
            program::Record &record, const dealii::Function<dim> *exact,
            const MakeCase<dim> &make_case, int n_components = 1);
} // namespace tessera
