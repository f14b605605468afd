#pragma once

#include "oracle.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/work_stream.h>
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

/// deal.II's own operators for the problem of the benchmarks.
namespace tessera::benchmarks
{
  inline dealii::SymmetricTensor<2, 2>
  conductivity_tensor()
  {
    dealii::SymmetricTensor<2, 2> k;
    const std::vector<double> values = conductivity(2).values;
    k[0][0]                          = values[0];
    k[0][1]                          = values[1];
    k[1][1]                          = values[2];
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
        dealii::FETools::hierarchic_to_lexicographic_numbering<2>(mesh.degree);
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

  /// Assembled by FEValues on all threads (WorkStream).
  class DealiiSparseMatrix
  {
  public:
    explicit DealiiSparseMatrix(const Discretization &d) : d(d)
    {
      dealii::DynamicSparsityPattern dynamic(d.dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(d.dof_handler, dynamic,
                                              d.constraints, false);
      pattern.copy_from(dynamic);
      matrix.reinit(pattern);
      x.reinit(matrix.m());
      y.reinit(matrix.m());
      assemble();
    }

    void
    assemble()
    {
      struct Scratch
      {
        explicit Scratch(const dealii::FiniteElement<2> &fe)
          : values(fe, dealii::QGauss<2>(fe.degree + 1),
                   dealii::update_gradients | dealii::update_JxW_values)
        {}

        Scratch(const Scratch &other) : Scratch(other.values.get_fe())
        {}

        dealii::FEValues<2> values;
      };
      struct CellMatrix
      {
        dealii::FullMatrix<double> entries;
        std::vector<dealii::types::global_dof_index> indices;
      };

      const auto k         = conductivity_tensor();
      const unsigned int n = d.fe.n_dofs_per_cell();
      matrix               = 0;
      dealii::WorkStream::run(
        d.dof_handler.begin_active(), d.dof_handler.end(),
        [&](const auto &cell, Scratch &scratch, CellMatrix &to) {
          const auto &values = scratch.values;
          scratch.values.reinit(cell);
          to.entries = 0;
          for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
            for (unsigned int i = 0; i < n; ++i)
              {
                const auto flux = k * values.shape_grad(i, q) * values.JxW(q);
                for (unsigned int j = 0; j < n; ++j)
                  to.entries(i, j) += flux * values.shape_grad(j, q);
              }
          cell->get_dof_indices(to.indices);
        },
        [&](const CellMatrix &from) {
          d.constraints.distribute_local_to_global(from.entries, from.indices,
                                                   matrix);
        },
        Scratch(d.fe),
        CellMatrix{dealii::FullMatrix<double>(n, n),
                   std::vector<dealii::types::global_dof_index>(n)});
    }

    void
    vmult()
    {
      matrix.vmult(y, x);
    }

    dealii::Vector<double> x, y;

  private:
    const Discretization &d;
    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<double> matrix;
  };

  template <int degree>
  class DealiiMatrixFree
  {
  public:
    using Vector = dealii::LinearAlgebra::distributed::Vector<double>;
    using Data   = dealii::MatrixFree<2, double>;

    DealiiMatrixFree(const Discretization &d,
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
      data.cell_loop(&DealiiMatrixFree::cells, this, y, x, true);
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
} // namespace tessera::benchmarks
