// Solves -div(grad u) = f on meshes that adapt, by deal.II and Trilinos alone
// and in all processes of mpirun, and prints what distributed_oracle.py
// compares with a run of poisson.
//
// usage: distributed_oracle L | hexahedra
#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace dealii;

namespace
{
  int degree = 2; ///< of the elements, from the command line

  /// r^(2/3) sin(2/3 t) in two dimensions, with the angle t from the side x = 0
  /// of the L, and sin(x + 2 y - z) in three.
  template <int dim>
  struct Exact : Function<dim>
  {
    double
    value(const Point<dim> &x, const unsigned int = 0) const override
    {
      if (dim == 3)
        return std::sin(x[0] + 2 * x[1] - x[dim - 1]);
      double angle = std::atan2(-x[0], x[1]);
      if (angle < 0)
        angle += 2 * numbers::PI;
      return std::cbrt(x.norm_square()) * std::sin(2. / 3 * angle);
    }
  };

  /// What is solved, and on which meshes.
  template <int dim>
  struct Problem
  {
    int n_first, n_cycles; ///< refinements of the first mesh, and meshes
    double refine, coarsen;
    double factor; ///< f = factor u
    std::vector<Point<dim>> probes;
  };

  template <int dim>
  struct System
  {
    AffineConstraints<double> constraints;
    TrilinosWrappers::SparseMatrix matrix;
    TrilinosWrappers::MPI::Vector b, x, ghosted;
  };

  template <int dim>
  void
  assemble(const DoFHandler<dim> &dofs, const double factor, System<dim> &s)
  {
    const auto &fe = dofs.get_fe();
    const QGauss<dim> rule(degree + 1);
    FEValues<dim> values(fe, rule,
                         update_values | update_gradients | update_JxW_values |
                           update_quadrature_points);
    const unsigned int n = fe.n_dofs_per_cell();
    FullMatrix<double> A(n, n);
    Vector<double> b(n);
    std::vector<types::global_dof_index> indices(n);
    const Exact<dim> exact;
    for (const auto &cell : dofs.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          A = 0.;
          b = 0.;
          for (const unsigned int q : values.quadrature_point_indices())
            for (unsigned int i = 0; i < n; ++i)
              {
                for (unsigned int j = 0; j < n; ++j)
                  A(i, j) += values.shape_grad(i, q) * values.shape_grad(j, q) *
                             values.JxW(q);
                b(i) += factor * exact.value(values.quadrature_point(q)) *
                        values.shape_value(i, q) * values.JxW(q);
              }
          cell->get_dof_indices(indices);
          s.constraints.distribute_local_to_global(A, b, indices, s.matrix,
                                                   s.b);
        }
    s.matrix.compress(VectorOperation::add);
    s.b.compress(VectorOperation::add);
  }

  template <int dim>
  void
  solve(const DoFHandler<dim> &dofs, const double factor, System<dim> &s)
  {
    const MPI_Comm all    = MPI_COMM_WORLD;
    const IndexSet &owned = dofs.locally_owned_dofs();
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(dofs, relevant);
    s.constraints.reinit(relevant);
    DoFTools::make_hanging_node_constraints(dofs, s.constraints);
    VectorTools::interpolate_boundary_values(dofs, 0, Exact<dim>(),
                                             s.constraints);
    s.constraints.close();
    DynamicSparsityPattern pattern(relevant);
    DoFTools::make_sparsity_pattern(dofs, pattern, s.constraints, false);
    SparsityTools::distribute_sparsity_pattern(pattern, owned, all, relevant);
    s.matrix.reinit(owned, owned, pattern, all);
    s.b.reinit(owned, all);
    s.x.reinit(owned, all);
    assemble(dofs, factor, s);
    TrilinosWrappers::PreconditionJacobi jacobi;
    jacobi.initialize(s.matrix);
    SolverControl control(10000, 1e-14 * s.b.l2_norm());
    SolverCG<TrilinosWrappers::MPI::Vector>(control).solve(s.matrix, s.x, s.b,
                                                           jacobi);
    s.constraints.distribute(s.x);
    s.ghosted.reinit(owned, relevant, all);
    s.ghosted = s.x;
  }

  /// Prints numbers of the cells, of the degrees of freedom that are solved
  /// for, the error in L2, and the values at the probes.
  template <int dim>
  void
  print(const DoFHandler<dim> &dofs, const System<dim> &s,
        const std::vector<Point<dim>> &probes)
  {
    const MPI_Comm all  = MPI_COMM_WORLD;
    const auto &cells   = dofs.get_triangulation();
    unsigned int n_free = 0;
    for (const auto i : dofs.locally_owned_dofs())
      n_free += !s.constraints.is_constrained(i);
    Vector<double> errors(cells.n_active_cells());
    VectorTools::integrate_difference(dofs, s.ghosted, Exact<dim>(), errors,
                                      QGauss<dim>(degree + 3),
                                      VectorTools::L2_norm);
    const double error =
      VectorTools::compute_global_error(cells, errors, VectorTools::L2_norm);
    ConditionalOStream out(std::cout,
                           Utilities::MPI::this_mpi_process(all) == 0);
    std::cout.precision(15);
    out << "{\"cells\": " << cells.n_global_active_cells()
        << ", \"dofs\": " << Utilities::MPI::sum(n_free, all)
        << ", \"L2_error\": " << error << ", \"probes\": [";
    for (const auto &point : probes)
      {
        double value = -1e30;
        try
          {
            value = VectorTools::point_value(dofs, s.ghosted, point);
          }
        catch (const VectorTools::ExcPointNotAvailableHere &)
          {} // another process has it
        out << (&point == &probes[0] ? "" : ", ")
            << Utilities::MPI::max(value, all);
      }
    out << "]}" << std::endl;
  }

  template <int dim>
  void
  run(const Problem<dim> &problem)
  {
    parallel::distributed::Triangulation<dim> mesh(
      MPI_COMM_WORLD, Triangulation<dim>::limit_level_difference_at_vertices);
    if (dim == 2)
      GridGenerator::hyper_L(mesh);
    else
      GridGenerator::hyper_cube(mesh);
    mesh.refine_global(problem.n_first);
    const FE_Q<dim> fe(degree);
    for (int cycle = 0; cycle < problem.n_cycles; ++cycle)
      {
        DoFHandler<dim> dofs(mesh);
        dofs.distribute_dofs(fe);
        System<dim> s;
        solve(dofs, problem.factor, s);
        print(dofs, s, problem.probes);
        Vector<float> jumps(mesh.n_active_cells());
        KellyErrorEstimator<dim>::estimate(dofs, QGauss<dim - 1>(degree + 1),
                                           {}, s.ghosted, jumps);
        parallel::distributed::GridRefinement::refine_and_coarsen_fixed_number(
          mesh, jumps, problem.refine, problem.coarsen);
        dofs.clear();
        mesh.execute_coarsening_and_refinement();
      }
  }
} // namespace


int
main(int argc, char **argv)
{
  const Utilities::MPI::MPI_InitFinalize processes(argc, argv, 1);
  if (argc > 2)
    degree = std::stoi(argv[2]);
  if (argc > 1 && std::string(argv[1]) == "L")
    run<2>({2, 6, 0.15, 0.1, 0., {{-0.3, 0.4}, {-0.5, -0.5}, {0.4, -0.31}}});
  else
    run<3>({2, 3, 0.1, 0., 6., {{0.3, 0.4, 0.1}, {0.5, 0.5, 0.5}}});
}
