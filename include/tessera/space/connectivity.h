#pragma once

#include <vector>

namespace tessera
{
  /// What a mesh and its enumeration of degrees of freedom say, before any
  /// numbering of ours: quadrilaterals with Lagrange nodes of degree p at the
  /// Gauss-Lobatto points and n = (p+1)^2 nodes a cell. The mesh generator of
  /// this layer and `dealii::flatten` produce it; `Space` is built from it.
  ///
  /// In a cell, node i = i1 (p+1) + i0 and vertex v = 2 v1 + v0 are
  /// lexicographic in the reference coordinates (xi_0, xi_1) in [0,1]^2.
  struct Connectivity
  {
    int degree     = 1;
    int n_dofs     = 0; ///< free and constrained
    int n_vertices = 0;

    std::vector<int> cell_dofs;     ///< [n_cells][n], in [0, n_dofs)
    std::vector<int> cell_vertices; ///< [n_cells][4], in [0, n_vertices)
    std::vector<double> vertices;   ///< [n_vertices][2]
    std::vector<char> constrained;  ///< [n_dofs], 1: eliminated

    int
    n_cells() const
    {
      return static_cast<int>(cell_vertices.size() / 4);
    }

    int
    dofs_per_cell() const
    {
      return (degree + 1) * (degree + 1);
    }

    /// Throws MeshError, naming the first cell, where sizes or indices do not
    /// fit or a cell is inverted or degenerate (det J <= 0 at a vertex).
    void
    check() const;
  };
} // namespace tessera
