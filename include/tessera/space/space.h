#pragma once

#include <tessera/space/connectivity.h>

#include <string>
#include <vector>

namespace tessera
{
  /// The default way to give local indices to degrees of freedom; numbering.h
  /// lists all ways.
  inline constexpr const char *default_numbering = "batch_interleaved";

  /// The orders in which cells can be visited; see `cell_orders.def`.
  enum class CellOrder
  {
#define TESSERA_CELL_ORDER(name, sentence) name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
  };

  std::string
  to_string(CellOrder order);

  /// Returns the cell order with this name. Throws ParameterError naming the
  /// legal values.
  CellOrder
  cell_order_from_string(const std::string &name);

  /// Cells per direction of a block, for the cell order `blocked` and
  /// numberings that go by blocks.
  constexpr int default_block_side = 8, max_block_side = 1024;

  /// Returns true if cells are visited block by block: in the cell order
  /// `blocked`, which some numberings imply. Throws ParameterError for an
  /// unknown numbering.
  bool
  goes_by_blocks(const std::string &numbering, CellOrder cell_order);

  /// A finite element space as flat arrays. Kernels of both backends read it;
  /// below `fem`, it is all that is known about a mesh.
  ///
  /// Local indices of nodes are [owned | tail]; the tail is [ghosts | hanging |
  /// constrained | one padding entry]. Vectors have `n_local()` nodes, [node]
  /// [component], so that cell kernels can read and add to any index without a
  /// test. The cells that fill up the last batch point to the padding entry.
  ///
  /// A node is constrained if all of its components are. A node with a free
  /// component is owned, and its constrained components are listed in `fixed`.
  ///
  /// Interior cells, whose degrees of freedom are all owned, come first;
  /// boundary cells, with some degree of freedom in the tail, follow. Each part
  /// is in the order `cell_order`.
  struct Space
  {
    CellType cell_type    = CellType::quadrilateral;
    int degree            = 1;
    Geometry geometry     = Geometry::vertices;
    std::string numbering = default_numbering;
    CellOrder cell_order  = CellOrder::mesh;
    int block_side        = default_block_side; ///< used if `goes_by_blocks`

    int n_interior_cells = 0;
    /// Degrees of freedom of a node. A space of 1 also serves forms with more
    /// components.
    int n_components  = 1;
    int n_owned       = 0;
    int n_ghosts      = 0; ///< nodes that other parts own
    int n_hanging     = 0; ///< nodes computed from others
    int n_constrained = 0; ///< nodes whose values are given

    std::vector<int> cell_dofs;     ///< [n_cells][n], in [0, n_local())
    std::vector<int> cell_vertices; ///< [n_cells][vertices of a cell]
    std::vector<double> vertices;   ///< [n_vertices][dim]
    /// Jacobians and points at the quadrature points as in Connectivity; filled
    /// for Geometry::quadrature only.
    std::vector<double> jacobians, points;
    /// The cell of the Connectivity that stands at each place, [n_cells].
    std::vector<int> mesh_cell;
    /// Cells that exist only on a device, such as coarser levels of multigrid.
    /// All lists of cells, vertices and nodes are empty then.
    int n_device_cells = 0;
    /// The node of the Connectivity of each local index, [padding_index()].
    std::vector<int> mesh_dof;
    /// The entries, node n_components + component, of owned nodes and ghosts
    /// whose values are given, increasing.
    std::vector<int> fixed;
    /// The hanging entries of a vector and their parents.
    LinearConstraints hanging;

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
      return static_cast<int>(mesh_cell.size()) + n_device_cells;
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

    /// Returns the nodes of the tail: ghosts, hanging and constrained ones and
    /// the padding entry.
    int
    n_tail() const
    {
      return n_ghosts + n_hanging + n_constrained + 1;
    }

    /// Returns the number of nodes that have rows in a matrix of rows: owned
    /// nodes, ghosts and hanging nodes. The `Tail` passes on the contributions
    /// of cells to ghosts and hanging nodes.
    int
    n_stored() const
    {
      return n_owned + n_ghosts + n_hanging;
    }

    int
    n_local() const
    {
      return n_owned + n_tail();
    }

    int
    padding_index() const
    {
      return n_stored() + n_constrained;
    }
  };

  /// The number of cells in a batch of the `batch_interleaved` numbering, which
  /// is the number of threads in a warp.
  constexpr int cells_per_batch = 32;

  /// Builds the space of a whole mesh. For degree 1, vertices are numbered like
  /// degrees of freedom, so that one index serves both. A numbering that goes
  /// by blocks sets the cell order to `blocked`, whatever `cell_order` is; the
  /// space stores the order and the side of its blocks. Throws what
  /// `Connectivity::check` throws, ParameterError for a `block_side` outside
  /// [1, max_block_side] and for an unknown numbering, and MeshError if no
  /// degree of freedom is free.
  Space
  build_space(const Connectivity &mesh,
              const std::string &numbering = default_numbering,
              CellOrder cell_order         = CellOrder::mesh,
              int block_side               = default_block_side);

  /// Returns the quadrature points of every cell, [n_cells][nq][dim], with
  /// cells in the order of the space and points in the order of `CellType`.
  std::vector<double>
  quadrature_points(const Space &space);

  /// Writes the space as a binary file with a checksum. An existing file is
  /// replaced as a whole. Throws Error if the file cannot be written.
  void
  write(const Space &space, const std::string &path);

  /// Reads a file that `write` wrote. Throws MeshError if the file is missing,
  /// truncated, damaged or of another version.
  Space
  read(const std::string &path);
} // namespace tessera
