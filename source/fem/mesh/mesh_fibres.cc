#include "mesh_tools.h"

namespace tessera::mesh_tools
{
  std::vector<std::array<double, 6>>
  fibres_of_cells(const MeshFile &file, const int dim)
  {
    std::vector<std::array<double, 6>> result;
    for (std::size_t e = 0; e < file.fibres.size(); ++e)
      if (dimension(file.elements[e].type) == dim)
        result.push_back(file.fibres[e]);
    return result;
  }


  template <int dim>
  void
  inherit_fibres(Mesh<dim> &mesh)
  {
    if (mesh.fibres.empty())
      return;
    const std::int64_t n_cells = mesh.n_cells();
    const auto n_parts =
      n_cells / static_cast<std::int64_t>(mesh.fibres.size());
    std::vector<std::array<double, 6>> of_parts(n_cells);
    for (std::int64_t cell = 0; cell < n_cells; ++cell)
      of_parts[cell] = mesh.fibres[cell / n_parts];
    mesh.fibres = std::move(of_parts);
  }


  template void
  inherit_fibres(Mesh<2> &);
  template void
  inherit_fibres(Mesh<3> &);
} // namespace tessera::mesh_tools
