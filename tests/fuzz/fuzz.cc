// Reads mesh and parameter files that are damaged at random, in one process of
// at most 4 GiB, and ends with 1 and the seed at the first one that is neither
// read nor refused by one sentence, crashes or takes more than a minute of
// processor time.
//
// usage: fuzz_input [--what mesh|parameters] [--seconds N] [--seed S] [--once]
//   --once: the file of this seed alone; it is kept as fuzz_input.<suffix>

#include "mutate.h"

#include <tessera/base/error.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/mesh.h>
#include <tessera/dealii/mesh_file.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <sstream>

namespace
{
  using namespace tessera;
  using namespace tessera::fuzz;

  char failure[] = "\nfailed: seed                       \n";

  void
  set_seed(const unsigned long long seed)
  {
    const std::string digits = std::to_string(seed);
    std::memset(failure + 14, ' ', 20);
    std::memcpy(failure + 14, digits.data(), digits.size());
  }

  extern "C" void
  on_signal(int)
  {
    const auto written = write(2, failure, sizeof(failure) - 1);
    _exit(written > 0 ? 1 : 2);
  }

  struct File
  {
    std::string content;
    std::string suffix;
  };

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
        files.push_back({text.str(), path.extension().string()});
      }
    return files;
  }

  void
  declare(Parameters &parameters)
  {
    declare_mesh(parameters);
    BoundaryConditions<2>::declare(parameters);
    ExactSolution<2>::declare(parameters);
  }

  /// What an application does with the mesh before it solves.
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
    std::ofstream(path + file.suffix, std::ios::binary) << file.content;
    Parameters parameters;
    declare(parameters);
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", path + file.suffix);
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
    std::ofstream(path + file.suffix, std::ios::binary) << file.content;
    Parameters parameters;
    declare(parameters);
    parameters.read(path + file.suffix);
    if (parameters.get_integer("Mesh/Initial refinement") > 2)
      parameters.set("Mesh/Initial refinement", "2");
    use(parameters);
  }

  /// Parameter files for every grid, as Parameters prints them and as short as
  /// they can be.
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

  /// Empty, or what is wrong with the answer to a file.
  std::string
  complaint(const std::function<void()> &work)
  {
    try
      {
        work();
        return "";
      }
    catch (const Error &error)
      {
        const std::string text = error.what();
        for (const std::string word :
             {"\n", "tack trace", "violated", "/source/", "deal.II refuses"})
          if (text.find(word) != std::string::npos)
            return text;
        return text.empty() || (text.back() != '.' && text.back() != '?')
                 ? "no sentence: " + text
                 : "";
      }
    catch (const std::exception &exception)
      {
        return std::string("another exception: ") + exception.what();
      }
    catch (...)
      {
        return "an unknown exception";
      }
  }
} // namespace


int
main(const int argc, char **argv)
{
  std::string what        = "mesh";
  double seconds          = 10.;
  unsigned long long seed = 1;
  bool once               = false;
  for (int i = 1; i < argc; ++i)
    {
      const std::string option = argv[i];
      if (option == "--once")
        once = true;
      else if (i + 1 < argc && option == "--what")
        what = argv[++i];
      else if (i + 1 < argc && option == "--seconds")
        seconds = std::stod(argv[++i]);
      else if (i + 1 < argc && option == "--seed")
        seed = std::stoull(argv[++i]);
      else
        {
          std::cerr << "error: unknown option '" << option << "'.\n";
          return 2;
        }
    }
  for (const int signal_number :
       {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF})
    signal(signal_number, on_signal);

  const rlimit memory{4ul << 30, 4ul << 30};
  setrlimit(RLIMIT_AS, &memory);
  const itimerval one_minute{{0, 0}, {60, 0}};

  const bool mesh = what == "mesh";
  const auto files =
    mesh ? read_folder("/tests/dealii/meshes", ".msh .inp .unv .vtk .vtu ")
         : parameter_files();
  const std::string path = once ? "fuzz_input"
                                : (std::filesystem::temp_directory_path() /
                                   ("tessera_fuzz_" + std::to_string(getpid())))
                                    .string();
  const auto start       = std::chrono::steady_clock::now();
  const auto time        = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
      .count();
  };
  unsigned long long n = 0, refused = 0;
  for (;; ++seed, ++n)
    {
      set_seed(seed);
      setitimer(ITIMER_PROF, &one_minute, nullptr);
      Random random(seed);
      File file                 = files[below(random, files.size())];
      file.content              = mutate(file.content, random);
      const std::string problem = complaint([&] {
        try
          {
            (mesh ? try_mesh : try_parameters)(file, path, random);
          }
        catch (const Error &)
          {
            ++refused;
            throw;
          }
      });
      if (!problem.empty())
        {
          std::cerr << "failed: seed " << seed << ": " << problem << std::endl;
          return 1;
        }
      if (once || time() > seconds)
        break;
    }
  if (!once)
    for (const std::string suffix :
         {".msh", ".inp", ".unv", ".vtk", ".vtu", ".prm"})
      std::filesystem::remove(path + suffix);
  std::cout << n + 1 << " damaged files up to seed " << seed << ", " << refused
            << " of them refused" << std::endl;
  return refused > 0 || once ? 0 : 1;
}
