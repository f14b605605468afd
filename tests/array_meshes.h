#pragma once

#include "cell_meshes.h"

#include <tessera/base/random.h>
#include <tessera/space/mesh_arrays.h>

#include <cmath>
#include <map>
#include <set>

// Meshes as arrays, and what they consist of by definition.
namespace tessera::test
{
  /// The corners of face f of a cell, in the order of `MeshArrays`.
  inline std::vector<int>
  face_corners(const CellType type, const int f)
  {
    if (type == CellType::triangle)
      return {f, (f + 1) % 3};
    if (type == CellType::tetrahedron)
      return std::vector<std::vector<int>>{
        {0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}}[f];
    std::vector<int> result;
    for (int v = 0; v < n_vertices(type); ++v)
      if ((v >> f / 2 & 1) == f % 2)
        result.push_back(v);
    return result;
  }

  inline int
  n_faces(const CellType type)
  {
    return is_simplex(type) ? dimension(type) + 1 : 2 * dimension(type);
  }

  /// A mesh in memory of the host, with the members that tests look at.
  struct HostMesh
  {
    CellType cell_type;
    int dim, nv, n_cells, n_vertices;
    std::vector<int> cell_vertices;
    std::vector<double> vertices;
    std::vector<unsigned int> materials;
    std::vector<std::int64_t> numbers;
    std::vector<MeshFace> boundary;

    explicit HostMesh(const MeshArrays &mesh)
      : cell_type(mesh.cell_type), dim(mesh.dim()), nv(mesh.corners_per_cell()),
        n_cells(mesh.n_cells()), n_vertices(mesh.n_vertices()),
        cell_vertices(mesh.corners.to_vector()),
        vertices(mesh.vertices.to_vector()),
        materials(mesh.materials.to_vector()),
        numbers(mesh.numbers.to_vector()), boundary(mesh.boundary.to_vector())
    {}

    int
    corner(const int cell, const int v) const
    {
      return cell_vertices[std::size_t(nv) * cell + v];
    }

    Position
    point(const int vertex) const
    {
      Position x = {0, 0, 0};
      std::copy_n(&vertices[std::size_t(dim) * vertex], dim, x.begin());
      return x;
    }

    std::set<int>
    face(const int cell, const int f) const
    {
      std::set<int> result;
      for (const int v : face_corners(cell_type, f))
        result.insert(corner(cell, v));
      return result;
    }

    /// How many cells have each face.
    std::map<std::set<int>, int>
    faces() const
    {
      std::map<std::set<int>, int> count;
      for (int c = 0; c < n_cells; ++c)
        for (int f = 0; f < n_faces(cell_type); ++f)
          ++count[face(c, f)];
      return count;
    }

    std::set<std::set<int>>
    edges() const
    {
      std::set<std::set<int>> result;
      for (int c = 0; c < n_cells; ++c)
        for (int a = 0; a < nv; ++a)
          for (int b = 0; b < a; ++b)
            if (is_simplex(cell_type) || ((a ^ b) & ((a ^ b) - 1)) == 0)
              result.insert({corner(c, a), corner(c, b)});
      return result;
    }

    double
    volume(const int cell) const
    {
      const ReferenceCell &corners = reference_cell(cell_type, 1);
      double sum                   = 0;
      for (std::size_t q = 0; q < corners.points.size(); ++q)
        {
          const MappedPoint point =
            map_point(*this, corners, cell, corners.points[q]);
          const auto &j = point.jacobian;
          for (int k = 0; k < 3; ++k)
            sum += corners.weights[q] * j[0][k] *
                   (j[1][(k + 1) % 3] * j[2][(k + 2) % 3] -
                    j[1][(k + 2) % 3] * j[2][(k + 1) % 3]);
        }
      return sum;
    }
  };

  /// Returns the largest ratio of the cubed length of edges, as the root of the
  /// sum of squares, and the volume of a tetrahedron. It is least for regular
  /// ones.
  inline double
  worst_shape(const HostMesh &mesh)
  {
    double result = 0;
    for (int c = 0; c < mesh.n_cells; ++c)
      {
        double sum = 0;
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < a; ++b)
            for (int d = 0; d < 3; ++d)
              sum += std::pow(mesh.point(mesh.corner(c, a))[d] -
                                mesh.point(mesh.corner(c, b))[d],
                              2);
        result = std::max(result, std::pow(sum, 1.5) / mesh.volume(c));
      }
    return result;
  }

  /// Returns cells with random materials and numbers. Every face of a single
  /// cell is a boundary face with a random id from 0 to 2.
  inline MeshArrays
  make_arrays(const CellType type, const std::vector<int> &cell_vertices,
              const std::vector<double> &vertices,
              const Backend backend = Backend::host)
  {
    MeshArrays mesh;
    mesh.cell_type = type;
    mesh.corners   = Array<int>(backend, cell_vertices);
    mesh.vertices  = Array<double>(backend, vertices);
    const int n    = mesh.n_cells();
    mesh.materials = Array<unsigned int>(backend, n);
    mesh.numbers   = Array<std::int64_t>(backend, n);
    RandomSequence random(n);
    std::vector<unsigned int> materials;
    std::vector<std::int64_t> numbers;
    std::vector<MeshFace> boundary;
    for (int c = 0; c < n; ++c)
      {
        materials.push_back(random.below(7));
        numbers.push_back((std::int64_t(1) << 33) + 3 * c);
      }
    const HostMesh host(mesh);
    const auto faces = host.faces();
    for (int c = 0; c < n; ++c)
      for (int f = 0; f < n_faces(type); ++f)
        if (faces.at(host.face(c, f)) == 1)
          boundary.push_back({c, f, random.below(3)});
    shuffle(boundary, RandomSequence(1));
    mesh.materials.copy_from(materials);
    mesh.numbers.copy_from(numbers);
    mesh.boundary = Array<MeshFace>(backend, boundary);
    return mesh;
  }

  /// Returns where the corners of a cell stand after a random rotation of its
  /// reference cell.
  inline std::vector<int>
  random_symmetry(const CellType type, RandomSequence &random)
  {
    const int dim = dimension(type), nv = n_vertices(type);
    std::vector<int> axes(is_simplex(type) ? nv : dim);
    std::iota(axes.begin(), axes.end(), 0);
    bool even = true;
    for (std::size_t i = axes.size(); i > 1; --i)
      {
        const auto j = random.below(i);
        even         = even == (j == i - 1);
        std::swap(axes[i - 1], axes[j]);
      }
    int flips = random.below(std::size_t(1) << dim);
    if (is_simplex(type))
      {
        if (!even)
          std::swap(axes[0], axes[1]);
        return axes;
      }
    for (int d = 0; d < dim; ++d)
      even = even != (flips >> d & 1);
    flips ^= even ? 0 : 1;
    std::vector<int> result;
    for (int v = 0; v < nv; ++v)
      {
        int to = 0;
        for (int d = 0; d < dim; ++d)
          to |= (v >> d & 1) << axes[d];
        result.push_back(to ^ flips);
      }
    return result;
  }

  /// Returns the generator's boxes as arrays: distorted, with vertices and
  /// cells in random order, and every cell in a random orientation.
  inline MeshArrays
  random_arrays(const CellType type, const int n_x, const int n_y,
                const int n_z, const std::uint64_t seed = 1,
                const Backend backend = Backend::host)
  {
    const Connectivity mesh = generated_mesh(type, 1, n_x, n_y, n_z);
    const int dim = mesh.dim(), nv = mesh.vertices_per_cell();
    std::vector<int> vertex(mesh.n_vertices), cell(mesh.n_cells());
    std::iota(vertex.begin(), vertex.end(), 0);
    std::iota(cell.begin(), cell.end(), 0);
    shuffle(vertex, RandomSequence(seed, 1));
    shuffle(cell, RandomSequence(seed, 2));
    std::vector<double> points(mesh.vertices.size());
    for (int v = 0; v < mesh.n_vertices; ++v)
      std::copy_n(&mesh.vertices[std::size_t(dim) * v], dim,
                  &points[std::size_t(dim) * vertex[v]]);
    std::vector<int> corners;
    RandomSequence random(seed, 3);
    for (const int c : cell)
      for (const int v : random_symmetry(type, random))
        corners.push_back(vertex[mesh.cell_vertices[std::size_t(nv) * c + v]]);
    return make_arrays(type, corners, points, backend);
  }
} // namespace tessera::test
