#pragma once

#include "engine.h"

#include <tessera/program/memory_estimate.h>
#include <tessera/space/connectivity.h>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace tessera::benchmarks
{
  /// What a process knows of a mesh. Its cells and nodes are numbered as in the
  /// whole mesh, but from 0.
  struct MeshPiece
  {
    Connectivity mesh;
    std::int64_t n_cells = 0, n_free = 0; ///< of the whole mesh; free entries
    std::int64_t first_cell = 0, first_node = 0; ///< their numbers there
  };

  /// A mesh of about `n_dofs` free degrees of freedom, with rounded vertices if
  /// it is distorted; `tile_x`, `tile_y`: see GeneratedMesh.
  struct MeshChoice
  {
    CellType type;
    double n_dofs;
    int degree;
    int n_components   = 1;
    std::uint64_t seed = 1;
    double distortion  = 0.2; ///< in mesh widths
    int tile_x = 0, tile_y = 1;

    /// Returns the boxes per direction of the grid that is divided into cells.
    int
    n_boxes() const;

    double
    n_cells() const;
  };

  /// Makes what one of `n_processes` needs of a mesh; of several, tiles must be
  /// 0 and 1. Its cells, in their order, are cut into pieces of
  /// equal size, one for each process: strips in two dimensions and slabs in
  /// three. A process knows the layers of boxes that its piece touches and one
  /// on either side, so that it has all cells of its nodes. Throws MeshError if
  /// there are fewer cells than processes.
  MeshPiece
  make_piece(const MeshChoice &choice, int process = 0, int n_processes = 1);

  /// Throws MeshError if the mesh has fewer cells than there are processes, and
  /// DeviceError if it, or, of several processes, the pieces that `make_piece`
  /// makes of it, and a product without a matrix do not fit into the free
  /// memory of the host.
  void
  check_mesh(const MeshChoice &choice,
             const Processes &processes = Processes::alone());

  /// Reads the mesh of a file that `write(space, ...)` wrote, in the order of
  /// its cells and nodes, with rounded vertices. Throws MeshError if it cannot
  /// be read or has hanging nodes or nodes of other parts.
  MeshPiece
  read_mesh(const std::string &path);

  /// Returns the mesh that the factors of a variant describe, with the
  /// components of its form.
  MeshChoice
  mesh_of(const Variant &variant, std::uint64_t seed = 1,
          double distortion = 0.2);

  /// Returns the size of what a variant measures on this mesh, where it is one
  /// process that measures, without the options of the preconditioner.
  program::CaseSize
  size_of(const Variant &variant);

  /// Prints the meshes of a study, with the number of variants that are called
  /// `what`.
  void
  print_meshes(std::ostream &out, const Variants &variants,
               const std::string &what);
} // namespace tessera::benchmarks
