#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// The faces on which a natural condition has data, as flat arrays: what the
  /// terms int_F g phi_i ds of a load vector and int_F alpha phi_i phi_j ds of
  /// an operator need, for (kappa grad u) . n + alpha u = g. All faces are of
  /// one type and carry the traces of Lagrange elements of degree p; nodes and
  /// quadrature points of a face are in the order of its `CellType`: n =
  /// n_nodes(face_type, degree), nq = n_points(face_type, degree), and shape
  /// functions there are those of the element of that type and degree.
  struct BoundaryFaces
  {
    CellType face_type = CellType::line;
    int degree         = 1;
    std::vector<int> dofs;    ///< [n_faces][n], indices of the Connectivity
    std::vector<double> load; ///< [n_faces][nq], g times dS times weight
    /// [n_faces][nq], alpha >= 0 times dS times weight; empty where alpha is 0
    /// on all faces.
    std::vector<double> mass;
    /// [n_faces]: id of the boundary in the mesh; empty where there is none.
    std::vector<unsigned int> boundary_ids;

    int
    n_faces() const
    {
      return static_cast<int>(dofs.size() / n_nodes(face_type, degree));
    }
  };
} // namespace tessera
