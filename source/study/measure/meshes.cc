#include "meshes.h"
#include "oracle.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/program/table.h>
#include <tessera/space/generator.h>

#include <algorithm>
#include <cmath>

namespace tessera::benchmarks
{
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
      // belong to the process.
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
  } // namespace

  int
  MeshChoice::n_boxes() const
  {
    const double n    = n_dofs / n_components;
    const double side = dimension(type) == 2 ? std::sqrt(n) : std::cbrt(n);
    return std::max(2, static_cast<int>(std::lround((side + 1) / degree)));
  }

  double
  MeshChoice::n_cells() const
  {
    return double(n_boxes()) * cells_of_a_layer(type, n_boxes());
  }

  namespace
  {
    /// Moves the vertices of a grid of n boxes a direction to multiples of
    /// 2^-24, so that float has all of them and boxes stay boxes.
    void
    place_on_grid(Connectivity &mesh, const int n)
    {
      const double h = std::floor(0x1p24 / n) * 0x1p-24;
      for (double &x : mesh.vertices)
        x = std::round(x * n) * h;
    }
  } // namespace

  MeshPiece
  make_piece(const MeshChoice &choice, const int process, const int n_processes)
  {
    const int n = choice.n_boxes(), degree = choice.degree;
    const int dim            = dimension(choice.type);
    const std::int64_t layer = cells_of_a_layer(choice.type, n);
    MeshPiece piece;
    piece.n_cells = layer * n;
    piece.n_free =
      power(std::int64_t(n) * degree - 1, dim) * choice.n_components;
    require_cells(piece.n_cells, n_processes);
    const Layers known = known_layers(n, layer, process, n_processes);
    Connectivity &mesh = piece.mesh;
    GeneratedMesh parameters;
    parameters.cell_type = choice.type;
    parameters.degree    = degree;
    parameters.n_x = parameters.n_y = parameters.n_z = n;
    parameters.seed                                  = choice.seed;
    parameters.distortion                            = choice.distortion;
    parameters.tile_x                                = choice.tile_x;
    parameters.tile_y                                = choice.tile_y;
    parameters.first_layer                           = known.first;
    parameters.n_layers                              = known.n;
    mesh                                             = generate(parameters);
    round_vertices(mesh);
    if (choice.distortion == 0)
      place_on_grid(mesh, n);
    mesh.n_components = choice.n_components;
    std::vector<char> of_components;
    for (const char constrained : mesh.constrained)
      of_components.insert(of_components.end(), choice.n_components,
                           constrained);
    mesh.constrained = std::move(of_components);
    piece.first_cell = known.first * layer;
    piece.first_node =
      known.first * degree * power(std::int64_t(n) * degree + 1, dim - 1);
    return piece;
  }

  void
  check_mesh(const MeshChoice &choice, const Processes &processes)
  {
    program::CaseSize size;
    size.cell_type    = choice.type;
    size.degree       = choice.degree;
    size.n_components = choice.n_components;
    size.n_processes  = processes.size();
    // A process in the middle knows most layers.
    const int n              = choice.n_boxes();
    const std::int64_t layer = cells_of_a_layer(choice.type, n);
    require_cells(layer * n, size.n_processes);
    const int n_known =
      known_layers(n, layer, size.n_processes / 2, size.n_processes).n;
    size.n_cells      = double(layer) * n_known * size.n_processes;
    size.n_on_host    = processes.size_on_machine();
    size.distributed  = size.n_processes > 1;
    size.library_mesh = program::LibraryMesh::none;
    // The numbers of the oracle.
    size.state_bytes = sizeof(double) * 5 * choice.n_dofs / (double(layer) * n);
    program::MemoryEstimate(size).check(
      "The mesh of " + program::format_count(std::llround(choice.n_dofs)) +
        " degrees of freedom and degree " + std::to_string(choice.degree),
      0, "fewer by 'Factors/Degrees of freedom'");
  }

  MeshChoice
  mesh_of(const Variant &variant, const std::uint64_t seed,
          const double distortion)
  {
    MeshChoice choice;
    choice.type   = cell_type_from_string(variant["Cell types"]);
    choice.n_dofs = std::stod(variant["Degrees of freedom"]);
    choice.degree = std::stoi(variant["Degrees"]);
    if (variant.get("Forms") == vector_form)
      choice.n_components = dimension(choice.type);
    choice.seed       = seed;
    choice.distortion = distortion;
    return choice;
  }

  program::CaseSize
  size_of(const Variant &variant)
  {
    const MeshChoice mesh = mesh_of(variant);
    program::CaseSize size;
    size.backend       = backend_of(variant);
    size.cell_type     = mesh.type;
    size.degree        = mesh.degree;
    size.n_components  = mesh.n_components;
    size.n_cells       = mesh.n_cells();
    size.operator_name = variant["Operators"];
    size.number_bytes  = variant["Numbers"] == "float" ? 4 : 8;
    if (!variant["Preconditioners"].empty())
      size.preconditioner = variant["Preconditioners"];
    return size;
  }

  void
  print_meshes(std::ostream &out, const Variants &variants,
               const std::string &what)
  {
    using program::format_count;
    program::Table table;
    table.add_column("cells", "", program::Table::Align::left);
    for (const std::string &name :
         Names{"degree", "cells", "DoFs asked for", what})
      table.add_column(name);
    const std::string sizes = "Degrees of freedom";
    Names of_meshes         = {"Cell types", "Degrees", sizes};
    if (!variants.front().get("Forms").empty())
      of_meshes.insert(of_meshes.begin(), "Forms");
    for (const Variants &group : group_by(variants, of_meshes))
      {
        const Variant &first = group.front();
        table.add_row({first["Cell types"], first["Degrees"],
                       format_count(std::llround(mesh_of(first).n_cells())),
                       format_count(std::stoll(first[sizes])),
                       std::to_string(group.size())});
      }
    out << table.str();
  }

  MeshPiece
  read_mesh(const std::string &path)
  {
    const Space space = read(path);
    if (space.n_ghosts > 0 || space.n_hanging > 0)
      throw MeshError("'" + path +
                      "' has hanging nodes or nodes of other parts, which are "
                      "not measured.");
    MeshPiece piece;
    piece.n_cells      = space.n_cells();
    piece.n_free       = std::int64_t(space.n_owned) * space.n_components;
    Connectivity &mesh = piece.mesh;
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
    return piece;
  }
} // namespace tessera::benchmarks
