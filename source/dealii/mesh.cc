#include <tessera/base/error.h>
#include <tessera/dealii/exception.h>
#include <tessera/dealii/mesh.h>
#include <tessera/study/nearest.h>

#include <deal.II/base/utilities.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tessera
{
  namespace
  {
    namespace Patterns  = dealii::Patterns;
    using Triangulation = dealii::Triangulation<2>;

    std::string
    read_text(const std::string &path)
    {
      std::error_code failure;
      const bool is_file = std::filesystem::is_regular_file(path, failure);
      std::ifstream in(is_file ? path : std::string(), std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(in),
                       std::istreambuf_iterator<char>()};
      if (in.bad() || !in.is_open() || text.empty())
        throw MeshError("Cannot read the mesh file '" + path +
                        "' of 'Mesh/File'.");
      return text;
    }

    /// Lines `dimension id "name"` between $PhysicalNames and its end; the
    /// same in all versions of the format.
    std::map<std::string, dealii::types::boundary_id>
    read_boundary_names(const std::string &text)
    {
      std::map<std::string, dealii::types::boundary_id> names;
      const auto begin = text.find("$PhysicalNames");
      if (begin == std::string::npos)
        return names;
      std::istringstream in(text.substr(begin));
      std::string line;
      std::getline(in, line);
      std::getline(in, line);
      while (std::getline(in, line) && line[0] != '$')
        {
          std::istringstream entry(line);
          int dimension                 = -1;
          dealii::types::boundary_id id = 0;
          entry >> dimension >> id;
          const auto open  = line.find('"');
          const auto close = line.rfind('"');
          if (dimension == 1 && close > open)
            names[line.substr(open + 1, close - open - 1)] = id;
        }
      return names;
    }

    void
    check_format(const std::string &text, const std::string &source)
    {
      std::istringstream in(text);
      std::string word, version;
      int binary = 0;
      in >> word >> version >> binary;
      if (word != "$MeshFormat" || binary != 0 ||
          (version != "2.2" && version != "4.1"))
        throw MeshError("The " + source +
                        " is not in gmsh's text format of version "
                        "2.2 or 4.1.");
      for (const std::string section : {"Nodes", "Elements"})
        if (text.find("$End" + section) == std::string::npos)
          throw MeshError("The " + source + " is truncated: '$End" + section +
                          "' is missing.");
    }

    void
    read_file(Mesh &mesh, const std::string &path)
    {
      const std::string text = read_text(path);
      mesh.source            = "mesh file '" + path + "'";
      check_format(text, mesh.source);
      mesh.boundary_names = read_boundary_names(text);
      try
        {
          std::istringstream in(text);
          dealii::GridIn<2> reader(mesh.triangulation);
          reader.read_msh(in);
        }
      catch (const std::exception &exception)
        {
          throw MeshError("The " + mesh.source +
                          " cannot be used: " + message_of(exception));
        }
    }

    void
    generate(Mesh &mesh, const std::string &name, const std::string &arguments)
    {
      std::vector<std::string> names;
      std::string example;
      for (const auto &grid : grid_examples())
        {
          names.push_back(grid.name);
          if (grid.name == name)
            example = grid.arguments;
        }
      if (example.empty())
        {
          const std::string near = study::nearest(name, names);
          std::string list;
          for (const auto &legal : names)
            list += (list.empty() ? "" : ", ") + legal;
          throw ParameterError(
            "There is no grid '" + name + "' for 'Mesh/Grid name'" +
            (near.empty() ? "; legal are " + list + '.'
                          : "; did you mean '" + near + "'?"));
        }
      mesh.source = "grid " + name + "(" + arguments + ")";
      try
        {
          dealii::GridGenerator::generate_from_name_and_arguments(
            mesh.triangulation, name, arguments);
        }
      catch (const std::exception &)
        {
          throw ParameterError("The value '" + arguments +
                               "' of 'Mesh/Grid arguments' does not fit "
                               "the grid " +
                               name + "; these do, for example: '" + example +
                               "'.");
        }
    }

    /// Twice the area of the triangle (a, b, c), positive if anticlockwise:
    /// det J of the bilinear map at the corner a.
    double
    corner(const dealii::Point<2> &a, const dealii::Point<2> &b,
           const dealii::Point<2> &c)
    {
      return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    }

    void
    check_cells(const Mesh &mesh)
    {
      if (mesh.triangulation.n_active_cells() == 0)
        throw MeshError("The " + mesh.source + " has no cells.");
      if (!mesh.triangulation.all_reference_cells_are_hyper_cube())
        throw MeshError("The " + mesh.source +
                        " has cells that are not quadrilaterals.");
      for (const auto &cell : mesh.triangulation.active_cell_iterators())
        {
          const auto v = [&cell](const int i) { return cell->vertex(i); };
          if (std::min({corner(v(0), v(1), v(2)), corner(v(1), v(3), v(0)),
                        corner(v(2), v(0), v(3)), corner(v(3), v(2), v(1))}) >
              0.)
            continue;
          std::ostringstream centre;
          centre << cell->center();
          throw MeshError("The " + mesh.source +
                          " has an inverted or degenerate cell around (" +
                          centre.str() + ").");
        }
    }
  } // namespace


  const std::vector<GridExample> &
  grid_examples()
  {
    static const std::vector<GridExample> examples = {
      {"hyper_cube", "0 : 1 : false"},
      {"subdivided_hyper_cube", "3 : 0 : 1 : false"},
      {"hyper_rectangle", "0, 0 : 2, 1 : false"},
      {"subdivided_hyper_rectangle", "4, 2 : 0, 0 : 2, 1 : false"},
      {"general_cell", "0, 0 ; 1, 0 ; 0.1, 1 ; 1.2, 1.3 : false"},
      {"simplex", "0, 0 ; 1, 0 ; 0, 1"},
      {"truncated_cone", "1 : 0.5 : 1"},
      {"hyper_cross", "1, 1, 1, 1 : false"},
      {"hyper_L", "-1 : 1 : false"},
      {"hyper_cube_slit", "0 : 1 : false"},
      {"enclosed_hyper_cube", "0 : 1 : 0.5 : false"},
      {"cheese", "2, 2"},
      {"plate_with_a_hole",
       "0.4 : 1 : 2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : false"},
      {"channel_with_cylinder", "0.03 : 2 : 2 : false"},
      {"hyper_ball", "0, 0 : 1 : true"},
      {"hyper_ball_balanced", "0, 0 : 1"},
      {"half_hyper_ball", "0, 0 : 1"},
      {"quarter_hyper_ball", "0, 0 : 1"},
      {"hyper_shell", "0, 0 : 0.5 : 1 : 8 : false"},
      {"half_hyper_shell", "0, 0 : 0.5 : 1 : 6 : false"},
      {"quarter_hyper_shell", "0, 0 : 0.5 : 1 : 4 : false"},
      {"eccentric_hyper_shell", "0, 0 : 0.1, 0 : 0.5 : 1 : 12"},
      {"concentric_hyper_shells", "0, 0 : 0.5 : 1 : 2 : 0 : 12 : false"}};
    return examples;
  }


  std::string
  Mesh::list_boundaries() const
  {
    std::string list;
    for (const auto id : triangulation.get_boundary_ids())
      {
        list += (list.empty() ? "" : ", ") + std::to_string(id);
        for (const auto &[name, named] : boundary_names)
          if (named == id)
            list += " ('" + name + "')";
      }
    return list;
  }


  void
  declare_mesh(Parameters &parameters)
  {
    parameters.declare("Mesh/Type", "generate",
                       Patterns::Selection("generate|file"),
                       "generate: a grid of deal.II's generator; file: a mesh "
                       "of quadrilaterals by gmsh");
    parameters.declare("Mesh/Grid name", "hyper_cube", Patterns::Anything(),
                       "name of a function of deal.II's GridGenerator");
    parameters.declare("Mesh/Grid arguments", "0 : 1 : false",
                       Patterns::Anything(),
                       "its arguments, separated by colons");
    parameters.declare("Mesh/File", "", Patterns::Anything(),
                       "a .msh file in text format 2.2 or 4.1; the path is "
                       "relative to the current folder or to that of this "
                       "file");
    parameters.declare("Mesh/Initial refinement", "2", Patterns::Integer(0, 14),
                       "global refinements in the first cycle");
    parameters.declare("Mesh/Distortion", "0", Patterns::Double(0., 0.25),
                       "how far interior vertices are moved after the "
                       "refinement, relative to the shortest edge there");
    parameters.declare("Mesh/Distortion seed", "1", Patterns::Integer(0),
                       "the same seed moves them to the same places");
  }


  void
  make_mesh(Mesh &mesh, const Parameters &parameters, const int cycle)
  {
    mesh.triangulation.clear();
    mesh.boundary_names.clear();
    if (parameters.get("Mesh/Type") == "file")
      read_file(mesh, parameters.get_file("Mesh/File"));
    else
      generate(mesh, parameters.get("Mesh/Grid name"),
               parameters.get("Mesh/Grid arguments"));
    check_cells(mesh);
    mesh.triangulation.refine_global(
      parameters.get_integer("Mesh/Initial refinement") + cycle);
    const double distortion = parameters.get_double("Mesh/Distortion");
    if (distortion > 0.)
      dealii::GridTools::distort_random(
        distortion, mesh.triangulation, true,
        parameters.get_integer("Mesh/Distortion seed"));
    check_cells(mesh);
  }
} // namespace tessera
