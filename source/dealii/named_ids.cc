#include <tessera/base/error.h>
#include <tessera/dealii/named_ids.h>

namespace tessera
{
  template <int dim>
  NamedIds
  NamedIds::boundaries(const Mesh<dim> &mesh)
  {
    NamedIds result;
    result.kind = "boundary";
    for (const auto id : mesh.triangulation.get_boundary_ids())
      result.existing.insert(id);
    result.names = mesh.boundary_names;
    result.description =
      "the " + mesh.source + " has " + mesh.list_boundaries();
    return result;
  }


  template <int dim>
  NamedIds
  NamedIds::materials(const Mesh<dim> &mesh)
  {
    NamedIds result;
    result.kind = "material";
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      result.existing.insert(cell->material_id());
    result.names       = mesh.material_names;
    result.description = "the " + mesh.source + " has " + mesh.list_materials();
    return result;
  }


  unsigned int
  NamedIds::find(const std::string &name, const std::string &path) const
  {
    for (const unsigned int id : existing)
      if (std::to_string(id) == name)
        return id;
    const auto named = names.find(name);
    if (named != names.end() && existing.count(named->second) > 0)
      return named->second;
    throw MeshError("The " + kind + " '" + name + "' of '" + path +
                    "' does not exist; " + description + '.');
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
