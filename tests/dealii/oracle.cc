#include "test.h"

#include <tessera/assembly/load_vector.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/flatten.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

/// Every entry of every operator, and of the lifted load vector, against
/// deal.II's FEValues, SparseMatrix and AffineConstraints.
namespace
{
  using namespace tessera;

  struct Declared : Parameters
  {
    Declared()
    {
      declare_mesh(*this);
      BoundaryConditions::declare(*this);
      const dealii::Patterns::Anything any;
      declare("kappa", "3 + x * y; 0.5 * x - 0.3; 1 + y * y", any, "");
      declare("f", "1 + x * sin(y)", any, "");
      set("Mesh/Grid name", "subdivided_hyper_rectangle");
      set("Mesh/Grid arguments", "7, 5 : 0, 0 : 1.4, 1 : true");
      set("Mesh/Initial refinement", "0");
      set("Mesh/Distortion", "0.2");
      set("Boundary conditions/Remaining boundaries", "natural");
      set("Boundary conditions/Dirichlet 1/Boundaries", "0, 3");
      set("Boundary conditions/Dirichlet 1/Function expression", "1 + x - y");
    }
  };

  /// The system as deal.II assembles it.
  struct Oracle
  {
    Declared parameters;
    Mesh mesh;
    dealii::FE_Q<2> fe;
    dealii::DoFHandler<2> dof_handler;
    dealii::AffineConstraints<double> constraints;
    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<double> matrix;
    dealii::Vector<double> rhs;
    dealii::Vector<double> rhs_scale; ///< sum of |terms|

    explicit Oracle(const int degree)
      : fe(degree), dof_handler(mesh.triangulation)
    {
      make_mesh(mesh, parameters);
      dof_handler.distribute_dofs(fe);
      constraints =
        BoundaryConditions(parameters).constraints(mesh, dof_handler);
      dealii::DynamicSparsityPattern dynamic(dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(dof_handler, dynamic,
                                              constraints);
      pattern.copy_from(dynamic);
      matrix.reinit(pattern);
      rhs.reinit(dof_handler.n_dofs());
      rhs_scale.reinit(dof_handler.n_dofs());
      assemble();
    }

    void
    assemble()
    {
      const auto kappa  = Expression(parameters, "kappa", {3}).function();
      const auto source = Expression(parameters, "f").function();

      const dealii::QGauss<2> quadrature(fe.degree + 1);
      dealii::FEValues<2> values(
        fe, quadrature,
        dealii::update_values | dealii::update_gradients |
          dealii::update_quadrature_points | dealii::update_JxW_values);
      const unsigned int n = fe.n_dofs_per_cell();
      dealii::FullMatrix<double> A(n, n);
      dealii::Vector<double> b(n);
      std::vector<dealii::types::global_dof_index> dofs(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell->get_dof_indices(dofs);
          A = 0.;
          b = 0.;
          for (const unsigned int q : values.quadrature_point_indices())
            {
              const auto &x = values.quadrature_point(q);
              dealii::Tensor<2, 2> k;
              k[0][0] = kappa->value(x, 0);
              k[0][1] = k[1][0] = kappa->value(x, 1);
              k[1][1]           = kappa->value(x, 2);
              for (unsigned int i = 0; i < n; ++i)
                {
                  const double load =
                    source->value(x) * values.shape_value(i, q) * values.JxW(q);
                  b(i) += load;
                  rhs_scale(dofs[i]) += std::abs(load);
                  for (unsigned int j = 0; j < n; ++j)
                    A(i, j) += values.shape_grad(i, q) * k *
                               values.shape_grad(j, q) * values.JxW(q);
                }
            }
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              if (constraints.is_constrained(dofs[j]))
                rhs_scale(dofs[i]) +=
                  std::sqrt(A(i, i) * A(j, j)) *
                  std::abs(constraints.get_inhomogeneity(dofs[j]));
          constraints.distribute_local_to_global(A, b, dofs, matrix, rhs);
        }
    }
  };


  template <class Number>
  void
  compare(const int degree, const Backend backend)
  {
    const Oracle oracle(degree);
    const FlatProblem flat = flatten(oracle.dof_handler, oracle.constraints);
    const auto space =
      std::make_shared<const Space>(build_space(flat.connectivity));
    const auto cells = std::make_shared<const CellData<Number>>(space, backend);
    const Expression k_expression(oracle.parameters, "kappa", {3});
    const Expression f_expression(oracle.parameters, "f");
    const Coefficient kappa  = make_coefficient(k_expression, *space);
    const Coefficient source = make_coefficient(f_expression, *space);
    ASSERT_EQ(kappa.kind, Coefficient::Kind::per_quadrature_point);
    // Columns that are looked at: all, but every eleventh on fibers.
    const int stride = backend == Backend::cuda ? 11 : 1;
    // A sum of n terms, each of a few products of sums over p+1 nodes.
    const double bound = 8. * space->dofs_per_cell() * (degree + 1) *
                         std::numeric_limits<Number>::epsilon();

    for (const std::string &name : operator_names())
      {
        SCOPED_TRACE(name + ", degree " + std::to_string(degree));
        const auto A = make_operator<Number>(name, cells, kappa);
        auto x = A->make_vector(), y = A->make_vector();
        for (int j = 0; j < space->n_owned; j += stride)
          {
            std::vector<Number> unit(space->n_local());
            unit[j] = 1;
            x.copy_from(unit);
            A->vmult(y, x);
            const auto column = y.to_vector();
            const auto dof_j  = space->mesh_dof[j];
            const double a_jj = oracle.matrix.diag_element(dof_j);
            for (int i = 0; i < space->n_owned; ++i)
              {
                const auto dof_i  = space->mesh_dof[i];
                const double a_ii = oracle.matrix.diag_element(dof_i);
                ASSERT_NEAR(column[i], oracle.matrix.el(dof_i, dof_j),
                            bound * std::sqrt(a_ii * a_jj))
                  << "row " << i << ", column " << j;
              }
          }
      }

    auto b = cells->make_vector(), g = cells->make_vector();
    std::vector<Number> values(space->n_local());
    for (int i = 0; i < space->n_constrained; ++i)
      values[space->n_owned + i] = static_cast<Number>(
        flat.boundary_values[space->mesh_dof[space->n_owned + i]]);
    g.copy_from(values);
    add_load_vector(b, *cells, source, default_conflict(backend));
    lift<Number>(b, g, cells, kappa);
    const auto result = b.to_vector();
    for (int i = 0; i < space->n_owned; ++i)
      {
        const auto dof = space->mesh_dof[i];
        ASSERT_NEAR(result[i], oracle.rhs(dof), bound * oracle.rhs_scale(dof))
          << "entry " << i << ", degree " << degree;
      }
  }


  TEST(Oracle, EveryEntryInDouble)
  {
    for (const Backend backend : test::backends())
      for (int degree = 1; degree <= 4; ++degree)
        compare<double>(degree, backend);
  }


  TEST(Oracle, EveryEntryInFloat)
  {
    for (const Backend backend : test::backends())
      for (int degree = 1; degree <= 4; ++degree)
        compare<float>(degree, backend);
  }
} // namespace
