#include "mesh_scanner.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/mesh/grid_field.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tessera
{
  namespace
  {
    using mesh_files::Scanner, mesh_files::VtkArrays;

    const std::string kind_of_file = "file";

    /// Throws MeshError unless the arrays are a grid with a scalar field.
    void
    check(const VtkArrays &arrays, const Scanner &in)
    {
      const std::size_t n = arrays.points.size() / 3;
      if (n == 0 || arrays.types.empty())
        in.fail(std::string("has no ") + (n == 0 ? "points" : "cells"));
      const auto &names = arrays.of_points;
      if (std::count(names.begin(), names.end(), arrays.wanted) == 0)
        {
          std::string known;
          for (const std::string &name : names)
            known += (known.empty() ? "'" : ", '") + printable(name) + '\'';
          in.fail(
            "has no array '" + printable(arrays.wanted) + "' of points; " +
            (known.empty() ? "it has none of points" : "legal are ") + known);
        }
      const std::size_t n_values = arrays.values.size();
      if (n_values != n && n_values > 0 && n_values % n == 0)
        in.fail("has " + std::to_string(n_values / n) +
                " components in its array '" + printable(arrays.wanted) +
                "'; legal is one");
      if (n_values != n)
        in.fail("is damaged: its array '" + printable(arrays.wanted) +
                "' has " + counted(n_values, "number") + " for " +
                counted(n, "point"));
      const auto is_finite = [](const double x) { return std::isfinite(x); };
      const auto &x        = arrays.points;
      if (!std::all_of(x.begin(), x.end(), is_finite))
        in.fail("is damaged: coordinates of points are not finite");
      const auto bad = std::find_if_not(arrays.values.begin(),
                                        arrays.values.end(), is_finite) -
                       arrays.values.begin();
      if (static_cast<std::size_t>(bad) < n)
        in.fail("has no finite number in its array '" +
                printable(arrays.wanted) + "' at (" +
                std::to_string(x[3 * bad]) + ", " +
                std::to_string(x[3 * bad + 1]) + ", " +
                std::to_string(x[3 * bad + 2]) + ')');
      long long begin = 0;
      const auto size = static_cast<long long>(arrays.connectivity.size());
      bool good       = arrays.offsets.size() == arrays.types.size();
      for (const long long end : arrays.offsets)
        {
          good  = good && end >= begin && end <= size;
          begin = end;
        }
      for (const long long point : arrays.connectivity)
        good = good && point >= 0 && point < static_cast<long long>(n);
      if (!good)
        in.fail("has a damaged list of cells");
    }

    void
    append(GridField &to, const std::string &content, const std::string &path,
           const std::string &array, const std::string &entry)
    {
      const std::string source =
        kind_of_file + " '" + path + "' of '" + entry + '\'';
      const bool is_legacy = content.compare(0, 14, "# vtk DataFile") == 0;
      const VtkArrays arrays =
        is_legacy ? mesh_files::read_vtk_arrays(content, source, array)
                  : mesh_files::read_vtu_arrays(content, source, array);
      check(arrays, Scanner("", source));
      const auto n_points  = static_cast<long long>(to.values.size()),
                 n_corners = static_cast<long long>(to.connectivity.size());
      const auto add       = [](auto &all, const auto &more) {
        all.insert(all.end(), more.begin(), more.end());
      };
      add(to.points, arrays.points);
      add(to.values, arrays.values);
      add(to.types, arrays.types);
      for (const long long point : arrays.connectivity)
        to.connectivity.push_back(n_points + point);
      for (const long long end : arrays.offsets)
        to.offsets.push_back(n_corners + end);
      to.subdivisions = arrays.subdivisions;
    }
  } // namespace


  GridField
  read_grid_field(const std::string &path, const std::string &array,
                  const std::string &entry)
  {
    const auto read = [&entry](const std::string &name) {
      return mesh_files::read_content(name, kind_of_file, entry);
    };
    const std::string content = read(path);
    GridField result;
    if (content.find("<PUnstructuredGrid") == std::string::npos)
      {
        append(result, content, path, array, entry);
        return result;
      }
    // A list of the files of several processes.
    const std::string source_is = "Source=\"";
    for (auto place = content.find("<Piece"); place != std::string::npos;
         place      = content.find("<Piece", place + 1))
      {
             const auto begin = content.find(source_is, place) + source_is.size(),
                        end   = content.find('"', begin);
             if (begin < source_is.size() || end == std::string::npos)
          throw MeshError("The file '" + path + "' of '" + entry +
                               "' is damaged: a piece has no source.");
        const std::string piece = (std::filesystem::path(path).parent_path() /
                                   content.substr(begin, end - begin))
                                         .string();
             append(result, read(piece), piece, array, entry);
      }
    if (result.types.empty())
      throw MeshError("The file '" + path + "' of '" + entry +
                      "' lists no pieces.");
    return result;
  }
} // namespace tessera
