#pragma once

#include "cell_meshes.h"

#include <cmath>
#include <map>

// A mesh of quadrilaterals or hexahedra with hanging nodes, made by hand: a
// coarse block and one whose boxes are half as wide, side by side.
namespace tessera::test
{
  struct HangingMesh
  {
    Connectivity mesh;
    std::vector<Position> position; ///< of every node
    int n_coarse_cells;             ///< these cells come first
  };

  /// Returns the key by which nodes at one place are found.
  inline std::array<long, 3>
  place_of(const Position &x)
  {
    return {std::lround(x[0] * 1e6), std::lround(x[1] * 1e6),
            std::lround(x[2] * 1e6)};
  }

  inline std::vector<Position>
  node_positions(const Connectivity &mesh)
  {
    std::vector<Position> position(mesh.n_dofs);
    const int n = mesh.dofs_per_cell();
    for (int cell = 0; cell < mesh.n_cells(); ++cell)
      for (int i = 0; i < n; ++i)
        position[mesh.cell_dofs[cell * n + i]] = node_position(mesh, cell, i);
    return position;
  }

  /// The coarse block is [0, 1]^dim with n boxes per direction, the fine one
  /// [1, 2 - 1 / (2 n)] x [0, 1]^(dim - 1). All nodes of the fine block at x =
  /// 1 hang on the coarse one, those at its nodes as well. Nodes at the
  /// boundary of the domain are constrained, also where they would hang.
  inline HangingMesh
  hanging_mesh(const CellType type, const int degree, const int n = 2)
  {
    const int twice   = 2 * n;
    const double end  = 2 - 1. / twice;
    Connectivity mesh = generated_mesh(type, degree, n, n, n, false);
    const Connectivity fine =
      generated_mesh(type, degree, twice - 1, twice, twice, false);
    const int n_coarse = mesh.n_dofs;
    const int n_cells  = mesh.n_cells();
    for (const int dof : fine.cell_dofs)
      mesh.cell_dofs.push_back(n_coarse + dof);
    for (const int vertex : fine.cell_vertices)
      mesh.cell_vertices.push_back(mesh.n_vertices + vertex);
    const int dim = mesh.dim();
    for (std::size_t i = 0; i < fine.vertices.size(); ++i)
      mesh.vertices.push_back(fine.vertices[i] + (i % dim == 0));
    mesh.n_dofs += fine.n_dofs;
    mesh.n_vertices += fine.n_vertices;
    mesh.constrained.assign(mesh.n_dofs, 0);

    HangingMesh result{mesh, node_positions(mesh), n_cells};
    std::map<std::array<long, 3>, int> coarse_node;
    for (int i = 0; i < n_coarse; ++i)
      coarse_node[place_of(result.position[i])] = i;
    const std::vector<double> nodes = lobatto_nodes(degree);
    for (int i = 0; i < mesh.n_dofs; ++i)
      {
        const Position &x = result.position[i];
        const auto at     = [](const double a, const double b) {
          return std::abs(a - b) < 1e-9;
        };
        bool outside = at(x[0], 0) || at(x[0], end);
        for (int d = 1; d < dim; ++d)
          outside = outside || at(x[d], 0) || at(x[d], 1);
        if (outside)
          {
            result.mesh.constrained[i] = 1;
            continue;
          }
        if (i < n_coarse || !at(x[0], 1))
          continue;
        result.mesh.hanging.begin(i);
        // The coarse face around it, and its place there.
        Position corner = {1, 0, 0}, xi = {};
        for (int d = 1; d < dim; ++d)
          {
            corner[d] = std::floor(n * x[d]) / n;
            xi[d]     = n * (x[d] - corner[d]);
          }
        for (int a = 0; a <= degree; ++a)
          for (int b = 0; b <= (dim == 3 ? degree : 0); ++b)
            {
              double weight = lagrange(nodes, a, xi[1]);
              Position from = corner;
              from[1] += nodes[a] / n;
              if (dim == 3)
                {
                  weight *= lagrange(nodes, b, xi[2]);
                  from[2] += nodes[b] / n;
                }
              if (std::abs(weight) > 1e-12)
                result.mesh.hanging.add(coarse_node.at(place_of(from)), weight);
            }
      }
    return result;
  }

  /// Returns the mesh with dim components a node, some of which are given:
  /// all of constrained nodes, and some of other nodes that do not hang.
  inline Connectivity
  with_components(Connectivity mesh)
  {
    const int n                   = mesh.dim();
    const LinearConstraints nodes = std::move(mesh.hanging);
    std::vector<char> given       = std::move(mesh.constrained);
    std::vector<char> hangs(mesh.n_dofs, 0);
    mesh.n_components = n;
    mesh.hanging      = {};
    for (int k = 0; k < nodes.size(); ++k)
      for (int c = 0; c < n; ++c)
        {
          hangs[nodes.entry[k]] = 1;
          mesh.hanging.begin(nodes.entry[k] * n + c);
          for (std::int64_t m = nodes.start[k]; m < nodes.start[k + 1]; ++m)
            mesh.hanging.add(nodes.source[m] * n + c, nodes.weight[m]);
        }
    mesh.constrained.clear();
    for (int i = 0; i < mesh.n_dofs; ++i)
      for (int c = 0; c < n; ++c)
        mesh.constrained.push_back(given[i] ||
                                   (!hangs[i] && (i * n + c) * 7 / 3 % 5 == 0));
    return mesh;
  }
} // namespace tessera::test
