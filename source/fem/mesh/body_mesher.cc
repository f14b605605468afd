#include "body_mesher.h"

#include "gmsh_session.h"
#include "mesh_tools.h"
#include "triangle_shells.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <dlfcn.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>

namespace tessera::mesh_tools
{
  namespace
  {
    using Session = GmshSession;
    using Groups  = std::map<int, std::vector<int>>; ///< entities by id

    /// Returns the tags of all entities of a dimension.
    std::vector<int>
    tags_of(const int dimension)
    {
      gmsh::vectorpair entities;
      gmsh::model::getEntities(entities, dimension);
      std::vector<int> tags;
      for (const auto &entity : entities)
        tags.push_back(entity.second);
      return tags;
    }


    /// The length, area or volume of what a file describes, as far as it is
    /// known, and the groups of its surfaces.
    struct Content
    {
      double measure = 0.;
      Groups faces; ///< empty: every surface is one
    };


    /// Returns the surface of a file of triangles; `index` gets the place of
    /// every triangle in it, by gmsh's tag.
    TriangleSurface
    read_triangles(std::unordered_map<std::size_t, int> &index)
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
      constexpr int triangle = 2; // gmsh's number of this type
      gmsh::model::mesh::getElementsByType(triangle, elements, corners);
      for (std::size_t t = 0; t < elements.size(); ++t)
        {
          index[elements[t]] = static_cast<int>(t);
          surface.triangles.push_back({point.at(corners[3 * t]),
                                       point.at(corners[3 * t + 1]),
                                       point.at(corners[3 * t + 2])});
        }
      return surface;
    }


    /// Reads triangles and makes bodies of them, whose surfaces gmsh divides
    /// into pieces that it can mesh anew. The pieces of a smooth face are a
    /// group.
    Content
    read_stl(const Session &session, const Body &body)
    {
      session.call(body.source, "cannot be read",
                   [&] { gmsh::merge(body.path); });
      std::unordered_map<std::size_t, int> index;
      const TriangleSurface surface = read_triangles(index);
      if (surface.triangles.empty())
        throw MeshError("The " + body.source + " has no triangles.");
      const Shells shells = find_shells(surface, body.angle, body.source);

      Content content;
      content.measure = shells.volume;
      std::vector<std::vector<int>> pieces(shells.shell_of.size());
      session.call(body.source, "cannot be divided into surfaces by gmsh", [&] {
        gmsh::model::mesh::classifySurfaces(body.angle, true, true);
        for (const int tag : tags_of(2))
          {
            std::vector<std::size_t> elements, corners;
            gmsh::model::mesh::getElementsByType(2, elements, corners, tag);
            const int t = index.at(elements.at(0));
            content.faces[shells.face_of[t] + 1].push_back(tag);
            pieces[shells.shell_of[t]].push_back(tag);
          }
        gmsh::model::mesh::createGeometry();
        for (const auto &of_body : shells.bodies)
          {
            std::vector<int> loops;
            for (const int shell : of_body)
              loops.push_back(gmsh::model::geo::addSurfaceLoop(pieces[shell]));
            gmsh::model::geo::addVolume(loops);
          }
        gmsh::model::geo::synchronize();
      });
      // MeshAdapt: on the pieces of triangles, gmsh's default leads to flat
      // tetrahedra (prm/elasticity/part.stl: quality 0.01 instead of 0.15).
      gmsh::option::setNumber("Mesh.Algorithm", 1);
      return content;
    }


    /// Returns the unit of length of a STEP file as Open CASCADE calls it, so
    /// that it converts nothing.
    std::string
    unit_of_step(const std::string &text)
    {
      std::string compact;
      for (const unsigned char c : text)
        if (std::isspace(c) == 0)
          compact += c;
      const std::pair<const char *, const char *> units[] = {
        {"CONVERSION_BASED_UNIT('INCH'", "INCH"},
        {"CONVERSION_BASED_UNIT('FOOT'", "FT"},
        {"SI_UNIT(.MILLI.,.METRE.)", "MM"},
        {"SI_UNIT(.CENTI.,.METRE.)", "CM"},
        {"SI_UNIT(.MICRO.,.METRE.)", "UM"},
        {"SI_UNIT(.KILO.,.METRE.)", "KM"},
        {"SI_UNIT($,.METRE.)", "M"}};
      for (const auto &[pattern, name] : units)
        if (compact.find(pattern) != std::string::npos)
          return name;
      return "MM";
    }


    Content
    read_step(const Session &session, const Body &body)
    {
      std::string features;
      gmsh::option::getString("General.BuildOptions", features);
      if (features.find("OpenCASCADE") == std::string::npos)
        throw MeshError("The " + body.source +
                        " cannot be read, since this gmsh was built without "
                        "Open CASCADE; .stl and .geo can.");
      session.call(body.source, "cannot be read by Open CASCADE", [&] {
        gmsh::option::setString("Geometry.OCCTargetUnit",
                                unit_of_step(body.content));
        gmsh::vectorpair parts, joined;
        std::vector<gmsh::vectorpair> map;
        gmsh::model::occ::importShapes(body.path, parts, true, "step");
        // Bodies that touch share the surface between them.
        if (parts.size() > 1)
          gmsh::model::occ::fragment(
            {parts.front()}, {parts.begin() + 1, parts.end()}, joined, map);
        gmsh::model::occ::synchronize();
      });
      return {};
    }


    Content
    read_geo(const Session &session, const Body &body)
    {
      session.call(body.source, "is no script that gmsh can run",
                   [&] { gmsh::open(body.path); });
      return {};
    }


    /// Returns the volume or area of the entities: by Open CASCADE or, where
    /// they are of gmsh's own kernel, a hundredth of that of the bounding box.
    double
    measure_of(const int dimension, const double *const edges)
    {
      gmsh::vectorpair entities;
      gmsh::model::occ::getEntities(entities, dimension);
      double sum = 0., mass = 0.;
      for (const auto &[its_dimension, tag] : entities)
        {
          gmsh::model::occ::getMass(its_dimension, tag, mass);
          sum += mass;
        }
      return entities.empty()
               ? 0.01 * std::accumulate(edges, edges + dimension, 1.,
                                        std::multiplies<double>())
               : sum;
    }


    /// Chooses the size of elements and checks it.
    double
    choose_size(const Body &body, const int dimension, const Content &content)
    {
      double b[6];
      gmsh::model::getBoundingBox(-1, -1, b[0], b[1], b[2], b[3], b[4], b[5]);
      double edges[3] = {b[3] - b[0], b[4] - b[1], b[5] - b[2]};
      std::sort(edges, edges + 3, std::greater<double>());
      double size = body.element_size;
      if (size > edges[0])
        {
          std::ostringstream text;
          text << "'Mesh/Element size' = " << size
               << " is larger than the body of the " << body.source
               << ", whose longest side is " << edges[0] << '.';
          throw ParameterError(text.str());
        }
      if (size == 0. && body.format != "geo")
        size = std::hypot(edges[0], edges[1], edges[2]) / 20.;
      if (size > 0.)
        {
          const double of_element = dimension == 3
                                      ? std::pow(size, 3) / std::sqrt(72.)
                                      : std::pow(size, 2) * std::sqrt(3.) / 4.;
          const double measure    = content.measure > 0.
                                      ? content.measure
                                      : measure_of(dimension, edges);
          check_memory(measure / of_element, body.source,
                       "a larger 'Mesh/Element size'");
          gmsh::option::setNumber("Mesh.MeshSizeMax", size);
        }
      return size;
    }


    void
    generate(const Session &session, const Body &body, const int dimension)
    {
      gmsh::option::setNumber("Mesh.ElementOrder", 1);
      const auto errors =
        session.errors_of([&] { gmsh::model::mesh::generate(dimension); });
      for (const std::string &error : errors)
        if (error.find("Invalid boundary mesh") != std::string::npos)
          throw MeshError("The surface of the " + body.source +
                          " intersects itself; gmsh reports: " + error + '.');
      if (!errors.empty())
        throw MeshError("The " + body.source +
                        " cannot be meshed by gmsh: " + errors.front() + '.');
    }


    /// Makes every entity of a dimension a group with its tag as id, unless the
    /// file has groups of this dimension. Returns the groups that were made.
    Groups
    add_groups(const int dimension, Groups groups)
    {
      gmsh::vectorpair of_file;
      gmsh::model::getPhysicalGroups(of_file, dimension);
      if (!of_file.empty())
        return {};
      if (groups.empty())
        for (const int tag : tags_of(dimension))
          groups[tag] = {tag};
      for (const auto &[id, tags] : groups)
        gmsh::model::addPhysicalGroup(dimension, tags, id);
      return groups;
    }


    /// Gives the groups of bodies the names of their parts in a STEP file, as
    /// far as a name is that of one body and not Open CASCADE's default.
    void
    name_bodies(const int dimension)
    {
      std::map<std::string, std::vector<int>> tags;
      for (const int tag : tags_of(dimension))
        {
          std::string name;
          gmsh::model::getEntityName(dimension, tag, name);
          name = name.substr(name.rfind('/') + 1);
          if (!name.empty() && name.compare(0, 13, "Open CASCADE ") != 0)
            tags[name].push_back(tag);
        }
      for (const auto &[name, of_name] : tags)
        if (of_name.size() == 1)
          gmsh::model::setPhysicalName(dimension, of_name[0], name);
    }


    /// Returns the boundary of all bodies, without what is between them.
    Groups
    outer_boundary(const int dimension)
    {
      gmsh::vectorpair bodies, boundary;
      gmsh::model::getEntities(bodies, dimension);
      gmsh::model::getBoundary(bodies, boundary, true, false);
      Groups groups;
      for (const auto &entity : boundary)
        groups[entity.second] = {entity.second};
      return groups;
    }


    BodyMesh::Boundary
    describe(const int dimension, const int id)
    {
      std::vector<std::size_t> nodes;
      std::vector<double> x;
      gmsh::model::mesh::getNodesForPhysicalGroup(dimension, id, nodes, x);
      BodyMesh::Boundary boundary{id, {}, {}};
      for (std::size_t i = 0; i < x.size(); ++i)
        {
          double &low = boundary.lower[i % 3], &high = boundary.upper[i % 3];
          low  = i < 3 ? x[i] : std::min(low, x[i]);
          high = i < 3 ? x[i] : std::max(high, x[i]);
        }
      return boundary;
    }


    void
    write(const Session &session, const Body &body, const std::string &msh)
    {
      gmsh::option::setNumber("Mesh.MshFileVersion", 4.1);
      gmsh::option::setNumber("Mesh.Binary", 1);
      replace_file(msh, "mesh", [&](const std::string &temporary) {
        const std::string named = temporary + ".msh"; // the suffix decides
        session.call(body.source, "cannot be written as a mesh",
                     [&] { gmsh::write(named); });
        return std::rename(named.c_str(), temporary.c_str()) == 0;
      });
    }
  } // namespace


  BodyMesh
  mesh_by_gmsh(const Body &body, const std::string &msh,
               const std::function<void(const std::string &)> &stage)
  {
    // An archive for GPU hosts has a stub in the place of gmsh
    // (scripts/bundle), which lacks the interface for C.
    if (dlsym(RTLD_DEFAULT, "gmshInitialize") == nullptr)
      throw MeshError("The " + body.source +
                      " has no cells, and there is no gmsh here that would "
                      "make them; 'Mesh/File' may be the mesh.msh that a run "
                      "with --mesh-only leaves elsewhere.");
    const Session session;
    const Content content = body.format == "stl"    ? read_stl(session, body)
                            : body.format == "step" ? read_step(session, body)
                                                    : read_geo(session, body);
    BodyMesh mesh;
    gmsh::option::getString("General.Version", mesh.mesher);
    mesh.mesher    = "gmsh " + mesh.mesher;
    mesh.dimension = gmsh::model::getDimension();
    if (mesh.dimension < 2)
      throw MeshError("The " + body.source +
                      " describes no body: it has no volume and no surface.");
    if (body.dimension != 0 && body.dimension != mesh.dimension)
      throw MeshError("The " + body.source + " describes a body of dimension " +
                      std::to_string(mesh.dimension) +
                      "; a mesh of dimension " +
                      std::to_string(body.dimension) + " was asked for.");
    mesh.element_size = choose_size(body, mesh.dimension, content);
    add_groups(mesh.dimension, {});
    if (body.format == "step")
      name_bodies(mesh.dimension);
    const Groups boundaries = add_groups(
      mesh.dimension - 1,
      content.faces.empty() ? outer_boundary(mesh.dimension) : content.faces);
    stage("meshed");
    generate(session, body, mesh.dimension);
    for (const auto &boundary : boundaries)
      mesh.boundaries.push_back(describe(mesh.dimension - 1, boundary.first));
    stage("written as a mesh");
    write(session, body, msh);
    return mesh;
  }
} // namespace tessera::mesh_tools
