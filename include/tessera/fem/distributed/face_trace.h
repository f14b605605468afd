#pragma once

#include <tessera/fem/distributed/cell_nodes.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace tessera
{
  /// Gives the nodes and points of single faces. A face of the reference cell
  /// is the image of the unit line, square or triangle under the map
  /// xi -> origin + sum_k xi_k tangents_k. The tangents point along the free
  /// coordinates or, on simplices, from vertex 0 to the others. So nodes and
  /// points are in the order of the face's `CellType`.
  template <int dim>
  class FaceTrace
  {
  public:
    /// Prepares for these `points` of the reference face. `cells` must live
    /// longer.
    FaceTrace(const CellNodes<dim> &cells,
              const std::vector<dealii::Point<dim - 1>> &points);

    void
    reinit(std::size_t cell, unsigned int face_no);

    void
    reinit(const MeshFace &face)
    {
      reinit(face.cell, face.face);
    }

    /// Returns the nodes of the face, [n].
    const std::vector<int> &
    nodes() const
    {
      return of_face;
    }

    /// Returns the vertices of the mesh at the corners of the face.
    std::vector<int>
    corners() const;

    /// Returns the numbers of the nodes of a face in a cell, [n].
    const std::vector<int> &
    places(const unsigned int face_no) const
    {
      return faces[face_no].nodes;
    }

    /// Returns the maps and the shape functions of the cell at the points.
    const CellValues<dim> &
    in_cell() const
    {
      return values[current];
    }

    /// Returns the coordinates x of a point.
    dealii::Point<dim>
    point(const unsigned int q) const
    {
      return values[current].point(q);
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
      std::vector<int> nodes; ///< numbers in the cell
    };

    const CellNodes<dim> &cells;
    std::vector<Face> faces;
    std::vector<CellValues<dim>> values; ///< of each face
    std::vector<int> of_face;
    unsigned int current     = 0;
    std::size_t current_cell = 0;
  };

  /// Returns the nodes of the Lagrange element of this degree on the unit line,
  /// square or triangle, in the order of `CellType`.
  template <int dim>
  std::vector<dealii::Point<dim>>
  face_nodes(bool simplex, int degree);
} // namespace tessera
