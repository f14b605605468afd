#include "mesh_tools.h"

#include <tessera/program/started_processes.h>
#include <tessera/program/table.h>

#include <cmath>
#include <iostream>
#include <map>
#include <set>

namespace tessera::mesh_tools
{
  namespace
  {
    /// A boundary face of a mesh.
    template <int dim>
    struct BoundaryFace
    {
      std::vector<int> vertices;
      dealii::Tensor<1, dim> normal; ///< of length 1, outwards
    };

    /// Returns a face whose corners are these of a cell.
    template <int dim>
    BoundaryFace<dim>
    boundary_face(const MeshArrays &mesh, const int cell,
                  const std::vector<int> &corners)
    {
      std::vector<dealii::Point<dim>> points;
      corners_of(mesh, cell, points);
      BoundaryFace<dim> result;
      for (const int v : corners)
        result.vertices.push_back(
          mesh.corners.data()[std::size_t(cell) * points.size() + v]);
      const auto between = [&](const int from, const int to) {
        return points[corners[to]] - points[corners[from]];
      };
      if constexpr (dim == 2)
        result.normal = dealii::cross_product_2d(between(0, 1));
      else if (corners.size() == 3)
        result.normal = dealii::cross_product_3d(between(0, 1), between(0, 2));
      else
        result.normal = dealii::cross_product_3d(between(0, 3), between(1, 2));
      if (result.normal *
            (mean_of<dim>(mesh, cell, corners) - mean_of<dim>(mesh, cell)) <
          0.)
        result.normal *= -1.;
      result.normal /= result.normal.norm();
      return result;
    }

    /// Returns what a face may share with another one: in the plane its
    /// vertices, else its edges.
    template <int dim>
    std::vector<std::pair<int, int>>
    ridges_of(const std::vector<int> &vertices)
    {
      if constexpr (dim == 2)
        return {{vertices[0], vertices[0]}, {vertices[1], vertices[1]}};
      const std::vector<std::pair<int, int>> edges =
        vertices.size() == 3
          ? std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}}
          : std::vector<std::pair<int, int>>{{0, 1}, {2, 3}, {0, 2}, {1, 3}};
      std::vector<std::pair<int, int>> ridges;
      for (const auto &[a, b] : edges)
        ridges.push_back(std::minmax(vertices[a], vertices[b]));
      return ridges;
    }
  } // namespace


  template <int dim>
  Facets
  facets_of_curves(const Mesh<dim> &mesh)
  {
    constexpr double flat = 0.5 * M_PI / 180., corner = 40. * M_PI / 180.;
    std::vector<BoundaryFace<dim>> faces;
    std::map<std::pair<int, int>, std::vector<int>> at_ridge; // faces
    const auto arrays = mesh.arrays();
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      {
        const MeshFace &face = arrays->boundary.data()[f];
        faces.push_back(boundary_face<dim>(
          *arrays, face.cell, faces_of(arrays->cell_type)[face.face]));
        for (const auto &ridge : ridges_of<dim>(faces.back().vertices))
          at_ridge[ridge].push_back(static_cast<int>(f));
      }

    std::vector<std::pair<int, int>> in_a_plane, turned;
    std::vector<double> angles; // of `turned`
    std::set<int> turning;      // vertices
    for (const auto &[ridge, two] : at_ridge)
      {
        if (two.size() != 2)
          continue;
        const double cosine = faces[two[0]].normal * faces[two[1]].normal,
                     angle  = std::acos(std::min(1., std::max(-1., cosine)));
        if (angle < flat)
          in_a_plane.emplace_back(two[0], two[1]);
        else if (angle <= corner)
          {
            turned.emplace_back(two[0], two[1]);
            angles.push_back(angle);
            turning.insert({ridge.first, ridge.second});
          }
      }
    const auto facet = smallest_equals(faces.size(), in_a_plane);
    std::vector<char> is_narrow(faces.size(), true); // by facet
    for (std::size_t f = 0; f < faces.size(); ++f)
      for (const int v : faces[f].vertices)
        if (turning.count(v) == 0)
          is_narrow[facet[f]] = false;
    std::map<int, std::set<int>> neighbours; // facets
    for (const auto &[a, b] : turned)
      {
        neighbours[facet[a]].insert(facet[b]);
        neighbours[facet[b]].insert(facet[a]);
      }
    Facets result;
    const auto is_strip = [&](const int f) {
      return is_narrow[f] != 0 && neighbours.at(f).size() > 1;
    };
    for (const auto &[f, others] : neighbours)
      result.n += is_strip(f);
    for (std::size_t i = 0; i < turned.size(); ++i)
      if (is_strip(facet[turned[i].first]) || is_strip(facet[turned[i].second]))
        result.angle = std::max(result.angle, angles[i] * 180. / M_PI);
    return result;
  }


  template <int dim>
  void
  note_facets(const Mesh<dim> &mesh)
  {
    if (!program::is_first_said("facets of the " + mesh.source))
      return;
    const Facets facets = facets_of_curves(mesh);
    if (facets.n >= 3)
      std::cerr << "note: the boundary of the " << mesh.source
                << " looks like a curved one of " << facets.n
                << (dim == 2 ? " straight" : " flat")
                << " pieces with angles of up to "
                << program::format(facets.angle, 2)
                << " degrees between them: a refined mesh keeps these corners, "
                   "where stresses and fluxes can become too large, and a "
                   "finer file does not."
                << std::endl;
  }


  template Facets
  facets_of_curves(const Mesh<2> &);
  template Facets
  facets_of_curves(const Mesh<3> &);
  template void
  note_facets(const Mesh<2> &);
  template void
  note_facets(const Mesh<3> &);
} // namespace tessera::mesh_tools
