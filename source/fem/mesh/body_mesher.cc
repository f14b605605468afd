#include "body_mesher.h"

#include "body_stl.h"
#include "mesh_tools.h"
#include "step_names.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>

namespace tessera::mesh_tools
{
  namespace
  {
    using Session = GmshSession;
    using Groups  = EntityGroups;

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


    void
    read_step(const Session &session, const Body &body, std::string &notes)
    {
      const StepUnit *const unit = unit_of_step(body.content);
      notes                      = describe(unit);
      std::string features;
      gmsh::option::getString("General.BuildOptions", features);
      if (features.find("OpenCASCADE") == std::string::npos)
        throw MeshError("The " + body.source +
                        " cannot be read, since this gmsh was built without "
                        "Open CASCADE; .stl and .geo can.");
      session.call(body.source, "cannot be read by Open CASCADE", [&] {
        // Then it converts nothing.
        gmsh::option::setString("Geometry.OCCTargetUnit",
                                unit == nullptr ? "MM" : unit->name);
        gmsh::vectorpair parts, joined;
        std::vector<gmsh::vectorpair> map;
        gmsh::model::occ::importShapes(body.path, parts, true, "step");
        // Bodies that touch share the surface between them.
        if (parts.size() > 1)
          gmsh::model::occ::fragment(
            {parts.front()}, {parts.begin() + 1, parts.end()}, joined, map);
        gmsh::model::occ::synchronize();
      });
    }


    void
    read_geo(const Session &session, const Body &body)
    {
      session.call(body.source, "is no script that gmsh can run",
                   [&] { gmsh::open(body.path); });
      double order = 1.;
      gmsh::option::getNumber("Mesh.ElementOrder", order);
      if (order > 2.)
        throw MeshError("The " + body.source + " asks for cells of order " +
                        std::to_string(static_cast<int>(order)) +
                        "; legal are 'Mesh.ElementOrder = 1;' and 2.");
    }


    /// Returns the volume or area of the entities: by Open CASCADE or, where
    /// they are of gmsh's own kernel, a hundredth of the bounding box's.
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


    /// Chooses the size of elements of a body in a box with edges of these
    /// lengths and checks it. `measure` is the length, area or volume of the
    /// body, or 0 if it is not known.
    double
    choose_size(const Body &body, const int dimension,
                std::array<double, 3> edges, double measure)
    {
      std::sort(edges.begin(), edges.end(), std::greater<double>());
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
          if (measure == 0.)
            measure = measure_of(dimension, edges.data());
          check_memory(measure / of_element, body.source,
                       "a larger 'Mesh/Element size'");
        }
      return size;
    }


    std::array<double, 3>
    edges_of_box()
    {
      double b[6];
      gmsh::model::getBoundingBox(-1, -1, b[0], b[1], b[2], b[3], b[4], b[5]);
      return {b[3] - b[0], b[4] - b[1], b[5] - b[2]};
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
    /// far as a name belongs to one body and is not Open CASCADE's default.
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


    /// Gives the surfaces of a STEP file, which are groups, the names of faces
    /// with the same corners, as far as there is one of each.
    void
    name_surfaces(const Groups &surfaces, const Body &body, const double size,
                  std::string &notes)
    {
      using Corners      = std::vector<std::array<double, 3>>;
      const double close = 1e-4 * size;
      const auto within  = [close](const Corners &all, const Corners &others) {
        return std::all_of(all.begin(), all.end(), [&](const auto &x) {
          return std::any_of(others.begin(), others.end(), [&](const auto &y) {
            return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) < close;
          });
        });
      };
      bool placed      = false;
      const auto faces = named_faces(body.content, placed);
      std::map<int, std::vector<std::string>> names; // of surfaces
      for (const auto &[id, tags] : surfaces)
        {
          gmsh::vectorpair points;
          gmsh::model::getBoundary({{2, tags[0]}}, points, false, false, true);
          Corners corners;
          for (const auto &[dimension, tag] : points)
            {
              std::vector<double> x;
              gmsh::model::getValue(0, tag, {}, x);
              corners.push_back({x[0], x[1], x[2]});
            }
          for (std::size_t f = 0; f < faces.size() && !placed; ++f)
            if (within(corners, faces[f].corners) &&
                within(faces[f].corners, corners))
              names[id].push_back(faces[f].name);
        }
      std::map<std::string, int> count;
      for (const auto &[id, of_surface] : names)
        ++count[of_surface[0]];
      std::size_t n_used = 0;
      for (const auto &[id, of_surface] : names)
        if (of_surface.size() == 1 && count[of_surface[0]] == 1)
          {
            gmsh::model::setPhysicalName(2, id, of_surface[0]);
            ++n_used;
          }
      if (n_used < faces.size())
        notes += "Names        " + std::to_string(faces.size() - n_used) +
                 " of " + std::to_string(faces.size()) +
                 " names of faces are not used" +
                 (placed ? ", since the file moves its parts"
                         : ": several faces have one, or corners do not tell") +
                 "\n";
    }


    /// Returns true if all of the model has the same z.
    bool
    is_flat()
    {
      const auto edges = edges_of_box();
      return edges[2] <= 1e-3 * (edges[0] + edges[1]); // boxes have a margin
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
    TriangleBody triangles;
    BodyMesh mesh;
    if (body.format == "stl")
      triangles =
        read_stl(session, body, [&](const auto &edges, double volume) {
          return choose_size(body, 3, edges, volume);
        });
    else if (body.format == "step")
      read_step(session, body, mesh.notes);
    else
      read_geo(session, body);
    gmsh::option::getString("General.Version", mesh.mesher);
    mesh.mesher    = "gmsh " + mesh.mesher;
    mesh.dimension = body.format == "stl" ? 3 : gmsh::model::getDimension();
    if (mesh.dimension < 2)
      throw MeshError("The " + body.source +
                      " describes no body: it has no volume and no surface.");
    if (body.dimension != 0 && body.dimension != mesh.dimension)
      throw MeshError("The " + body.source + " describes a body of dimension " +
                      std::to_string(mesh.dimension) +
                      "; a mesh of dimension " +
                      std::to_string(body.dimension) + " was asked for.");
    if (body.format == "step" && mesh.dimension == 2 && !is_flat())
      throw MeshError("The " + body.source +
                      " has surfaces in space, but no solid that they enclose; "
                      "the program that wrote it can sew them.");
    mesh.notes += triangles.notes;
    mesh.element_size = body.format == "stl" ? triangles.element_size
                                             : choose_size(body, mesh.dimension,
                                                           edges_of_box(), 0.);
    stage("meshed");
    Groups boundaries;
    std::vector<std::string> errors = triangles.errors;
    if (errors.empty())
      {
        add_groups(mesh.dimension, {});
        if (body.format == "step")
          name_bodies(mesh.dimension);
        boundaries =
          add_groups(mesh.dimension - 1, body.format == "stl"
                                           ? triangles.faces
                                           : outer_boundary(mesh.dimension));
        if (body.format == "step" && mesh.dimension == 3)
          name_surfaces(boundaries, body, mesh.element_size, mesh.notes);
        if (mesh.element_size > 0.)
          gmsh::option::setNumber("Mesh.MeshSizeMax", mesh.element_size);
        if (body.format != "geo") // a script says which order it wants
          gmsh::option::setNumber("Mesh.ElementOrder", 1);
        errors = body.format == "stl"
                   ? mesh_bodies(session, triangles, body)
                   : session.errors_of(
                       [&] { gmsh::model::mesh::generate(mesh.dimension); });
      }
    if (!errors.empty() && body.format != "stl")
      throw MeshError("The " + body.source +
                      " cannot be meshed by gmsh: " + errors.front() + '.');
    if (!errors.empty())
      mesh.failure = "it reports '" + errors.front() + '\'';
    else if (body.format == "stl")
      check_tetrahedra(triangles, body, mesh);
    if (!mesh.failure.empty())
      return mesh;
    if (body.format == "step" && mesh.dimension == 3)
      {
        mesh.volume = volume_of(tetrahedra());
        for (const int body_tag : tags_of(3))
          {
            double of_body = 0.;
            gmsh::model::occ::getMass(3, body_tag, of_body);
            mesh.given_volume += of_body;
          }
      }
    for (const auto &boundary : boundaries)
      mesh.boundaries.push_back(describe(mesh.dimension - 1, boundary.first));
    stage("written as a mesh");
    write(session, body, msh);
    return mesh;
  }
} // namespace tessera::mesh_tools
