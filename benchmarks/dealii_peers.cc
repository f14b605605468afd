// deal.II's SparseMatrix and MatrixFree next to Tessera's host operators: the
// same distorted mesh, the same vector, the same cores, in one run.
#include "oracle.h"
#include "report.h"

#include <tessera/operators/factory.h>
#include <tessera/study/models.h>
#include <tessera/study/program.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/numerics/vector_tools.h>

#include <omp.h>

#include <iostream>
#include <map>

namespace tessera::benchmarks
{
  using namespace study;

  namespace
  {
    dealii::SymmetricTensor<2, 2>
    conductivity_tensor()
    {
      dealii::SymmetricTensor<2, 2> k;
      k[0][0] = conductivity[0];
      k[0][1] = conductivity[1];
      k[1][1] = conductivity[2];
      return k;
    }

    /// The generated mesh in deal.II, its degrees of freedom and those of ours
    /// that they are.
    struct Discretization
    {
      explicit Discretization(const Connectivity &mesh)
        : fe(mesh.degree), dof_handler(triangulation)
      {
        std::vector<dealii::Point<2>> vertices(mesh.n_vertices);
        for (int v = 0; v < mesh.n_vertices; ++v)
          vertices[v] = {mesh.vertices[2 * v], mesh.vertices[2 * v + 1]};
        std::vector<dealii::CellData<2>> cells(mesh.n_cells());
        for (int c = 0; c < mesh.n_cells(); ++c)
          for (int v = 0; v < 4; ++v)
            cells[c].vertices[v] = mesh.cell_vertices[4 * c + v];
        triangulation.create_triangulation(vertices, cells, {});
        dof_handler.distribute_dofs(fe);
        dealii::VectorTools::interpolate_boundary_values(
          dof_handler, 0, dealii::Functions::ZeroFunction<2>(), constraints);
        constraints.close();

        const auto lexicographic =
          dealii::FETools::hierarchic_to_lexicographic_numbering<2>(
            mesh.degree);
        const int n = mesh.dofs_per_cell();
        std::vector<dealii::types::global_dof_index> indices(n);
        ours.resize(mesh.n_dofs);
        for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(indices);
          const int *mesh_dofs = mesh.cell_dofs.data() +
                                 std::ptrdiff_t(cell->active_cell_index()) * n;
          for (int i = 0; i < n; ++i)
            ours[indices[i]] = mesh_dofs[lexicographic[i]];
        }
      }

      dealii::Triangulation<2> triangulation;
      dealii::FE_Q<2> fe;
      dealii::DoFHandler<2> dof_handler;
      dealii::AffineConstraints<double> constraints;
      std::vector<int> ours; ///< [n_dofs]
    };

    /// Assembled by a loop over FEValues.
    class SparseMatrix
    {
    public:
      explicit SparseMatrix(const Discretization &d)
      {
        dealii::DynamicSparsityPattern dynamic(d.dof_handler.n_dofs());
        dealii::DoFTools::make_sparsity_pattern(d.dof_handler, dynamic,
                                                d.constraints, false);
        pattern.copy_from(dynamic);
        matrix.reinit(pattern);
        x.reinit(matrix.m());
        y.reinit(matrix.m());

        const auto k = conductivity_tensor();
        const dealii::QGauss<2> quadrature(d.fe.degree + 1);
        dealii::FEValues<2> values(d.fe, quadrature,
                                   dealii::update_gradients |
                                     dealii::update_JxW_values);
        const unsigned int n = d.fe.n_dofs_per_cell();
        dealii::FullMatrix<double> cell_matrix(n, n);
        std::vector<dealii::types::global_dof_index> indices(n);
        for (const auto &cell : d.dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell_matrix = 0;
          for (unsigned int q = 0; q < quadrature.size(); ++q)
            for (unsigned int i = 0; i < n; ++i)
            {
              const auto flux = k * values.shape_grad(i, q) * values.JxW(q);
              for (unsigned int j = 0; j < n; ++j)
                cell_matrix(i, j) += flux * values.shape_grad(j, q);
            }
          cell->get_dof_indices(indices);
          d.constraints.distribute_local_to_global(cell_matrix, indices,
                                                   matrix);
        }
      }

      void
      vmult()
      {
        matrix.vmult(y, x);
      }

      dealii::Vector<double> x, y;

    private:
      dealii::SparsityPattern pattern;
      dealii::SparseMatrix<double> matrix;
    };

    template <int degree>
    class MatrixFree
    {
    public:
      using Vector = dealii::LinearAlgebra::distributed::Vector<double>;
      using Data   = dealii::MatrixFree<2, double>;

      MatrixFree(const Discretization &d,
                 const Data::AdditionalData::TasksParallelScheme scheme)
        : k(conductivity_tensor())
      {
        Data::AdditionalData options(scheme);
        options.mapping_update_flags =
          dealii::update_gradients | dealii::update_JxW_values;
        data.reinit(dealii::MappingQ1<2>(), d.dof_handler, d.constraints,
                    dealii::QGauss<1>(degree + 1), options);
        data.initialize_dof_vector(x);
        data.initialize_dof_vector(y);
      }

      void
      vmult()
      {
        data.cell_loop(&MatrixFree::cells, this, y, x, true);
      }

      Vector x, y;

    private:
      void
      cells(const Data &, Vector &to, const Vector &from,
            const std::pair<unsigned int, unsigned int> &range) const
      {
        dealii::FEEvaluation<2, degree> cell(data);
        for (unsigned int batch = range.first; batch < range.second; ++batch)
        {
          cell.reinit(batch);
          cell.gather_evaluate(from, dealii::EvaluationFlags::gradients);
          for (unsigned int q = 0; q < cell.n_q_points; ++q)
          {
            const auto g = cell.get_gradient(q);
            dealii::Tensor<1, 2, dealii::VectorizedArray<double>> flux;
            flux[0] = k[0][0] * g[0] + k[0][1] * g[1];
            flux[1] = k[1][0] * g[0] + k[1][1] * g[1];
            cell.submit_gradient(flux, q);
          }
          cell.integrate_scatter(dealii::EvaluationFlags::gradients, to);
        }
      }

      const dealii::SymmetricTensor<2, 2> k;
      Data data;
    };

    /// The rows of one degree.
    class Comparison
    {
    public:
      Comparison(const Options &options, Report &report, const int degree)
        : report(report)
      {
        timing.n_samples = options.integer("samples", 1, 100000);
        timing.go_on     = []() { return !interrupted(); };
        const int seed   = options.integer("seed", 0, 1 << 30);
        mesh   = make_mesh(options.real("dofs", 1, 1e9), degree, seed, 0, 1);
        oracle = make_oracle(mesh, seed);
        common.case_name = "degree " + std::to_string(degree);
        common.backend   = "host";
        common.number    = "double";
        common.degree    = degree;
        common.cells     = mesh.n_cells();
        common.dofs =
          std::count(mesh.constrained.begin(), mesh.constrained.end(), 0);
      }

      /// Speeds over the given medians of deal.II, by operator.
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
            const auto op = make_operator<double>(
              r.op, cells,
              Coefficient::tensor(conductivity[0], conductivity[1],
                                  conductivity[2]));
            r.setup_seconds    = timer.seconds();
            r.compulsory_bytes = op->traffic().compulsory;
            op->vmult(y, x);
            r.error =
              error(oracle, y.to_vector(), space->mesh_dof, space->n_owned);
            ratios[r.op] = peer / time(r, [&]() { op->vmult(y, x); });
            r.parameters["speed over deal.II"] = ratios[r.op];
          });
        }
        return ratios;
      }

      double
      run_sparse_matrix(const Discretization &d)
      {
        Row row                 = common;
        row.op                  = "csr";
        double median           = 0;
        row.parameters["class"] = std::string("SparseMatrix");
        report.measure(row, [&](Row &r) {
          const Timer timer;
          SparseMatrix peer(d);
          r.setup_seconds = timer.seconds();
          median          = run_peer(r, d, peer);
        });
        return median;
      }

      template <int degree>
      double
      run_matrix_free(const Discretization &d)
      {
        using Scheme = typename dealii::MatrixFree<2, double>::AdditionalData;
        double best  = std::numeric_limits<double>::infinity();
        for (const auto &[name, scheme] :
             {std::make_pair("partition_partition",
                             Scheme::partition_partition),
              std::make_pair("partition_color", Scheme::partition_color),
              std::make_pair("color", Scheme::color)})
        {
          Row row                  = common;
          row.op                   = "matrix_free";
          row.parameters["scheme"] = std::string(name);
          report.measure(row, [&, scheme = scheme](Row &r) {
            const Timer timer;
            MatrixFree<degree> peer(d, scheme);
            r.setup_seconds = timer.seconds();
            best            = std::min(best, run_peer(r, d, peer));
          });
        }
        return best;
      }

      const Connectivity &
      connectivity() const
      {
        return mesh;
      }

    private:
      template <class Work>
      double
      time(Row &row, const Work &work) const
      {
        const Statistics statistics = measure(Backend::host, {}, work, timing);
        report.set_time(row, statistics,
                        models::application(row.op, row.degree, 8) * row.dofs,
                        study::not_measured);
        return statistics.median;
      }

      template <class Peer>
      double
      run_peer(Row &row, const Discretization &d, Peer &peer) const
      {
        row.library = "deal.II";
        std::vector<int> free_dofs, mesh_dofs;
        for (unsigned int i = 0; i < d.ours.size(); ++i)
          if (!mesh.constrained[d.ours[i]])
          {
            free_dofs.push_back(i);
            mesh_dofs.push_back(d.ours[i]);
            peer.x(i) = oracle.x[d.ours[i]];
          }
        peer.vmult();
        std::vector<double> y;
        for (const int i : free_dofs)
          y.push_back(peer.y(i));
        row.error =
          error(oracle, y, mesh_dofs, static_cast<int>(mesh_dofs.size()));
        return time(row, [&]() { peer.vmult(); });
      }

      Report &report;
      MeasureOptions timing;
      Connectivity mesh;
      Oracle oracle;
      Row common;
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
      for (const int degree : options.integers("degrees", 1, 4))
      {
        Comparison comparison(options, report, degree);
        std::map<std::string, double> peers;
        {
          const Discretization d(comparison.connectivity());
          peers["csr"] = comparison.run_sparse_matrix(d);
          peers["matrix_free"] =
            degree == 1   ? comparison.run_matrix_free<1>(d)
            : degree == 2 ? comparison.run_matrix_free<2>(d)
            : degree == 3 ? comparison.run_matrix_free<3>(d)
                          : comparison.run_matrix_free<4>(d);
        }
        const auto speed = comparison.run_tessera(peers);
        ratios.add_row({std::to_string(degree), format(speed.at("csr")),
                        format(speed.at("matrix_free"))});
      }
      std::cout << report.str() << "\nspeed of Tessera over deal.II, both with "
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
      // deal.II adds up Jacobians from global coordinates, which costs it the
      // digits of coordinate over mesh width.
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
