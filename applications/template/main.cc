// A program of one's own: deal.II makes mesh, degrees of freedom, constraints
// and solver, Tessera the operator. usage: template [auto|host|cuda]
#include <tessera/dealii/tessera.h>

#include <deal.II/base/function_lib.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/grid_generator.h>

#include <deal.II/lac/solver_cg.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <fstream>
#include <iostream>

using namespace dealii;
using namespace tessera;

int
main(int argc, char **argv)
{
  // -div(kappa grad u) = u, u = cos(pi/2 x) cos(pi/2 y) on the boundary
  const Functions::CosineFunction<2> exact;
  const auto kappa = Coefficient::scalar(2 / (numbers::PI * numbers::PI));
  Triangulation<2> mesh;
  GridGenerator::subdivided_hyper_cube(mesh, 32);
  const FE_Q<2> fe(2);
  DoFHandler<2> dof_handler(mesh);
  dof_handler.distribute_dofs(fe);
  AffineConstraints<double> constraints;
  VectorTools::interpolate_boundary_values(dof_handler, 0, exact, constraints);
  constraints.close();

  const auto &mapping = get_default_linear_mapping(mesh);
  const auto backend  = choose_backend(argc > 1 ? argv[1] : "auto").backend;
  const auto flat     = flatten(mapping, dof_handler, constraints);
  const auto cells    = make_cells<double>(flat, backend);
  const auto f        = at_quadrature_points(cells->space(), exact);
  const auto A        = make_operator<double>("matrix_free", cells, kappa);
  const Jacobi<double> M(*A);
  BackendVector x(cells->make_vector());
  const BackendVector b(right_hand_side(flat, cells, kappa, f));
  SolverControl control(1000, 1e-10);
  SolverCG<BackendVector<double>> cg(control);
  cg.solve(BackendOperator(*A), x, b, BackendPreconditioner(M));
  dealii::Vector<double> u(dof_handler.n_dofs());
  export_dofs(x.local(), cells->space(), u);
  constraints.distribute(u);
  DataOut<2> out;
  out.add_data_vector(dof_handler, u, "u");
  out.build_patches(fe.degree);
  std::ofstream file("template.vtu");
  out.write_vtu(file);
  const double error = error_norms(mapping, dof_handler, u, exact).L2;
  std::cout << control.last_step() << " iterations, L2 error " << error << '\n';
  return error < 1e-6 ? 0 : 5;
}
