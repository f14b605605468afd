#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <deal.II/base/quadrature.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_values.h>

#include <array>
#include <memory>
#include <vector>

namespace tessera
{
  /// Gives the degrees of freedom and points of single faces. A face of the
  /// reference cell is the image of the unit line, square or triangle under the
  /// map xi -> origin + sum_k xi_k tangents_k. The tangents point along the
  /// free coordinates or, on simplices, from vertex 0 to the others. So nodes
  /// and points are in the order of the face's `CellType`, whatever orientation
  /// deal.II gives the face.
  template <int dim>
  class FaceTrace
  {
  public:
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

    /// Prepares for the traces of a Lagrange element, or of a system of equal
    /// ones, and for these `points` of the reference face.
    FaceTrace(const dealii::Mapping<dim> &mapping,
              const dealii::FiniteElement<dim> &fe,
              const std::vector<dealii::Point<dim - 1>> &points);

    void
    reinit(const Cell &cell, unsigned int face_no);

    /// Returns the indices of the degrees of freedom of the face,
    /// [n][n_components].
    const std::vector<dealii::types::global_dof_index> &
    dofs() const
    {
      return face_dofs;
    }

    /// Returns the coordinates x of the points.
    const std::vector<dealii::Point<dim>> &
    points() const
    {
      return values[current]->get_quadrature_points();
    }

    /// Returns the area (in two dimensions: length) element at a point,
    /// relative to the reference face.
    double
    measure(unsigned int q) const;

    /// Returns the outward normal at a point, of length 1.
    dealii::Tensor<1, dim>
    normal(unsigned int q) const;

  private:
    struct Face
    {
      dealii::Point<dim> origin;
      std::array<dealii::Tensor<1, dim>, dim - 1> tangents;
      dealii::Tensor<1, dim> normal;
      std::vector<unsigned int> nodes; ///< local numbers of `dofs` in the cell
    };

    std::vector<Face> faces;
    /// One object per face of the reference cell.
    std::vector<std::unique_ptr<dealii::FEValues<dim>>> values;
    std::vector<dealii::types::global_dof_index> cell_dofs, face_dofs;
    unsigned int current = 0;
  };

  /// Returns the nodes of the Lagrange element of this degree on the unit line,
  /// square or triangle, in the order of `CellType`.
  template <int dim>
  std::vector<dealii::Point<dim>>
  face_nodes(bool simplex, int degree);
} // namespace tessera
