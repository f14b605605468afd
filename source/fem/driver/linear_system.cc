#include <tessera/base/counted.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/matrix/elimination.h>
#include <tessera/operators/convert_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/program/kernel_counters.h>
#include <tessera/program/program.h>
#include <tessera/program/started_processes.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <optional>

#include "solve_notes.h"

namespace tessera
{
  namespace
  {
    /// True if the value of an entry is given.
    bool
    is_given(const FlatProblem &flat, const Space &space, const int entry)
    {
      const int n = space.n_components;
      return flat.connectivity
               .constrained[std::size_t(space.mesh_dof[entry / n]) * n +
                            entry % n] != 0;
    }

    /// [n_stored n_components]: 1 for rows to eliminate.
    Array<unsigned char>
    constrained_rows(const FlatProblem &flat, const Space &space,
                     const Backend backend)
    {
      std::vector<unsigned char> rows(space.n_stored() * space.n_components);
      for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = is_given(flat, space, static_cast<int>(i));
      return Array<unsigned char>(backend, rows);
    }

    /// Divides b by the size that is returned, so that squared norms in the
    /// solver neither overflow nor underflow, whatever the units. In float it
    /// also makes the entries of D^-1 b about 1, D being the diagonal of A:
    /// beside an entry of b that a penalty makes, entries of x would leave the
    /// range of float.
    template <class Number>
    double
    normalize(Vector<Number> &b, const Operator<Number> &A,
              const VectorOperations<Number> &operations)
    {
      const double size = operations.normalize(b);
      if (std::is_same_v<Number, double> || !std::isfinite(size))
        return size;
      Vector<Number> x = A.make_vector();
      Jacobi<Number>(A).apply(x, b, {});
      const double size_of_x = operations.normalize(x);
      if (!(size_of_x > 0) || !std::isfinite(size_of_x))
        return size;
      operations.combine(Number(0), x, static_cast<Number>(1 / size_of_x), b);
      return size * size_of_x;
    }

    void
    scale(CGResult &result, const double size)
    {
      for (double *value :
           {&result.initial_residual, &result.residual, &result.true_residual})
        *value *= size;
      for (double &value : result.history)
        value *= size;
    }
  } // namespace


  template <class Number>
  LinearSystem<Number>::LinearSystem(SolverCase &this_case,
                                     const Problem<Number> &problem,
                                     AnyForm form)
    : this_case(this_case), problem(problem), form(std::move(form))
  {
    AssemblyTiming timing;
    FormatChoice choice;
    AssemblyOptions options = this_case.solver.assembly;
    options.timing          = &timing;
    options.choice          = &choice;
    options.keeps_assembler = !std::holds_alternative<Form>(this->form);
    choice.largest          = [&this_case](const double seconds) {
      return this_case.largest(seconds);
    };
    A = make_operator(this_case.solver.operator_name, options);
    program::Case &entry = this_case.entry;
    if (this_case.solver.operator_name == auto_operator)
      {
        entry.problem.chosen               = A->name();
        entry.parameters["choice_seconds"] = choice.seconds;
        std::cerr << describe(choice) << std::endl;
      }
    if (const auto *row_operator = A->as_rows())
      entry.problem.nonzeros = row_operator->matrix().n_nonzeros();
    entry.phases.pattern  = timing.pattern;
    entry.phases.assembly = timing.values;
    this_case.timer.restart();
    step.restart();
  }


  template <class Number>
  void
  LinearSystem<Number>::note_step(const std::string &name) const
  {
    if (this_case.backend == Backend::cuda)
      runtime::synchronize({});
    this_case.entry.parameters["setup_" + name + "_seconds"] = step.lap();
  }


  template <class Number>
  std::unique_ptr<Operator<Number>>
  LinearSystem<Number>::make_operator(const std::string &name,
                                      const AssemblyOptions &options) const
  {
    return std::visit(
      [&](const auto &any) {
        return problem.make_operator(name, any, options);
      },
      form);
  }


  template <class Number>
  void
  LinearSystem<Number>::lift(Vector<Number> &b)
  {
    const auto &values = this_case.flat.boundary_values;
    if (!this_case.eliminates &&
        !this_case.any(
          std::any_of(values.begin(), values.end(),
                      [](const double value) { return value != 0.; })))
      return problem.finish(b);
    const Space &space = *this_case.space;
    Vector<Number> g   = problem.make_vector();
    import_dofs(g, space, values, this_case.flat.dofs);
    if (!this_case.eliminates)
      return problem.lift(b, std::get<Form>(form), g);
    auto &row_operator = *A->as_rows();
    zero_rows_and_columns(
      row_operator.matrix(),
      constrained_rows(this_case.flat, space, this_case.backend), g, b);
    row_operator.values_changed();
    problem.finish(b);
  }


  template <class Number>
  template <class T>
  std::unique_ptr<Preconditioner<T>>
  LinearSystem<Number>::make_preconditioner(const Operator<T> &of) const
  {
    if (this_case.preconditioner.name.empty())
      this_case.choose_preconditioner();
    const Form *const linear =
      this_case.eliminates ? nullptr : std::get_if<Form>(&form);
    const auto make = [&]() {
      // Options belong to the one that comes last.
      auto M = problem.make_preconditioner(
        this_case.preconditioner.name, of,
        this_case.preconditioner.next.empty() ? this_case.preconditioner.options
                                              : OptionValues{},
        linear, [this](const auto &take) { with_rows(take); });
      const std::string text = "preconditioner " + M->name() + ": " + M->note();
      if (!M->note().empty() &&
          program::is_first_said(text)) // a solve may be one of many steps
        std::cerr << text << std::endl;
      return M;
    };
    const std::string name = this_case.preconditioner.name;
    if (this_case.solver.preconditioner != auto_preconditioner ||
        name == diagonal_preconditioner())
      return make();
    std::string failure;
    try
      {
        return make();
      }
    catch (const MatrixError &error) // in all processes
      {
        failure = error.what();
      }
    catch (const Error &error)
      {
        // Others would wait for this process.
        if (this_case.division.n_processes() > 1)
          throw;
        failure = error.what();
      }
    this_case.take_preconditioner(
      {diagonal_preconditioner(), name + " failed: " + failure});
    return make();
  }


  /// The rows of A are rounded where they are changed after the assembly or
  /// the form has no kernels in float.
  template <class Number>
  std::unique_ptr<Operator<float>>
  LinearSystem<Number>::make_inner_operator() const
  {
    if constexpr (std::is_same_v<Number, double>)
      {
        const LinearSolver &solver = this_case.solver;
        const std::string name =
          solver.inner_is_same() ? A->name() : solver.inner;
        const AssemblyOptions options = solver.inner_assembly();
        const auto *rows              = A->as_rows();
        if (this_case.makes_float && !this_case.eliminates)
          return Problem<float>(problem).make_operator(
            name, std::get<Form>(form), options);
        solver.check_inner_operator(this_case.makes_float,
                                    this_case.eliminates);
        std::unique_ptr<Operator<double>> assembled;
        if (rows == nullptr)
          {
            assembled = make_operator(name, options);
            rows      = assembled->as_rows();
          }
        return convert_rows<float>(
          *rows, name, options,
          {this_case.others, problem.space(), this_case.backend});
      }
    throw std::logic_error("LinearSystem: mixed precision in float");
  }


  template <class Number>
  Solution
  LinearSystem<Number>::solve(Vector<Number> &b)
  {
    program::Case &entry = this_case.entry;
    note_step("loads");
    std::optional<ReusedDeviceMemory> reused;
    if (this_case.division.n_processes() == 1) // others cannot open its memory
      reused.emplace(this_case.backend);
    const VectorOperations<Number> operations(this_case.backend, b.n_owned(),
                                              *A->parts().communicator());
    Vector<Number> given; // for the file of the matrix
    if (!this_case.matrix_file.empty())
      {
        given = Vector<Number>(this_case.backend, b.n_owned(), b.n_tail());
        operations.combine(Number(1), b, Number(0), given);
      }
    const double size = normalize(b, *A, operations);
    if (!std::isfinite(size))
      throw ParameterError(
        "The right-hand side overflows the number type of "
        "'Operator/Number'; choose other units or double.");
    Vector<Number> x(this_case.backend, b.n_owned(), b.n_tail());
    if (!this_case.start.empty())
      {
        std::vector<Number> values(b.n_owned() + std::size_t(b.n_tail()));
        for (int i = 0; i < b.n_owned(); ++i)
          if (!is_given(this_case.flat, *this_case.space, i))
            values[i] = static_cast<Number>(
              this_case
                .start[dof_of_entry(*this_case.space, this_case.flat.dofs, i)] /
              size);
        x.copy_from(values);
      }
    const double size_of_b = size * std::sqrt(operations.dot(b, b));

    CGControl watched = this_case.solver.control;
    watched.absolute_tolerance /= size;
    SolveProgress progress("degree " + std::to_string(entry.problem.degree) +
                             ", " + counted(entry.problem.dofs, "DoF"),
                           watched, size_of_b / size, size);
    watched.progress = [&](const int iteration, const double residual) {
      program::progress(progress.text(iteration, residual), false);
      return !this_case.any(program::interrupted());
    };
    entry.phases.solve = 0;
    Solution solution{{}, run_solver(x, b, watched, [&]() {
                        reused.reset();
                        note_step("method");
                        entry.phases.setup = this_case.timer.lap();
                        store_matrix(given);
                        this_case.timer.restart();
                      })};
    scale(solution.result, size);
    say_if_inaccurate(solution.result, this_case.solver.control, size_of_b,
                      this_case.solver.number);
    entry.phases.solve += this_case.timer.lap();

    const Space &space       = *this_case.space;
    const auto &given_values = this_case.flat.boundary_values;
    solution.values          = parallel_vector<double>(given_values.size());
    auto values =
      parallel_vector<Number>(static_cast<std::size_t>(x.n_owned()));
    if (this_case.backend == Backend::host)
      std::copy_n(x.data(), values.size(), values.begin());
    else
      runtime::copy(values.data(), x.data(), sizeof(Number) * values.size(),
                    runtime::Copy::device_to_host);
    this_case.collectively([&]() {
      const int n    = space.n_owned * space.n_components;
      bool overflows = false;
#pragma omp parallel for schedule(static) reduction(|| : overflows)
      for (int i = 0; i < n; ++i)
        if (!is_given(this_case.flat, space, i))
          {
            const double value = size * values[i];
            overflows =
              overflows || (!std::isfinite(value) && std::isfinite(values[i]));
            solution.values[dof_of_entry(space, this_case.flat.dofs, i)] =
              value;
          }
      if (overflows)
        throw ParameterError(
          "The solution overflows double; choose other units.");
    });
    this_case.complete(solution.values, this_case.flat.boundary_values);
    this_case.describe_division();

    entry.parameters.merge(A->layout_parameters());
    entry.parameters.merge(A->product_parameters());
    if (this_case.backend == Backend::cuda)
      entry.counters =
        program::kernel_counters([&]() { A->vmult(b, x); }, // b has served
                                 "tessera product " + A->name());
    return solution;
  }


  template std::unique_ptr<Preconditioner<float>>
  LinearSystem<double>::make_preconditioner(const Operator<float> &) const;
  template class LinearSystem<double>;
  template class LinearSystem<float>;
} // namespace tessera
