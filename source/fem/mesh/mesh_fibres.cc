#include "mesh_tools.h"

namespace tessera::mesh_tools
{
  std::vector<std::array<double, 3>>
  fibres_of_cells(const MeshFile &file, const int dim)
  {
    std::vector<std::array<double, 3>> result;
    for (std::size_t e = 0; e < file.fibres.size(); ++e)
      if (dimension(file.elements[e].type) == dim)
        result.push_back(file.fibres[e]);
    return result;
  }


  template <int dim>
  FibreCarrier<dim>::FibreCarrier(Mesh<dim> &mesh) : mesh(mesh)
  {
    if (mesh.fibres.empty())
      return;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        materials.push_back(cell->material_id());
        cell->set_material_id(cell->active_cell_index());
      }
  }


  template <int dim>
  void
  FibreCarrier<dim>::hand_over()
  {
    if (mesh.fibres.empty())
      return;
    std::vector<std::array<double, 3>> of_parts;
    of_parts.reserve(mesh.triangulation().n_active_cells());
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        const auto whole = cell->material_id();
        of_parts.push_back(mesh.fibres[whole]);
        cell->set_material_id(materials[whole]);
      }
    mesh.fibres = std::move(of_parts);
  }


  template class FibreCarrier<2>;
  template class FibreCarrier<3>;
} // namespace tessera::mesh_tools
