#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/fem/mesh/mesh_file.h>
#include <tessera/fem/mesh/quadratic_cells.h>
#include <tessera/program/patterns.h>
#include <tessera/program/started_processes.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns the value of an entry; empty in programs that have none.
    std::string
    value_of(const Parameters &parameters, const std::string &path)
    {
      const auto all   = parameters.values();
      const auto entry = all.find(path);
      return entry == all.end() ? "" : entry->second;
    }


    /// Returns what tells one state of a mesh file from another.
    std::string
    state_of(const std::string &path, const std::string &format)
    {
      std::error_code failure;
      const auto time = std::filesystem::last_write_time(path, failure);
      return path + '\n' + format + '\n' +
             std::to_string(std::filesystem::file_size(path, failure)) + '\n' +
             std::to_string(time.time_since_epoch().count());
    }


    /// The file that `mesh_dimension` has read, which is most often the next
    /// one to make a mesh of, and its state then.
    std::optional<std::pair<std::string, MeshFile>> last_read;


    MeshFile
    read(const Parameters &parameters)
    {
      if (parameters.get("Mesh/File").empty())
        throw ParameterError(
          "'Mesh/File' is empty; 'Mesh/Type' = file needs its name.");
      const std::string path   = parameters.get_file("Mesh/File"),
                        format = parameters.get("Mesh/Format");
      auto kept                = std::exchange(last_read, std::nullopt);
      if (kept && kept->first == state_of(path, format))
        return std::move(kept->second);
      return read_mesh_file(path, format);
    }


    /// Divides all cells, as arrays unless deal.II is wanted, and then into
    /// simplices if wanted, and moves vertices.
    template <int dim>
    void
    refine(Mesh<dim> &mesh, int levels, const bool into_simplices,
           const Parameters &parameters, const Backend where)
    {
      const bool as_arrays = parameters.get("Mesh/Refined by") != "deal.II";
      mesh_tools::check_memory(std::ldexp(mesh.n_cells(), dim * levels),
                               mesh.source);
      // Tetrahedra that deal.II refines become ever flatter.
      if (!as_arrays && mesh.cell_type() != CellType::tetrahedron)
        {
          mesh_tools::refine_all(mesh.triangulation(), levels, mesh.source);
          if (mesh.quadratic)
            mesh.quadratic->place_vertices(mesh.triangulation());
          levels = 0;
        }
      mesh.divide_later(levels, into_simplices, where,
                        parameters.get_double("Mesh/Distortion"),
                        parameters.get_integer("Mesh/Distortion seed"));
      if (!as_arrays)
        mesh.divide_now();
    }


    /// Says once for a grid what it loses by cells of this type.
    template <int dim>
    void
    note_straight_cells(const Mesh<dim> &mesh, const CellType type)
    {
      if (!program::is_first_said("straight cells of the " + mesh.source))
        return;
      std::cerr << "note: the boundary of the " << mesh.source
                << " is curved and cells of type " << to_string(type)
                << " are straight: errors of degree 2 fall with rates of 2 and "
                   "1.5 instead of 3 and 2, which cells of type "
                << to_string(mesh.cell_type()) << " keep." << std::endl;
    }


    /// Returns true if any of the meshes of a study is refined.
    bool
    is_refined(const Parameters &parameters)
    {
      const std::string cycles = value_of(parameters, "Mesh/Cycles");
      return initial_refinement(parameters) > 0 ||
             (!cycles.empty() && cycles != "1") || mesh_adapts(parameters);
    }


    /// Makes the mesh that `Mesh/File` describes.
    template <int dim>
    void
    build_from_file(Mesh<dim> &mesh, const Parameters &parameters,
                    const double scale)
    {
      const MeshFile file = read(parameters);
      const bool straight = parameters.get("Mesh/Geometry order") == "1";
      if (const std::string note = note_on_order(file);
          straight && !note.empty() && program::is_first_said(note))
        std::cerr << "note: " << note << std::endl;
      build_mesh(mesh, file,
                 static_cast<Coinciding>(
                   index_of_name(parameters.get("Mesh/Coinciding vertices"),
                                 {"error", "merge", "keep"}, "treatment")),
                 scale, straight ? 1 : 2);
    }


    template <int dim>
    void
    make(Mesh<dim> &mesh, const Parameters &parameters, const int cycle,
         const Backend where)
    {
      mesh.clear();
      const double scale = parameters.get_double("Mesh/Scale");
      if (mesh_tools::from_file(parameters))
        build_from_file(mesh, parameters, scale);
      else
        {
          if (scale != 1.)
            throw ParameterError(
              "'Mesh/Scale' = " + parameters.get("Mesh/Scale") +
              " does not apply to a generated grid, whose sizes are in "
              "'Mesh/Grid arguments'; legal is 1.");
          if (parameters.get("Mesh/Geometry order") == "1")
            throw ParameterError(
              "'Mesh/Geometry order' = 1 does not apply to a generated grid, "
              "whose curves come from no file; 'Mesh/Geometry' = "
              "vertices makes its cells straight.");
          mesh_tools::generate(mesh, parameters.get("Mesh/Grid name"),
                               parameters.get("Mesh/Grid arguments"));
        }
      mesh_tools::check_cells(mesh);
      if (mesh_tools::from_file(parameters) && !mesh.curved &&
          is_refined(parameters))
        mesh_tools::note_facets(mesh);
      const int levels         = initial_refinement(parameters) + cycle;
      const std::string wanted = parameters.get("Mesh/Cell type");
      const bool becomes_other =
        wanted != "auto" && wanted != to_string(mesh.cell_type());
      if (becomes_other)
        {
          const CellType type = cell_type_from_string(wanted);
          if (is_simplex(mesh.cell_type()) || dimension(type) != dim)
            throw ParameterError("The " + mesh.source + " is of type " +
                                 to_string(mesh.cell_type()) +
                                 ", of which 'Mesh/Cell type' = " + wanted +
                                 " cannot be made.");
          if (mesh.curved)
            note_straight_cells(mesh, type);
        }
      const bool moves = parameters.get_double("Mesh/Distortion") > 0.;
      if (moves && mesh.quadratic && !becomes_other)
        throw ParameterError(
          "'Mesh/Distortion' = " + parameters.get("Mesh/Distortion") +
          " moves the corners of straight cells, and the " + mesh.source +
          " has curved ones; legal are 0, or 'Mesh/Geometry order' = 1, which "
          "makes them straight.");
      refine(mesh, levels, becomes_other, parameters, where);
      mesh_tools::inherit_fibres(mesh);
      mesh.settle();
      if (wanted != "auto" || levels > 0 || moves)
        mesh_tools::check_cells(mesh);
      divide_boundaries(mesh, parameters);
      mesh.settle();
    }
  } // namespace


  bool
  mesh_adapts(const Parameters &parameters)
  {
    return value_of(parameters, "Mesh/Refinement") == "adaptive";
  }


  void
  declare_mesh(Parameters &parameters)
  {
    parameters.declare("Mesh/Type", "auto",
                       Patterns::Selection("auto|generate|file"),
                       "generate: a grid of deal.II's generator; file: a mesh "
                       "by another program; auto: file if `File` is given, "
                       "otherwise generate");
    parameters.declare(
      "Mesh/Dimension", "auto", Patterns::Selection("auto|2|3"),
      "auto: the dimension of the cell type; without one the highest dimension "
      "of the cells of a file; without a file 2, unless the grid exists only "
      "in three dimensions or has as many arguments as it needs there");
    parameters.declare(
      "Mesh/Cell type", "auto",
      Patterns::Selection("auto|quadrilateral|hexahedron|triangle|tetrahedron"),
      "auto: as they come; triangles and tetrahedra are also made of refined "
      "quadrilaterals and hexahedra, two and six of each");
    parameters.declare("Mesh/Grid name", "hyper_cube", Patterns::Anything(),
                       "name of a function of deal.II's GridGenerator");
    parameters.declare("Mesh/Grid arguments", "0 : 1 : false",
                       Patterns::Anything(),
                       "its arguments, separated by colons, coordinates of a "
                       "point by commas, points by semicolons");
    parameters.declare(
      "Mesh/File", "", Patterns::Anything(),
      "a mesh of one type of cells, compressed by gzip or not, or a body "
      "that gmsh meshes: .geo, .step (.stp) or .stl; "
      "the path is relative to the current folder or to the "
      "folder of this file");
    parameters.declare(
      "Mesh/Format", "auto",
      Patterns::Selection("auto|msh|inp|ucd|vtk|vtu|unv|carp|medit|"
                          "mfem"),
      "auto: what the suffix says; msh: gmsh 2 to 2.2, 4.0 or "
      "4.1, text or binary; inp: Abaqus; ucd: AVS; vtk: legacy "
      "format; unv: universal format; carp: openCARP's .pts "
      "and .elem and, with fibres, .lon; medit and mfem: "
      "both .mesh, text");
    parameters.declare(
      "Mesh/Element size", "auto", Patterns::Anything(),
      "length of the edges of elements of a body, in the units of its file, "
      "before `Scale`; auto: of .stl and .step a twentieth of the diagonal of "
      "the bounding box, of .geo the lengths of the script, which a length "
      "here limits from above");
    parameters.declare("Mesh/Surface angle", "40", Patterns::Double(1., 179.),
                       "degrees: where the normal of an .stl file turns by "
                       "more across an edge, another boundary begins");
    parameters.declare("Mesh/Meshing time", "3600", Patterns::Double(0.1, 1e9),
                       "seconds after which gmsh is stopped if it has not "
                       "meshed a body");
    parameters.declare("Mesh/Geometry order", "file",
                       Patterns::Selection("file|1"),
                       "file: the nodes that a file gives cells of order 2 "
                       "between their corners curve them, for elements of "
                       "degree 2 and more; 1: these nodes are left out, and "
                       "cells are straight");
    parameters.declare("Mesh/Scale", "1", Patterns::Double(1e-12, 1e12),
                       "factor of the coordinates in a file, 0.001 for "
                       "millimetres as metres");
    parameters.declare(
      "Mesh/Coinciding vertices", "error",
      Patterns::Selection("error|merge|keep"),
      "two vertices of a file at the same place; merge: become "
      "one; keep: remain a slit, and hanging vertices are not "
      "looked for");
    parameters.declare("Mesh/Initial refinement", "auto",
                       option_value({"", "", "", {"auto"}, 0, 14}),
                       "global refinements in the first cycle; auto: 0 for "
                       "files and bodies, 2 for generated grids");
    parameters.declare(
      "Mesh/Refined by", "arrays", Patterns::Selection("arrays|deal.II"),
      "what divides the cells of uniform refinements; arrays: all threads, "
      "also of several processes if the mesh is straight, and deal.II takes or "
      "divides them only where something asks for its triangulation, such as "
      "places beside curved meshes");
    parameters.declare("Mesh/Distortion", "0", Patterns::Double(0., 0.25),
                       "how far interior vertices are moved after the "
                       "refinement, relative to the shortest edge there; less "
                       "where a cell would become too flat");
    parameters.declare("Mesh/Distortion seed", "1", Patterns::Integer(0),
                       "the same seed moves them to the same places");
  }


  bool
  mesh_tools::from_file(const Parameters &parameters)
  {
    const std::string type = parameters.get("Mesh/Type"),
                      file = parameters.get("Mesh/File");
    if (type == "generate" && !file.empty())
      throw ParameterError("'Mesh/File' = " + file +
                           " is not read by 'Mesh/Type' = generate; set it "
                           "to auto or file, or leave the file empty.");
    return type == "file" || !file.empty();
  }


  int
  initial_refinement(const Parameters &parameters)
  {
    const std::string value = parameters.get("Mesh/Initial refinement");
    return value != "auto" ? parameters.get_integer("Mesh/Initial refinement")
           : mesh_tools::from_file(parameters) ? 0
                                               : 2;
  }


  int
  mesh_tools::wanted_dimension(const Parameters &parameters)
  {
    const std::string given = parameters.get("Mesh/Dimension");
    const std::string type  = parameters.get("Mesh/Cell type");
    const int of_type =
      type == "auto" ? 0 : dimension(cell_type_from_string(type));
    if (given == "auto")
      return of_type;
    if (of_type != 0 && std::to_string(of_type) != given)
      throw ParameterError("'Mesh/Dimension' = " + given +
                           " contradicts 'Mesh/Cell type' = " + type + ".");
    return given == "2" ? 2 : 3;
  }


  int
  mesh_dimension(const Parameters &parameters)
  {
    const int wanted = mesh_tools::wanted_dimension(parameters);
    if (wanted != 0)
      return wanted;
    if (mesh_tools::from_file(parameters))
      {
        MeshFile file       = read(parameters);
        const int dimension = std::max(2, file.dimension());
        last_read.emplace(state_of(parameters.get_file("Mesh/File"),
                                   parameters.get("Mesh/Format")),
                          std::move(file));
        return dimension;
      }
    return mesh_tools::grid_dimension(parameters.get("Mesh/Grid name"),
                                      parameters.get("Mesh/Grid arguments"));
  }


  template <int dim>
  void
  make_mesh(Mesh<dim> &mesh, const Parameters &parameters, const int cycle,
            const Backend where)
  {
    try
      {
        make(mesh, parameters, cycle, where);
      }
    catch (const std::bad_alloc &)
      {
        throw Error(ExitCode::device,
                    "The mesh does not fit into the memory of this machine.");
      }
  }


  template void
  make_mesh(Mesh<2> &, const Parameters &, int, Backend);
  template void
  make_mesh(Mesh<3> &, const Parameters &, int, Backend);
} // namespace tessera
