#include "body_stl.h"

#include "mesh_tools.h"
#include "triangle_shells.h"

#include <sys/time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <unordered_map>

namespace tessera::mesh_tools
{
  namespace
  {
    constexpr int triangle = 2, tetrahedron = 4; // gmsh's numbers of types

    TriangleSurface
    read_triangles()
    {
      std::vector<std::size_t> nodes, elements, corners;
      std::vector<double> coordinates, parameters;
      gmsh::model::mesh::getNodes(nodes, coordinates, parameters);
      TriangleSurface surface;
      std::unordered_map<std::size_t, int> point;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        {
          point[nodes[i]] = static_cast<int>(i);
          surface.points.emplace_back(
            coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]);
        }
      gmsh::model::mesh::getElementsByType(triangle, elements, corners);
      for (std::size_t t = 0; t < elements.size(); ++t)
        surface.triangles.push_back({point.at(corners[3 * t]),
                                     point.at(corners[3 * t + 1]),
                                     point.at(corners[3 * t + 2])});
      return surface;
    }


    /// Gives gmsh the triangles anew, as one surface for each value of `part`,
    /// [n_triangles], which has its number plus one. The tags of triangles are
    /// their numbers plus one, too.
    void
    hand_over(const TriangleSurface &surface, const std::vector<int> &part)
    {
      const int n_parts = 1 + *std::max_element(part.begin(), part.end());
      std::vector<std::vector<std::size_t>> tags(n_parts), corners(n_parts);
      std::vector<char> used(surface.points.size(), false);
      for (std::size_t t = 0; t < surface.triangles.size(); ++t)
        {
          tags[part[t]].push_back(t + 1);
          for (const int v : surface.triangles[t])
            {
              corners[part[t]].push_back(v + 1);
              used[v] = true;
            }
        }
      std::vector<std::size_t> nodes;
      std::vector<double> coordinates;
      for (std::size_t v = 0; v < used.size(); ++v)
        if (used[v])
          {
            nodes.push_back(v + 1);
            for (int d = 0; d < 3; ++d)
              coordinates.push_back(surface.points[v][d]);
          }
      gmsh::clear();
      for (int p = 0; p < n_parts; ++p)
        gmsh::model::addDiscreteEntity(2, p + 1);
      gmsh::model::mesh::addNodes(2, 1, nodes, coordinates);
      for (int p = 0; p < n_parts; ++p)
        gmsh::model::mesh::addElementsByType(p + 1, triangle, tags[p],
                                             corners[p]);
    }


    /// Makes bodies of gmsh's surfaces, which are pieces of shells and faces.
    EntityGroups
    add_bodies(const Shells &shells, const bool anew)
    {
      EntityGroups faces;
      std::map<int, std::vector<int>> pieces; // of shells
      gmsh::vectorpair surfaces;
      gmsh::model::getEntities(surfaces, 2);
      for (const auto &[dimension, tag] : surfaces)
        {
          std::vector<std::size_t> elements, corners;
          gmsh::model::mesh::getElementsByType(triangle, elements, corners,
                                               tag);
          const std::size_t t = elements.at(0) - 1;
          faces[shells.face_of[t] + 1].push_back(tag);
          pieces[shells.shell_of[t]].push_back(tag);
        }
      if (anew)
        gmsh::model::mesh::createGeometry();
      for (const auto &of_body : shells.bodies)
        {
          std::vector<int> loops;
          for (const int shell : of_body)
            loops.push_back(gmsh::model::geo::addSurfaceLoop(pieces.at(shell)));
          gmsh::model::geo::addVolume(loops);
        }
      gmsh::model::geo::synchronize();
      return faces;
    }


    std::array<double, 3>
    edges_of_box(const TriangleSurface &surface)
    {
      std::array<double, 3> edges{};
      for (int d = 0; d < 3; ++d)
        {
          const auto [low, high] = std::minmax_element(
            surface.points.begin(), surface.points.end(),
            [d](const auto &a, const auto &b) { return a[d] < b[d]; });
          edges[d] = (*high)[d] - (*low)[d];
        }
      return edges;
    }


    std::string
    describe(const TriangleSurface &surface, const Shells &shells)
    {
      std::ostringstream text;
      const std::size_t n_shells =
        1 + *std::max_element(shells.shell_of.begin(), shells.shell_of.end());
      text << "Triangles    " << surface.triangles.size()
           << " in a closed surface";
      if (n_shells > 1)
        text << " of " << n_shells << " parts, which are "
             << shells.bodies.size()
             << (shells.bodies.size() == 1 ? " body" : " bodies") << " and "
             << n_shells - shells.bodies.size()
             << (n_shells - shells.bodies.size() == 1 ? " cavity"
                                                      : " cavities");
      text << '\n';
      if (shells.n_turned > 0)
        text << "             " << shells.n_turned
             << " had normals that point inwards and were turned\n";
      if (shells.n_flat > 0)
        text << "             " << shells.n_flat << " without area "
             << (shells.n_flat == 1 ? "was" : "were") << " removed\n";
      return text.str();
    }


    /// Ends this process once it has worked so many seconds more; 0: never.
    void
    limit_work(const double seconds)
    {
      itimerval timer{};
      timer.it_value.tv_sec = static_cast<time_t>(std::ceil(seconds));
      setitimer(ITIMER_PROF, &timer, nullptr);
    }
  } // namespace


  TriangleBody
  read_stl(const GmshSession &session, const Body &body,
           const ChooseSize &choose_size)
  {
    session.call(body.source, "cannot be read",
                 [&] { gmsh::merge(body.path); });
    TriangleSurface surface = read_triangles();
    if (surface.triangles.empty())
      throw MeshError("The " + body.source + " has no triangles.");
    Shells shells          = find_shells(surface, body.angle, body.source);
    const double tolerance = resolution(surface);
    check_crossings(surface, tolerance, body.source);

    TriangleBody result;
    result.volume = shells.volume;
    result.area   = shells.area;
    result.notes  = describe(surface, shells);
    result.element_size =
      body.size_factor * choose_size(edges_of_box(surface), shells.volume);
    if (body.keep_triangles)
      {
        // A face has triangles of one shell alone.
        std::map<int, int> shell_of_face;
        for (std::size_t t = 0; t < shells.face_of.size(); ++t)
          shell_of_face[shells.face_of[t]] = shells.shell_of[t];
        divide(surface, shells.face_of, result.element_size, tolerance);
        shells.shell_of.clear();
        for (const int face : shells.face_of)
          shells.shell_of.push_back(shell_of_face.at(face));
      }
    result.n_triangles = surface.triangles.size();
    result.errors      = session.errors_of([&] {
      hand_over(surface, body.keep_triangles
                                ? shells.face_of
                                : std::vector<int>(surface.triangles.size(), 0));
      if (!body.keep_triangles)
        gmsh::model::mesh::classifySurfaces(body.angle, true, true);
      result.faces = add_bodies(shells, !body.keep_triangles);
    });
    // MeshAdapt: on the pieces of triangles, gmsh's default leads to flat
    // tetrahedra (prm/elasticity/part.stl: quality 0.01 instead of 0.15).
    gmsh::option::setNumber("Mesh.Algorithm", 1);
    return result;
  }


  std::vector<std::string>
  mesh_bodies(const GmshSession &session, const TriangleBody &triangles,
              const Body &body)
  {
    // MeshAdapt makes some thousand triangles a second and Delaunay's method
    // ten times as many tetrahedra, but neither ends where pieces of surfaces
    // cannot be unrolled without folds or points lie badly.
    const double size = triangles.element_size,
                 n_triangles =
                   std::max(triangles.area / (std::sqrt(0.1875) * size * size),
                            static_cast<double>(triangles.n_triangles)),
                 n_cells =
                   triangles.volume * std::sqrt(72.) / (size * size * size) +
                   5. * n_triangles;
    auto errors = triangles.errors;
    for (const int dimension : {2, 3})
      if (errors.empty())
        {
          if (!body.last_try)
            limit_work(dimension == 2 ? 5. + n_triangles / 500.
                                      : 10. + n_cells / 1000.);
          errors =
            session.errors_of([&] { gmsh::model::mesh::generate(dimension); });
          limit_work(0.);
        }
    return errors;
  }


  std::vector<std::vector<dealii::Point<3>>>
  tetrahedra()
  {
    std::vector<std::size_t> nodes, elements, corners;
    std::vector<double> x, parameters;
    gmsh::model::mesh::getNodes(nodes, x, parameters);
    std::unordered_map<std::size_t, std::size_t> index;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      index[nodes[i]] = i;
    gmsh::model::mesh::getElementsByType(tetrahedron, elements, corners);
    std::vector<std::vector<dealii::Point<3>>> cells(
      elements.size(), std::vector<dealii::Point<3>>(4));
    for (std::size_t c = 0; c < elements.size(); ++c)
      for (int v = 0; v < 4; ++v)
        {
          const double *const of_node = &x[3 * index.at(corners[4 * c + v])];
          cells[c][v]                 = {of_node[0], of_node[1], of_node[2]};
        }
    return cells;
  }


  double
  volume_of(const std::vector<std::vector<dealii::Point<3>>> &cells)
  {
    double volume = 0.;
    for (const auto &cell : cells)
      volume += (cell[1] - cell[0]) *
                dealii::cross_product_3d(cell[2] - cell[0], cell[3] - cell[0]) /
                6.;
    return volume;
  }


  void
  check_tetrahedra(const TriangleBody &triangles, const Body &body,
                   BodyMesh &mesh)
  {
    double worst = std::numeric_limits<double>::infinity();
    dealii::Point<3> worst_place;
    const auto cells = tetrahedra();
    mesh.volume      = volume_of(cells);
    for (const auto &cell : cells)
      {
        const double quality = cell_quality<3>(CellType::tetrahedron, cell);
        if (quality < worst)
          {
            worst       = quality;
            worst_place = (cell[0] + cell[1] + cell[2] + cell[3]) / 4.;
          }
      }
    mesh.given_volume      = triangles.volume;
    const double deviation = mesh.volume / triangles.volume - 1.;
    std::ostringstream text;
    if (cells.empty())
      text << "it makes no cells";
    else if (std::abs(deviation) > volume_tolerance)
      text << "the volume of its mesh differs by " << 100. * deviation
           << " % from the volume in the surface";
    else if (!(worst > (body.last_try ? smallest_quality : wanted_quality)))
      text << "it makes a cell of quality " << worst << " around "
           << place(worst_place);
    mesh.failure = text.str();
  }
} // namespace tessera::mesh_tools
