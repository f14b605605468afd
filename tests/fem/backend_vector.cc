#include "test.h"

#include <tessera/fem/driver/tessera.h>
#include <tessera/forms/laplace.h>

#include <deal.II/base/function_lib.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>

#include <deal.II/numerics/matrix_tools.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <limits>
#include <numeric>

/// Tests deal.II's SolverCG with vectors and operators of either backend.
namespace
{
  using namespace tessera;

  /// A problem on a distorted mesh, with boundary values that are not zero.
  struct TestProblem
  {
    TestProblem() : fe(2), mapping(1)
    {
      dealii::GridGenerator::subdivided_hyper_cube(mesh, 7);
      dealii::GridTools::distort_random(0.2, mesh, true, 3);
      dof_handler.reinit(mesh);
      dof_handler.distribute_dofs(fe);
      dealii::VectorTools::interpolate_boundary_values(mapping, dof_handler, 0,
                                                       u, constraints);
      constraints.close();
    }

    /// Solves the problem by deal.II alone.
    dealii::Vector<double>
    reference() const
    {
      dealii::DynamicSparsityPattern dynamic(dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(dof_handler, dynamic, constraints,
                                              false);
      dealii::SparsityPattern pattern;
      pattern.copy_from(dynamic);
      dealii::SparseMatrix<double> A(pattern);
      dealii::Vector<double> b(dof_handler.n_dofs()), x(dof_handler.n_dofs());
      const dealii::QGauss<2> quadrature(fe.degree + 1);
      const dealii::Function<2> *const no_coefficient = nullptr;
      dealii::MatrixCreator::create_laplace_matrix(
        mapping, dof_handler, quadrature, A, u, b, no_coefficient, constraints);
      dealii::SolverControl control(1000, 1e-13 * b.l2_norm());
      dealii::SolverCG<> cg(control);
      dealii::PreconditionJacobi<> M;
      M.initialize(A);
      cg.solve(A, x, b, M);
      constraints.distribute(x);
      return x;
    }

    const dealii::Functions::CosineFunction<2> u;
    const dealii::FE_Q<2> fe;
    const dealii::MappingQ<2> mapping;
    dealii::Triangulation<2> mesh;
    dealii::DoFHandler<2> dof_handler;
    dealii::AffineConstraints<double> constraints;
  };

  template <class Number>
  BackendVector<Number>
  make_vector(const Backend backend, const std::vector<Number> &owned)
  {
    Vector<Number> vector(backend, static_cast<int>(owned.size()), 2);
    std::vector<Number> values = owned;
    values.resize(owned.size() + 2, Number(7)); // sets the tail
    vector.copy_from(values);
    return BackendVector<Number>(std::move(vector));
  }

  template <class Number>
  std::vector<Number>
  values_of(const BackendVector<Number> &x)
  {
    return x.local().to_vector();
  }
} // namespace


TEST(BackendVector, IsSolvedForByDealII)
{
  const TestProblem problem;
  const auto reference = problem.reference();
  const FlatProblem flat =
    flatten<2>(problem.mapping, problem.dof_handler, problem.constraints);
  const auto one = Coefficient::scalar(1);
  for (const Backend backend : test::backends())
    for (const std::string &name : operator_names())
      {
        SCOPED_TRACE(to_string(backend) + ", " + name);
        const auto on = make_problem<double>(flat, backend);
        const auto A  = on.make_operator(name, laplace(one));
        const Jacobi<double> M(*A);
        const BackendVector b(
          right_hand_side(flat, on, laplace(one), problem.u));
        dealii::SolverControl control(1000, 1e-13 * b.l2_norm());
        dealii::SolverCG<BackendVector<double>> cg(control);
        dealii::Vector<double> u(flat.connectivity.n_dofs);

        // Solves from zero, again from the solution (nothing is left to do),
        // and in vectors of another solve.
        BackendVector x(on.make_vector());
        cg.solve(BackendOperator(*A), x, b, BackendPreconditioner(M));
        const unsigned int steps = control.last_step();
        EXPECT_GT(steps, 10u);
        control.set_tolerance(1e-12 * b.l2_norm());
        cg.solve(BackendOperator(*A), x, b, BackendPreconditioner(M));
        EXPECT_EQ(control.last_step(), 0u);
        control.set_tolerance(1e-13 * b.l2_norm());
        BackendVector<double> second_x;
        second_x.reinit(x);
        cg.solve(BackendOperator(*A), second_x, b, BackendPreconditioner(M));
        EXPECT_NEAR(control.last_step(), steps, 1);

        for (const auto &solution : {x, second_x})
          {
            u = 0;
            export_dofs(solution.local(), on.space(), u);
            problem.constraints.distribute(u);
            u -= reference;
            EXPECT_LE(u.linfty_norm(), 1e-11 * reference.linfty_norm());
          }
      }
}


TEST(BackendVector, ClearsTailsThatOperatorsLeave)
{
  const TestProblem problem;
  const FlatProblem flat =
    flatten<2>(problem.mapping, problem.dof_handler, problem.constraints);
  for (const Backend backend : test::backends())
    for (const std::string &name : operator_names())
      {
        const auto on   = make_problem<double>(flat, backend);
        const auto one  = Coefficient::scalar(1);
        const auto form = laplace(one);
        const auto A    = on.make_operator(name, form);
        BackendVector<double> x(right_hand_side(flat, on, form, one));
        BackendVector<double> y = x;
        BackendOperator(*A).vmult(y, x);
        const auto values = values_of(y);
        for (int i = y.local().n_owned(); i < y.local().size(); ++i)
          EXPECT_EQ(values[i], 0.) << to_string(backend) << ", " << name;
      }
}


TEST(BackendVector, CombinesAsItsInterfaceSays)
{
  for (const Backend backend : test::backends())
    {
      SCOPED_TRACE(to_string(backend));
      using Values = std::vector<double>;
      const auto a = make_vector<double>(backend, {1, -2, 4});
      auto b       = make_vector<double>(backend, {3, 5, -1});
      EXPECT_EQ(values_of(a), Values({1, -2, 4, 0, 0}));
      EXPECT_EQ(a.size(), 3u);
      EXPECT_EQ(a * b, 3 - 10 - 4);
      EXPECT_EQ(b.l2_norm(), std::sqrt(35.));

      b.add(2, a);
      EXPECT_EQ(values_of(b), Values({5, 1, 7, 0, 0}));
      b.sadd(-1, 3, a);
      EXPECT_EQ(values_of(b), Values({-2, -7, 5, 0, 0}));
      b.equ(0.5, a);
      EXPECT_EQ(values_of(b), Values({0.5, -1, 2, 0, 0}));
      b *= 4;
      EXPECT_EQ(values_of(b), Values({2, -4, 8, 0, 0}));
      EXPECT_EQ(b.add_and_dot(-1, a, a), 21);
      EXPECT_EQ(values_of(b), values_of(a));
      EXPECT_EQ(b.add_and_dot(1, a, b), 84);

      BackendVector<double> copy = b, other = make_vector<double>(backend, {9});
      copy.swap(other);
      EXPECT_EQ(values_of(other), values_of(b));
      EXPECT_EQ(values_of(copy), Values({9, 0, 0}));
      copy = b;
      EXPECT_EQ(values_of(copy), values_of(b));
      copy.reinit(b, true);
      EXPECT_EQ(values_of(copy), values_of(b));
      EXPECT_FALSE(copy.all_zero());
      copy.reinit(b);
      EXPECT_TRUE(copy.all_zero());
      other = 0.;
      EXPECT_TRUE(other.all_zero());
      EXPECT_THROW(other = 1., std::invalid_argument);
      EXPECT_THROW(other.add(1, make_vector<double>(backend, {9})),
                   std::length_error);
    }
}


TEST(BackendVector, HasEmptyCopies)
{
  const BackendVector<float> empty;
  BackendVector<float> copy = empty;
  EXPECT_EQ(copy.size(), 0u);
  copy = make_vector<float>(Backend::host, {2.f});
  EXPECT_EQ(copy.l2_norm(), 2.f);
}


TEST(BackendVector, CanBeUsedAfterItWasMovedFrom)
{
  auto a                       = make_vector<float>(Backend::host, {3.f, 4.f});
  const BackendVector<float> b = std::move(a);
  EXPECT_EQ(b.l2_norm(), 5.f);
  a = b;
  EXPECT_EQ(a.l2_norm(), 5.f);
}


TEST(Transfer, BringsDegreesOfFreedomThereAndBack)
{
  const TestProblem problem;
  const FlatProblem flat =
    flatten<2>(problem.mapping, problem.dof_handler, problem.constraints);
  for (const Backend backend : test::backends())
    {
      const auto on      = make_problem<double>(flat, backend);
      const Space &space = on.space();
      std::vector<double> values(flat.connectivity.n_dofs);
      std::iota(values.begin(), values.end(), 1.);
      auto x = on.make_vector();
      import_dofs(x, space, values);
      const auto local = x.to_vector();
      for (std::size_t i = 0; i < space.mesh_dof.size(); ++i)
        EXPECT_EQ(local[i], space.mesh_dof[i] + 1.);
      EXPECT_EQ(local[space.padding_index()], 0.);

      std::vector<double> back(values.size(), -1.);
      export_dofs(x, space, back);
      for (std::size_t dof = 0; dof < values.size(); ++dof)
        EXPECT_EQ(back[dof],
                  flat.connectivity.constrained[dof] ? -1. : values[dof]);
    }
}
