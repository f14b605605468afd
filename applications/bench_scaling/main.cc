// Measures products and conjugate gradients of a problem that is divided among
// processes, with the time that their exchanges take alone:
//   mpirun -n 2 bench_scaling -s "Factors/Degrees of freedom=32e6"
#include "engine.h"
#include "process_team.h"
#include "time_line.h"
#include "work.h"

#include <tessera/base/counted.h>
#include <tessera/operators/factory.h>
#include <tessera/parallel/run_together.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/program/program.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <iostream>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    const Factors &
    factors()
    {
      static const Factors all = {
        factor("Cell types"), factor("Degrees", "1, 2"),
        factor("Degrees of freedom", "1e6"), factor("Operators", "matrix_free"),
        factor("Methods", "classical, single_reduction")};
      return all;
    }

    void
    declare(Parameters &parameters)
    {
      declare_study(parameters, factors(), "20");
      parameters.declare("Study/Time line", "false", Patterns::Bool(),
                         "whether it is also recorded when the parts of a "
                         "product begin and end in each of several processes, "
                         "for scripts/plot");
    }

    const Names of_meshes = {"Cell types", "Degrees", "Degrees of freedom"};

    /// Returns meshes and operators. Throws ParameterError for a degree that
    /// the cells do not have.
    Variants
    variants_of(const Study &study)
    {
      return study.variants_of(
        {"Cell types", "Degrees", "Degrees of freedom", "Operators"},
        [](Variant &v) {
          if (const int most =
                max_degree(cell_type_from_string(v["Cell types"]));
              std::stoi(v["Degrees"]) > most)
            throw ParameterError("'Factors/Degrees' has " + v["Degrees"] +
                                 "; legal for cells of the type " +
                                 v["Cell types"] + " are 1 to " +
                                 std::to_string(most) + '.');
        });
    }

    /// Throws what `check_mesh` throws for one of the meshes.
    void
    check_meshes(const Variants &all, const Processes &processes)
    {
      for (const Variants &group : group_by(all, of_meshes))
        {
          const Variant &mesh = group.front();
          check_mesh(cell_type_from_string(mesh["Cell types"]),
                     std::stod(mesh["Degrees of freedom"]),
                     std::stoi(mesh["Degrees"]), 1, processes.size(),
                     processes.size_on_machine());
        }
    }

    class Scaling
    {
    public:
      Scaling(const Processes &processes, Record &record, Report &report,
              const Backend backend, const Study &study)
        : processes(processes), team(processes), record(record), report(report),
          backend(backend), study(study),
          transport(make_transport(processes, backend)),
          time_line(backend,
                    backend == Backend::cuda && transport->can_be_recorded())
      {}

      void
      run(const Variants &all)
      {
        std::cerr << counted(processes.size(), "process")
                  << ", values travel by " << transport->name() << std::endl;
        run_levels(
          all, {{of_meshes, [this](Variants &group) { divide(group.front()); }},
                {{"Operators"}, [this](Variants &group) {
                   measure(group.front()["Operators"]);
                 }}});
      }

    private:
      /// Makes the part of this process, and what rows of the mesh share.
      void
      divide(const Variant &mesh)
      {
        const CellType type = cell_type_from_string(mesh["Cell types"]);
        common              = {};
        common.degree       = std::stoi(mesh["Degrees"]);
        processes.collectively([&]() {
          const MeshPiece piece = make_piece(
            type, std::stod(mesh["Degrees of freedom"]), common.degree,
            study.seed, processes.rank(), processes.size());
          oracle       = make_oracle(piece.mesh, study.seed, Variation::uniform,
                                     piece.first_node);
          part         = make_part_of_process(piece, processes);
          n_known      = piece.mesh.n_cells();
          common.cells = piece.n_cells;
          common.dofs  = piece.n_free;
        });
        common.case_name = mesh["Cell types"] + ", degree " + mesh["Degrees"];
        common.backend   = to_string(backend);
        common.number    = "double";
        common.numbering = part.space.numbering;
        common.parameters["cell_type"] = mesh["Cell types"];
      }

      /// Measures an operator on this part.
      void
      measure(const std::string &name)
      {
        Row row          = common;
        const auto space = std::make_shared<const Space>(part.space);
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        Parts<double> parts;
        if (processes.size() > 1)
          parts = {transport,
                   time_line.watch(std::make_shared<const GhostTail<double>>(
                     *space, processes.agree(part.plans, part.owned),
                     *time_line.watch(*transport), backend))};
        const auto A =
          make_operator<double>(name, cells, form_of(*space), {}, parts);
        row.op = name;

        std::vector<int> of_mesh(space->mesh_dof.begin(),
                                 space->mesh_dof.begin() + space->n_owned);
        Vector<double> x = A->make_vector(), y = A->make_vector();
        x.copy_from(
          local_x<double>(oracle, of_mesh, space->n_owned, space->n_local()));
        A->vmult(y, x);
        row.error = processes.largest(
          error(oracle.y, y.to_vector(), of_mesh, space->n_owned));
        row.repeatable = A->repeatable();
        describe_parts(row, *space, n_known, team, *transport);
        if (parts.are_several())
          {
            Row of_exchange;
            row.parameters["exchange_seconds"] =
              seconds(of_exchange, [&]() {
                parts.ghosts()->import(x, {});
                parts.ghosts()->export_add(y, {});
              }).median;
          }
        Row of_product        = row;
        const Statistics time = seconds(of_product, [&]() { A->vmult(y, x); });
        add(of_product, time);
        if (study.parameters.get_bool("Study/Time line") &&
            processes.size() > 1)
          watch_product(row, *A, x, y);
        for (const std::string &method : study["Methods"])
          iterations(row, *A, x, method);
      }

      /// Measures `work`, ten calls a sample.
      Statistics
      seconds(Row &row, const std::function<void()> &work,
              const std::function<void()> &before = {})
      {
        constexpr int n = 10;
        MeasureOptions each;
        each.n_samples      = study.n_samples;
        each.sample_seconds = 0;
        each.total_seconds  = 1e9;
        each.before         = before;
        return team.measure(
          row, backend,
          [&]() {
            for (int k = 0; k < n; ++k)
              work();
          },
          each, n);
      }

      void
      add(Row row, const Statistics &time)
      {
        report.measure(std::move(row), [&](Row &r) {
          report.set_time(r, time, not_measured, not_measured);
        });
      }

      /// Adds a row for each process, of a product that took as long as most
      /// do. It follows on others, so that a device does not wait for launches.
      void
      watch_product(Row row, const Operator<double> &A, const Vector<double> &x,
                    Vector<double> &y)
      {
        constexpr int n_before = 2;
        using Seconds          = std::map<std::string, double>;
        std::vector<std::pair<double, Seconds>> found;
        for (int sample = 0; sample < study.n_samples; ++sample)
          {
            if (backend == Backend::cuda)
              runtime::synchronize({});
            processes.wait();
            time_line.begin();
            for (int k = 0; k < n_before; ++k)
              A.vmult(y, x);
            time_line.start();
            A.vmult(y, x);
            time_line.stop();
            const Seconds of   = time_line.seconds();
            const double begin = -processes.largest(-of.at("pack_begin"));
            found.emplace_back(processes.largest(of.at("add_end")) - begin, of);
            for (auto &[name, seconds] : found.back().second)
              seconds -= begin;
          }
        std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
          return a.first < b.first;
        });
        const auto &[whole, mine] = found[found.size() / 2];
        row.kind                  = "time_line";
        row.samples               = study.n_samples;
        row.seconds_median        = whole;
        row.seconds_min           = found.front().first;
        std::vector<Row> rows(processes.size(), row);
        for (const auto &[name, seconds] : mine)
          {
            const std::vector<double> of_all = processes.gather(seconds);
            for (std::size_t p = 0; p < rows.size(); ++p)
              rows[p].parameters[name] = of_all[p];
          }
        for (std::size_t p = 0; p < rows.size(); ++p)
          {
            rows[p].parameters["process"] = static_cast<std::int64_t>(p);
            record.add(rows[p]);
          }
      }

      void
      iterations(Row row, const Operator<double> &A, const Vector<double> &b,
                 const std::string &method)
      {
        const Jacobi<double> M(A);
        CG<double> solver(A, M, method);
        Vector<double> solution = A.make_vector();
        CGControl control;
        control.relative_tolerance = 0;
        const auto restart         = [&]() {
          solution.zero();
          solver.start(solution, b, control, {});
        };
        const bool graph =
          transport->can_be_recorded() || processes.size() == 1;
        restart();
        const Statistics time = seconds(
          row,
          [&]() {
            if (graph)
              solver.replay_iterations(solution, 1, {});
            else
              solver.iterate(solution, {});
          },
          restart);
        row.kind                         = "cg";
        row.parameters["method"]         = method;
        row.parameters["preconditioner"] = "jacobi";
        row.cg_iterations_per_s          = 1 / time.median;
        add(row, time);
      }

      const Processes &processes;
      const ProcessTeam team;
      Record &record;
      Report &report;
      Backend backend;
      const Study &study;
      std::shared_ptr<const Transport> transport;
      TimeLine time_line;

      // of the mesh at hand
      Row common; ///< what rows share
      Oracle oracle;
      Part part;
      double n_known = 0; ///< cells
    };

    const Processes &
    all_processes()
    {
      static const Processes processes;
      return processes;
    }

    ExitCode
    body(const Parameters &parameters, const CommandLine &line, Record &record)
    {
      const Processes &processes = all_processes();
      const Backend backend      = choose(line);
      const Study study(parameters, factors());
      const Variants all = variants_of(study); // before the record is replaced
      processes.collectively([&]() {
        check_meshes(all, processes);
        if (line.validate)
          return;
        if (backend == Backend::cuda)
          set_device_of_process(processes,
                                line.device_given ? line.device : -1);
        if (processes.rank() == 0)
          open(record, parameters, line, backend, not_measured);
      });
      if (line.validate)
        return valid();
      Report report(record, not_measured, study.error_limit);
      return finish(record, report, [&]() {
        Scaling(processes, record, report, backend, study).run(all);
      });
    }

    bool
    divides(const std::function<bool()> &start)
    {
      start_together(Processes::of_program(), start);
      return true;
    }
  } // namespace
} // namespace tessera::benchmarks

int
main(int argc, char **argv)
{
  using namespace tessera::benchmarks;
  using namespace tessera;
  return program::run_with_parameters(
    argc, argv,
    program::parameter_options(
      "bench_scaling",
      "Measures products and conjugate gradients for -div(K grad u) on "
      "distorted cells that are divided among the processes of mpirun; every "
      "row has its error."),
    program::parameter_line, declare, body,
    {divides,
     [](program::Record &record, const std::function<ExitCode()> &work) {
       return run_together(all_processes(), record, work);
     },
     [](const Settings &settings) {
       require_same(all_processes(), settings);
     }});
}
