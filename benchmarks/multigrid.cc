// Multigrid beside the preconditioner of ML itself in deal.II: set-up, memory,
// iterations and seconds on generated meshes.
#include <tessera/assembly/load_vector.h>
#include <tessera/base/names.h>
#include <tessera/dealii/multigrid_setup.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/solvers/cg.h>
#include <tessera/space/generator.h>
#include <tessera/study/options.h>
#include <tessera/study/program.h>
#include <tessera/study/timing.h>

#include <deal.II/base/mpi.h>

#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_vector.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>

#include <cmath>
#include <cstdio>

using namespace tessera;

namespace
{
  struct Case
  {
    CellType type;
    int degree;
    bool elastic;
    double dofs;
    std::string operator_name;
    Backend backend;
    double tolerance;
    Coarsening coarsening;
    MultigridOptions multigrid;
  };

  Connectivity
  make_mesh(const Case &c)
  {
    const int dim = dimension(c.type);
    GeneratedMesh parameters;
    parameters.cell_type = c.type;
    parameters.degree    = c.degree;
    parameters.dirichlet = !c.elastic;
    const double nodes   = c.dofs / (c.elastic ? dim : 1);
    // A body is three times as long as wide.
    const double width = std::pow(nodes / (c.elastic ? 3 : 1), 1. / dim);
    const int n = std::max(2, static_cast<int>(std::lround(width / c.degree)));
    parameters.n_x = c.elastic ? 3 * n : n;
    parameters.n_y = parameters.n_z = n;
    Connectivity mesh               = generate(parameters);
    if (c.elastic)
      {
        // The nodes are numbered lexicographically; those with x = 0 are held.
        const int along   = parameters.n_x * c.degree + 1;
        mesh.n_components = dim;
        mesh.constrained.assign(std::size_t(mesh.n_dofs) * dim, 0);
        for (int i = 0; i < mesh.n_dofs; i += along)
          std::fill_n(&mesh.constrained[std::size_t(i) * dim], dim, 1);
      }
    return mesh;
  }

  void
  print(const Case &c, const int n, const std::string &what, const int levels,
        const double complexity, const double setup, const double upload,
        const double bytes, const int iterations, const double solve)
  {
    std::printf(
      "| %s | %d | %s | %d | %s | %d | %.2f | %.2f | %.2f | %.0f | %d "
      "| %.2f |\n",
      to_string(c.type).c_str(), c.degree, c.elastic ? "elasticity" : "Laplace",
      n, what.c_str(), levels, complexity, setup, upload, bytes / n, iterations,
      solve);
    std::fflush(stdout);
  }

  void
  solve_and_print(const Case &c, const std::string &what,
                  const Operator<double> &A, const Preconditioner<double> &M,
                  const Vector<double> &b, const MultigridLevels &levels,
                  const double upload)
  {
    CG<double> cg(A, M);
    CGControl control;
    control.relative_tolerance = c.tolerance;
    control.check_every        = 4;
    Vector<double> x           = A.make_vector();
    const study::Timer timer;
    const auto result = cg.solve(x, b, control);
    print(c, A.n_owned(), what + (result.converged ? "" : " (not converged)"),
          levels.n_levels(), levels.operator_complexity(), levels.seconds,
          upload, static_cast<double>(M.traffic().stored), result.iterations,
          timer.seconds());
  }

  /// The peer: ML's hierarchy and cycle as deal.II calls them, with its
  /// defaults, in deal.II's conjugate gradients.
  void
  solve_with_ml(const Case &c, const SparseMatrix &A,
                const std::vector<double> &b)
  {
    using Vector = dealii::TrilinosWrappers::MPI::Vector;
    const int n  = A.n_rows();
    const Epetra_MpiComm communicator(MPI_COMM_SELF);
    const Epetra_Map map(n, 0, communicator);
    std::vector<int> lengths(n);
    const auto &start = A.pattern.row_start;
    for (int i = 0; i < n; ++i)
      lengths[i] = static_cast<int>(start[i + 1] - start[i]);
    Epetra_CrsMatrix matrix(Copy, map, map, lengths.data(), true);
    for (int i = 0; i < n; ++i)
      matrix.InsertGlobalValues(i, lengths[i], A.values.data() + start[i],
                                A.pattern.columns.data() + start[i]);
    matrix.FillComplete();
    matrix.OptimizeStorage();

    study::Timer timer;
    dealii::TrilinosWrappers::PreconditionAMG M;
    dealii::TrilinosWrappers::PreconditionAMG::AdditionalData data;
    data.higher_order_elements = c.degree > 1;
    M.initialize(static_cast<const Epetra_RowMatrix &>(matrix), data);
    const double setup = timer.lap();

    struct Product
    {
      const Epetra_CrsMatrix &matrix;
      void
      vmult(Vector &y, const Vector &x) const
      {
        matrix.Multiply(false, x.trilinos_vector(), y.trilinos_vector());
      }
    };
    Vector x(dealii::complete_index_set(n), MPI_COMM_SELF), rhs(x);
    for (int i = 0; i < n; ++i)
      rhs(i) = b[i];
    rhs.compress(dealii::VectorOperation::insert);
    dealii::ReductionControl control(1000, 1e-300, c.tolerance, false, false);
    dealii::SolverCG<Vector> cg(control);
    timer.restart();
    cg.solve(Product{matrix}, x, rhs, M);
    const double bytes = static_cast<double>(M.memory_consumption());
    print(c, n, "ML's own", 0, 0., setup, 0., bytes,
          static_cast<int>(control.last_step()), timer.seconds());
  }

  void
  run(const Case &c, const bool with_peer, const bool with_jacobi,
      const bool with_float)
  {
    const auto space = std::make_shared<const Space>(build_space(make_mesh(c)));
    const auto cells =
      std::make_shared<const CellData<double>>(space, c.backend);
    const Form form  = c.elastic
                         ? elasticity(isotropic_stiffness(space->dim(), 1., 0.3))
                         : laplace(Coefficient::scalar(1));
    const auto A     = make_operator<double>(c.operator_name, cells, form);
    Vector<double> b = A->make_vector();
    Coefficient load = Coefficient::scalar(1);
    if (c.elastic)
      {
        load.n_components = space->dim();
        load.values.assign(space->dim(), 0.);
        load.values.back() = -1;
      }
    add_load_vector(b, *cells, load, default_conflict(c.backend));

    SparseMatrix matrix;
    {
      std::unique_ptr<Operator<double>> assembled;
      const auto *rows = dynamic_cast<const RowOperator<double> *>(A.get());
      if (rows == nullptr)
        {
          assembled = make_operator<double>("csr", cells, form);
          rows      = &dynamic_cast<RowOperator<double> &>(*assembled);
        }
      matrix = matrix_of_owned(rows->matrix(), *space);
    }
    auto levels = make_levels(matrix, *space, c.coarsening);
    if (!with_peer)
      matrix = {};
    {
      const study::Timer timer;
      const Multigrid<double> M(*A, levels, c.multigrid);
      const double upload = timer.seconds();
      solve_and_print(c, "multigrid", *A, M, b, levels, upload);
    }
    if (with_float)
      {
        auto A_float = make_operator<float>(
          c.operator_name,
          std::make_shared<const CellData<float>>(space, c.backend), form);
        const study::Timer timer;
        auto M = std::make_unique<const Multigrid<float>>(*A_float, levels,
                                                          c.multigrid);
        const double upload = timer.seconds();
        solve_and_print(c, "multigrid in float", *A,
                        MixedPrecision(std::move(A_float), std::move(M)), b,
                        levels, upload);
      }
    if (with_jacobi)
      solve_and_print(c, "jacobi", *A, *make_preconditioner("jacobi", *A), b,
                      {}, 0.);
    if (with_peer)
      {
        std::vector<double> values = b.to_vector();
        values.resize(A->n_owned());
        for (const int entry : space->fixed)
          if (entry < A->n_owned())
            values[entry] = 0;
        solve_with_ml(c, matrix, values);
        const study::Timer timer;
        update(levels, matrix);
        std::fprintf(stderr, "update of the levels: %.2f s\n", timer.seconds());
      }
  }

  ExitCode
  run_all(const study::Options &options)
  {
    std::printf(
      "| cells | degree | problem | unknowns | preconditioner | levels "
      "| complexity | hierarchy [s] | upload [s] | bytes / unknown | "
      "iterations | solve [s] |\n"
      "|---|--:|---|--:|---|--:|--:|--:|--:|--:|--:|--:|\n");
    Case c;
    c.elastic         = options.given("elasticity");
    c.operator_name   = options.value("operator");
    c.backend         = choose_backend(options.value("backend")).backend;
    c.tolerance       = std::stod(options.value("tolerance"));
    c.coarsening      = options.value("coarsening") == "aggregation"
                          ? Coarsening::aggregation
                          : Coarsening::degree_first;
    c.multigrid.cycle = multigrid_cycle_from_string(options.value("cycle"));
    c.multigrid.smoother_degree = std::stoi(options.value("smoother-degree"));
    c.multigrid.smoothing_range = std::stod(options.value("smoothing-range"));
    for (const std::string &type : options.list("cell-types"))
      for (const std::string &degree : options.list("degrees"))
        for (const std::string &dofs : options.list("dofs"))
          {
            c.type   = cell_type_from_string(type);
            c.degree = std::stoi(degree);
            c.dofs   = std::stod(dofs);
            run(c, options.given("peer"), options.given("jacobi"),
                options.given("float-cycles"));
          }
    return ExitCode::done;
  }
} // namespace

int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  study::Options options("bench_multigrid",
                         "Measures multigrid on generated meshes.");
  study::add_common_options(options, "out/bench_multigrid");
  options.add("cell-types", "LIST", "quadrilateral", "types of cells");
  options.add("degrees", "LIST", "1", "polynomial degrees");
  options.add("dofs", "LIST", "1e5", "unknowns, about");
  options.add("operator", "NAME", "csr", "the operator of the finest level");
  options.add("tolerance", "NUMBER", "1e-9", "of the norm of the residual");
  options.add("coarsening", "NAME", "degree_first",
              "degree_first or aggregation");
  options.add("cycle", "NAME", "W", "V or W");
  options.add("smoother-degree", "N", "2", "degree of the polynomial");
  options.add("smoothing-range", "NUMBER", "10", "width of the interval");
  options.add_flag("elasticity", "a body that is held at one end");
  options.add_flag("peer", "also ML's own preconditioner, by deal.II");
  options.add_flag("float-cycles", "also cycles in float");
  options.add_flag("jacobi", "also the Jacobi preconditioner");
  return study::run_program(argc, argv, options,
                            [](const study::Options &given, study::Record &) {
                              return run_all(given);
                            });
}
