#include "sweep.h"
#include "peer_measurements.h"
#include "row_choices.h"

#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/cell_operator.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/format_choice.h>

#include <optional>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    /// Runs a sweep for one space and one number type.
    template <class Number>
    class Rows : private PeerMeasurements<Number>
    {
    public:
      Rows(const Sweep &sweep, Report &report, const Oracle &oracle,
           const std::shared_ptr<const Space> &of, const Row &common)
        : PeerMeasurements<Number>(sweep, report, oracle, of), common(common),
          equation(form_of(space, oracle.variation)),
          form(equation, *problem.cells())
      {
        this->coefficient_bytes = form.bytes();
      }

      void
      run()
      {
        if (problem.parts().are_several())
          common.parameters["exchange_seconds"] = this->exchange_seconds();
        const std::string &first = sweep.conflicts.front();
        for (const std::string &name : sweep.operators)
          {
            for (const AssemblyOptions &choice : row_choices(name, sweep, true))
              for_each_way(
                routes(name, sweep, this->space), name, [&](Row row) {
                  choose(choice);
                  name_entries(row);
                  // Writing local matrices and applying rows have no
                  // conflicts.
                  if (sweep.measures("assembly") &&
                      !descriptor(name).stores_nothing &&
                      (stores_rows(name) || row.conflict == first))
                    for (const std::string &strategy : sweep.strategies)
                      assembly(row, strategy);
                  if (!stores_rows(name))
                    by_cells(row);
                });
            if (stores_rows(name))
              rows(name);
            assembler.reset();
            op.reset();
          }
        if (sweep.measures("load_vector"))
          load_vectors();
      }

    private:
      /// Measures the row if it is wanted. If memory runs out, frees what was
      /// held.
      void
      measure_row(const Row &row, const std::function<void(Row &)> &work)
      {
        if (this->is_wanted(row, options))
          report.measure(row, work, [&]() {
            M.reset();
            op.reset();
            assembler.reset();
          });
      }

      /// Calls `f(row)` for each of the routes with every conflict handling;
      /// `gather` needs none.
      template <class F>
      void
      for_each_way(const std::vector<std::string> &routes,
                   const std::string &op, const F &f)
      {
        Row row = common;
        row.op  = op;
        for (const std::string &route : routes)
          for (const std::string &conflict : sweep.conflicts)
            {
              const bool gathers = route == to_string(Route::gather);
              row.route          = route;
              row.conflict       = gathers ? "" : conflict;
              if (!gathers || conflict == sweep.conflicts.front())
                f(row);
            }
      }

      void
      load_vectors()
      {
        for_each_way(with_default(sweep.routes, to_string(Route::scatter)),
                     "load_vector", [&](Row row) {
                       row.kind = row.op;
                       measure_row(row,
                                   [&](Row &r) { this->time_load_vector(r); });
                     });
      }

      /// Measures products cell by cell. If a product computes cell matrices,
      /// it is measured with every strategy.
      void
      by_cells(Row row)
      {
        if (!descriptor(row.op).assembles_in_products)
          return application(row);
        for (const std::string &strategy : sweep.strategies)
          {
            op.reset();
            options.strategy = strategy;
            row.strategy     = strategy;
            application(row);
          }
        options = {};
      }

      /// Keeps `op` only if it was made with the options of the choice.
      void
      choose(const AssemblyOptions &choice)
      {
        if (choice.storage != options.storage ||
            choice.single_entries != options.single_entries)
          op.reset();
        options = choice;
      }

      /// Says that blocks are stored as single entries.
      void
      name_entries(Row &row) const
      {
        if (options.single_entries)
          row.parameters["entries"] = "single";
      }

      /// Measures products of assembled rows in every way.
      void
      rows(const std::string &name)
      {
        Row row           = common;
        row.op            = name;
        row.conflict      = sweep.conflicts.front();
        const Row without = row;
        for (const AssemblyOptions &choice : row_choices(name, sweep, false))
          {
            choose(choice);
            name_entries(row);
            // The record also says what was asked for of the product.
            for (const OptionSet *const set : descriptor(name).options)
              if (!set->varied_as.empty() && !set->in_assembly &&
                  set->text(choice.storage) != set->text({}))
                row.parameters[set->key()] = set->text(choice.storage);
            application(row);
            row = without;
          }
        if (sweep.backend == Backend::cuda)
          if (const auto *csr = dynamic_cast<const Csr<Number> *>(op.get()))
            this->peers(row, *csr, options);
        options = {};
      }

      /// Makes `op` for the row unless it exists; rows are the same for every
      /// conflict handling. Keeps the slots if the assembly of the matrix is
      /// measured.
      void
      prepare(Row &row)
      {
        const Conflict conflict =
          stores_rows(row.op) ? Conflict() : conflict_from_string(row.conflict);
        if (!op || conflict != made_for)
          {
            op.reset();
            assembler.reset();
            const std::uint64_t before = device_memory_in_use();
            const Timer timer;
            FormatChoice choice; // of all processes together
            choice.largest = [this](const double seconds) {
              return this->team().processes.largest(seconds);
            };
            options.choice = &choice;
            if (!stores_rows(row.op))
              options.conflict = conflict;
            if (stores_rows(row.op) && sweep.measures("assembly"))
              {
                assembler.emplace(problem.make_assembler(row.op, options));
                op = assembler->make_operator(form);
              }
            else
              op = problem.make_operator(row.op, equation, options);
            if (sweep.backend == Backend::cuda)
              runtime::synchronize({});
            options.choice = nullptr;
            setup_seconds  = timer.seconds();
            memory_bytes   = device_memory_in_use() - before;
            made_for       = conflict;
          }
        row.setup_seconds =
          this->team().slowest(row, "setup_seconds", setup_seconds);
        if (sweep.backend == Backend::cuda)
          row.memory_bytes = this->total(static_cast<double>(memory_bytes));
        describe_rows(row, *op);
        if (row.op != op->name())
          row.parameters["chosen"] = op->name();
        if (row.kind != "assembly" && stores_rows(row.op))
          row.conflict.clear();
      }

      void
      application(Row row)
      {
        if (sweep.measures("application"))
          {
            measure_row(row, [&](Row &r) {
              prepare(r);
              this->time_application(r, *op);
            });
          }
        for (const std::string &preconditioner : sweep.preconditioners)
          {
            row.parameters["preconditioner"] = preconditioner;
            row.kind                         = "preconditioner";
            if (sweep.measures("preconditioner"))
              measure_row(row, [&](Row &r) {
                prepare(r);
                this->time_preconditioner(r, *op);
              });
            row.kind = "cg";
            for (const std::string &method : sweep.methods)
              if (sweep.measures("cg"))
                {
                  Row of_method                  = row;
                  of_method.parameters["method"] = method;
                  measure_row(of_method, [&](Row &r) {
                    prepare(r);
                    this->iterate(r, *op, *op, method);
                  });
                }
            M.reset();
          }
      }

      /// Measures computing and writing the values repeatedly.
      void
      assembly(Row row, const std::string &strategy)
      {
        row.kind     = "assembly";
        row.strategy = strategy;
        measure_row(row, [&](Row &r) {
          prepare(r);
          r.stored_bytes = this->total(op->traffic().stored);
          r.paper_bytes  = paper_bytes(r, space);
          auto *const row_operator =
            dynamic_cast<RowOperator<Number> *>(op.get());
          if (!row_operator)
            r.conflict.clear();
          if (row_operator)
            assembler->choose(strategy, route_from_string(r.route),
                              r.conflict.empty()
                                ? default_conflict(sweep.backend)
                                : conflict_from_string(r.conflict));
          const auto work = [&]() {
            if (row_operator)
              assembler->assemble(*row_operator, form);
            else
              dynamic_cast<CellOperator<Number> &>(*op).assemble(form,
                                                                 strategy);
          };
          this->count(r, work);
          report.set_time(
            r, this->team().measure(r, sweep.backend, work, timing),
            has_models(space)
              ? models::assembly(r.op, space.degree, sizeof(Number)) * r.cells
              : not_measured,
            not_measured);
          if (row_operator) // a route that takes no memory
            assembler->choose(strategy, legal_routes(r.op).front(),
                              default_conflict(sweep.backend));
          this->verify(r, *op);
        });
      }

      using Measurements<Number>::sweep;
      using Measurements<Number>::report;
      using Measurements<Number>::problem;
      using Measurements<Number>::space;
      using Measurements<Number>::timing;
      using Measurements<Number>::M;

      Row common;
      const Form equation;
      const FormData<Number> form;

      std::unique_ptr<Operator<Number>> op;
      AssemblyOptions options;
      std::optional<Assembler<Number>> assembler; ///< of `op`
      Conflict made_for         = Conflict();
      double setup_seconds      = not_measured;
      std::int64_t memory_bytes = 0;
    };

    template <class Number>
    void
    run(const Sweep &sweep, Report &report, const Oracle &oracle,
        const std::shared_ptr<const Space> &space, Row common)
    {
      form_of(*space).compiled->template kernels<Number>().check(*space);
      try
        {
          Rows<Number>(sweep, report, oracle, space, common).run();
        }
      catch (const DeviceError &failure)
        {
          // Cells and vectors alone do not fit.
          if (sweep.wanted)
            throw;
          common.op = "all";
          report.measure(common, [&](Row &) { throw failure; });
        }
    }
  } // namespace

  Sweep
  make_sweep(const Study &study, const Backend backend, const Variants &group)
  {
    Sweep sweep;
    sweep.backend   = backend;
    sweep.timing    = timing_of(study.n_samples);
    const auto read = [&](Names &to, const std::string &name) {
      if (!has(study.factors, name))
        return;
      const Names found = group.empty() ? study[name] : values_of(group, name);
      if (!found.empty())
        to = found;
    };
    read(sweep.operators, "Operators");
    read(sweep.strategies, "Strategies");
    read(sweep.routes, "Routes");
    read(sweep.conflicts, "Conflicts");
    read(sweep.preconditioners, "Preconditioners");
    read(sweep.methods, "Methods");
    resolve_defaults(sweep);
    sweep.peers = peers_where(
      [](const PeerDescriptor &peer) { return peer.works_with.device; });
    for (const FactorEntry &list : study.factors)
      if (list.set != nullptr)
        {
          Names &values = sweep.storage[list.name] = {list.set->text({})};
          read(values, list.name);
        }
    return sweep;
  }

  void
  run_sweep(const Sweep &sweep, Report &report, const Oracle &oracle,
            const std::shared_ptr<const Space> &space, Row common,
            const std::string &shared_memory)
  {
    std::optional<int> percent;
    if (!shared_memory.empty() && shared_memory != "auto")
      {
        percent                       = std::stoi(shared_memory);
        common.parameters["carveout"] = std::int64_t(*percent);
      }
    runtime::prefer_shared_memory(percent);
    if (common.number == "double")
      run<double>(sweep, report, oracle, space, common);
    else
      run<float>(sweep, report, oracle, space, common);
  }
} // namespace tessera::benchmarks
