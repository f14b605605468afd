#include "poisson.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/base/error.h>
#include <tessera/dealii/transfer.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrices/store_matrix.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/elimination.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/lift.h>
#include <tessera/preconditioners/ssor.h>
#include <tessera/solvers/vector_operations.h>
#include <tessera/study/kernel_counters.h>
#include <tessera/study/product_parameters.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>
#include <tessera/study/timing.h>

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace tessera;

namespace
{
  /// [n_owned]: 1 for rows to eliminate.
  Array<unsigned char>
  constrained_rows(const FlatProblem &flat, const Space &space,
                   const Backend backend)
  {
    std::vector<unsigned char> rows(space.n_owned);
    for (int i = 0; i < space.n_owned; ++i)
      rows[i] = flat.connectivity.constrained[space.mesh_dof[i]];
    return Array<unsigned char>(backend, rows);
  }

  /// The rows that are solved with, in the order of the space. What is not
  /// stored by rows is assembled for this.
  template <class Number>
  void
  export_matrix(const std::string &file, const Operator<Number> &A,
                const std::shared_ptr<const CellData<Number>> &cells,
                const Coefficient &kappa,
                const std::shared_ptr<const BoundaryMatrices<Number>> &boundary)
  {
    std::unique_ptr<Operator<Number>> assembled;
    const auto *of_rows = dynamic_cast<const RowOperator<Number> *>(&A);
    if (of_rows == nullptr)
      {
        assembled =
          make_operator<Number>("csr", cells, laplace(kappa), {}, {}, boundary);
        of_rows = &dynamic_cast<const RowOperator<Number> &>(*assembled);
      }
    progress("matrix: " + file, true);
    store_matrix(collect_rows(of_rows->matrix(), A.n_owned()), file);
  }
} // namespace


template <int dim>
template <class Number>
typename Poisson<dim>::Solution
Poisson<dim>::solve(const Discretization &d, const std::string &matrix_file,
                    study::Case &entry) const
{
  study::Timer timer;
  const Space &space  = *d.space;
  entry.problem.cells = space.n_cells();
  entry.problem.dofs  = std::count(d.flat.connectivity.constrained.begin(),
                                   d.flat.connectivity.constrained.end(), 0);

  const auto cells = std::make_shared<const CellData<Number>>(d.space, backend);
  std::shared_ptr<const BoundaryMatrices<Number>> robin;
  if (!d.faces.mass.empty())
    robin =
      std::make_shared<const BoundaryMatrices<Number>>(space, d.faces, backend);
  entry.phases.upload = timer.lap();

  AssemblyTiming timing;
  AssemblyOptions options = assembly;
  options.timing          = &timing;
  FormatChoice choice;
  options.choice = &choice;
  const auto A   = make_operator<Number>(operator_name, cells, laplace(d.kappa),
                                       options, {}, robin);
  if (operator_name == auto_operator)
    {
      entry.problem.chosen = A->name();
      std::cerr << describe(choice) << std::endl;
    }
  entry.phases.pattern  = timing.pattern;
  entry.phases.assembly = timing.values;
  timer.restart();

  const Conflict conflict =
    assembly.conflict.value_or(default_conflict(backend));
  const Route of_loads =
    assembly.route == Route::gather ? Route::gather : Route::scatter;
  auto b = cells->make_vector();
  add_load_vector(b, *cells, d.source, conflict, of_loads);
  if (d.faces.n_faces() > 0)
    add_boundary_load(b, *cells, d.faces, conflict, of_loads);
  auto g = cells->make_vector();
  import_dofs(g, space, d.flat.boundary_values);
  auto *of_rows = dynamic_cast<RowOperator<Number> *>(A.get());
  if (of_rows != nullptr)
    entry.problem.nonzeros = of_rows->matrix().n_nonzeros();
  if (eliminate_after)
    {
      zero_rows_and_columns(of_rows->matrix(),
                            constrained_rows(d.flat, space, backend), g, b);
      of_rows->values_changed();
    }
  else if (std::any_of(d.flat.boundary_values.begin(),
                       d.flat.boundary_values.end(),
                       [](const double value) { return value != 0.; }))
    lift<Number>(b, g, cells, laplace(d.kappa), robin.get(), conflict);
  // Then the squares in the solver neither overflow nor vanish, whatever the
  // units.
  const double size =
    VectorOperations<Number>(backend, b.n_owned()).normalize(b);
  if (!std::isfinite(size))
    throw ParameterError(
      "The right-hand side overflows the number type of "
      "'Operator/Number'; choose other units or double.");

  const auto preconditioner = make_preconditioner<Number>(
    preconditioner_name, *A, preconditioner_options);
  if (const auto *ssor = dynamic_cast<Ssor<Number> *>(preconditioner.get()))
    entry.problem.colors = ssor->n_colors();
  CG<Number> cg(*A, *preconditioner);
  auto x             = cells->make_vector();
  entry.phases.setup = timer.lap();
  if (!matrix_file.empty())
    {
      export_matrix(matrix_file, *A, cells, d.kappa, robin);
      timer.restart();
    }

  CGControl watched = control;
  watched.progress  = [&entry](const int iteration, const double residual) {
    progress("degree " + std::to_string(entry.problem.degree) + ", " +
                std::to_string(entry.problem.dofs) + " DoFs: iteration " +
                std::to_string(iteration) + ", residual " +
                study::format(residual),
              false);
    return !study::interrupted();
  };
  Solution solution{d.flat.boundary_values, cg.solve(x, b, watched)};
  solution.result.residual *= size;
  entry.phases.solve = timer.lap();

  const std::vector<Number> values = x.to_vector();
  for (int i = 0; i < space.n_owned; ++i)
    if (d.flat.connectivity.constrained[space.mesh_dof[i]] == 0)
      solution.values[space.mesh_dof[i]] = size * values[i];
  entry.results.iterations = solution.result.iterations;
  entry.results.converged  = solution.result.converged;
  entry.results.residual   = solution.result.residual;

  entry.parameters = study::layout_parameters(*A);
  entry.parameters.merge(study::product_parameters(*A));
  if (operator_name == auto_operator)
    entry.parameters["choice_seconds"] = choice.seconds;
  if (backend == Backend::cuda)
    entry.counters =
      study::kernel_counters([&]() { A->vmult(b, x); }, // b has served
                             "tessera product " + A->name());
  return solution;
}


template Poisson<2>::Solution
Poisson<2>::solve<double>(const Discretization &, const std::string &,
                          study::Case &) const;
template Poisson<2>::Solution
Poisson<2>::solve<float>(const Discretization &, const std::string &,
                         study::Case &) const;
template Poisson<3>::Solution
Poisson<3>::solve<double>(const Discretization &, const std::string &,
                          study::Case &) const;
template Poisson<3>::Solution
Poisson<3>::solve<float>(const Discretization &, const std::string &,
                         study::Case &) const;
