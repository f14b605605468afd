#pragma once

#include "meshes.h"

#include <numeric>
#include <string>

// Small meshes of every cell type and geometry.
namespace tessera::test
{
  constexpr CellType cell_types[] = {CellType::quadrilateral,
                                     CellType::hexahedron, CellType::triangle,
                                     CellType::tetrahedron};

  /// Returns the generator's mesh of n_x by n_y (by n_z) distorted boxes.
  inline Connectivity
  generated_mesh(const CellType type, const int degree, const int n_x,
                 const int n_y, const int n_z, const bool dirichlet = true,
                 const double distortion = 0.2)
  {
    GeneratedMesh parameters;
    parameters.cell_type  = type;
    parameters.n_x        = n_x;
    parameters.n_y        = n_y;
    parameters.n_z        = n_z;
    parameters.degree     = degree;
    parameters.dirichlet  = dirichlet;
    parameters.distortion = distortion;
    return generate(parameters);
  }

  /// Returns the first n cells with the vertices and nodes that they use.
  inline Connectivity
  first_cells(const Connectivity &mesh, const int n)
  {
    const auto renumber = [](std::vector<int> &indices, const int count) {
      std::vector<int> place(count, -1), kept;
      for (const int i : indices)
        place[i] = 0;
      for (int i = 0; i < count; ++i)
        if (place[i] == 0)
          {
            place[i] = int(kept.size());
            kept.push_back(i);
          }
      for (int &i : indices)
        i = place[i];
      return kept;
    };
    Connectivity result = mesh;
    result.cell_dofs.resize(std::size_t(n) * mesh.dofs_per_cell());
    result.cell_vertices.resize(std::size_t(n) * mesh.vertices_per_cell());
    const int nq = mesh.points_per_cell(), dim = mesh.dim();
    if (mesh.geometry == Geometry::quadrature)
      {
        result.jacobians.resize(std::size_t(n) * nq * dim * dim);
        result.points.resize(std::size_t(n) * nq * dim);
      }
    const std::vector<int> dofs = renumber(result.cell_dofs, mesh.n_dofs);
    const std::vector<int> vertices =
      renumber(result.cell_vertices, mesh.n_vertices);
    result.n_dofs     = int(dofs.size());
    result.n_vertices = int(vertices.size());
    result.constrained.clear();
    result.vertices.clear();
    for (const int i : dofs)
      result.constrained.push_back(mesh.constrained[i]);
    for (const int v : vertices)
      for (int d = 0; d < dim; ++d)
        result.vertices.push_back(mesh.vertices[std::size_t(dim) * v + d]);
    return result;
  }

  /// Returns the place of lattice node i of a tensor cell before the cell was
  /// turned: by quarter turns about the last axis and then, in three
  /// dimensions, by a change of axes.
  inline int
  turned_place(const int i, const int dim, const int degree, const int turn)
  {
    const int n = degree + 1;
    int at[3]   = {i % n, i / n % n, i / n / n};
    for (int k = 0; k < turn % 4; ++k)
      {
        const int first = at[0];
        at[0]           = degree - at[1];
        at[1]           = first;
      }
    if (dim == 3)
      std::rotate(at, at + turn / 4 % 3, at + 3);
    return (at[2] * n + at[1]) * n + at[0];
  }

  /// Turns every cell, so that neighbours see their common face in any
  /// orientation. The mesh must have no Jacobians.
  inline Connectivity
  turned(Connectivity mesh)
  {
    const int dim           = mesh.dim();
    const auto turn_simplex = [](int *entries, const int n, const int turn) {
      for (int first = 0; first + 3 <= n;
           first += first == 0 && n == 10 ? 4 : 3)
        std::rotate(entries + first, entries + first + turn % 3,
                    entries + first + 3);
    };
    const auto turn_tensor = [dim](int *entries, const int n, const int degree,
                                   const int turn) {
      const std::vector<int> old(entries, entries + n);
      for (int i = 0; i < n; ++i)
        entries[i] = old[turned_place(i, dim, degree, turn)];
    };
    const int n = mesh.dofs_per_cell(), m = mesh.vertices_per_cell();
    for (int c = 0; c < mesh.n_cells(); ++c)
      {
        int *dofs      = &mesh.cell_dofs[std::size_t(n) * c];
        int *vertices  = &mesh.cell_vertices[std::size_t(m) * c];
        const int turn = c * 7 / 3;
        if (is_simplex(mesh.cell_type))
          {
            turn_simplex(dofs, n, turn);
            turn_simplex(vertices, m, turn);
          }
        else
          {
            turn_tensor(dofs, n, mesh.degree, turn);
            turn_tensor(vertices, m, 1, turn);
          }
      }
    return mesh;
  }

  /// Returns a smooth map of space, and its gradient.
  inline MappedPoint
  curve(const Position &x, const int dim)
  {
    const double a = 0.1, z = dim == 3 ? x[2] : 0;
    MappedPoint result = {
      {x[0] + a * std::sin(2 * x[1] + z), x[1] + a * std::cos(3 * x[0]),
       z + (dim == 3 ? a * std::sin(2 * x[0] - x[1]) : 0)},
      {{1, 2 * a * std::cos(2 * x[1] + z), a * std::cos(2 * x[1] + z)},
       {-3 * a * std::sin(3 * x[0]), 1, 0},
       {2 * a * std::cos(2 * x[0] - x[1]), -a * std::cos(2 * x[0] - x[1]), 1}}};
    return result;
  }

  /// Bends a mesh by a smooth map; the result has Geometry::quadrature.
  inline Connectivity
  curved(Connectivity mesh)
  {
    const int dim = mesh.dim();
    const ReferenceCell element(mesh.cell_type, mesh.degree);
    const ReferenceCell corners(mesh.cell_type, 1);
    mesh.geometry = Geometry::quadrature;
    for (int c = 0; c < mesh.n_cells(); ++c)
      for (const Position &xi : element.points)
        {
          const MappedPoint straight = map_point(mesh, corners, c, xi);
          const MappedPoint bent     = curve(straight.x, dim);
          for (int i = 0; i < dim; ++i)
            {
              mesh.points.push_back(bent.x[i]);
              for (int j = 0; j < dim; ++j)
                {
                  double sum = 0;
                  for (int k = 0; k < dim; ++k)
                    sum += bent.jacobian[i][k] * straight.jacobian[k][j];
                  mesh.jacobians.push_back(sum);
                }
            }
        }
    for (int v = 0; v < mesh.n_vertices; ++v)
      {
        Position x = {0, 0, 0};
        std::copy_n(&mesh.vertices[std::size_t(dim) * v], dim, x.begin());
        const MappedPoint bent = curve(x, dim);
        std::copy_n(bent.x.begin(), dim, &mesh.vertices[std::size_t(dim) * v]);
      }
    return mesh;
  }

  /// Shears a mesh of boxes and makes all of them different; the result has
  /// Geometry::affine. The mesh must not be distorted, unless it has simplices.
  inline Connectivity
  sheared(Connectivity mesh)
  {
    const int dim = mesh.dim();
    mesh.geometry = Geometry::affine;
    for (int v = 0; v < mesh.n_vertices; ++v)
      {
        double *x        = &mesh.vertices[std::size_t(dim) * v];
        double graded[3] = {0, 0, 0};
        for (int d = 0; d < dim; ++d)
          graded[d] = x[d] + 0.2 * x[d] * x[d];
        x[0] = graded[0] + 0.3 * graded[1] - 0.1 * graded[2];
        x[1] = graded[1] + 0.2 * graded[0] + 0.25 * graded[2];
        if (dim == 3)
          x[2] = graded[2] - 0.15 * graded[0] + 0.1 * graded[1];
      }
    return mesh;
  }

  struct NamedMesh
  {
    std::string name;
    Connectivity mesh;
  };

  /// Returns meshes of a type with every geometry, whose last batch is not
  /// full. The smallest have no constrained degree of freedom.
  inline std::vector<NamedMesh>
  awkward_meshes(const CellType type, const int degree)
  {
    const bool solid = dimension(type) == 3, simplex = is_simplex(type);
    const int boxes = !simplex ? 33 : solid ? 6 : 17;
    const auto grid = [&](const int n_x, const int n_y, const int n_z,
                          const bool dirichlet, const double distortion = 0.2) {
      return generated_mesh(type, degree, n_x, n_y, n_z, dirichlet, distortion);
    };
    // Only inner vertices are moved: a flat mesh has no bent hexahedron.
    const auto first = [&](const int n, const Connectivity &flat) {
      return first_cells(
        turned(solid && !simplex ? grid(4, 3, 3, false) : flat), n);
    };
    const Connectivity block = !solid    ? grid(17, 16, 1, true)
                               : simplex ? grid(4, 3, 5, true)
                                         : grid(6, 5, 5, true);
    return {
      {"1 cell", first(1, grid(1, 1, 1, false))},
      {"31 cells", first(31, grid(boxes, 1, 1, false))},
      {"33 cells", first(33, grid(3, 11, 1, false))},
      {"several blocks", turned(block)},
      {"affine", sheared(grid(3, solid ? 3 : 7, 3, true, simplex ? 0.2 : 0))},
      {"curved", curved(turned(grid(5, 7, solid ? 2 : 1, !solid)))},
    };
  }
} // namespace tessera::test
