#include "mesh_tools.h"

#include <tessera/program/started_processes.h>

#include <deal.II/numerics/rtree.h>

#include <iostream>
#include <iterator>
#include <set>

namespace tessera::mesh_tools
{
  namespace
  {
    constexpr double tolerance = 1e-7; ///< relative to the size of a face

    /// Returns true if p lies on the simplex or its boundary.
    template <int dim>
    bool
    on_simplex(const dealii::Point<dim> &p,
               const std::array<dealii::Point<dim>, dim> &corners,
               const double size)
    {
      const auto a = corners[1] - corners[0], r = p - corners[0];
      if constexpr (dim == 2)
        {
          const double t = r * a / a.norm_square();
          return t >= 0. && t <= 1. && (r - t * a).norm() <= tolerance * size;
        }
      else
        {
          const auto b    = corners[2] - corners[0];
          const double aa = a * a, ab = a * b, bb = b * b, ra = r * a,
                       rb  = r * b;
          const double det = aa * bb - ab * ab;
          if (!(det > 0.))
            return false;
          const double s = (bb * ra - ab * rb) / det;
          const double t = (aa * rb - ab * ra) / det;
          return s >= -tolerance && t >= -tolerance && s + t <= 1 + tolerance &&
                 (r - s * a - t * b).norm() <= tolerance * size;
        }
    }


    template <int dim>
    bool
    on_face(const dealii::Point<dim> &p,
            const std::vector<dealii::Point<dim>> &vertices, const Face &face,
            const double size)
    {
      std::array<dealii::Point<dim>, dim> corners;
      if (face.opposite < 0)
        {
          for (int i = 0; i < dim; ++i)
            corners[i] = vertices[face.key[i]];
          return on_simplex<dim>(p, corners, size);
        }
      // Tests both triangles of a quadrilateral, on either side of a diagonal.
      for (int i = 1; i < 4; ++i)
        if (face.key[i] != face.opposite)
          {
            corners[0]       = vertices[face.key[0]];
            corners[1]       = vertices[face.opposite];
            corners[dim - 1] = vertices[face.key[i]];
            if (on_simplex<dim>(p, corners, size))
              return true;
          }
      return false;
    }
  } // namespace


  template <int dim>
  std::vector<Contact>
  find_contacts(const std::vector<dealii::Point<dim>> &vertices,
                const std::vector<Face> &faces)
  {
    std::vector<char> on_boundary(vertices.size(), false);
    for (const Face &face : faces)
      for (const int v : face.key)
        if (v >= 0)
          on_boundary[v] = true;
    std::vector<std::pair<dealii::Point<dim>, int>> points;
    for (std::size_t v = 0; v < vertices.size(); ++v)
      if (on_boundary[v])
        points.emplace_back(vertices[v], static_cast<int>(v));
    const auto tree = dealii::pack_rtree(points);

    std::vector<Contact> contacts;
    for (std::size_t f = 0; f < faces.size(); ++f)
      {
        const Face &face         = faces[f];
        dealii::Point<dim> lower = vertices[face.key[0]], upper = lower;
        for (const int v : face.key)
          for (int d = 0; d < dim && v >= 0; ++d)
            {
              lower[d] = std::min(lower[d], vertices[v][d]);
              upper[d] = std::max(upper[d], vertices[v][d]);
            }
        const double size = upper.distance(lower);
        for (int d = 0; d < dim; ++d)
          {
            lower[d] -= tolerance * size;
            upper[d] += tolerance * size;
          }
        const dealii::BoundingBox<dim> box(std::make_pair(lower, upper));
        std::vector<std::pair<dealii::Point<dim>, int>> near;
        tree.query(boost::geometry::index::intersects(box),
                   std::back_inserter(near));
        for (const auto &[point, v] : near)
          {
            if (std::find(face.key.begin(), face.key.end(), v) !=
                face.key.end())
              continue;
            int other = -1;
            for (const int corner : face.key)
              if (corner >= 0 &&
                  point.distance(vertices[corner]) <= tolerance * size)
                other = corner;
            if (other >= 0 || on_face(point, vertices, face, size))
              contacts.push_back({v, other, static_cast<int>(f)});
          }
      }
    return contacts;
  }


  template <int dim>
  void
  leave_apart(std::vector<Contact> &contacts, const std::vector<int> &pieces,
              const std::vector<Face> &faces,
              const std::vector<dealii::Point<dim>> &vertices,
              const std::string &source)
  {
    std::set<int> touching;
    const auto end =
      std::remove_if(contacts.begin(), contacts.end(), [&](const Contact &c) {
        const bool apart = pieces[c.vertex] != pieces[faces[c.face].key[0]];
        if (apart)
          touching.insert(c.vertex);
        return apart;
      });
    contacts.erase(end, contacts.end());
    if (!touching.empty() &&
        program::is_first_said("contacts of the " + source))
      std::cerr << "note: "
                << (touching.size() == 1
                      ? "1 vertex of the " + source + " lies"
                      : std::to_string(touching.size()) + " vertices of the " +
                          source + " lie")
                << " on another instance of a part, one of them at "
                << place(vertices[*touching.begin()])
                << (touching.size() == 1 ? ", and is" : ", and are")
                << " not joined to it; 'Mesh/Coinciding vertices' = "
                   "merge joins those at the same place."
                << std::endl;
  }


  template std::vector<Contact>
  find_contacts(const std::vector<dealii::Point<2>> &,
                const std::vector<Face> &);
  template std::vector<Contact>
  find_contacts(const std::vector<dealii::Point<3>> &,
                const std::vector<Face> &);
  template void
  leave_apart(std::vector<Contact> &, const std::vector<int> &,
              const std::vector<Face> &, const std::vector<dealii::Point<2>> &,
              const std::string &);
  template void
  leave_apart(std::vector<Contact> &, const std::vector<int> &,
              const std::vector<Face> &, const std::vector<dealii::Point<3>> &,
              const std::string &);
} // namespace tessera::mesh_tools
