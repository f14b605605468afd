#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/forms/elasticity.h>
#include <tessera/solvers/cg.h>

#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <gtest/gtest.h>

#include <memory>

/// Elasticity with FESystem as deal.II assembles it, with boundary values of
/// single components, given components in the interior, and hanging nodes.
namespace
{
  using namespace tessera;

  template <int dim>
  struct Oracle
  {
    dealii::Triangulation<dim> triangulation;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::unique_ptr<dealii::FESystem<dim>> fe;
    dealii::DoFHandler<dim> dof_handler;
    dealii::AffineConstraints<double> constraints;
    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<double> matrix;
    dealii::Vector<double> rhs;

    Oracle(const CellType type, const int degree, const bool refined,
           const bool by_component)
      : dof_handler(triangulation)
    {
      dealii::Triangulation<dim> boxes;
      dealii::Point<dim> corner;
      for (int d = 0; d < dim; ++d)
        corner[d] = 1 + 0.25 * d;
      dealii::GridGenerator::subdivided_hyper_rectangle(
        boxes, std::vector<unsigned int>(dim, 2), dealii::Point<dim>(), corner,
        true);
      if (is_simplex(type))
        dealii::GridGenerator::convert_hypercube_to_simplex_mesh(boxes,
                                                                 triangulation);
      else
        triangulation.copy_triangulation(boxes);
      if (!is_simplex(type))
        dealii::GridTools::distort_random(0.15, triangulation, true, 3);
      if (refined)
        {
          triangulation.begin_active()->set_refine_flag();
          triangulation.execute_coarsening_and_refinement();
        }
      if (is_simplex(type))
        mapping =
          std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
      else
        mapping = std::make_unique<dealii::MappingQ<dim>>(1);
      fe = std::make_unique<dealii::FESystem<dim>>(
        *make_element<dim>(type, degree), dim);
      dof_handler.distribute_dofs(*fe);
      if (by_component)
        dealii::DoFRenumbering::component_wise(dof_handler);
      if (refined)
        dealii::DoFTools::make_hanging_node_constraints(dof_handler,
                                                        constraints);
      constrain(0, dealii::ComponentMask());
      for (int c = 0; c < dim; ++c) // a component on each of other sides
        {
          dealii::ComponentMask mask(dim, false);
          mask.set(c, true);
          constrain(2 * c + 1, mask);
        }
      // A component of every tenth node, wherever it is.
      for (unsigned int dof = 0; dof < dof_handler.n_dofs();
           dof += 10 * dim + 1)
        if (!constraints.is_constrained(dof))
          give(dof);
      constraints.close();
      assemble(type, degree);
    }

    void
    give(const unsigned int dof)
    {
      constraints.add_line(dof);
      constraints.set_inhomogeneity(dof, 0.1 + 0.01 * (dof % 17));
    }

    void
    constrain(const unsigned int boundary, const dealii::ComponentMask &mask)
    {
      const auto dofs =
        dealii::DoFTools::extract_boundary_dofs(dof_handler, mask, {boundary});
      for (const auto dof : dofs)
        if (!constraints.is_constrained(dof))
          give(static_cast<unsigned int>(dof));
    }

    static constexpr double young = 3, poisson = 0.25;

    void
    assemble(const CellType type, const int degree)
    {
      dealii::DynamicSparsityPattern dynamic(dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(dof_handler, dynamic,
                                              constraints);
      pattern.copy_from(dynamic);
      matrix.reinit(pattern);
      rhs.reinit(dof_handler.n_dofs());
      dealii::FEValues<dim> values(
        *mapping, *fe, cell_quadrature<dim>(type, degree),
        dealii::update_values | dealii::update_gradients |
          dealii::update_JxW_values | dealii::update_quadrature_points);
      const unsigned int n = fe->dofs_per_cell;
      dealii::FullMatrix<double> cell_matrix(n, n);
      dealii::Vector<double> cell_rhs(n);
      std::vector<dealii::types::global_dof_index> dofs(n);
      const dealii::FEValuesExtractors::Vector u(0);
      const double mu = young / (2 * (1 + poisson));
      const double lambda =
        young * poisson / ((1 + poisson) * (1 - 2 * poisson));
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell_matrix = 0;
          cell_rhs    = 0;
          for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
            for (unsigned int i = 0; i < n; ++i)
              {
                for (unsigned int j = 0; j < n; ++j)
                  cell_matrix(i, j) +=
                    values.JxW(q) * (2 * mu *
                                       (values[u].symmetric_gradient(i, q) *
                                        values[u].symmetric_gradient(j, q)) +
                                     lambda * values[u].divergence(i, q) *
                                       values[u].divergence(j, q));
                cell_rhs(i) +=
                  values.JxW(q) *
                  (values[u].value(i, q) * source(values.quadrature_point(q)));
              }
          cell->get_dof_indices(dofs);
          constraints.distribute_local_to_global(cell_matrix, cell_rhs, dofs,
                                                 matrix, rhs);
        }
    }

    static dealii::Tensor<1, dim>
    source(const dealii::Point<dim> &x)
    {
      dealii::Tensor<1, dim> f;
      for (int c = 0; c < dim; ++c)
        f[c] = 1 + c + x[0] * x[1] * (c + 1);
      return f;
    }
  };

  /// Every entry of the matrix and of the right-hand side of free degrees of
  /// freedom, and the solution.
  template <int dim>
  void
  check(const Oracle<dim> &oracle, const std::string &name)
  {
    SCOPED_TRACE(name);
    const FlatProblem flat =
      flatten(*oracle.mapping, oracle.dof_handler, oracle.constraints);
    const auto problem = make_problem<double>(flat, Backend::host);
    const Space &space = problem.space();
    ASSERT_EQ(space.n_components, dim);
    const Form form =
      elasticity(isotropic_stiffness(dim, oracle.young, oracle.poisson));
    Coefficient f = {Coefficient::Kind::per_quadrature_point, dim, {}};
    const std::vector<double> points = quadrature_points(space);
    for (std::size_t i = 0; i < points.size(); i += dim)
      {
        dealii::Point<dim> x;
        for (int d = 0; d < dim; ++d)
          x[d] = points[i + d];
        for (int c = 0; c < dim; ++c)
          f.values.push_back(oracle.source(x)[c]);
      }
    const auto A     = problem.make_operator(name, form);
    const auto b     = right_hand_side(flat, problem, form, f);
    const double eps = 1e-12 * oracle.matrix.linfty_norm();
    const auto load  = b.to_vector();
    ASSERT_EQ(A->n_owned(), space.n_owned * dim);
    auto x = A->make_vector(), y = A->make_vector();
    int n_free = 0;
    for (int j = 0; j < A->n_owned(); ++j)
      {
        const int column = dof_of_entry(space, flat.dofs, j);
        if (oracle.constraints.is_constrained(column))
          {
            EXPECT_EQ(load[j], 0);
          }
        else
          {
            ++n_free;
            EXPECT_NEAR(load[j], oracle.rhs(column),
                        eps + 1e-12 * oracle.rhs.linfty_norm());
          }
        std::vector<double> unit(x.size(), 0.);
        unit[j] = 1;
        x.copy_from(unit);
        A->vmult(y, x);
        const auto product = y.to_vector();
        for (int i = 0; i < A->n_owned(); ++i)
          {
            const int row = dof_of_entry(space, flat.dofs, i);
            if (oracle.constraints.is_constrained(column))
              ASSERT_EQ(product[i], i == j ? 1 : 0);
            else
              ASSERT_NEAR(product[i],
                          oracle.constraints.is_constrained(row)
                            ? 0.
                            : oracle.matrix.el(row, column),
                          eps);
          }
      }
    EXPECT_EQ(n_free + oracle.constraints.n_constraints(),
              oracle.dof_handler.n_dofs());

    const auto M = problem.make_preconditioner("jacobi", *A);
    CG<double> cg(*A, *M);
    x.zero();
    CGControl control;
    control.relative_tolerance = 1e-12;
    ASSERT_TRUE(cg.solve(x, b, control).converged);
    dealii::Vector<double> solution(oracle.dof_handler.n_dofs()),
      residual(solution);
    export_dofs(x, space, solution, flat.dofs);
    oracle.constraints.set_zero(solution);
    oracle.matrix.residual(residual, solution, oracle.rhs);
    oracle.constraints.set_zero(residual);
    EXPECT_LT(residual.l2_norm(), 1e-9 * oracle.rhs.l2_norm());
  }

  template <int dim>
  void
  check_all()
  {
    for (const CellType type : {CellType::quadrilateral, CellType::triangle,
                                CellType::hexahedron, CellType::tetrahedron})
      for (int degree = 1; degree <= 2; ++degree)
        for (const bool refined : {false, true})
          {
            if (dimension(type) != dim || (refined && is_simplex(type)) ||
                (dim == 3 && degree == 2 && refined))
              continue;
            const Oracle<dim> oracle(type, degree, refined, degree == 1);
            SCOPED_TRACE(to_string(type) + ", degree " +
                         std::to_string(degree) +
                         (refined ? ", with hanging nodes" : ""));
            check(oracle, "csr");
            if (degree == 1)
              {
                check(oracle, "matrix_free");
                check(oracle, "ell");
              }
          }
  }

  TEST(Components, OfPlaneElasticity)
  {
    check_all<2>();
  }

  TEST(Components, OfSolidElasticity)
  {
    check_all<3>();
  }

  TEST(Components, ElementsWithoutKernelsAreRefused)
  {
    dealii::Triangulation<2> triangulation;
    dealii::GridGenerator::hyper_cube(triangulation);
    dealii::DoFHandler<2> dof_handler(triangulation);
    dealii::AffineConstraints<double> constraints;
    constraints.close();
    const dealii::MappingQ<2> mapping(1);
    const dealii::FESystem<2> mixed(dealii::FE_Q<2>(2), 1, dealii::FE_Q<2>(1),
                                    1);
    const dealii::FESystem<2> four(dealii::FE_Q<2>(1), 4);
    for (const auto *fe : {&mixed, &four})
      {
        dof_handler.distribute_dofs(*fe);
        EXPECT_THROW(flatten(mapping, dof_handler, constraints),
                     ParameterError);
      }
  }

  // A free component of a node whose other one follows from other nodes.
  TEST(Components, NodesThatHangInPartAreRefused)
  {
    dealii::Triangulation<2> triangulation;
    dealii::GridGenerator::subdivided_hyper_cube(triangulation, 3);
    dealii::DoFHandler<2> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FESystem<2>(dealii::FE_Q<2>(1), 2));
    dealii::AffineConstraints<double> constraints;
    constraints.add_line(8);
    constraints.add_entry(8, 2, 0.5);
    constraints.close();
    const FlatProblem flat =
      flatten(dealii::MappingQ<2>(1), dof_handler, constraints);
    EXPECT_THROW(build_space(flat.connectivity), MeshError);
  }
} // namespace
