#include "mesh_groups.h"
#include "mesh_tools.h"

namespace tessera::mesh_tools
{
  std::string
  names_of(const GroupNames &names, const unsigned int id)
  {
    std::string list;
    for (const auto &[name, ids] : names)
      if (ids.count(id) > 0)
        list += (list.empty() ? "'" : ", '") + name + "'";
    return list;
  }


  std::string
  list_counts(const std::map<std::string, int> &n_of_type)
  {
    std::string list;
    std::size_t i = 0;
    for (const auto &[name, n] : n_of_type)
      {
        const std::string plural = name == "tetrahedron"  ? "tetrahedra"
                                   : name == "hexahedron" ? "hexahedra"
                                                          : name + 's';
        list += (i == 0                      ? ""
                 : i + 1 == n_of_type.size() ? " and "
                                             : ", ") +
                std::to_string(n) + ' ' + (n == 1 ? name : plural);
        ++i;
      }
    return list;
  }


  std::string
  command_that_divides(const MeshFile &file)
  {
    // The source is "mesh file 'NAME'".
    const auto first = file.source.find('\''), last = file.source.rfind('\'');
    const std::string name   = first < last
                                 ? file.source.substr(first + 1, last - first - 1)
                                 : file.source;
    const std::size_t dot    = name.rfind('.');
    const std::string suffix = dot < name.size() ? name.substr(dot) : "",
                      merged = name.substr(0, dot) + ".msh";
    const bool is_read =
      suffix == ".msh" || suffix == ".vtk" || suffix == ".unv";
    return (is_read ? "" : "meshio convert " + name + ' ' + merged + " && ") +
           "echo 'Merge \"" + (is_read ? name : merged) +
           "\"; Mesh.SecondOrderLinear = 1; Mesh.SubdivisionAlgorithm = " +
           std::to_string(file.dimension() - 1) +
           "; RefineMesh;' > all.geo && gmsh all.geo -save -o all.msh";
  }


  GroupIds::GroupIds(const Groups &alone, const std::set<Groups> &combinations,
                     const Groups &others)
  {
    Groups all = others;
    for (const int group : alone)
      {
        ids[{group}] = group;
        all.insert(group);
      }
    for (const Groups &groups : combinations)
      all.insert(groups.begin(), groups.end());
    // For each group, its parts: members in it alone, and each combination.
    std::map<int, int> n_parts;
    for (const int group : alone)
      ++n_parts[group];
    for (const Groups &groups : combinations)
      for (const int group : groups)
        ++n_parts[group];
    unsigned int next = all.empty() ? 0 : *all.rbegin() + 1u;
    for (const Groups &groups : combinations)
      {
        const auto only =
          std::find_if(groups.rbegin(), groups.rend(),
                       [&](const int group) { return n_parts[group] == 1; });
        ids[groups] = only != groups.rend() ? *only : next++;
      }
  }


  std::set<unsigned int>
  GroupIds::ids_in(const int group) const
  {
    std::set<unsigned int> result;
    for (const auto &[groups, id] : ids)
      if (groups.count(group) > 0)
        result.insert(id);
    if (result.empty())
      result.insert(group);
    return result;
  }
} // namespace tessera::mesh_tools
