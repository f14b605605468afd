#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

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

    template <int dim, class Cell, class Face>
    BoundaryFace<dim>
    boundary_face(const Cell &cell, const Face &face)
    {
      BoundaryFace<dim> result;
      for (const unsigned int v : face->vertex_indices())
        result.vertices.push_back(static_cast<int>(face->vertex_index(v)));
      const auto between = [&face](const int from, const int to) {
        return face->vertex(to) - face->vertex(from);
      };
      if constexpr (dim == 2)
        result.normal = dealii::cross_product_2d(between(0, 1));
      else if (face->n_vertices() == 3)
        result.normal = dealii::cross_product_3d(between(0, 1), between(0, 2));
      else
        result.normal = dealii::cross_product_3d(between(0, 3), between(1, 2));
      if (result.normal * (face->center() - cell->center()) < 0.)
        result.normal *= -1.;
      result.normal /= result.normal.norm();
      return result;
    }

    /// Returns what a face may share with another one: in the plane its
    /// vertices, else its edges.
    template <int dim, class Face>
    std::vector<std::pair<int, int>>
    ridges_of(const Face &face)
    {
      std::vector<std::pair<int, int>> ridges;
      if constexpr (dim == 2)
        for (const unsigned int v : face->vertex_indices())
          ridges.emplace_back(face->vertex_index(v), face->vertex_index(v));
      else
        for (unsigned int l = 0; l < face->n_lines(); ++l)
          ridges.push_back(std::minmax<int>(face->line(l)->vertex_index(0),
                                            face->line(l)->vertex_index(1)));
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
    for (const auto &cell : boundary_cells(mesh.triangulation()))
      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          {
            for (const auto &ridge : ridges_of<dim>(face))
              at_ridge[ridge].push_back(static_cast<int>(faces.size()));
            faces.push_back(boundary_face<dim>(cell, face));
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
