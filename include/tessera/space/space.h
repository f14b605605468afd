#pragma once

#include <tessera/space/connectivity.h>

#include <string>
#include <vector>

namespace tessera
{
  /// How local indices are given to degrees of freedom; see `numberings.def`.
  enum class Numbering
  {
#define TESSERA_NUMBERING(name, sentence, paper) name,
#include <tessera/space/numberings.def>
#undef TESSERA_NUMBERING
  };

  std::string
  to_string(Numbering numbering);

  /// Throws ParameterError naming the legal values.
  Numbering
  numbering_from_string(const std::string &name);

  /// In which order cells are visited; see `cell_orders.def`.
  enum class CellOrder
  {
#define TESSERA_CELL_ORDER(name, sentence) name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
  };

  std::string
  to_string(CellOrder order);

  CellOrder
  cell_order_from_string(const std::string &name);

  /// Cells a direction of a block, for what goes by blocks: the cell order
  /// `blocked` and the numberings `blocked` and `blocked_aligned`.
  constexpr int default_block_side = 8, max_block_side = 1024;

  /// Whether cells are visited block by block: in the cell order `blocked`,
  /// which `blocked` and `blocked_aligned` bring with them.
  constexpr bool
  goes_by_blocks(const Numbering numbering, const CellOrder cell_order)
  {
    return numbering == Numbering::blocked ||
           numbering == Numbering::blocked_aligned ||
           cell_order == CellOrder::blocked;
  }

  /// A finite element space as flat arrays: what every kernel reads, on either
  /// backend, and all that is left of a mesh below `dealii`.
  ///
  /// Local indices are [owned free | tail], the tail being
  /// [constrained | ghosts | one padding entry]. Vectors have `n_local()`
  /// entries, so that cell kernels read and add to any index without a test;
  /// the padding entry is where cells that fill up the last batch point to.
  ///
  /// Cells are ordered interior first (all degrees of freedom owned), then
  /// boundary (some in the tail), each part in the order asked for.
  struct Space
  {
    CellType cell_type   = CellType::quadrilateral;
    int degree           = 1;
    Geometry geometry    = Geometry::vertices;
    Numbering numbering  = Numbering::batch_interleaved;
    CellOrder cell_order = CellOrder::mesh;
    int block_side       = default_block_side; ///< if `goes_by_blocks`

    int n_interior_cells = 0;
    int n_owned          = 0;
    int n_constrained    = 0;
    int n_ghosts         = 0;

    std::vector<int> cell_dofs;     ///< [n_cells][n], in [0, n_local())
    std::vector<int> cell_vertices; ///< [n_cells][vertices of a cell]
    std::vector<double> vertices;   ///< [n_vertices][dim]
    /// As in Connectivity, for Geometry::quadrature.
    std::vector<double> jacobians, points;
    /// [n_cells]: the cell of the Connectivity that stands at this place.
    std::vector<int> mesh_cell;
    /// [n_owned + n_constrained + n_ghosts]: its degree of freedom there.
    std::vector<int> mesh_dof;

    int
    dim() const
    {
      return dimension(cell_type);
    }

    int
    vertices_per_cell() const
    {
      return n_vertices(cell_type);
    }

    int
    n_cells() const
    {
      return static_cast<int>(mesh_cell.size());
    }

    int
    dofs_per_cell() const
    {
      return n_nodes(cell_type, degree);
    }

    int
    points_per_cell() const
    {
      return n_points(cell_type, degree);
    }

    /// Constrained, ghosts and the padding entry.
    int
    n_tail() const
    {
      return n_constrained + n_ghosts + 1;
    }

    int
    n_local() const
    {
      return n_owned + n_tail();
    }

    int
    padding_index() const
    {
      return n_owned + n_constrained + n_ghosts;
    }
  };

  /// Cells that go into one batch of the `batch_interleaved` numbering: the
  /// threads of a warp.
  constexpr int cells_per_batch = 32;

  /// Builds the space of a whole mesh. For degree 1, vertices are numbered as
  /// degrees of freedom, so that one index serves both. A numbering that goes
  /// by blocks makes the cell order `blocked`, whatever was asked for; the
  /// order and the side of its blocks are kept in the space. Throws what
  /// `Connectivity::check` throws, ParameterError for a side outside of
  /// [1, max_block_side], and MeshError where nothing is free.
  Space
  build_space(const Connectivity &mesh,
              Numbering numbering  = Numbering::batch_interleaved,
              CellOrder cell_order = CellOrder::mesh,
              int block_side       = default_block_side);

  /// Quadrature points of every cell, in the order of the space's cells and of
  /// `CellType`: [n_cells][nq][dim].
  std::vector<double>
  quadrature_points(const Space &space);

  /// Writes the space as a binary file with a checksum.
  void
  write(const Space &space, const std::string &path);

  /// Reads what `write` wrote. Throws MeshError for a file that is missing,
  /// truncated, of another version or damaged.
  Space
  read(const std::string &path);
} // namespace tessera
