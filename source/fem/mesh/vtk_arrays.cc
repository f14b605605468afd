#include "mesh_scanner.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tessera::mesh_files
{
  namespace
  {
    /// Rounds numbers; those out of range become -1, which is no legal id.
    std::vector<long long>
    to_ids(const std::vector<double> &values)
    {
      std::vector<long long> ids(values.size(), -1);
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (std::abs(values[i]) < 1e15)
          ids[i] = std::llround(values[i]);
      return ids;
    }


    /// Returns true if a cell array of this name holds material or boundary
    /// ids.
    bool
    is_id_array(const std::string_view name)
    {
      const std::vector<std::string> known = {
        "materialid",    "material_id",   "material",
        "cellentityids", "gmsh:physical", "medit:ref",
        "boundaryid",    "boundary_id",   "elemtag"};
      return std::count(known.begin(), known.end(), lower(name)) > 0;
    }


    /// Returns true if a cell array of this name, of vectors, holds the
    /// directions of fibres or sheets.
    bool
    is_fibre_array(const std::string_view name)
    {
      const std::vector<std::string> known = {"fibres", "fibers", "fibre",
                                              "fiber",  "sheets", "sheet"};
      return std::count(known.begin(), known.end(), lower(name)) > 0;
    }
  } // namespace


  std::string
  lower(const std::string_view text)
  {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](const unsigned char c) { return std::tolower(c); });
    return result;
  }


  void
  VtkArrays::take(const bool of_cells, const std::string &name,
                  const long long n_components, const Scanner &in,
                  const std::function<std::vector<double>()> &read)
  {
    const bool is_id = is_id_array(name), is_fibre = is_fibre_array(name);
    if (!of_cells)
      {
        of_points.push_back(name);
        if (!wanted.empty() && name == wanted)
          values = read();
      }
    if (of_cells && is_id && n_components <= 1)
      {
        const auto fresh = to_ids(read());
        if (!ids.empty() && ids != fresh)
          in.fail("has two cell arrays with different ids, '" +
                  printable(id_name) + "' and '" + printable(name) + '\'');
        ids     = fresh;
        id_name = name;
      }
    else if (of_cells && is_fibre && (n_components == 0 || n_components == 3))
      (lower(name)[0] == 's' ? sheets : fibres) = read();
    else if (of_cells && lower(name) == "vtkghosttype")
      {
        const auto types = read();
        if (std::count(types.begin(), types.end(), 0.) <
            static_cast<std::ptrdiff_t>(types.size()))
          in.fail("has cells that are copies or hidden, as its array '" +
                  printable(name) + "' says; legal are meshes without them");
      }
    else if (of_cells || is_id || is_fibre)
      not_used.push_back((of_cells ? "the cell array '" : "the point array '") +
                         name + '\'');
  }
} // namespace tessera::mesh_files
