#include "sweep.h"
#include "cusparse_peer.h"

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/study/models.h>
#include <tessera/study/program.h>

#include <algorithm>
#include <limits>

namespace tessera::benchmarks
{
  using namespace study;

  namespace
  {
    double
    flops(const std::string &name, const Space &space)
    {
      const int p    = space.degree;
      const double n = space.dofs_per_cell();
      if (name == "matrix_free")
        return models::matrix_free_flops(p) * space.n_cells();
      if (name == "csr")
        return 2. * (p + 2) * (p + 2) * space.n_owned;
      return 2 * n * n * space.n_cells();
    }

    /// One sweep on one space in one number type.
    template <class Number>
    class Rows
    {
    public:
      Rows(const Sweep &sweep, Report &report, const Oracle &oracle,
           std::shared_ptr<const CellData<Number>> cells, const Row &common)
        : sweep(sweep), report(report), oracle(oracle), cells(cells),
          space(cells->space()), common(common)
      {
        timing.n_samples = sweep.n_samples;
        timing.go_on     = []() { return !interrupted(); };
        x                = cells->make_vector();
        y                = cells->make_vector();
        x.copy_from(local_x<Number>(oracle, space.mesh_dof, space.n_owned,
                                    space.n_local()));
      }

      void
      run()
      {
        const std::string &first = sweep.conflicts.front();
        for (const std::string &name : sweep.operators)
          for (const std::string &conflict : sweep.conflicts)
          {
            Row row      = common;
            row.op       = name;
            row.conflict = conflict;
            // Local matrices are written, and rows applied, without conflicts.
            if (sweep.assembly && name != "matrix_free" &&
                (name == "csr" || conflict == first))
              for (const std::string &strategy : sweep.strategies)
                assembly(row, strategy);
            if (name != "csr" || conflict == first)
              application(row);
          }
      }

    private:
      std::unique_ptr<Operator<Number>>
      make(Row &row, AssemblyTiming &seconds) const
      {
        AssemblyOptions choice;
        if (!row.conflict.empty())
          choice.conflict = conflict_from_string(row.conflict);
        if (!row.strategy.empty())
          choice.strategy = strategy_from_string(row.strategy);
        choice.timing     = &seconds;
        const auto before = free_bytes();
        const auto kappa = Coefficient::tensor(conductivity[0], conductivity[1],
                                               conductivity[2]);
        auto op          = make_operator<Number>(row.op, cells, kappa, choice);
        if (cells->backend() == Backend::cuda)
          row.memory_bytes = static_cast<std::int64_t>(before - free_bytes());
        row.setup_seconds = seconds.pattern + seconds.values;
        return op;
      }

      std::uint64_t
      free_bytes() const
      {
        return cells->backend() == Backend::cuda
                 ? runtime::properties(sweep.device).free_bytes
                 : 0;
      }

      /// Error and bit-equality of one application.
      void
      verify(Row &row, const Operator<Number> &op)
      {
        op.vmult(y, x);
        const std::vector<Number> first = y.to_vector();
        row.error      = error(oracle, first, space.mesh_dof, space.n_owned);
        row.repeatable = op.repeatable();
        if (op.repeatable())
        {
          op.vmult(y, x);
          const std::vector<Number> second = y.to_vector();
          if (!std::equal(first.begin(), first.begin() + space.n_owned,
                          second.begin()))
            report.reject(row, "The second application gave other bits.");
        }
      }

      void
      time_application(Row &row, const Operator<Number> &op)
      {
        verify(row, op);
        const Traffic traffic = op.traffic();
        row.compulsory_bytes  = traffic.compulsory;
        row.stored_bytes      = traffic.stored;
        report.set_time(
          row,
          measure(
            op.backend(), {}, [&]() { op.vmult(y, x); }, timing),
          models::application(op.name(), space.degree, sizeof(Number)) *
            space.n_owned,
          flops(op.name(), space));
      }

      void
      application(Row row)
      {
        std::unique_ptr<Operator<Number>> op;
        if (row.op == "csr")
          row.conflict.clear();
        if (sweep.application)
          report.measure(row, [&](Row &r) {
            AssemblyTiming seconds;
            op = make(r, seconds);
            time_application(r, *op);
          });
        if (sweep.cg)
        {
          row.kind = "cg";
          report.measure(row, [&](Row &r) {
            AssemblyTiming seconds;
            if (!op)
              op = make(r, seconds);
            iterate(r, *op);
          });
        }
      }

      void
      iterate(Row &row, const Operator<Number> &op)
      {
        verify(row, op);
        const Jacobi<Number> jacobi(op);
        CG<Number> solver(op, jacobi);
        Vector<Number> solution = op.make_vector();
        CGControl control;
        control.relative_tolerance = 0;
        const auto restart         = [&]() {
          solution.zero();
          solver.start(solution, x, control, {});
        };
        restart();
        MeasureOptions each   = timing;
        each.before           = restart;
        const Statistics time = measure(
          op.backend(), {}, [&]() { solver.iterate(solution, {}); }, each);
        report.set_time(
          row, time,
          (models::application(op.name(), space.degree, sizeof(Number)) +
           models::cg_vectors(sizeof(Number))) *
            space.n_owned,
          flops(op.name(), space) + 12. * space.n_owned);
        row.cg_iterations_per_s = 1 / time.median;
      }

      /// Computing and writing the values again and again, as the operator
      /// itself times it.
      void
      assembly(Row row, const std::string &strategy)
      {
        row.kind     = "assembly";
        row.strategy = strategy;
        report.measure(row, [&](Row &r) {
          std::vector<double> seconds;
          const Timer timer;
          while (static_cast<int>(seconds.size()) <= timing.n_samples &&
                 (seconds.size() < 2 || timer.seconds() < 10))
          {
            throw_if_interrupted();
            AssemblyTiming parts;
            const auto op = make(r, parts);
            if (seconds.empty())
            {
              verify(r, *op);
              r.stored_bytes = op->traffic().stored;
            }
            seconds.push_back(parts.values);
          }
          seconds.erase(seconds.begin()); // warm-up
          report.set_time(r, statistics(seconds),
                          models::assembly(r.op, space.degree, sizeof(Number)) *
                            space.n_cells(),
                          std::numeric_limits<double>::quiet_NaN());
        });
      }

      const Sweep &sweep;
      Report &report;
      const Oracle &oracle;
      std::shared_ptr<const CellData<Number>> cells;
      const Space &space;
      Row common;
      MeasureOptions timing;
      Vector<Number> x, y;
    };
  } // namespace

  template <class Number>
  void
  run_sweep(const Sweep &sweep, Report &report, const Oracle &oracle,
            const std::shared_ptr<const Space> &space, Row common)
  {
    common.number = sizeof(Number) == 8 ? "double" : "float";
    std::shared_ptr<const CellData<Number>> cells;
    try
    {
      cells = std::make_shared<CellData<Number>>(space, sweep.backend);
      Rows<Number>(sweep, report, oracle, cells, common).run();
    }
    catch (const DeviceError &failure)
    {
      // Not even the cells and vectors fit.
      common.op = "all";
      report.measure(common, [&](Row &) { throw failure; });
    }
  }

  template void
  run_sweep<double>(const Sweep &, Report &, const Oracle &,
                    const std::shared_ptr<const Space> &, Row);
  template void
  run_sweep<float>(const Sweep &, Report &, const Oracle &,
                   const std::shared_ptr<const Space> &, Row);
} // namespace tessera::benchmarks
