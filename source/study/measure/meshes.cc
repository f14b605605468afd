#include "oracle.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/program/table.h>
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

  namespace
  {
    std::int64_t
    power(const std::int64_t base, const int exponent)
    {
      return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }

    /// Returns the cells of a layer of a grid of `n` boxes a direction.
    std::int64_t
    cells_of_a_layer(const CellType type, const int n)
    {
      const int of_box = type == CellType::triangle      ? 2
                         : type == CellType::tetrahedron ? 6
                                                         : 1;
      return of_box * power(n, dimension(type) - 1);
    }

    /// Layers of boxes.
    struct Layers
    {
      int first, n;
    };

    /// Returns the layers that a process knows of a grid of `n` layers of
    /// `n_cells` cells each.
    Layers
    known_layers(const int n, const std::int64_t n_cells, const int process,
                 const int n_processes)
    {
      // The cells c with c n_processes / (n n_cells) = process, rounded down,
      // are those of the process.
      const auto first_of = [&](const std::int64_t p) {
        return (p * n * n_cells + n_processes - 1) / n_processes;
      };
      const std::int64_t first = first_of(process) / n_cells - 1;
      const std::int64_t last  = (first_of(process + 1) - 1) / n_cells + 1;
      const int begin = static_cast<int>(std::max<std::int64_t>(0, first));
      return {begin, static_cast<int>(std::min<std::int64_t>(n - 1, last)) -
                       begin + 1};
    }

    void
    require_cells(const std::int64_t n_cells, const int n_processes)
    {
      if (n_cells < n_processes)
        throw MeshError("A mesh of " + counted(n_cells, "cell") +
                        " cannot be divided among " +
                        std::to_string(n_processes) + " processes.");
    }

    /// Describes a grid of `n` boxes a direction.
    GeneratedMesh
    grid(const CellType type, const int n, const int degree,
         const std::uint64_t seed)
    {
      GeneratedMesh parameters;
      parameters.cell_type = type;
      parameters.degree    = degree;
      parameters.n_x = parameters.n_y = parameters.n_z = n;
      parameters.seed                                  = seed;
      return parameters;
    }
  } // namespace

  double
  n_cells_of_mesh(const CellType type, const double n_dofs, const int degree)
  {
    const int n = boxes_a_direction(type, n_dofs, degree);
    return double(n) * cells_of_a_layer(type, n);
  }

  Connectivity
  make_mesh(const CellType type, const double n_dofs, const int degree,
            const std::uint64_t seed, const int tile_x, const int tile_y,
            const int n_components)
  {
    GeneratedMesh parameters =
      grid(type, boxes_a_direction(type, n_dofs / n_components, degree), degree,
           seed);
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

  MeshPiece
  make_piece(const CellType type, const double n_dofs, const int degree,
             const std::uint64_t seed, const int process, const int n_processes)
  {
    const int n              = boxes_a_direction(type, n_dofs, degree);
    const int dim            = dimension(type);
    const std::int64_t layer = cells_of_a_layer(type, n);
    MeshPiece piece;
    piece.n_cells = layer * n;
    piece.n_free  = power(std::int64_t(n) * degree - 1, dim);
    require_cells(piece.n_cells, n_processes);
    const Layers known       = known_layers(n, layer, process, n_processes);
    GeneratedMesh parameters = grid(type, n, degree, seed);
    parameters.first_layer   = known.first;
    parameters.n_layers      = known.n;
    piece.mesh               = generate(parameters);
    round_vertices(piece.mesh);
    piece.first_cell = parameters.first_layer * layer;
    piece.first_node = parameters.first_layer * degree *
                       power(std::int64_t(n) * degree + 1, dim - 1);
    return piece;
  }

  void
  check_mesh(const CellType type, const double n_dofs, const int degree,
             const int n_components, const int n_processes, const int n_on_host)
  {
    program::CaseSize size;
    size.cell_type    = type;
    size.degree       = degree;
    size.n_components = n_components;
    // A process in the middle knows most layers.
    const int n = boxes_a_direction(type, n_dofs / n_components, degree);
    const std::int64_t layer = cells_of_a_layer(type, n);
    require_cells(layer * n, n_processes);
    const int n_known = known_layers(n, layer, n_processes / 2, n_processes).n;
    size.n_cells      = double(layer) * n_known * n_processes;
    size.n_processes  = n_processes;
    size.n_on_host    = n_on_host;
    size.distributed  = n_processes > 1;
    size.library_mesh = program::LibraryMesh::none;
    // The numbers of the oracle.
    size.state_bytes = sizeof(double) * 5 * n_dofs / (double(layer) * n);
    program::MemoryEstimate(size).check(
      "The mesh of " + program::format_count(std::llround(n_dofs)) +
        " degrees of freedom and degree " + std::to_string(degree),
      0, "fewer by 'Factors/Degrees of freedom'");
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
