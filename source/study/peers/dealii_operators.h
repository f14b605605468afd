#pragma once

#include "oracle.h"
#include "peer.h"

#include <tessera/fem/bridge/flatten.h>

#include <deal.II/base/function.h>
#include <deal.II/base/work_stream.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/numerics/matrix_creator.h>

/// deal.II's own operators for the problem of the benchmarks.
namespace tessera::benchmarks
{
  template <int dim>
  dealii::SymmetricTensor<2, dim>
  conductivity_tensor()
  {
    dealii::SymmetricTensor<2, dim> k;
    const std::vector<double> values = conductivity(dim).values;
    for (int i = 0, entry = 0; i < dim; ++i)
      for (int j = i; j < dim; ++j, ++entry)
        k[i][j] = values[entry];
    return k;
  }

  /// Returns the lower triangular L of K = L L^T.
  template <int dim>
  dealii::Tensor<2, dim>
  cholesky_factor(const dealii::SymmetricTensor<2, dim> &k)
  {
    dealii::Tensor<2, dim> factor;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j <= i; ++j)
        {
          double rest = k[i][j];
          for (int l = 0; l < j; ++l)
            rest -= factor[i][l] * factor[j][l];
          factor[i][j] = i == j ? std::sqrt(rest) : rest / factor[j][j];
        }
    return factor;
  }

  /// The generated mesh in deal.II, with element, mapping, quadrature and
  /// degrees of freedom, and the map to our degrees of freedom. Vertices are
  /// multiplied by `map`.
  template <int dim>
  struct Discretization
  {
    explicit Discretization(
      const Connectivity &mesh,
      const dealii::Tensor<2, dim> &map = dealii::unit_symmetric_tensor<dim>())
      : fe(make_element<dim>(mesh.cell_type, mesh.degree)),
        mapping(
          fe->reference_cell().template get_default_linear_mapping<dim>()),
        quadrature(fe->reference_cell().template get_gauss_type_quadrature<dim>(
          mesh.degree + 1)),
        dof_handler(triangulation)
    {
      std::vector<dealii::Point<dim>> vertices(mesh.n_vertices);
      for (int v = 0; v < mesh.n_vertices; ++v)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            vertices[v][i] +=
              map[i][j] * mesh.vertices[std::size_t(dim) * v + j];
      const unsigned int n_vertices = fe->reference_cell().n_vertices();
      std::vector<dealii::CellData<dim>> cells(
        mesh.n_cells(), dealii::CellData<dim>(n_vertices));
      for (std::size_t c = 0; c < cells.size(); ++c)
        std::copy_n(&mesh.cell_vertices[n_vertices * c], n_vertices,
                    cells[c].vertices.begin());
      triangulation.create_triangulation(vertices, cells, {});
      dof_handler.distribute_dofs(*fe);
      dealii::DoFTools::make_zero_boundary_constraints(dof_handler,
                                                       constraints);
      constraints.close();

      const auto order = to_local_order<dim>(mesh.cell_type, mesh.degree);
      const int n      = mesh.dofs_per_cell();
      std::vector<dealii::types::global_dof_index> indices(n);
      ours.resize(mesh.n_dofs);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(indices);
          const int *mesh_dofs = mesh.cell_dofs.data() +
                                 std::ptrdiff_t(cell->active_cell_index()) * n;
          for (int i = 0; i < n; ++i)
            ours[indices[order[i]]] = mesh_dofs[i];
        }
    }

    template <class Number>
    dealii::AffineConstraints<Number>
    constraints_of() const
    {
      dealii::AffineConstraints<Number> copy;
      copy.copy_from(constraints);
      return copy;
    }

    dealii::Triangulation<dim> triangulation;
    std::unique_ptr<const dealii::FiniteElement<dim>> fe;
    const dealii::Mapping<dim> &mapping; ///< deal.II's own linear mapping
    const dealii::Quadrature<dim> quadrature;
    dealii::DoFHandler<dim> dof_handler;
    dealii::AffineConstraints<double> constraints;
    std::vector<int> ours; ///< [n_dofs]: our degree of freedom of each
  };

  /// deal.II's sparse matrix for the problem of the benchmarks.
  template <int dim, class Number>
  class DealiiSparseMatrix : public VectorPeer<dealii::Vector<Number>>
  {
  public:
    explicit DealiiSparseMatrix(const Discretization<dim> &d)
      : d(d), constraints(d.template constraints_of<Number>())
    {
      dealii::DynamicSparsityPattern dynamic(d.dof_handler.n_dofs());
      dealii::DoFTools::make_sparsity_pattern(d.dof_handler, dynamic,
                                              constraints, false);
      pattern.copy_from(dynamic);
      matrix.reinit(pattern);
      x.reinit(matrix.m());
      result.reinit(matrix.m());
    }

    /// Assembles by FEValues, with all threads (WorkStream).
    void
    assemble()
    {
      struct Scratch
      {
        explicit Scratch(const Discretization<dim> &d)
          : d(d), values(d.mapping, *d.fe, d.quadrature,
                         dealii::update_gradients | dealii::update_JxW_values)
        {}

        Scratch(const Scratch &other) : Scratch(other.d)
        {}

        const Discretization<dim> &d;
        dealii::FEValues<dim> values;
      };
      struct CellMatrix
      {
        dealii::FullMatrix<Number> entries;
        std::vector<dealii::types::global_dof_index> indices;
      };

      const auto k         = conductivity_tensor<dim>();
      const unsigned int n = d.fe->n_dofs_per_cell();
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
          constraints.distribute_local_to_global(from.entries, from.indices,
                                                 matrix);
        },
        Scratch(d),
        CellMatrix{dealii::FullMatrix<Number>(n, n),
                   std::vector<dealii::types::global_dof_index>(n)});
    }

    /// Assembles by MatrixCreator, which takes scalar coefficients only.
    /// Therefore vertices have been multiplied by L^-1, with K = L L^T, and the
    /// coefficient is det L; this gives the same matrix.
    void
    create(const double determinant)
    {
      const dealii::Functions::ConstantFunction<dim, Number> coefficient(
        static_cast<Number>(determinant));
      matrix = 0;
      dealii::MatrixCreator::create_laplace_matrix(d.mapping, d.dof_handler,
                                                   d.quadrature, matrix,
                                                   &coefficient, constraints);
    }

    void
    vmult() override
    {
      matrix.vmult(result, x);
    }

    const dealii::SparseMatrix<Number> &
    entries() const
    {
      return matrix;
    }

  private:
    const Discretization<dim> &d;
    dealii::AffineConstraints<Number> constraints;
    dealii::SparsityPattern pattern;
    dealii::SparseMatrix<Number> matrix;
    using VectorPeer<dealii::Vector<Number>>::x;
    using VectorPeer<dealii::Vector<Number>>::result;
  };

  /// Returns how threads share the cells of deal.II's MatrixFree: by its
  /// default or, where it is built without threads, in blocks of cells that we
  /// colour.
  const char *
  matrix_free_scheme();

  /// Makes a MatrixFree of the discretization's degree, 1 to 4. On simplices,
  /// deal.II learns the degree at run time.
  template <int dim, class Number>
  std::unique_ptr<Peer>
  make_dealii_matrix_free(const Discretization<dim> &d);
} // namespace tessera::benchmarks
