#include <tessera/base/names.h>
#include <tessera/fem/driver/linear_solver.h>
#include <tessera/operators/factory.h>
#include <tessera/program/patterns.h>

#include <iostream>
#include <type_traits>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns deal.II's index of a component of a node.
    int
    dof_of(const FlatProblem &flat, const std::size_t entry)
    {
      return flat.dofs.empty() ? static_cast<int>(entry) : flat.dofs[entry];
    }

    /// Interpolates the values of hanging nodes from their parents.
    void
    add_hanging_values(std::vector<double> &values,
                       const std::vector<double> &given,
                       const FlatProblem &flat)
    {
      const LinearConstraints &hanging = flat.connectivity.hanging;
      for (int k = 0; k < hanging.size(); ++k)
        {
          const int dof = dof_of(flat, hanging.entry[k]);
          double value  = given[dof];
          for (auto m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
            value +=
              hanging.weight[m] * values[dof_of(flat, hanging.source[m])];
          values[dof] = value;
        }
    }
  } // namespace


  void
  SolverCase::complete(std::vector<double> &values,
                       const std::vector<double> &given) const
  {
    const auto &constrained = flat.connectivity.constrained;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < constrained.size(); ++i)
      if (constrained[i] != 0)
        values[dof_of(flat, i)] = given[dof_of(flat, i)];
    import(values);
    add_hanging_values(values, given, flat);
    // A process may know of hanging nodes that none of its cells has.
    import(values);
  }


  template <class Number>
  Problem<Number>
  SolverCase::problem(BoundaryFaces faces) const
  {
    std::shared_ptr<const CellData<Number>> cells;
    if constexpr (std::is_same_v<Number, double>)
      cells = device_cells();
    return {space,           backend,          {others, *space, backend},
            solver.assembly, std::move(faces), std::move(cells)};
  }


  std::shared_ptr<const CellData<double>>
  SolverCase::device_cells() const
  {
    if (backend == Backend::host || solver.number != "double")
      return {};
    if (cached_cells == nullptr || &cached_cells->space() != space.get())
      cached_cells = std::make_shared<const CellData<double>>(space, backend);
    return cached_cells;
  }


  void
  SolverCase::choose_preconditioner(
    const std::function<bool(const std::string &)> &fits)
  {
    PreconditionerQuestion question;
    question.shape             = {backend, space->cell_type, space->degree,
                                  space->n_components, 0};
    question.shape.n_rows      = static_cast<double>(entry.problem.dofs);
    question.several_processes = division.n_processes() > 1;
    question.hanging_nodes     = any(space->n_hanging > 0);
    question.steps_in_time     = steps_in_time;
    // All processes have to choose the same.
    if (fits)
      question.fits = [&](const std::string &name) {
        return !any(!fits(name));
      };
    take_preconditioner(solver.choose(question));
  }


  void
  SolverCase::take_preconditioner(PreconditionerChoice choice)
  {
    preconditioner                     = std::move(choice);
    entry.parameters["preconditioner"] = preconditioner.name;
    if (preconditioner.reason.empty())
      return;
    std::string reason = preconditioner.reason;
    if (!preconditioner.unused.empty())
      reason += "; " + preconditioner.unused;
    entry.parameters["preconditioner_reason"] = reason;
    std::cerr << "preconditioner " << preconditioner.name << ": " << reason
              << std::endl;
  }


  void
  declare_elimination(Parameters &parameters)
  {
    parameters.declare("Boundary conditions/Elimination", "before",
                       Patterns::Selection("before|after"),
                       "when Dirichlet values are eliminated: before the "
                       "assembly, or by zeroed rows and columns after it, "
                       "which needs an operator of rows");
  }


  bool
  eliminates_after(const Parameters &parameters)
  {
    const std::string entry = "Boundary conditions/Elimination";
    const bool after        = parameters.get(entry) == "after";
    const std::string name  = parameters.get("Operator/Name");
    if (after && !stores_rows(name))
      throw ParameterError("'" + entry +
                           "' is after, which changes the rows of a matrix, "
                           "but 'Operator/Name' is " +
                           name + "; legal with it is " +
                           list_of(row_operator_names()) + '.');
    return after;
  }


  template Problem<double> SolverCase::problem<double>(BoundaryFaces) const;
  template Problem<float> SolverCase::problem<float>(BoundaryFaces) const;
} // namespace tessera
