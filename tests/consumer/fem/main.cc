// -div(kappa grad u) = u by deal.II and Tessera. usage: fem [BACKEND]
#include <tessera/fem/driver/tessera.h>
#include <tessera/forms/laplace.h>

#include <deal.II/base/function_lib.h>

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
try
  {
    const Functions::CosineFunction<2> exact;
    const Form form =
      laplace(Coefficient::scalar(2 / (numbers::PI * numbers::PI)));
    Triangulation<2> mesh;
    GridGenerator::subdivided_hyper_cube(mesh, 32);
    const auto fe = make_element<2>(CellType::quadrilateral, 2); // FE_Q
    DoFHandler<2> dofs(mesh);
    dofs.distribute_dofs(*fe);
    AffineConstraints<double> constraints;
    VectorTools::interpolate_boundary_values(dofs, 0, exact, constraints);
    constraints.close();
    const auto &mapping = get_default_linear_mapping(mesh);
    const auto backend  = choose_backend(argc > 1 ? argv[1] : "auto").backend;
    const auto flat     = flatten(mapping, dofs, constraints);
    const auto problem  = make_problem<double>(flat, backend);
    const Space &space  = problem.space();
    const auto A        = problem.make_operator("matrix_free", form);
    const auto M = problem.make_preconditioner("multigrid", *A, {}, &form);
    BackendVector x(problem.make_vector());
    const BackendVector b(right_hand_side(flat, problem, form, exact));
    SolverControl control(1000, 1e-10);
    SolverCG<BackendVector<double>> cg(control);
    cg.solve(BackendOperator(*A), x, b, BackendPreconditioner(*M));
    dealii::Vector<double> u(dofs.n_dofs());
    export_dofs(x.local(), space, u);
    constraints.distribute(u);
    DataOut<2> out;
    out.add_data_vector(dofs, u, "u");
    out.build_patches(fe->degree);
    std::ofstream file("solution.vtu");
    out.write_vtu(file);
    const double error = error_norms(space, local_values(space, u), exact).L2;
    std::cout << control.last_step() << " steps, L2 error " << error << '\n';
    return error < 1e-6 ? 0 : 5;
  }
catch (const std::exception &e)
  {
    std::cerr << "error: " << message_of(e) << std::endl;
    return 1;
  }
