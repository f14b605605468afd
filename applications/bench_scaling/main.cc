// Measures products and conjugate gradients of a problem that is divided among
// processes, with the time that their exchanges take alone:
//   mpirun -n 2 bench_scaling -s "Factors/Degrees of freedom=32e6"
#include "subject.h"
#include "time_line.h"
#include "verify.h"

#include <tessera/parallel/run_together.h>
#include <tessera/program/program.h>
#include <tessera/solvers/problem.h>

#include <algorithm>

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

    class Scaling
    {
    public:
      Scaling(const Study &study, const Processes &processes,
              const Backend backend, Record &record, Report &report)
        : study(study), processes(processes), backend(backend), record(record),
          report(report), subject(study, processes)
      {}

      void
      run(const Variants &all)
      {
        subject.connect(backend);
        run_levels(
          all,
          {{of_meshes,
            [this](Variants &group) {
              subject.make_mesh(group);
              subject.make_space(group.front());
            }},
           {{"Operators"}, [this](const Variants &group) { measure(group); }}},
          {}, processes);
      }

    private:
      /// Measures an operator on this part.
      void
      measure(const Variants &group)
      {
        Sweep sweep     = make_sweep(study, backend);
        sweep.kinds     = {"application", "cg"};
        sweep.operators = values_of(group, "Operators");
        sweep.others    = subject.others();
        sweep.peers.clear();
        Row row     = subject.row(group.front());
        row.backend = to_string(backend);
        subject.describe_parts(row);
        run_sweep(sweep, report, subject.oracle, subject.space, row, "");
        if (study.parameters.get_bool("Study/Time line") &&
            processes.size() > 1)
          {
            row.op = sweep.operators.front();
            watch_product(row, sweep);
          }
      }

      /// Adds a row for each process, of a product that took as long as most
      /// do. It follows on others, so that a device does not wait for launches.
      void
      watch_product(Row row, const Sweep &sweep)
      {
        const auto &[messages, transport, shared] = *sweep.others;
        const Space &space                        = *subject.space;
        TimeLine time_line(backend, backend == Backend::cuda &&
                                      transport->can_be_recorded());
        const Parts<double> parts(
          transport, time_line.watch(std::make_shared<const GhostTail<double>>(
                       space, shared, *time_line.watch(*transport), backend)));
        const auto A = tessera::Problem<double>(subject.space, backend, parts)
                         .make_operator(row.op, form_of(space));
        const std::vector<int> of_mesh(space.mesh_dof.begin(),
                                       space.mesh_dof.begin() + space.n_owned);
        Vector<double> x = A->make_vector(), y = A->make_vector();
        x.copy_from(local_x<double>(subject.oracle, of_mesh, space.n_owned,
                                    space.n_local()));
        verify(row, report, *A, y, x, [&](const auto &values) {
          return error(subject.oracle.y, values, of_mesh, space.n_owned);
        });

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
              A->vmult(y, x);
            time_line.start();
            A->vmult(y, x);
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

      const Study &study;
      const Processes &processes;
      const Backend backend;
      Record &record;
      Report &report;
      Subject subject;
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
      const Backend backend      = begin(line, processes);
      const Study study(parameters, factors());
      const Variants all = variants_of(study); // before the record is replaced
      processes.collectively([&]() {
        for (const Variants &group : group_by(all, of_meshes))
          check_mesh(mesh_of(group.front()), processes);
        if (!line.validate && processes.rank() == 0)
          open(record, parameters, line, backend, not_measured);
      });
      if (line.validate)
        return valid();
      Report report(record, not_measured, study.error_limit, operator_layout(),
                    processes);
      return finish(record, report, [&]() {
        Scaling(study, processes, backend, record, report).run(all);
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
     [](const Settings &settings, const Settings &files) {
       require_same(all_processes(), settings, files);
     }});
}
