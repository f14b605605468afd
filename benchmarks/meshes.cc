#include "oracle.h"

#include <tessera/base/error.h>
#include <tessera/space/generator.h>

#include <algorithm>
#include <cmath>

namespace tessera::benchmarks
{
  int
  boxes_a_direction(const CellType type, const double n_dofs, const int degree)
  {
    const double side =
      dimension(type) == 2 ? std::sqrt(n_dofs) : std::cbrt(n_dofs);
    return std::max(2, static_cast<int>(std::lround((side + 1) / degree)));
  }

  double
  n_cells_of_mesh(const CellType type, const double n_dofs, const int degree)
  {
    const double boxes =
      std::pow(boxes_a_direction(type, n_dofs, degree), dimension(type));
    return boxes * (type == CellType::triangle      ? 2
                    : type == CellType::tetrahedron ? 6
                                                    : 1);
  }

  Connectivity
  make_mesh(const CellType type, const double n_dofs, const int degree,
            const std::uint64_t seed, const int tile_x, const int tile_y,
            const int n_components)
  {
    GeneratedMesh parameters;
    parameters.cell_type = type;
    parameters.degree    = degree;
    parameters.n_x    = boxes_a_direction(type, n_dofs / n_components, degree);
    parameters.n_y    = parameters.n_x;
    parameters.n_z    = parameters.n_x;
    parameters.seed   = seed;
    parameters.tile_x = tile_x;
    parameters.tile_y = tile_y;
    Connectivity mesh = generate(parameters);
    round_vertices(mesh);
    mesh.n_components = n_components;
    std::vector<char> of_components;
    for (const char constrained : mesh.constrained)
      of_components.insert(of_components.end(), n_components, constrained);
    mesh.constrained = std::move(of_components);
    return mesh;
  }

  Connectivity
  read_mesh(const std::string &path)
  {
    const Space space = read(path);
    if (space.n_ghosts > 0 || space.n_hanging > 0)
      throw MeshError("'" + path +
                      "' has hanging nodes or nodes of other parts, which are "
                      "not measured.");
    Connectivity mesh;
    mesh.cell_type     = space.cell_type;
    mesh.degree        = space.degree;
    mesh.n_components  = space.n_components;
    mesh.n_dofs        = space.padding_index();
    mesh.n_vertices    = static_cast<int>(space.vertices.size()) / space.dim();
    mesh.cell_dofs     = space.cell_dofs;
    mesh.cell_vertices = space.cell_vertices;
    mesh.vertices      = space.vertices;
    mesh.geometry      = space.geometry;
    mesh.jacobians     = space.jacobians;
    mesh.points        = space.points;
    mesh.constrained.assign(std::size_t(mesh.n_dofs) * mesh.n_components, 1);
    std::fill_n(mesh.constrained.begin(),
                std::size_t(space.n_owned) * mesh.n_components, 0);
    for (const int entry : space.fixed)
      mesh.constrained[entry] = 1;
    round_vertices(mesh);
    return mesh;
  }
} // namespace tessera::benchmarks
