#include <tessera/base/counted.h>
#include <tessera/base/replace_file.h>
#include <tessera/base/runtime.h>
#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/driver/adaptive_refinement.h>
#include <tessera/fem/driver/case_output.h>
#include <tessera/fem/driver/refinement_study.h>
#include <tessera/fem/driver/report.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/operators/descriptor.h>
#include <tessera/program/program.h>
#include <tessera/program/table.h>
#include <tessera/space/on_components.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <utility>

namespace tessera
{
  namespace
  {
    const std::string fewer = "fewer refinements, cycles or a lower degree";

    /// A running study: the arguments of `run_study`, and what cases leave.
    template <int dim>
    struct Study
    {
      /// Runs all cases or, with --validate, the first one of every degree.
      void
      run_cases()
      {
        const BackendChoice choice = choose_backend(line.backend, line.device);
        backend                    = choice.backend;
        std::cerr << "backend " << to_string(backend) << ": " << choice.reason
                  << std::endl;
        solver.check(backend);
        division            = Division::of_program(line, backend);
        common.n_components = n_components;
        common.n_processes  = line.n_processes;
        common.distributed  = true;
        common.has_divider =
          !DistributedMesh<dim>::is_forest(parameters, n_cycles - 1);
        division.share(common);
        set_kind_of_mesh(common, parameters);
        if (common.n_processes > 1)
          solver.check_divided();
        if (backend == Backend::cuda)
          device = runtime::current_device();
        if (const std::string advice = solver.advice(); !advice.empty())
          std::cerr << "note: " << advice << std::endl;
        if (!line.validate)
          {
            record.set_parameters(parameters.values());
            record.set_seed(parameters.get_integer("Mesh/Distortion seed"));
            if (backend == Backend::cuda)
              record.set_device(runtime::properties(device));
            if (writes())
              record.claim(line.output_folder);
          }
        if (!line.export_matrix.empty())
          check_can_store_rows(line.export_matrix, division);
        if (!line.export_space.empty() && !can_replace(line.export_space))
          throw ParameterError("The space file '" + line.export_space +
                               "' cannot be written.");
        // A coarser mesh, which is made quickly, stands for the largest one.
        // In all other cases the mesh of the first case is checked.
        division.processes().collectively([this]() {
          if (n_refinements == 0 || adaptive.from_cycle_to_cycle() || !writes())
            return;
          Mesh<dim> coarse;
          make_mesh(coarse, parameters, n_cycles - 1 - n_refinements);
          check_memory(coarse, n_refinements);
        });
        try
          {
            for (const int degree : degrees)
              for (cycle = 0; cycle < (line.validate ? 1 : n_cycles); ++cycle)
                run_case(degree);
            if (n_solved == 0 && !line.validate)
              throw NothingToSolve(record.cases().back().results.ended);
          }
        catch (const std::exception &error)
          {
            conclude(message_of(error));
            throw;
          }
        conclude();
        if (!missed.empty())
          throw ValidationFailed(missed.front());
      }

      /// Makes the mesh of a case, discretises and solves it.
      void
      run_case(const int degree)
      {
        label = "degree " + std::to_string(degree) + ", cycle " +
                std::to_string(cycle + 1) + " of " + std::to_string(n_cycles);
        program::throw_if_interrupted();
        if (!line.validate)
          program::progress(label + ": mesh", false);

        // The solution of the case before has adapted its mesh.
        const bool is_adapted = adaptive.from_cycle_to_cycle() && cycle > 0;
        if (!is_adapted)
          mesh = std::make_shared<CaseMesh<dim>>();
        Discretization<dim> d(parameters, solver, mesh);
        d.start      = std::exchange(start, {});
        d.backend    = backend;
        d.division   = division;
        d.cycle      = cycle;
        d.entry.name = line.case_name() + "_p" + std::to_string(degree) + "_c" +
                       std::to_string(cycle);
        d.entry.problem.degree = degree;
        if (degree == degrees.back() && cycle + 1 == n_cycles)
          d.matrix_file = line.export_matrix;
        if (!is_adapted)
          d.make_mesh();
        if (is_first) // before anything asks for ids that it shows
          print_summary(d.mesh(), std::cout, line.validate, d.mesh_division());
        check_degree(d.mesh().cell_type(), degree);
        adaptive.check(d.mesh().cell_type());
        const auto steps = make_case(d);
        try
          {
            steps->discretize();
          }
        catch (const NothingToSolve &error)
          {
            if (n_cycles * degrees.size() == 1)
              throw;
            std::cerr << "note: " << label << " is left out: " << error.what()
                      << std::endl;
            d.entry.results.ended = error.what();
            if (is_solved(d))
              record.add(d.entry);
            if (adaptive.from_cycle_to_cycle())
              adaptive.divide_all(d);
            return;
          }
        const bool solved = is_solved(d);
        if (!line.export_space.empty() && degree == degrees.back() &&
            (line.validate || cycle + 1 == n_cycles))
          tessera::write(*d.space, line.export_space);
        if (solved)
          finish(d, *steps);
      }

      /// Checks a case, chooses its preconditioner, and opens the record before
      /// the first one that is solved. Returns false if it is not solved.
      bool
      is_solved(Discretization<dim> &d)
      {
        solver.check_inner_operator(d.makes_float, d.eliminates);
        if (adaptive.wanted)
          solver.check_adaptive(d.makes_float, d.eliminates);
        if (const auto &op = descriptor(solver.operator_name);
            d.space && !op.stores_rows() && !op.stores_nothing)
          check_components("The operator " + solver.operator_name, *d.space,
                           n_components);
        d.choose_preconditioner(common);
        if (is_first || line.validate)
          output.check(d);
        if ((cycle == 0 || adaptive.from_cycle_to_cycle()) && !line.validate)
          check_memory(d.mesh(),
                       adaptive.from_cycle_to_cycle() ? 0 : n_cycles - 1, &d);
        if (is_first && !line.validate && writes())
          record.open(line.output_folder);
        is_first = false;
        if (!line.validate)
          return true;

        if (exact != nullptr && d.space) // else the case is left out
          check_finite(*exact, *d.space, d.division, d.device_cells());
        const int degree = d.entry.problem.degree;
        if (degree == degrees.front() && writes() && line.n_processes == 1)
          std::cout << d.who_has_cells() << '\n';
        if (degree >= largest.degree)
          largest = case_size(common, solver, backend, d.mesh(), degree,
                              adaptive.n_uniform(n_cycles, dim), &d);
        return false;
      }

      /// Solves a case and records it.
      void
      finish(Discretization<dim> &d, StudyCase<dim> &steps)
      {
        const Solution solution = steps.solve();
        program::Case &entry    = d.entry;
        const CGResult &result  = solution.result;
        describe_end(entry.results, solution);
        const dealii::Vector<double> u = to_vector(solution.values);
        const std::string name = "p" + std::to_string(entry.problem.degree) +
                                 "_c" + std::to_string(cycle);
        std::string unfinished;
        if (result.converged && exact != nullptr)
          compute_errors(d, result, u);
        if (result.converged)
          {
            steps.evaluate(solution, u);
            entry.phases.evaluation = d.timer.lap();
            for (const std::string &sentence : d.missed)
              missed.push_back(sentence + " The case is " + label + '.');
            if (!d.missed.empty())
              entry.results.passed = false;
          }
        if (result.converged)
          output.write(d, u, exact, name,
                       [&](auto &names) { return steps.derive(names, u); });
        else
          unfinished = output.write_unfinished(
            d, u, result.interrupted ? "interrupted" : "not_converged", name);
        d.end_output();
        // An interrupted case is less than the record of an earlier run.
        if (!result.interrupted || record.is_written())
          record.add(entry);

        program::progress(
          label + ": " + counted(entry.problem.dofs, "DoF") + ", " +
            counted(result.iterations, "iteration") + ", residual " +
            program::format(result.residual) +
            (std::isfinite(result.true_residual)
               ? ", computed anew " + program::format(result.true_residual)
               : ""),
          true);
        if (!unfinished.empty())
          std::cout << "The case did not come to its end; its last state is in "
                    << unfinished << '\n';
        if (result.interrupted) // maybe by a signal to another process
          throw Error(ExitCode::interrupted, "The run was interrupted.");
        if (adaptive.from_cycle_to_cycle() && result.converged &&
            cycle + 1 < n_cycles)
          {
            AdaptiveRefinement::Fields fields(1, u);
            adaptive.adapt(d, fields);
            start.assign(fields[0].begin(), fields[0].end());
          }
        ++n_solved;
        if (!result.converged)
          throw NotConverged(
            entry.results.ended + " The case is " + label +
            (solution.failure.empty() ? "; see the section 'Solver'." : "."));
      }

      /// Computes errors and rates, and checks the last cycle's.
      void
      compute_errors(Discretization<dim> &d, const CGResult &result,
                     const dealii::Vector<double> &u)
      {
        program::Results &results = d.entry.results;
        const ErrorNorms norms =
          error_norms(*d.space, local_values(*d.space, u, d.flat.dofs), *exact,
                      d.division, d.device_cells());
        const auto resolved = [&](const double error, const double norm) {
          return !below_resolution(
            error, norm, result.iterations, solver.control.relative_tolerance,
            solver.number == "float" ? std::numeric_limits<float>::epsilon()
                                     : std::numeric_limits<double>::epsilon());
        };
        results.L2_error      = norms.L2;
        results.H1_error      = norms.H1;
        results.maximum_error = norms.maximum;
        if (cycle > 0)
          {
            const program::Case &before = record.cases().back();
            const auto rate             = [&](const double a, const double b) {
              return convergence_rate(a, b, before.problem.cells,
                                                  d.entry.problem.cells, dim);
            };
            results.L2_rate = rate(before.results.L2_error, norms.L2);
            results.H1_rate = rate(before.results.H1_error, norms.H1);
          }
        if (cycle + 1 < n_cycles || !validation.wanted())
          return;
        const auto sentences =
          validation.missed(d.entry, resolved(norms.L2, norms.L2_of_exact),
                            resolved(norms.H1, norms.H1_of_exact));
        results.passed = sentences.empty();
        missed.insert(missed.end(), sentences.begin(), sentences.end());
      }

      /// True in the process that writes files.
      bool
      writes() const
      {
        return division.writes();
      }

      /// Prints the tables, what was missed, and why the study ended early.
      void
      conclude(const std::string &why = "") const
      {
        const bool complete = why.empty();
        if (complete && line.validate)
          {
            const program::MemoryEstimate estimate(largest);
            estimate.print_largest(std::cout);
            estimate.check("The largest case", device, fewer);
            std::cout << "VALID: nothing was solved." << std::endl;
          }
        if (record.path().empty())
          return;
        print_cases(record.cases(), std::cout);
        for (const std::string &sentence : missed)
          std::cout << "FAIL: " << sentence << '\n';
        if (!complete)
          std::cout << "FAIL: " << why << '\n';
        if (!record.is_written())
          return;
        if (complete && missed.empty() && validation.wanted())
          std::cout << "PASS: all errors and rates asked for are reached.\n";
        const auto &file = output.file();
        std::cout << "Record: " << record.path() << "\nOpen "
                  << (file.empty() ? record.path() : file) << std::endl;
      }

      /// Throws DeviceError unless the largest case fits into the free memory,
      /// judging by a mesh that is refined n_times more; --validate says more.
      void
      check_memory(const Mesh<dim> &mesh, const int n_times,
                   const Discretization<dim> *const d = nullptr) const
      {
        for (const int degree : degrees)
          check_degree(mesh.cell_type(), degree);
        const int degree = *std::max_element(degrees.begin(), degrees.end());
        program::MemoryEstimate(
          case_size(common, solver, backend, mesh, degree, n_times, d))
          .check("The largest case, the " + mesh.source + " refined " +
                   counted(n_times, "time") + " with degree " +
                   std::to_string(degree) + ',',
                 device, fewer, line.validate ? &std::cout : nullptr);
      }

      const Parameters &parameters;
      const program::CommandLine &line;
      program::Record &record;
      const dealii::Function<dim> *const exact;
      const MakeCase<dim> &make_case;
      const int n_components;
      const LinearSolver solver{parameters};
      const std::vector<int> degrees = read_degrees(parameters);
      const int n_cycles             = parameters.get_integer("Mesh/Cycles");
      const int n_refinements        = ///< of the mesh of the last cycle
        initial_refinement(parameters) + n_cycles - 1;
      const AdaptiveRefinement adaptive{parameters};
      const Validation validation{parameters, degrees, exact != nullptr,
                                  n_cycles};
      CaseOutput<dim> output{parameters, line.output_folder};
      Backend backend                 = Backend::host;
      int device                      = 0; ///< of this process
      Division division               = {};
      std::vector<std::string> missed = {}; ///< sentences of the validation
      program::CaseSize common        = {}; ///< to all cases
      program::CaseSize largest = {}; ///< of the cases that were validated
      // of the case at hand
      std::shared_ptr<CaseMesh<dim>> mesh = {};
      std::vector<double> start           = {}; ///< of the solve
      int cycle                           = 0;
      std::string label                   = {};
      int n_solved                        = 0; ///< cases so far
      bool is_first = true; ///< its mesh is printed, and nothing is written yet
    };
  } // namespace


  void
  declare_study(Parameters &parameters, const std::function<void()> &own_output,
                const std::vector<std::string> &derived)
  {
    LinearSolver::declare(parameters);
    Validation::declare(parameters);
    CaseOutput<2>::declare(parameters, own_output, derived);
  }


  template <int dim>
  void
  run_study(const Parameters &parameters, const program::CommandLine &line,
            program::Record &record, const dealii::Function<dim> *const exact,
            const MakeCase<dim> &make_case, const int n_components)
  {
    Study<dim>{parameters, line, record, exact, make_case, n_components}
      .run_cases();
  }


  template void
  run_study(const Parameters &, const program::CommandLine &, program::Record &,
            const dealii::Function<2> *, const MakeCase<2> &, int);
  template void
  run_study(const Parameters &, const program::CommandLine &, program::Record &,
            const dealii::Function<3> *, const MakeCase<3> &, int);
} // namespace tessera
