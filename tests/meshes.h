#pragma once

#include <tessera/space/connectivity.h>
#include <tessera/space/generator.h>
#include <tessera/space/space.h>

#include "reference.h"

#include <algorithm>
#include <complex>
#include <map>
#include <utility>
#include <vector>

/// Small meshes for the tests of every layer.
namespace tessera::test
{
  using Point = std::array<double, 2>;

  /// The vertices of a quadrilateral, counter-clockwise.
  using Quad = std::array<int, 4>;

  struct QuadMesh
  {
    std::vector<Point> vertices;
    std::vector<Quad> quads;
  };

  using Edge = std::pair<int, int>;

  inline Edge
  edge_between(const int a, const int b)
  {
    return {std::min(a, b), std::max(a, b)};
  }

  /// Returns the number of quads at every edge; it is 1 on the boundary.
  inline std::map<Edge, int>
  count_edges(const QuadMesh &mesh)
  {
    std::map<Edge, int> count;
    for (const Quad &quad : mesh.quads)
      for (int k = 0; k < 4; ++k)
        ++count[edge_between(quad[k], quad[(k + 1) % 4])];
    return count;
  }

  /// Adds a polygon with 2 `valence` corners around a new vertex, divided into
  /// `valence` quads.
  inline void
  add_star(QuadMesh &mesh, const std::vector<int> &ring, const Point center)
  {
    const int c = static_cast<int>(mesh.vertices.size());
    const int n = static_cast<int>(ring.size());
    mesh.vertices.push_back(center);
    for (int k = 0; k < n; k += 2)
      mesh.quads.push_back({c, ring[k], ring[k + 1], ring[(k + 2) % n]});
  }

  /// Divides every quad into four.
  inline QuadMesh
  refine(const QuadMesh &coarse)
  {
    QuadMesh fine{coarse.vertices, {}};
    std::map<Edge, int> middle;
    const auto add = [&](const std::vector<int> &around) {
      Point point = {0, 0};
      for (const int v : around)
        for (int d = 0; d < 2; ++d)
          point[d] += coarse.vertices[v][d] / around.size();
      fine.vertices.push_back(point);
      return static_cast<int>(fine.vertices.size()) - 1;
    };
    for (const Quad &quad : coarse.quads)
      {
        const int center = add({quad.begin(), quad.end()});
        std::array<int, 4> side;
        for (int k = 0; k < 4; ++k)
          {
            const Edge edge  = edge_between(quad[k], quad[(k + 1) % 4]);
            const auto found = middle.find(edge);
            side[k]          = found != middle.end()
                                 ? found->second
                                 : (middle[edge] = add({edge.first, edge.second}));
          }
        for (int k = 0; k < 4; ++k)
          fine.quads.push_back({quad[k], side[k], center, side[(k + 3) % 4]});
      }
    return fine;
  }

  /// Returns a decagon around a vertex of five cells and a hexagon around one
  /// of three, joined at an edge and refined. Inner vertices are moved, and
  /// cells are turned by quarter turns, so that neighbours see their common
  /// edge in any orientation.
  inline QuadMesh
  unstructured_quads(const int n_refinements)
  {
    constexpr double pi = 3.14159265358979323846;
    QuadMesh mesh;
    std::vector<int> decagon, hexagon = {1, 0};
    const auto add = [&](const std::complex<double> z) {
      mesh.vertices.push_back({z.real(), z.imag()});
      return static_cast<int>(mesh.vertices.size()) - 1;
    };
    for (int k = 0; k < 10; ++k)
      decagon.push_back(add(std::polar(1., k * pi / 5)));
    std::complex<double> corner = 1;
    std::complex<double> side   = 1. - std::polar(1., pi / 5);
    std::complex<double> center = 0;
    for (int k = 0; k < 4; ++k)
      {
        side *= std::polar(1., pi / 3);
        corner += side;
        hexagon.push_back(add(corner));
        if (k == 1)
          center = (corner + std::polar(1., pi / 5)) / 2.;
      }
    add_star(mesh, decagon, {0, 0});
    add_star(mesh, hexagon, {center.real(), center.imag()});
    for (int i = 0; i < n_refinements; ++i)
      mesh = refine(mesh);

    std::vector<char> inside(mesh.vertices.size(), 1);
    for (const auto &[edge, count] : count_edges(mesh))
      if (count == 1)
        inside[edge.first] = inside[edge.second] = 0;
    const double step = 0.08 / (1 << n_refinements);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (inside[v])
        {
          mesh.vertices[v][0] += step * std::sin(3. * v + 1);
          mesh.vertices[v][1] += step * std::cos(5. * v + 2);
        }
    for (std::size_t c = 0; c < mesh.quads.size(); ++c)
      std::rotate(mesh.quads[c].begin(),
                  mesh.quads[c].begin() + (c * 7 / 3) % 4, mesh.quads[c].end());
    return mesh;
  }

  /// Numbers the degrees of freedom of a mesh of quads: vertices, then edges
  /// (from the lower to the higher vertex), then insides. All on the boundary
  /// are constrained if `dirichlet`.
  inline Connectivity
  make_connectivity(const QuadMesh &mesh, const int degree,
                    const bool dirichlet)
  {
    const int n               = degree + 1;
    std::map<Edge, int> edges = count_edges(mesh);
    Connectivity result;
    result.degree     = degree;
    result.n_vertices = static_cast<int>(mesh.vertices.size());
    for (const Point &vertex : mesh.vertices)
      result.vertices.insert(result.vertices.end(), vertex.begin(),
                             vertex.end());
    result.n_dofs = result.n_vertices + int(edges.size()) * (degree - 1) +
                    int(mesh.quads.size()) * (degree - 1) * (degree - 1);
    result.constrained.assign(result.n_dofs, 0);

    int next = result.n_vertices;
    for (auto &[edge, value] : edges)
      {
        if (value == 1 && dirichlet)
          {
            result.constrained[edge.first]  = 1;
            result.constrained[edge.second] = 1;
            std::fill_n(result.constrained.begin() + next, degree - 1, 1);
          }
        value = next;
        next += degree - 1;
      }
    for (const Quad &quad : mesh.quads)
      {
        const Quad corner = {quad[0], quad[1], quad[3], quad[2]};
        result.cell_vertices.insert(result.cell_vertices.end(), corner.begin(),
                                    corner.end());
        const auto on_edge = [&](const int from, const int to, const int i) {
          const int first = edges.at(edge_between(from, to));
          return first + (from < to ? i - 1 : degree - 1 - i);
        };
        for (int i1 = 0; i1 < n; ++i1)
          for (int i0 = 0; i0 < n; ++i0)
            {
              const bool end0 = i0 == 0 || i0 == degree;
              const bool end1 = i1 == 0 || i1 == degree;
              const int v0 = i0 == degree, v1 = i1 == degree;
              result.cell_dofs.push_back(
                end0 && end1 ? corner[2 * v1 + v0]
                : end1       ? on_edge(corner[2 * v1], corner[2 * v1 + 1], i0)
                : end0       ? on_edge(corner[v0], corner[v0 + 2], i1)
                             : next++);
            }
      }
    return result;
  }

  /// Returns 8 * 4^n_refinements cells; see `unstructured_quads`.
  inline Connectivity
  unstructured_mesh(const int degree, const int n_refinements = 2,
                    const bool dirichlet = true)
  {
    return make_connectivity(unstructured_quads(n_refinements), degree,
                             dirichlet);
  }

  /// Returns cells around a vertex of `valence` cells.
  inline Connectivity
  star_mesh(const int degree, const int valence, const int n_refinements = 1)
  {
    constexpr double pi = 3.14159265358979323846;
    QuadMesh mesh;
    std::vector<int> ring(2 * valence);
    for (int k = 0; k < 2 * valence; ++k)
      {
        const auto corner =
          std::polar(k % 2 == 0 ? 1. : 1.2, (k + 0.2 * (k % 2)) * pi / valence);
        mesh.vertices.push_back({corner.real(), corner.imag()});
        ring[k] = k;
      }
    add_star(mesh, ring, {0.05, -0.02});
    for (int k = 0; k < n_refinements; ++k)
      mesh = refine(mesh);
    return make_connectivity(mesh, degree, true);
  }

  /// Returns n_x by n_y distorted cells on the generator's rectangle.
  inline Connectivity
  generated_mesh(const int degree, const int n_x, const int n_y,
                 const bool dirichlet = true)
  {
    GeneratedMesh parameters;
    parameters.n_x       = n_x;
    parameters.n_y       = n_y;
    parameters.degree    = degree;
    parameters.dirichlet = dirichlet;
    return generate(parameters);
  }

  /// Returns the reference cell, which is made once for a type and a degree.
  inline const ReferenceCell &
  reference_cell(const CellType type, const int degree)
  {
    static std::map<std::pair<CellType, int>, ReferenceCell> cells;
    return cells.try_emplace({type, degree}, type, degree).first->second;
  }

  /// Returns the position of node i of a cell of a Connectivity or a Space.
  template <class Mesh>
  Position
  node_position(const Mesh &mesh, const int cell, const int i)
  {
    return map_point(mesh, reference_cell(mesh.cell_type, 1), cell,
                     reference_cell(mesh.cell_type, mesh.degree).nodes[i])
      .x;
  }
} // namespace tessera::test
