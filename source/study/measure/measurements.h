#pragma once

#include "counters.h"
#include "engine.h"
#include "oracle.h"
#include "report.h"
#include "sweep.h"
#include "verify.h"
#include "work.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/operators/models.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

namespace tessera::benchmarks
{
  /// Times products, preconditioners and iterations for one space and number
  /// type, each with its error.
  template <class Number>
  class Measurements
  {
  protected:
    using Row = program::Row;

    Measurements(const Sweep &sweep, Report &report, const Oracle &oracle,
                 const std::shared_ptr<const Space> &of)
      : sweep(sweep), report(report), oracle(oracle), space(*of),
        problem(of, sweep.backend, {sweep.others, space, sweep.backend}),
        timing(sweep.timing), x(problem.make_vector()), y(problem.make_vector())
    {
      const int b = space.n_components;
      for (int k = 0; k < n_free_entries(space); ++k)
        of_mesh.push_back(space.mesh_dof[k / b] * b + k % b);
      x.copy_from(local_x<Number>(oracle, of_mesh, n_free_entries(space),
                                  space.n_local() * b));
    }

    const Team &
    team() const
    {
      return report.team;
    }

    /// Sets the bytes that all processes move and store.
    void
    set_bytes(Row &row, const Traffic &traffic) const
    {
      row.compulsory_bytes = total(traffic.compulsory);
      row.stored_bytes     = total(traffic.stored);
    }

    std::int64_t
    total(const double bytes) const
    {
      return std::llround(team().sum(bytes));
    }

    /// Sets the device's counters of the largest kernel of `work`.
    template <class Work>
    void
    count(Row &row, const Work &work) const
    {
      // Other processes would wait for products that are repeated.
      if (sweep.backend == Backend::cuda && team().processes.size() == 1)
        row.counters = kernel_counters(work, report.range_of(row));
    }

    /// Sets the error of one application, and tests if it is repeatable.
    void
    verify(Row &row, const Operator<Number> &A)
    {
      benchmarks::verify(row, report, A, y, x, [&](const auto &values) {
        return error(oracle.y, values, of_mesh, n_free_entries(space));
      });
    }

    /// Returns the seconds that an import and an export of ghosts take with
    /// nothing beside them.
    double
    exchange_seconds()
    {
      Row of_exchange;
      return team()
        .measure(
          of_exchange, sweep.backend,
          [this]() {
            problem.parts().ghosts()->import(x, {});
            problem.parts().ghosts()->export_add(y, {});
          },
          timing)
        .median;
    }

    /// Times the load vector of `load_density`: setting it to zero and adding
    /// up. The row's set-up is what `gather` sets up.
    void
    time_load_vector(Row &row)
    {
      const bool gathers = row.route == to_string(Route::gather);
      const Conflict conflict =
        gathers ? Conflict() : conflict_from_string(row.conflict);
      check_conflict(conflict, sweep.backend, "the load vector");
      if (space.n_components > 1)
        throw ParameterError(
          "Load vectors are measured for one component; "
          "each of several takes as long.");
      const CoefficientData<Number> density(Coefficient::scalar(load_density),
                                            *problem.cells());
      std::optional<GatherVector<Number>> gather;
      const program::Timer timer;
      if (gathers)
        gather.emplace(*problem.cells());
      if (sweep.backend == Backend::cuda)
        runtime::synchronize({});
      row.setup_seconds = team().slowest(row, "setup_seconds", timer.seconds());
      const auto work   = [&]() {
        y.zero();
        if (gather)
          add_load_vector(y, *problem.cells(), density.view(), *gather);
        else
          add_load_vector(y, *problem.cells(), density.view(), conflict);
      };
      work();
      row.stored_bytes =
        total(problem.cells()->bytes() + (gather ? gather->bytes() : 0));
      const auto first = y.to_vector();
      row.error = error(oracle.load, first, of_mesh, n_free_entries(space));
      row.repeatable = gathers || conflict != Conflict::atomics;
      work();
      const auto second = y.to_vector();
      if (*row.repeatable &&
          !std::equal(first.begin(), first.begin() + n_free_entries(space),
                      second.begin()))
        report.reject(row, "The second load vector has other bits.");
      count(row, work);
      report.set_time(row, team().measure(row, sweep.backend, work, timing),
                      program::not_measured, program::not_measured);
    }

    void
    time_application(Row &row, const Operator<Number> &A)
    {
      verify(row, A);
      set_bytes(row, A.traffic());
      row.paper_bytes = paper_bytes(row, space);
      const auto work = [&]() { A.vmult(y, x); };
      count(row, work);
      report.set_time(row, team().measure(row, sweep.backend, work, timing),
                      team().sum(model_bytes(A, space, coefficient_bytes)),
                      team().sum(flops(A.name(), space)));
    }

    /// Makes the preconditioner of a row for `A` unless it exists, and sets the
    /// time that this took.
    void
    precondition(Row &row, const Operator<Number> &A)
    {
      if (!M)
        {
          const program::Timer timer;
          M = problem.make_preconditioner(
            std::get<std::string>(row.parameters.at("preconditioner")), A);
          if (sweep.backend == Backend::cuda)
            runtime::synchronize({});
          precondition_seconds = timer.seconds();
        }
      row.setup_seconds =
        team().slowest(row, "setup_seconds", precondition_seconds);
      const RecordValues shown = M->parameters();
      const auto named         = shown.find("preconditioner");
      if (named != shown.end())
        row.parameters["preconditioner"] = named->second;
      if (const double colors = team().processes.largest(M->n_colors());
          colors > 0)
        row.parameters["colors"] = static_cast<std::int64_t>(colors);
    }

    /// The error is the asymmetry of M, measured with a and b = A a.
    void
    time_preconditioner(Row &row, const Operator<Number> &A)
    {
      precondition(row, A);
      Vector<Number> b = A.make_vector(), z = A.make_vector();
      const auto applied_to = [&](const Vector<Number> &r) {
        M->apply(z, r, {});
        return z.to_vector();
      };
      A.vmult(b, x);
      const auto a_i = x.to_vector(), b_i = b.to_vector();
      const auto Ma = applied_to(x), Mb = applied_to(b);
      const Asymmetry of_M = asymmetry(a_i, Ma, b_i, Mb, A.n_owned());
      row.error =
        std::abs(team().sum(of_M.difference)) /
        (std::numeric_limits<Number>::epsilon() * team().sum(of_M.scale));
      // Polynomials multiply by A.
      row.repeatable    = A.repeatable() || M->inverse_diagonal() != nullptr;
      const auto second = applied_to(b);
      if (*row.repeatable &&
          team().processes.any(!std::equal(
            second.begin(), second.begin() + A.n_owned(), Mb.begin())))
        report.reject(row, "The second application gave other bits.");
      set_bytes(row, M->traffic());
      const auto work = [&]() { M->apply(z, x, {}); };
      count(row, work);
      report.set_time(row, team().measure(row, sweep.backend, work, timing),
                      static_cast<double>(*row.compulsory_bytes),
                      program::not_measured);
    }

    /// The preconditioner is made from `entries`, which is A or, if A has no
    /// diagonal, the same matrix in another format.
    void
    iterate(Row &row, const Operator<Number> &A,
            const Operator<Number> &entries,
            const std::string &method = "classical")
    {
      verify(row, A);
      precondition(row, entries);
      CG<Number> solver(A, *M, method);
      Vector<Number> solution = A.make_vector();
      CGControl control;
      control.relative_tolerance = 0;
      const auto restart         = [&]() {
        solution.zero();
        solver.start(solution, x, control, {});
      };
      restart();
      program::MeasureOptions each = timing;
      each.before                  = restart;
      const bool replays = problem.parts().communicator()->can_be_recorded();
      const auto work    = [&]() {
        if (replays)
          solver.replay_iterations(solution, control.check_every, {});
        else
          for (int i = 0; i < control.check_every; ++i)
            solver.iterate(solution, {});
      };
      const program::Statistics time =
        team().measure(row, sweep.backend, work, each, control.check_every);
      report.set_time(
        row, time,
        team().sum(
          model_bytes(A, space, coefficient_bytes) + solver.vector_bytes() +
          (M->inverse_diagonal() == nullptr ? M->traffic().compulsory : 0)),
        team().sum(flops(A.name(), space) + 12. * n_free_entries(space)));
      row.cg_iterations_per_s = 1 / time.median;
    }

    const Sweep &sweep;
    Report &report;
    const Oracle &oracle;
    const Space &space;
    const Problem<Number> problem;
    std::vector<int> of_mesh; ///< the mesh's entry of each free one
    program::MeasureOptions timing;
    Vector<Number> x, y;
    std::unique_ptr<Preconditioner<Number>> M; ///< of the present operator
    double coefficient_bytes = 0; ///< of a form that is not uniform

  private:
    double precondition_seconds = program::not_measured;
  };
} // namespace tessera::benchmarks
