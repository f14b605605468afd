#pragma once

#include <tessera/space/cell_type.h>

#include <cstddef>
#include <cstdint>
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

  /// Entries of a vector that are computed from other entries:
  ///   u_{entry[k]} = sum over m in [start[k], start[k + 1]) of
  ///                  weight[m] u_{source[m]},
  /// as at a hanging node. Entry c of node i has the index i n_components + c.
  /// No source is itself computed from others. In a Space, entries increase.
  struct LinearConstraints
  {
    std::vector<int> entry;          ///< [n]
    std::vector<std::int64_t> start; ///< [n + 1]; empty if there are none
    std::vector<int> source;
    std::vector<double> weight;

    int
    size() const
    {
      return static_cast<int>(entry.size());
    }

    /// Adds a constraint without sources.
    void
    begin(const int of_entry)
    {
      entry.push_back(of_entry);
      if (start.empty())
        start.push_back(0);
      start.push_back(start.back());
    }

    /// Adds a source to the last constraint.
    void
    add(const int from, const double with_weight)
    {
      source.push_back(from);
      weight.push_back(with_weight);
      ++start.back();
    }
  };

  /// A mesh and its enumeration of nodes, before this library numbers anything.
  /// All cells are of one type and carry Lagrange elements of degree p, with n
  /// nodes and nq quadrature points per cell in the order of `CellType`. A node
  /// has `n_components` degrees of freedom. `generate` and `flatten` produce a
  /// Connectivity; `build_space` makes a `Space` from it.
  struct Connectivity
  {
    CellType cell_type = CellType::quadrilateral;
    int degree         = 1;
    int n_components   = 1; ///< of a node, 1 to 3
    int n_dofs         = 0; ///< nodes, free and constrained ones
    int n_vertices     = 0;

    std::vector<int> cell_dofs;     ///< [n_cells][n], in [0, n_dofs)
    std::vector<int> cell_vertices; ///< [n_cells][vertices of a cell]
    std::vector<double> vertices;   ///< [n_vertices][dim]
    /// [n_dofs][n_components], 1: eliminated, because its value is given.
    std::vector<char> constrained;
    /// Hanging nodes: all components of a node that has an entry here are
    /// computed from other nodes or are given. The contribution of a given
    /// source is part of the given value of the entry; see `lift`.
    LinearConstraints hanging;

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
    /// or at a quadrature point), if the geometry is `affine` and a cell is
    /// not, or if a hanging node has a component that is free or depends on
    /// another hanging node.
    void
    check() const;
  };
} // namespace tessera
