#include "body_mesher.h"
#include "mesh_scanner.h"
#include "mesh_tools.h"
#include "own_process.h"

#include <tessera/base/error.h>
#include <tessera/fem/mesh/mesh_body.h>
#include <tessera/program/program.h>
#include <tessera/program/record.h>
#include <tessera/program/table.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>

namespace tessera
{
  namespace
  {
    using mesh_tools::Body;
    using mesh_tools::BodyMesh;

    /// Returns geo, step or stl, or "" if the section `Mesh` does not describe
    /// a body.
    std::string
    body_format(const Parameters &parameters)
    {
      if (!mesh_tools::from_file(parameters) ||
          parameters.get("Mesh/Format") != "auto")
        return "";
      std::string suffix =
        std::filesystem::path(parameters.get("Mesh/File")).extension().string();
      std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                     [](const unsigned char c) { return std::tolower(c); });
      return suffix == ".geo"                        ? "geo"
             : suffix == ".step" || suffix == ".stp" ? "step"
             : suffix == ".stl"                      ? "stl"
                                                     : "";
    }


    /// Returns `Mesh/Element size`, or 0 for auto.
    double
    element_size(const Parameters &parameters)
    {
      const std::string text = parameters.get("Mesh/Element size");
      if (text == "auto")
        return 0.;
      char *end          = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != '\0' || !(value > 0.) ||
          !std::isfinite(value))
        throw ParameterError("'Mesh/Element size' = " + text +
                             " is not legal; legal are auto and positive "
                             "lengths in the units of 'Mesh/File'.");
      return value;
    }


    /// Throws MeshError if the content is not what the suffix says.
    void
    check_content(const Body &body)
    {
      const std::string &text = body.content;
      const std::size_t first = text.find_first_not_of(" \t\r\n");
      if (first == std::string::npos)
        throw MeshError("The " + body.source + " is empty.");
      const auto begins_with = [&](const std::string &word) {
        return text.compare(first, word.size(), word) == 0;
      };
      std::uint32_t n_triangles = 0;
      if (text.size() >= 84)
        std::memcpy(&n_triangles, &text[80], sizeof(n_triangles));
      const bool binary_stl =
        text.size() == 84 + 50 * std::size_t(n_triangles) && n_triangles > 0;
      if (body.format == "stl" && !binary_stl &&
          !(begins_with("solid") && text.find("facet") != std::string::npos))
        throw MeshError("The " + body.source +
                        " is no complete file of the format STL: it is neither "
                        "a text that begins with 'solid' and has facets, nor "
                        "as long as the number of triangles in it says.");
      if (body.format == "step" && !begins_with("ISO-10303-21"))
        throw MeshError("The " + body.source +
                        " is no file of the format STEP: it does not begin "
                        "with 'ISO-10303-21'.");
      if (body.format != "geo")
        return;
      if (text.find('\0') != std::string::npos)
        throw MeshError("The " + body.source +
                        " is no script of gmsh: it is not a text.");
    }


    /// Meshes a body in a process of its own, for at most so many seconds, with
    /// what gmsh prints in a file beside `msh`.
    BodyMesh
    mesh_apart(const Body &body, const std::string &msh, const double seconds)
    {
      OwnProcess process;
      process.work = [&](const auto &stage) {
        const auto bytes = dealii::Utilities::pack(
          mesh_tools::mesh_by_gmsh(body, msh, stage), false);
        return std::string(bytes.begin(), bytes.end());
      };
      process.program = "gmsh";
      process.source  = body.source;
      process.log =
        std::filesystem::path(msh).replace_filename("gmsh.log").string();
      process.seconds  = seconds;
      process.option   = "'Mesh/Meshing time'";
      process.progress = "gmsh meshes " + body.path +
                         (body.keep_triangles ? " with its own triangles" : "");
      const std::string bytes = in_own_process(process);
      return dealii::Utilities::unpack<BodyMesh>(
        std::vector<char>(bytes.begin(), bytes.end()), false);
    }


    /// A way to mesh a surface of triangles.
    struct Try
    {
      bool keep_triangles;
      double size_factor;
      const char *name; ///< for sentences
    };

    /// Surfaces meshed anew have the better cells. Where gmsh fails, the given
    /// triangles are kept, with ever smaller elements around them.
    constexpr Try tries[] = {
      {false, 1., "anew"},
      {true, 1., "with the triangles of the file"},
      {true, 0.5, "with these and elements of half the size"},
      {true, 0.25, "of a quarter of the size"}};


    /// Meshes a surface of triangles in the first way that works.
    BodyMesh
    mesh_triangles(Body body, const std::string &msh, const double seconds)
    {
      using Clock      = std::chrono::steady_clock;
      const auto begin = Clock::now();
      std::string failures, first_failure;
      for (const Try &way : tries)
        {
          body.keep_triangles = way.keep_triangles;
          body.size_factor    = way.size_factor;
          body.last_try       = &way == std::end(tries) - 1;
          const double left =
            seconds -
            std::chrono::duration<double>(Clock::now() - begin).count();
          std::string failure;
          try
            {
              BodyMesh mesh = mesh_apart(body, msh, std::max(left, 0.1));
              if (mesh.failure.empty())
                {
                  if (way.keep_triangles)
                    mesh.notes +=
                      "             kept and divided, since gmsh "
                      "cannot mesh the surface anew: " +
                      first_failure + '\n';
                  if (way.size_factor < 1.)
                    mesh.notes +=
                      "             with elements smaller than "
                      "asked for, since others are flat\n";
                  return mesh;
                }
              failure = mesh.failure;
            }
          catch (const ProcessFailed &failed)
            {
              if (std::chrono::duration<double>(Clock::now() - begin).count() >
                  seconds)
                throw;
              failure = failed.reason;
            }
          if (first_failure.empty())
            first_failure = failure;
          failures += (failures.empty() ? "" : "; ") + std::string(way.name) +
                      ", " + failure;
        }
      throw MeshError("The " + body.source +
                      " cannot be meshed by gmsh: " + failures + '.');
    }


    void
    print(const Body &body, const BodyMesh &mesh, const double scale,
          const std::string &msh, const bool all, std::ostream &out)
    {
      out << "Body         " << body.path << ", meshed by " << mesh.mesher;
      if (mesh.element_size > 0.)
        out << " with elements of size " << mesh.element_size;
      out << '\n' << mesh.notes;
      if (mesh.given_volume > 0.)
        {
          const double of_file = mesh.given_volume * std::pow(scale, 3),
                       percent = 100. * (mesh.volume / mesh.given_volume - 1.);
          std::ostringstream text;
          text << "Volume       " << mesh.volume * std::pow(scale, 3) << ", "
               << std::showpos << std::fixed << std::setprecision(2)
               << std::round(100. * percent) / 100. + 0. << std::noshowpos
               << std::defaultfloat << std::setprecision(6) << " % from the "
               << of_file << " of the "
               << (body.format == "stl" ? "surface" : "body") << '\n';
          out << text.str();
          if (std::abs(percent) > 100. * mesh_tools::volume_tolerance)
            std::cerr << "note: the cells of the " << body.source << " have "
                      << std::round(10. * std::abs(percent)) / 10. << " % "
                      << (percent < 0. ? "less" : "more")
                      << " volume than the body, since their faces are flat; "
                         "a smaller 'Mesh/Element size' follows it better."
                      << std::endl;
        }
      out << "Written      " << msh << '\n';
      const std::string title =
        mesh.dimension == 3 ? "Surfaces     " : "Curves       ";
      constexpr std::size_t most = 24; // a screen holds no more
      for (std::size_t i = 0; i < mesh.boundaries.size(); ++i)
        {
          auto boundary = mesh.boundaries[i];
          for (auto *const corner : {&boundary.lower, &boundary.upper})
            *corner *= scale;
          if (i == most && mesh.boundaries.size() > most + 1 && !all)
            {
              out << "             ... and "
                  << program::format_count(
                       static_cast<long long>(mesh.boundaries.size() - most))
                  << " more, which --mesh-only lists\n";
              break;
            }
          out << (i == 0 ? title : std::string(title.size(), ' '))
              << boundary.id << ": " << mesh_tools::place(boundary.lower)
              << " to " << mesh_tools::place(boundary.upper) << '\n';
        }
    }
  } // namespace


  std::string
  mesh_body(Parameters &parameters, const std::string &folder,
            std::ostream &out, const bool all, const Processes &processes)
  {
    Body body;
    body.format       = body_format(parameters);
    body.element_size = element_size(parameters);
    if (body.format.empty())
      {
        if (body.element_size > 0.)
          throw ParameterError(
            "'Mesh/Element size' = " + parameters.get("Mesh/Element size") +
            " does not apply, since this mesh has its cells already; it is for "
            "a 'Mesh/File' that ends with .geo, .step or .stl and has the "
            "'Mesh/Format' auto.");
        return "";
      }
    // Forgets the mesh of an earlier call.
    parameters.set("Mesh/File", parameters.get("Mesh/File"));
    const std::string msh =
      (std::filesystem::path(folder) / "mesh.msh").string();
    processes.collectively([&]() {
      if (processes.rank() > 0)
        return;
      body.path    = parameters.get_file("Mesh/File");
      body.source  = "mesh file '" + body.path + '\'';
      body.content = mesh_files::read_content(body.path);
      body.angle   = parameters.get_double("Mesh/Surface angle") * M_PI / 180.;
      body.dimension = mesh_tools::wanted_dimension(parameters);
      check_content(body);
      program::Record::check_folder(folder);
      program::throw_if_interrupted();
      program::progress("gmsh meshes " + body.path, false);
      const double seconds = parameters.get_double("Mesh/Meshing time");
      const BodyMesh mesh  = body.format == "stl"
                               ? mesh_triangles(body, msh, seconds)
                               : mesh_apart(body, msh, seconds);
      print(body, mesh, parameters.get_double("Mesh/Scale"), msh, all, out);
    });
    parameters.read_instead("Mesh/File", msh);
    return msh;
  }
} // namespace tessera
