#include "sweep.h"
#include "cusparse_peer.h"
#include "row_assembler.h"
#include "row_choices.h"
#include "work.h"

#include <tessera/base/error.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/local_matrices.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/ssor.h>
#include <tessera/solvers/cg.h>
#include <tessera/study/models.h>
#include <tessera/study/program.h>

#include <algorithm>
#include <optional>

namespace tessera::benchmarks
{
  using namespace study;

  namespace
  {
    /// One sweep on one space in one number type.
    template <class Number>
    class Rows
    {
    public:
      Rows(const Sweep &sweep, Report &report, const Oracle &oracle,
           std::shared_ptr<const CellData<Number>> cells, const Row &common)
        : sweep(sweep), report(report), oracle(oracle), cells(cells),
          space(cells->space()), common(common),
          kappa(conductivity(cells->space().dim()), *cells)
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
          {
            for (const std::string &conflict : sweep.conflicts)
              {
                Row row      = common;
                row.op       = name;
                row.conflict = conflict;
                // Local matrices are written, and rows applied, without
                // conflicts.
                if (sweep.assembly && name != "matrix_free" &&
                    (stores_rows(name) || conflict == first))
                  for (const std::string &strategy : sweep.strategies)
                    assembly(row, strategy);
                if (!stores_rows(name))
                  application(row);
              }
            if (stores_rows(name))
              rows(name);
            assembler.reset();
            op.reset();
          }
      }

    private:
      /// Measures the row if it is wanted, and gives back what was held where
      /// it fails for lack of memory.
      void
      measure_row(const Row &row, const std::function<void(Row &)> &work)
      {
        if (!sweep.wanted || sweep.wanted(row, options))
          report.measure(row, work, [&]() {
            M.reset();
            op.reset();
            assembler.reset();
          });
      }

      /// Products of assembled rows, in every way there is.
      void
      rows(const std::string &name)
      {
        Row row      = common;
        row.op       = name;
        row.conflict = sweep.conflicts.front();
        for (const AssemblyOptions &choice : row_choices(name, sweep))
          {
            if (choice.threads_per_row != options.threads_per_row ||
                choice.hybrid_width != options.hybrid_width)
              op.reset();
            options = choice;
            if (choice.threads_per_row)
              row.parameters["threads_per_row"] =
                to_string(choice.threads_per_row);
            application(row);
            row.parameters.erase("threads_per_row");
          }
        if (sweep.application && sweep.backend == Backend::cuda)
          if (const auto *csr = dynamic_cast<const Csr<Number> *>(op.get()))
            peers(row, *csr);
        options = {};
      }

      /// Makes `op` for the row, unless it is there: rows are the same whatever
      /// the conflict handling was. Keeps the slots of a matrix whose assembly
      /// is measured.
      void
      prepare(Row &row)
      {
        const Conflict conflict = conflict_from_string(row.conflict);
        if (!op || (!stores_rows(row.op) && conflict != made_for))
          {
            op.reset();
            assembler.reset();
            const std::uint64_t before = free_bytes();
            const Timer timer;
            if (!stores_rows(row.op))
              options.conflict = conflict;
            if (stores_rows(row.op) && sweep.assembly)
              {
                assembler.emplace();
                op = assembler->make_operator(row.op, cells, kappa.view(),
                                              options);
              }
            else
              op = make_operator<Number>(row.op, cells,
                                         conductivity(space.dim()), options);
            if (sweep.backend == Backend::cuda)
              runtime::synchronize({});
            setup_seconds = timer.seconds();
            memory_bytes  = static_cast<std::int64_t>(before - free_bytes());
            made_for      = conflict;
          }
        row.setup_seconds = setup_seconds;
        if (sweep.backend == Backend::cuda)
          row.memory_bytes = memory_bytes;
        describe_rows(row, *op);
        if (row.kind != "assembly" && stores_rows(row.op))
          row.conflict.clear();
      }

      std::uint64_t
      free_bytes() const
      {
        return sweep.backend == Backend::cuda
                 ? runtime::properties(sweep.device).free_bytes
                 : 0;
      }

      /// Error and bit-equality of one application.
      void
      verify(Row &row, const Operator<Number> &A)
      {
        A.vmult(y, x);
        const std::vector<Number> first = y.to_vector();
        row.error      = error(oracle, first, space.mesh_dof, space.n_owned);
        row.repeatable = A.repeatable();
        if (A.repeatable())
          {
            A.vmult(y, x);
            const std::vector<Number> second = y.to_vector();
            if (!std::equal(first.begin(), first.begin() + space.n_owned,
                            second.begin()))
              report.reject(row, "The second application gave other bits.");
          }
      }

      void
      time_application(Row &row, const Operator<Number> &A)
      {
        verify(row, A);
        const Traffic traffic = A.traffic();
        row.compulsory_bytes  = traffic.compulsory;
        row.stored_bytes      = traffic.stored;
        row.paper_bytes       = paper_bytes(row, space.cell_type);
        const auto work       = [&]() { A.vmult(y, x); };
        report.set_time(row, measure(sweep.backend, {}, work, timing),
                        model_bytes(A, space), flops(A.name(), space));
      }

      void
      application(Row row)
      {
        if (sweep.application)
          {
            measure_row(row, [&](Row &r) {
              prepare(r);
              time_application(r, *op);
            });
          }
        for (const std::string &preconditioner : sweep.preconditioners)
          {
            row.parameters["preconditioner"] = preconditioner;
            row.kind                         = "preconditioner";
            if (sweep.preconditioner)
              measure_row(row, [&](Row &r) {
                prepare(r);
                time_preconditioner(r, *op);
              });
            row.kind = "cg";
            if (sweep.cg)
              measure_row(row, [&](Row &r) {
                prepare(r);
                iterate(r, *op);
              });
            M.reset();
          }
      }

      /// Makes the preconditioner of a row for `A`, unless it is there, and
      /// tells the time that it took.
      void
      precondition(Row &row, const Operator<Number> &A)
      {
        if (!M)
          {
            const Timer timer;
            M = make_preconditioner<Number>(
              std::get<std::string>(row.parameters.at("preconditioner")), A);
            if (sweep.backend == Backend::cuda)
              runtime::synchronize({});
            precondition_seconds = timer.seconds();
          }
        row.setup_seconds = precondition_seconds;
        if (const auto *ssor = dynamic_cast<const Ssor<Number> *>(M.get()))
          row.parameters["colors"] = std::int64_t(ssor->n_colors());
      }

      /// The error is that of the symmetry, seen by a and b = A a.
      void
      time_preconditioner(Row &row, const Operator<Number> &A)
      {
        precondition(row, A);
        Vector<Number> b      = A.make_vector();
        const auto applied_to = [&](const Vector<Number> &r) {
          M->apply(y, r, {});
          return y.to_vector();
        };
        A.vmult(b, x);
        const auto a_i = x.to_vector(), b_i = b.to_vector();
        const auto Ma = applied_to(x), Mb = applied_to(b);
        row.error        = asymmetry(a_i, Ma, b_i, Mb, A.n_owned());
        row.repeatable   = true;
        const auto again = applied_to(b);
        if (!std::equal(again.begin(), again.begin() + A.n_owned(), Mb.begin()))
          report.reject(row, "The second application gave other bits.");
        row.compulsory_bytes = M->traffic().compulsory;
        row.stored_bytes     = M->traffic().stored;
        report.set_time(
          row,
          measure(
            sweep.backend, {}, [&]() { M->apply(y, x, {}); }, timing),
          M->traffic().compulsory, not_measured);
      }

      void
      iterate(Row &row, const Operator<Number> &A)
      {
        verify(row, A);
        precondition(row, A);
        CG<Number> solver(A, *M);
        Vector<Number> solution = A.make_vector();
        CGControl control;
        control.relative_tolerance = 0;
        const auto restart         = [&]() {
          solution.zero();
          solver.start(solution, x, control, {});
        };
        restart();
        MeasureOptions each = timing;
        each.before         = restart;
        const auto work     = [&]() {
          solver.replay_iterations(solution, control.check_every, {});
        };
        const Statistics time = study::of_part(
          measure(sweep.backend, {}, work, each), control.check_every);
        report.set_time(
          row, time,
          model_bytes(A, space) +
            models::cg_vectors(sizeof(Number)) * space.n_owned +
            (M->inverse_diagonal() == nullptr ? M->traffic().compulsory : 0),
          flops(A.name(), space) + 12. * space.n_owned);
        row.cg_iterations_per_s = 1 / time.median;
      }

      /// Computing and writing the values again and again.
      void
      assembly(Row row, const std::string &strategy)
      {
        row.kind     = "assembly";
        row.strategy = strategy;
        measure_row(row, [&](Row &r) {
          prepare(r);
          r.stored_bytes          = op->traffic().stored;
          r.paper_bytes           = paper_bytes(r, space.cell_type);
          const Strategy chosen   = strategy_from_string(strategy);
          const Conflict conflict = conflict_from_string(r.conflict);
          auto *const of_rows = dynamic_cast<RowOperator<Number> *>(op.get());
          if (!of_rows)
            r.conflict.clear();
          if (of_rows)
            assembler->begin(chosen, conflict);
          const auto work = [&]() {
            if (of_rows)
              assembler->assemble(of_rows->matrix(), kappa.view(), chosen,
                                  conflict);
            else
              dynamic_cast<LocalMatrices<Number> &>(*op).assemble(kappa.view(),
                                                                  chosen);
          };
          report.set_time(
            r, measure(sweep.backend, {}, work, timing),
            is_quadrilateral(space)
              ? models::assembly(r.op, space.degree, sizeof(Number)) *
                  space.n_cells()
              : not_measured,
            not_measured);
          if (of_rows)
            assembler->end();
          verify(r, *op);
        });
      }

      /// cuSPARSE on the matrix of `csr`.
      void
      peers(Row row, const Csr<Number> &csr)
      {
        row.library = "cuSPARSE";
        row.conflict.clear();
        for (const std::string &algorithm : cusparse_algorithms())
          {
            row.parameters["algorithm"] = algorithm;
            measure_row(row, [&](Row &r) {
              const Timer timer;
              const auto peer =
                make_cusparse(csr.matrix(), csr.n_tail(), algorithm);
              r.setup_seconds = timer.seconds();
              time_application(r, *peer);
            });
          }
      }

      const Sweep &sweep;
      Report &report;
      const Oracle &oracle;
      std::shared_ptr<const CellData<Number>> cells;
      const Space &space;
      Row common;
      MeasureOptions timing;
      const CoefficientData<Number> kappa;
      Vector<Number> x, y;

      std::unique_ptr<Operator<Number>> op;
      AssemblyOptions options;
      std::unique_ptr<Preconditioner<Number>> M;     ///< of `op`
      std::optional<RowAssembler<Number>> assembler; ///< of `op`
      Conflict made_for           = Conflict();
      double setup_seconds        = not_measured;
      double precondition_seconds = not_measured;
      std::int64_t memory_bytes   = 0;
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
        if (sweep.wanted)
          throw;
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
