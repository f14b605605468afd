// Compares deal.II's SparseMatrix and MatrixFree with Tessera's host operators:
// the same distorted mesh, vector and cores, in one run.
#include "dealii_rows.h"

#include <tessera/assembly/gather.h>
#include <tessera/assembly/slot_map.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/factory.h>
#include <tessera/study/models.h>
#include <tessera/study/program.h>

#include <deal.II/base/multithread_info.h>

#include <omp.h>

#include <iostream>
#include <map>
#include <optional>

namespace tessera::benchmarks
{
  using namespace study;

  namespace
  {
    /// Measures the rows of one degree.
    class Comparison
    {
    public:
      Comparison(const Options &options, Report &report, const int degree)
        : report(report)
      {
        timing.n_samples = options.integer("samples", 1, 100000);
        timing.go_on     = []() { return !interrupted(); };
        const int seed   = options.integer("seed", 0, 1 << 30);
        mesh = make_mesh(CellType::quadrilateral, options.real("dofs", 1, 1e9),
                         degree, seed, 0, 1);
        oracle           = make_oracle(mesh, seed);
        common.case_name = "degree " + std::to_string(degree);
        common.backend   = "host";
        common.number    = "double";
        common.degree    = degree;
        common.cells     = mesh.n_cells();
        common.dofs =
          std::count(mesh.constrained.begin(), mesh.constrained.end(), 0);
      }

      /// Returns speeds relative to the given medians of deal.II, by operator.
      std::map<std::string, double>
      run_tessera(const std::map<std::string, double> &peers)
      {
        std::map<std::string, double> ratios;
        const auto space = std::make_shared<const Space>(build_space(mesh));
        const auto cells =
          std::make_shared<const CellData<double>>(space, Backend::host);
        auto x = cells->make_vector(), y = cells->make_vector();
        x.copy_from(local_x<double>(oracle, space->mesh_dof, space->n_owned,
                                    space->n_local()));
        for (const auto &[name, peer] : peers)
          {
            ratios[name]  = not_measured;
            Row row       = common;
            row.op        = name;
            row.numbering = to_string(space->numbering);
            report.measure(row, [&, peer = peer](Row &r) {
              const Timer timer;
              const auto op =
                make_operator<double>(r.op, cells, laplace(conductivity(2)));
              r.setup_seconds    = timer.seconds();
              r.compulsory_bytes = op->traffic().compulsory;
              op->vmult(y, x);
              r.error =
                error(oracle.y, y.to_vector(), space->mesh_dof, space->n_owned);
              ratios[r.op] =
                peer / time_application(r, [&]() { op->vmult(y, x); });
              r.parameters["speed over deal.II"] = ratios[r.op];
            });
          }
        return ratios;
      }

      /// Returns medians of deal.II's operators, by the name of ours.
      std::map<std::string, double>
      run_peers()
      {
        const auto rows  = make_dealii_rows(mesh, oracle, report, timing);
        assembly_of_peer = rows->assembly(common);
        return {{"csr", rows->sparse_matrix(common)},
                {"matrix_free", rows->matrix_free(common)}};
      }

      /// Speed over the median of deal.II, of the best route.
      double
      run_assembly()
      {
        const auto space = std::make_shared<const Space>(build_space(mesh));
        const CellData<double> cells(space, Backend::host);
        const FormData<double> kappa(laplace(conductivity(2)), cells);
        CsrPattern pattern = make_csr_pattern(cells);
        const SlotMap<double> slots(pattern, cells);
        Csr<double> csr(CsrMatrix<double>(std::move(pattern)), space->n_tail());
        const auto sink =
          slots.sink(csr.matrix().values().data(), csr.matrix().addressing());
        auto x = cells.make_vector(), y = cells.make_vector();
        x.copy_from(local_x<double>(oracle, space->mesh_dof, space->n_owned,
                                    space->n_local()));
        double best = std::numeric_limits<double>::infinity();
        for (const Route route : {Route::scatter, Route::gather})
          {
            Row row       = common;
            row.op        = "csr";
            row.kind      = "assembly";
            row.route     = to_string(route);
            row.strategy  = to_string(Strategy::local_reuse);
            row.numbering = to_string(space->numbering);
            std::optional<Gather<double>> gather;
            if (route == Route::gather)
              gather.emplace(cells);
            else
              row.conflict = to_string(Conflict::coloring);
            report.measure(row, [&](Row &r) {
              const double seconds = time_assembly(r, [&]() {
                if (gather)
                  return gather->assemble(sink, kappa, Strategy::local_reuse);
                csr.matrix().values().zero();
                assemble_rows(sink, kappa, Strategy::local_reuse,
                              Conflict::coloring);
              });
              best                 = std::min(best, seconds);
              csr.vmult(y, x);
              r.error =
                error(oracle.y, y.to_vector(), space->mesh_dof, space->n_owned);
              r.parameters["speed over deal.II"] = assembly_of_peer / seconds;
            });
          }
        return assembly_of_peer / best;
      }

    private:
      /// `model_bytes` are the bytes of the whole work.
      template <class Work>
      double
      time(Row &row, const double model_bytes, const Work &work) const
      {
        const Statistics statistics = measure(Backend::host, {}, work, timing);
        report.set_time(row, statistics, model_bytes, study::not_measured);
        return statistics.median;
      }

      template <class Work>
      double
      time_application(Row &row, const Work &work) const
      {
        return time(row, models::application(row.op, row.degree, 8) * row.dofs,
                    work);
      }

      template <class Work>
      double
      time_assembly(Row &row, const Work &work) const
      {
        return time(row, models::assembly(row.op, row.degree, 8) * row.cells,
                    work);
      }

      Report &report;
      MeasureOptions timing;
      Connectivity mesh;
      Oracle oracle;
      Row common;
      double assembly_of_peer = not_measured; ///< in seconds
    };

    ExitCode
    body(const Options &options, Record &record)
    {
      if (const int threads = options.integer("threads", 0, 32767))
        omp_set_num_threads(threads);
      dealii::MultithreadInfo::set_thread_limit(omp_get_max_threads());
      record.set_seed(options.integer("seed", 0, 1 << 30));
      record.open(options.value("output"));
      Report report(record, copy_bandwidth(Backend::host),
                    options.real("error-limit", 0, 1e300));
      Table ratios;
      ratios.add_column("p");
      ratios.add_column("csr / SparseMatrix");
      ratios.add_column("matrix_free / MatrixFree");
      ratios.add_column("assembly / FEValues");
      for (const int degree : options.integers("degrees", 1, 4))
        {
          Comparison comparison(options, report, degree);
          const auto peers = comparison.run_peers();
          const auto speed = comparison.run_tessera(peers);
          ratios.add_row({std::to_string(degree), format(speed.at("csr")),
                          format(speed.at("matrix_free")),
                          format(comparison.run_assembly())});
        }
      std::cout << report.str() << report.verdict()
                << "\nspeed of Tessera over deal.II, both with "
                << omp_get_max_threads() << " threads\n"
                << ratios.str() << "record: " << record.path() << std::endl;
      return report.wrong() ? ExitCode::validation_failed : ExitCode::done;
    }

    Options
    make_options()
    {
      Options o("bench_dealii_peers",
                "Compares Tessera's host operators with deal.II's SparseMatrix "
                "and MatrixFree on the same distorted mesh.");
      o.add("dofs", "N", "1e6", "free degrees of freedom, about");
      o.add("degrees", "LIST", "1,2,3,4", "polynomial degrees");
      o.add("samples", "N", "20", "timings of a row");
      o.add("seed", "N", "1", "of mesh and vector");
      // deal.II computes Jacobians from global coordinates, which loses the
      // digits of the ratio of coordinates to mesh widths.
      o.add("error-limit", "X", "1e5", "larger errors make a row wrong");
      add_common_options(o, "out/bench_dealii_peers");
      return o;
    }
  } // namespace
} // namespace tessera::benchmarks

int
main(int argc, char **argv)
{
  using namespace tessera::benchmarks;
  return tessera::study::run_program(argc, argv, make_options(), body);
}
