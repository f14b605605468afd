#pragma once

#include <tessera/space/cell_type.h>

#include <cstddef>
#include <vector>

namespace tessera
{
  /// The ways in which kernels obtain the map from the reference cell to a
  /// cell; see `geometries.def`.
  enum class Geometry
  {
#define TESSERA_GEOMETRY(name, sentence) name,
#include <tessera/space/geometries.def>
#undef TESSERA_GEOMETRY
  };

  std::string
  to_string(Geometry geometry);

  /// Returns the geometry with this name. Throws ParameterError naming the
  /// legal values.
  Geometry
  geometry_from_string(const std::string &name);

  /// A mesh and its enumeration of degrees of freedom, before this library
  /// numbers anything. All cells are of one type and carry Lagrange elements of
  /// degree p, with n nodes and nq quadrature points per cell in the order of
  /// `CellType`. `generate` and `flatten` produce it; `build_space` makes a
  /// `Space` from it.
  struct Connectivity
  {
    CellType cell_type = CellType::quadrilateral;
    int degree         = 1;
    int n_dofs         = 0; ///< free and constrained ones
    int n_vertices     = 0;

    std::vector<int> cell_dofs;     ///< [n_cells][n], in [0, n_dofs)
    std::vector<int> cell_vertices; ///< [n_cells][vertices of a cell]
    std::vector<double> vertices;   ///< [n_vertices][dim]
    std::vector<char> constrained;  ///< [n_dofs], 1: eliminated

    Geometry geometry = Geometry::vertices;
    /// The Jacobians dx_i/dxi_j and the points x at the quadrature points,
    /// [n_cells][nq][dim (i)][dim (j)] and [n_cells][nq][dim]; both are filled
    /// for Geometry::quadrature only.
    std::vector<double> jacobians, points;

    int
    dim() const
    {
      return dimension(cell_type);
    }

    int
    vertices_per_cell() const
    {
      return tessera::n_vertices(cell_type);
    }

    int
    n_cells() const
    {
      return static_cast<int>(cell_dofs.size() / dofs_per_cell());
    }

    int
    dofs_per_cell() const
    {
      return n_nodes(cell_type, degree);
    }

    int
    points_per_cell() const
    {
      return n_points(cell_type, degree);
    }

    /// Throws MeshError, naming the first cell concerned, if sizes or indices
    /// do not fit, if a cell is inverted or degenerate (det J <= 0 at a vertex
    /// or at a quadrature point), or if the geometry is `affine` and a cell is
    /// not.
    void
    check() const;
  };
} // namespace tessera
