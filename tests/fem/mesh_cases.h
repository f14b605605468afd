#pragma once

#include <tessera/base/error.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/mesh/mesh_file.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace tessera::test
{
  struct MeshParameters : Parameters
  {
    MeshParameters()
    {
      declare_mesh(*this);
      set("Mesh/Initial refinement", "0");
    }

    MeshParameters(const MeshParameters &other) : Parameters()
    {
      declare_mesh(*this);
      *this = other;
    }

    MeshParameters &
    operator=(const MeshParameters &other)
    {
      for (const auto &[path, value] : other.values())
        set(path, value);
      return *this;
    }
  };

  inline MeshParameters
  file_parameters(const std::string &path)
  {
    MeshParameters parameters;
    parameters.set("Mesh/Type", "file");
    parameters.set("Mesh/File", path);
    return parameters;
  }

  const std::string meshes = TESSERA_SOURCE_DIR "/tests/fem/meshes/";
  const std::string plate  = TESSERA_SOURCE_DIR "/prm/poisson/plate.msh";

  template <int dim>
  double
  measure(const Mesh<dim> &mesh)
  {
    double sum = 0.;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      sum += cell->measure();
    return sum;
  }

  /// A file that is removed at the end.
  struct TemporaryFile
  {
    TemporaryFile(const std::string &name, const std::string &content)
      : path((std::filesystem::temp_directory_path() /
              ("tessera_" +
               std::to_string(std::hash<std::string>()(content + name)) + name))
               .string())
    {
      std::ofstream(path, std::ios::binary) << content;
    }

    ~TemporaryFile()
    {
      std::filesystem::remove(path);
    }

    const std::string path;
  };

  /// Returns "CODE SENTENCE" of the error that `work` throws, or "".
  inline std::string
  error_of(const std::function<void()> &work)
  {
    try
      {
        work();
      }
    catch (const Error &error)
      {
        return std::to_string(static_cast<int>(error.exit_code())) + ' ' +
               error.what();
      }
    return "";
  }

  inline std::string
  mesh_error(const Parameters &parameters)
  {
    return error_of([&parameters] {
      if (mesh_dimension(parameters) == 2)
        {
          Mesh<2> mesh;
          make_mesh(mesh, parameters);
        }
      else
        {
          Mesh<3> mesh;
          make_mesh(mesh, parameters);
        }
    });
  }

  inline void
  expect_contains(const std::string &text, const std::string &part)
  {
    EXPECT_NE(text.find(part), std::string::npos)
      << "'" << text << "' has no '" << part << "'";
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
} // namespace tessera::test
