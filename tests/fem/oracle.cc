#include "test.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

/// Compares every entry of operators and right-hand sides with deal.II's
/// FEValues, FEFaceValues, SparseMatrix and AffineConstraints, for a varying
/// full tensor and Dirichlet, Neumann, Robin and natural boundaries.
namespace
{
  using namespace tessera;

  /// A mesh of distorted straight cells, or of a part of a shell.
  struct Problem
  {
    CellType type;
    bool curved;
    int degree;

    std::string
    name() const
    {
      return to_string(type) + (curved ? ", curved" : "") + ", degree " +
             std::to_string(degree);
    }
  };


  std::vector<Problem>
  problems(const int dim)
  {
    std::vector<Problem> result;
    for (const CellType type : {CellType::quadrilateral, CellType::triangle,
                                CellType::hexahedron, CellType::tetrahedron})
      if (dimension(type) == dim)
        for (int degree = 1; degree <= max_degree(type); ++degree)
          {
            result.push_back({type, false, degree});
            if (!is_simplex(type) && degree > 1)
              result.push_back({type, true, degree});
          }
    return result;
  }


  template <int dim>
  struct Declared : Parameters
  {
    explicit Declared(const Problem &problem)
    {
      declare_mesh(*this);
      BoundaryConditions<dim>::declare(*this);
      MaterialExpression<dim>::declare(*this, "Kappa", "Expression", "1", "");
      MaterialExpression<dim>::declare(*this, "Source", "Expression", "1", "");
      set("Kappa/Expression",
          dim == 2 ? "3 + x * y; 0.5 * x - 0.3; 1 + y * y"
                   : "3 + x * y; 0.5 * x - 0.3; 0.2 * z; 2 + y * y; 0.1 - 0.2 "
                     "* x * z; 1.5 + z");
      set("Source/Expression", "1 + x * sin(y)");
      set("Mesh/Cell type", to_string(problem.type));
      set("Mesh/Initial refinement", "0");
      if (problem.curved)
        {
          set("Mesh/Grid name", "quarter_hyper_shell");
          set("Mesh/Grid arguments", dim == 2 ? "0, 0 : 0.5 : 1 : 3 : true"
                                              : "0, 0, 0 : 0.5 : 1 : 3 : true");
        }
      else
        {
          set("Mesh/Grid name", "subdivided_hyper_rectangle");
          set("Mesh/Grid arguments",
              dim == 2 ? "7, 5 : 0, 0 : 1.4, 1 : true"
                       : "3, 2, 2 : 0, 0, 0 : 1.4, 1, 0.8 : true");
          set("Mesh/Distortion", "0.2");
        }
      const std::string root = "Boundary conditions/";
      set(root + "Remaining boundaries", "natural");
      set(root + "Dirichlet 1/Boundaries", "0");
      set(root + "Dirichlet 1/Function expression", "1 + x - y");
      set(root + "Neumann 1/Boundaries", "1");
      set(root + "Neumann 1/Function expression", "x * y - 0.3");
      set(root + "Robin 1/Boundaries",
          dim == 2 && problem.curved ? "2" : "2, 3");
      set(root + "Robin 1/Coefficient expression", "1 + x * x");
      set(root + "Robin 1/Function expression", "0.5 - y");
    }
  };


  /// The system as deal.II assembles it.
  template <int dim>
  struct Oracle
  {
    Declared<dim> parameters;
    const MaterialExpression<dim> kappa, source;
    const BoundaryConditions<dim> boundary;
    Mesh<dim> mesh;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::unique_ptr<dealii::FiniteElement<dim>> fe;
    dealii::DoFHandler<dim> dof_handler;
    dealii::AffineConstraints<double> constraints;
    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<double> matrix;
    dealii::Vector<double> rhs;
    dealii::Vector<double> rhs_scale; ///< sum of sizes of terms

    explicit Oracle(const Problem &problem)
      : parameters(problem),
        kappa(parameters, "Kappa", "Expression", MaterialValues::tensor),
        source(parameters, "Source", "Expression", MaterialValues::scalar),
        boundary(parameters)
    {
      make_mesh(mesh, parameters);
      EXPECT_EQ(mesh.cell_type(), problem.type);
      mapping = mesh.make_mapping(problem.curved ? problem.degree : 1);
      fe      = make_element<dim>(problem.type, problem.degree);
      dof_handler.reinit(mesh.triangulation());
      dof_handler.distribute_dofs(*fe);
      constraints = boundary.constraints(mesh, {*mapping, dof_handler});
      dealii::DynamicSparsityPattern dynamic(dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(dof_handler, dynamic,
                                              constraints);
      pattern.copy_from(dynamic);
      matrix.reinit(pattern);
      rhs.reinit(dof_handler.n_dofs());
      rhs_scale.reinit(dof_handler.n_dofs());
      if (is_simplex(problem.type))
        assemble(dealii::QGaussSimplex<dim>(problem.degree + 1),
                 dealii::QGaussSimplex<dim - 1>(problem.degree + 1));
      else
        assemble(dealii::QGauss<dim>(problem.degree + 1),
                 dealii::QGauss<dim - 1>(problem.degree + 1));
    }

  private:
    struct Local
    {
      dealii::FullMatrix<double> A;
      dealii::Vector<double> b, scale;
    };

    void
    assemble(const dealii::Quadrature<dim> &quadrature,
             const dealii::Quadrature<dim - 1> &face_quadrature)
    {
      const auto flags = dealii::update_values | dealii::update_gradients |
                         dealii::update_quadrature_points |
                         dealii::update_JxW_values;
      dealii::FEValues<dim> values(*mapping, *fe, quadrature, flags);
      dealii::FEFaceValues<dim> face_values(*mapping, *fe, face_quadrature,
                                            flags);
      const unsigned int n = fe->n_dofs_per_cell();
      Local local{dealii::FullMatrix<double>(n, n), dealii::Vector<double>(n),
                  dealii::Vector<double>(n)};
      std::vector<dealii::types::global_dof_index> dofs(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          local.A     = 0.;
          local.b     = 0.;
          local.scale = 0.;
          values.reinit(cell);
          cell->get_dof_indices(dofs);
          add_cell(values, local);
          for (const auto f : cell->face_indices())
            if (cell->face(f)->at_boundary())
              {
                face_values.reinit(cell, f);
                add_face(face_values, cell->face(f)->boundary_id(), local);
              }
          for (unsigned int i = 0; i < n; ++i)
            {
              rhs_scale(dofs[i]) += local.scale(i);
              for (unsigned int j = 0; j < n; ++j)
                if (constraints.is_constrained(dofs[j]))
                  rhs_scale(dofs[i]) +=
                    std::sqrt(local.A(i, i) * local.A(j, j)) *
                    std::abs(constraints.get_inhomogeneity(dofs[j]));
            }
          constraints.distribute_local_to_global(local.A, local.b, dofs, matrix,
                                                 rhs);
        }
    }

    void
    add_cell(const dealii::FEValues<dim> &values, Local &local) const
    {
      const typename MaterialExpression<dim>::Evaluator k_at(kappa),
        f_at(source);
      for (const unsigned int q : values.quadrature_point_indices())
        {
          const auto &x = values.quadrature_point(q);
          const auto k  = k_at.tensor(0, x);
          double f      = 0;
          f_at.values(0, x, &f);
          for (unsigned int i = 0; i < local.b.size(); ++i)
            {
              add_load(local, i, f * values.shape_value(i, q) * values.JxW(q));
              for (unsigned int j = 0; j < local.b.size(); ++j)
                local.A(i, j) += values.shape_grad(i, q) * k *
                                 values.shape_grad(j, q) * values.JxW(q);
            }
        }
    }

    /// Adds the conditions of `Declared`, which are repeated here.
    void
    add_face(const dealii::FEFaceValues<dim> &values, const unsigned int id,
             Local &local) const
    {
      if (id != 1 && id != 2 && id != 3)
        return;
      const bool natural = id == 3 && mesh.curved && dim == 2;
      for (const unsigned int q : values.quadrature_point_indices())
        {
          const auto &x      = values.quadrature_point(q);
          const double g     = natural   ? 0.
                               : id == 1 ? x[0] * x[1] - 0.3
                                         : 0.5 - x[1];
          const double alpha = natural || id == 1 ? 0. : 1 + x[0] * x[0];
          for (unsigned int i = 0; i < local.b.size(); ++i)
            {
              const double test = values.shape_value(i, q) * values.JxW(q);
              add_load(local, i, g * test);
              for (unsigned int j = 0; j < local.b.size(); ++j)
                local.A(i, j) += alpha * test * values.shape_value(j, q);
            }
        }
    }

    static void
    add_load(Local &local, const unsigned int i, const double load)
    {
      local.b(i) += load;
      local.scale(i) += std::abs(load);
    }
  };


  /// Returns the stride of tested columns; on fibers few are tested.
  int
  column_stride(const Backend backend, const int n)
  {
    return backend == Backend::cuda ? 11 + n / 20 : 1 + n / 100;
  }


  template <int dim, class Number>
  void
  compare(const Oracle<dim> &oracle, const Problem &problem,
          const Backend backend)
  {
    const FlatProblem flat =
      flatten(*oracle.mapping, oracle.dof_handler, oracle.constraints,
              problem.curved ? Geometry::quadrature : Geometry::vertices);
    const auto space =
      std::make_shared<const Space>(build_space(flat.connectivity));
    const auto cells = std::make_shared<const CellData<Number>>(space, backend);
    const Coefficient kappa  = oracle.kappa.coefficient(oracle.mesh, *space);
    const Coefficient source = oracle.source.coefficient(oracle.mesh, *space);
    ASSERT_EQ(kappa.kind, Coefficient::Kind::per_quadrature_point);
    const BoundaryFaces faces =
      oracle.boundary.faces(oracle.mesh, {*oracle.mapping, oracle.dof_handler});
    const auto boundary =
      std::make_shared<const BoundaryMatrices<Number>>(*space, faces, backend);
    const int stride = column_stride(backend, space->n_owned);
    // An entry sums n terms: a few products of sums over p+1 nodes.
    const double bound = 8. * space->dofs_per_cell() * (problem.degree + 1) *
                         std::numeric_limits<Number>::epsilon();

    for (const std::string &name : operator_names())
      {
        SCOPED_TRACE(name);
        const auto A =
          make_operator<Number>(name, cells, laplace(kappa), {}, {}, boundary);
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
    const Conflict conflict = default_conflict(backend);
    add_load_vector(b, *cells, source, conflict);
    add_boundary_load(b, *cells, faces, conflict);
    lift<Number>(b, g, cells, laplace(kappa), boundary.get());
    const auto result = b.to_vector();
    for (int i = 0; i < space->n_owned; ++i)
      {
        const auto dof = space->mesh_dof[i];
        ASSERT_NEAR(result[i], oracle.rhs(dof), bound * oracle.rhs_scale(dof))
          << "entry " << i;
      }
  }


  template <int dim>
  void
  compare_all()
  {
    for (const Problem &problem : problems(dim))
      {
        SCOPED_TRACE(problem.name());
        const Oracle<dim> oracle(problem);
        for (const Backend backend : test::backends())
          {
            compare<dim, double>(oracle, problem, backend);
            compare<dim, float>(oracle, problem, backend);
          }
      }
  }


  TEST(Oracle, EveryEntryIn2D)
  {
    compare_all<2>();
  }


  TEST(Oracle, EveryEntryIn3D)
  {
    compare_all<3>();
  }
} // namespace
