#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// The faces on which a natural boundary condition
  /// (kappa grad u) . n + alpha u = g has data, as flat arrays. From these
  /// arrays come the integrals int_F g phi_i ds of a load vector and
  /// int_F alpha phi_i phi_j ds of an operator. All faces are of one type and
  /// carry the traces of Lagrange elements of degree p. The nodes and
  /// quadrature points of a face are in the order of its `CellType`; their
  /// numbers are n = n_nodes(face_type, degree) and
  /// nq = n_points(face_type, degree). The shape functions on a face belong to
  /// the Lagrange element of its type and degree.
  struct BoundaryFaces
  {
    CellType face_type = CellType::line;
    int degree         = 1;
    /// Degrees of freedom of the faces, [n_faces][n], node fastest: indices of
    /// the Connectivity.
    std::vector<int> dofs;
    /// Components of g, as many as a node has components.
    int n_components = 1;
    /// g times dS times the quadrature weight, [n_faces][nq][n_components].
    std::vector<double> load;
    /// alpha >= 0 times dS times the quadrature weight, [n_faces][nq], point
    /// fastest; empty if alpha is 0 on all faces. With b components, alpha is a
    /// positive semidefinite tensor, and its upper half row by row is fastest,
    /// [n_faces][nq][b (b + 1) / 2].
    std::vector<double> mass;
    /// Boundary id of every face in the mesh, [n_faces]; empty if the faces
    /// have no ids.
    std::vector<unsigned int> boundary_ids;
    /// The cell of the Connectivity to which the face belongs, [n_faces]; empty
    /// if the cells are not known.
    std::vector<int> cells;

    int
    n_faces() const
    {
      return static_cast<int>(dofs.size() / n_nodes(face_type, degree));
    }
  };

  /// Returns the faces of the cells c for which `here[c]` is not 0; `cells`
  /// must be known.
  BoundaryFaces
  faces_of_cells(const BoundaryFaces &faces,
                 const std::vector<char> &local_cells);
} // namespace tessera
