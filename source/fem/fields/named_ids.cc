#include "../mesh/mesh_tools.h"
#include <tessera/base/error.h>
#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/input/selection.h>

#include <algorithm>
#include <iterator>

namespace tessera
{
  template <int dim>
  NamedIds
  NamedIds::boundaries(const Mesh<dim> &mesh)
  {
    NamedIds result;
    result.kind = "boundary";
    for (const auto id : mesh.boundary_ids())
      result.existing.insert(id);
    result.names   = mesh.boundary_names;
    result.source  = mesh.source;
    result.part_of = mesh.part_of;
    return result;
  }


  template <int dim>
  NamedIds
  NamedIds::materials(const Mesh<dim> &mesh)
  {
    NamedIds result;
    result.kind = "material";
    for (const auto id : mesh.material_ids())
      result.existing.insert(id);
    result.names  = mesh.material_names;
    result.source = mesh.source;
    return result;
  }


  std::set<unsigned int>
  NamedIds::look_up(const std::string &name) const
  {
    std::set<unsigned int> result;
    for (const unsigned int id : existing)
      {
        const auto whole = part_of.find(id);
        if (std::to_string(whole == part_of.end() ? id : whole->second) == name)
          result.insert(id);
      }
    const auto *const named = find_name(names, name);
    if (result.empty() && named != nullptr)
      std::set_intersection(existing.begin(), existing.end(), named->begin(),
                            named->end(), std::inserter(result, result.end()));
    return result;
  }


  std::set<unsigned int>
  NamedIds::find(const std::string &name, const std::string &path) const
  {
    const auto result = look_up(name);
    if (!result.empty())
      return result;
    if (is_formula(name))
      throw MeshError("The formula '" + name + "' of '" + path +
                      "' chooses no face of the " + source +
                      ": it has to hold at all corners of a face of the "
                      "boundary.");
    throw MeshError("The " + kind + " '" + name + "' of '" + path +
                    "' does not exist; the " + source + " has " +
                    mesh_tools::list_ids(existing, names) + '.');
  }


  std::string
  NamedIds::describe(const std::string &name, const unsigned int id) const
  {
    const auto *const named = find_name(names, name);
    const bool several      = named != nullptr && named->size() > 1;
    return "The " + kind + " '" + name + "'" +
           (several ? " (there its id " + std::to_string(id) + ")" : "");
  }


  template NamedIds
  NamedIds::boundaries(const Mesh<2> &);
  template NamedIds
  NamedIds::boundaries(const Mesh<3> &);
  template NamedIds
  NamedIds::materials(const Mesh<2> &);
  template NamedIds
  NamedIds::materials(const Mesh<3> &);
} // namespace tessera
