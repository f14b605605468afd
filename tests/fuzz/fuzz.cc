// Makes damaged mesh and parameter files for `fuzz_input`; see loop.h.

#include "loop.h"

#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/mesh/mesh_file.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::fuzz;

  std::vector<File>
  read_folder(const std::string &folder, const std::string &suffixes)
  {
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(
           std::string(TESSERA_SOURCE_DIR) + folder))
      if (suffixes.find(entry.path().extension().string() + ' ') !=
          std::string::npos)
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<File> files;
    for (const auto &path : paths)
      {
        std::ifstream in(path, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        if (path.extension() == ".pts")
          for (auto other : {".elem", ".lon"})
            text << '\0'
                 << std::ifstream(
                      std::filesystem::path(path).replace_extension(other))
                      .rdbuf();
        files.push_back({text.str(), path.extension().string()});
      }
    return files;
  }

  /// Stores the files of a mesh; openCARP's are three, which begin after zero
  /// bytes.
  void
  store_mesh(const File &file, const std::string &path)
  {
    std::filesystem::path name(path);
    std::istringstream text(file.content);
    std::string part;
    if (file.suffix != ".pts")
      return store(file.content, path);
    for (auto suffix : {".pts", ".elem", ".lon"})
      {
        std::getline(text, part, '\0');
        store(text ? part : "", name.replace_extension(suffix).string());
      }
  }

  void
  declare(Parameters &parameters)
  {
    declare_mesh(parameters);
    BoundaryConditions<2>::declare(parameters);
    ExactSolution<2>::declare(parameters);
  }

  /// Does what an application does with the mesh before it solves.
  template <int dim>
  void
  use_mesh(const Parameters &parameters)
  {
    Mesh<dim> mesh;
    make_mesh(mesh, parameters);
    std::ostringstream out;
    print_summary(mesh, out);
    check_connected_parts(mesh, {0});
    BoundaryConditions<dim>(parameters).check(mesh);
  }

  void
  use(const Parameters &parameters)
  {
    if (mesh_dimension(parameters) == 2)
      {
        ExactSolution<2>::read(parameters);
        use_mesh<2>(parameters);
      }
    else
      {
        ExactSolution<3>::read(parameters);
        use_mesh<3>(parameters);
      }
  }

  void
  try_mesh(const File &file, const std::string &path, Random &random)
  {
    store_mesh(file, path);
    Parameters parameters;
    declare(parameters);
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", path);
    parameters.set("Mesh/Initial refinement", "1");
    const char *treatments[] = {"error", "merge", "keep"};
    parameters.set("Mesh/Coinciding vertices", treatments[below(random, 3)]);
    if (below(random, 4) == 0)
      parameters.set("Mesh/Distortion", "0.2");
    parameters.set("Boundary conditions/Remaining boundaries", "natural");
    parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0");
    use(parameters);
  }

  void
  try_parameters(const File &file, const std::string &path, Random &)
  {
    store(file.content, path);
    Parameters parameters;
    declare(parameters);
    parameters.read(path);
    if (initial_refinement(parameters) > 2)
      parameters.set("Mesh/Initial refinement", "2");
    use(parameters);
  }

  /// Returns parameter files for every grid, as Parameters prints them and as
  /// short as possible.
  std::vector<File>
  parameter_files()
  {
    std::vector<File> files;
    for (const int dim : {2, 3})
      for (const auto &grid : grid_examples(dim))
        for (const bool all : {false, true})
          {
            Parameters parameters;
            declare(parameters);
            parameters.set("Mesh/Grid name", grid.name);
            parameters.set("Mesh/Grid arguments", grid.arguments);
            parameters.set("Mesh/Initial refinement", "0");
            parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0");
            parameters.set(
              "Boundary conditions/Dirichlet 1/Function expression",
              "sin(pi*x)*y^2");
            std::ostringstream text;
            if (all)
              parameters.print(text);
            else
              text << "# a comment\nsubsection Mesh\n  set Grid name = "
                   << grid.name << "\n  set Grid arguments = \\\n "
                   << grid.arguments
                   << "\n  set Initial refinement = 1 # twice\nend\n"
                      "subsection Boundary conditions\n"
                      "  set Remaining boundaries = natural\n"
                      "  subsection Dirichlet 1\n"
                      "    set Boundaries = 0, 1\n"
                      "    set Function expression = x < 0.5 ? exp(x) : 1\n"
                      "  end\nend\n";
            files.push_back({text.str(), ".prm"});
          }
    return files;
  }
} // namespace


int
main(const int argc, char **argv)
{
  const auto mesh_files = [] {
    return read_folder("/tests/fem/meshes",
                       ".msh .inp .unv .vtk .vtu .pts .mesh ");
  };
  return run(argc, argv,
             {{"mesh", mesh_files, try_mesh},
              {"parameters", parameter_files, try_parameters}});
}
