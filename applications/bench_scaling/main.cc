// Measures products and conjugate gradients of a problem that is divided among
// processes, with the time that their exchanges take alone:
//   mpirun -n 2 bench_scaling --dofs 32e6
#include "oracle.h"
#include "process_team.h"
#include "program.h"
#include "time_line.h"
#include "work.h"

#include <tessera/base/names.h>
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
    Options
    make_options()
    {
      Options o("bench_scaling",
                "Measures products and conjugate gradients for -div(K grad u) "
                "on distorted cells that are divided among the processes of "
                "mpirun; every row has its error. Lists are separated by "
                "commas.");
      o.add("dofs", "N", "1e6",
            "free degrees of freedom of all processes together, about");
      o.add("cell-types", "LIST", "quadrilateral",
            "quadrilateral, hexahedron, triangle, tetrahedron");
      o.add("degrees", "LIST", "1,2", "polynomial degrees");
      o.add("operators", "LIST", "matrix_free", list_of(operator_names()));
      o.add("methods", "LIST", "classical,single_reduction",
            "of conjugate gradients that may be divided");
      o.add("samples", "N", "20", "timings of a row");
      o.add_flag("time-line",
                 "also record when the parts of a product begin and end in "
                 "each of several processes, for scripts/plot");
      o.add("seed", "N", "1", "of mesh and vectors");
      o.add("error-limit", "X", "300", "larger errors make a row wrong");
      add_common_options(o, "out/bench_scaling");
      return o;
    }

    /// What is measured.
    struct Cases
    {
      /// Throws ParameterError for an option that is not legal.
      explicit Cases(const Options &options)
        : type_names(options.list("cell-types")),
          degrees(options.integers("degrees", 1, 4)),
          operators(options.list("operators", operator_names())),
          methods(options.list("methods", cg_method_names())),
          n_dofs(options.real("dofs", 1, 2e9)),
          seed(options.integer("seed", 0, 1 << 30)),
          n_samples(options.integer("samples", 1, 100000)),
          error_limit(options.real("error-limit", 0, 1e300)),
          with_time_line(options.given("time-line"))
      {
        for (const std::string &name : type_names)
          for (const int degree : degrees)
            if (const int most = max_degree(cell_type_from_string(name));
                degree > most)
              throw ParameterError("--degrees was given " +
                                   std::to_string(degree) +
                                   "; legal for cells of the type " + name +
                                   " are 1 to " + std::to_string(most) + '.');
        for (const std::string &name : methods)
          cg_method_descriptor(name);
      }

      /// Throws what `check_mesh` throws for one of the cases.
      void
      check_meshes(const Processes &processes) const
      {
        for (const std::string &name : type_names)
          for (const int degree : degrees)
            check_mesh(cell_type_from_string(name), n_dofs, degree, 1,
                       processes.size(), processes.size_on_machine());
      }

      std::vector<std::string> type_names;
      std::vector<int> degrees;
      std::vector<std::string> operators, methods;
      double n_dofs;
      int seed, n_samples;
      double error_limit;
      bool with_time_line;
    };

    /// A problem, and the part of it that this process has.
    struct Divided
    {
      Oracle oracle;
      Part part;
      double n_known = 0; ///< cells
    };

    class Scaling
    {
    public:
      Scaling(const Processes &processes, Record &record, Report &report,
              const Backend backend, const Cases &cases)
        : processes(processes), team(processes), record(record), report(report),
          backend(backend), n_samples(cases.n_samples), methods(cases.methods),
          transport(make_transport(processes, backend)),
          time_line(backend,
                    backend == Backend::cuda && transport->can_be_recorded()),
          has_time_line(cases.with_time_line && processes.size() > 1)
      {}

      const Transport &
      way() const
      {
        return *transport;
      }

      /// Measures an operator on this part.
      void
      run(const Divided &problem, const std::string &name, Row row)
      {
        const auto space = std::make_shared<const Space>(problem.part.space);
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        Parts<double> parts;
        if (processes.size() > 1)
          parts = {
            transport,
            time_line.watch(std::make_shared<const GhostTail<double>>(
              *space, processes.agree(problem.part.plans, problem.part.owned),
              *time_line.watch(*transport), backend))};
        const auto A =
          make_operator<double>(name, cells, form_of(*space), {}, parts);
        row.op     = name;
        row.number = "double";

        std::vector<int> of_mesh(space->mesh_dof.begin(),
                                 space->mesh_dof.begin() + space->n_owned);
        Vector<double> x = A->make_vector(), y = A->make_vector();
        x.copy_from(local_x<double>(problem.oracle, of_mesh, space->n_owned,
                                    space->n_local()));
        A->vmult(y, x);
        row.error = processes.largest(
          error(problem.oracle.y, y.to_vector(), of_mesh, space->n_owned));
        row.repeatable = A->repeatable();
        describe_parts(row, *space, problem.n_known, team, *transport);
        if (parts.are_several())
          {
            Row of_exchange;
            row.parameters["exchange_seconds"] =
              seconds(of_exchange, [&]() {
                parts.ghosts()->import(x, {});
                parts.ghosts()->export_add(y, {});
              }).median;
          }
        product(row, *A, x, y);
        if (has_time_line)
          watch_product(row, *A, x, y);
        for (const std::string &method : methods)
          iterations(row, *A, x, method);
      }

    private:
      /// Measures `work`, ten calls a sample.
      Statistics
      seconds(Row &row, const std::function<void()> &work,
              const std::function<void()> &before = {})
      {
        constexpr int n = 10;
        MeasureOptions each;
        each.n_samples      = n_samples;
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
          r.bandwidth        = not_measured;
          r.fraction_of_copy = not_measured;
        });
      }

      void
      product(Row row, const Operator<double> &A, const Vector<double> &x,
              Vector<double> &y)
      {
        const Statistics time = seconds(row, [&]() { A.vmult(y, x); });
        add(row, time);
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
        for (int sample = 0; sample < n_samples; ++sample)
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
        row.samples               = n_samples;
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
      int n_samples;
      std::vector<std::string> methods;
      std::shared_ptr<const Transport> transport;
      TimeLine time_line;
      bool has_time_line;
    };

    void
    run_cases(const Cases &cases, const Processes &processes, Scaling &scaling,
              const Backend backend)
    {
      for (const std::string &type_name : cases.type_names)
        for (const int degree : cases.degrees)
          {
            const CellType type = cell_type_from_string(type_name);
            Divided problem;
            Row row;
            processes.together([&]() {
              const MeshPiece piece =
                make_piece(type, cases.n_dofs, degree, cases.seed,
                           processes.rank(), processes.size());
              problem = {make_oracle(piece.mesh, cases.seed, Variation::uniform,
                                     piece.first_node),
                         make_part_of_process(piece, processes),
                         double(piece.mesh.n_cells())};
              row.cells = piece.n_cells;
              row.dofs  = piece.n_free;
            });
            row.case_name = type_name + ", degree " + std::to_string(degree);
            row.backend   = to_string(backend);
            row.degree    = degree;
            row.numbering = problem.part.space.numbering;
            row.parameters["cell_type"] = type_name;
            for (const std::string &name : cases.operators)
              scaling.run(problem, name, row);
          }
    }

    ExitCode
    measure_all(const Options &options, Record &record,
                const Processes &processes)
    {
      const Backend backend = choose(options);
      const Cases cases(options); // before an earlier record is replaced
      processes.together([&]() {
        cases.check_meshes(processes);
        if (backend == Backend::cuda)
          set_device_of_process(
            processes,
            options.given("device") ? options.integer("device", 0, 1023) : -1);
        if (processes.rank() == 0)
          open(record, options, backend, not_measured);
      });
      Report report(record, not_measured, cases.error_limit);
      return finish(record, report, [&]() {
        Scaling scaling(processes, record, report, backend, cases);
        std::cerr << processes.size() << " processes, values travel by "
                  << scaling.way().name() << std::endl;
        run_cases(cases, processes, scaling, backend);
      });
    }

    ExitCode
    body(const Options &options, Record &record)
    {
      const Processes processes;
      std::string words;
      for (const std::string &word : options.arguments())
        words += ' ' + word;
      return run_together(processes, record, [&]() {
        require_same(processes, {{"the command line", words}});
        return measure_all(options, record, processes);
      });
    }

    bool
    divides(const std::function<bool()> &start)
    {
      if (const Processes *const processes = Processes::of_program())
        start_together(*processes, start);
      else
        start();
      return true;
    }
  } // namespace
} // namespace tessera::benchmarks

int
main(int argc, char **argv)
{
  using namespace tessera::benchmarks;
  return tessera::program::run_program(argc, argv, make_options(), body,
                                       divides);
}
