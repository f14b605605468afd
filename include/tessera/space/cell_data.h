#pragma once

#include <tessera/base/array.h>
#include <tessera/base/vector.h>
#include <tessera/space/block_nodes.h>
#include <tessera/space/cell_entities.h>
#include <tessera/space/coloring.h>
#include <tessera/space/constraints.h>
#include <tessera/space/shared_entries.h>
#include <tessera/space/space.h>

#include <memory>
#include <optional>

namespace tessera
{
  /// How threads that add to the same entry are kept apart; see
  /// `conflicts.def`.
  enum class Conflict
  {
#define TESSERA_CONFLICT(name, sentence, paper) name,
#include <tessera/space/conflicts.def>
#undef TESSERA_CONFLICT
  };

  std::string
  to_string(Conflict conflict);

  /// Returns the conflict handling with this name. Throws ParameterError naming
  /// the legal values.
  Conflict
  conflict_from_string(const std::string &name);

  /// Throws ParameterError if `what`, which adds to entries that threads share,
  /// cannot use this conflict handling: `none` on the device.
  void
  check_conflict(Conflict conflict, Backend backend, const std::string &what);

  /// Returns the default of a backend: `atomics` on the device, `coloring` on
  /// the host.
  Conflict
  default_conflict(Backend backend);

  /// Selects a part of the cells, in whole blocks. The cells of interior blocks
  /// read and write owned entries only, so they can be worked on while the tail
  /// travels: the first half of them while it is imported, and the second one
  /// while it is exported. `boundary` selects all other blocks.
  enum class CellRange
  {
    all,
    interior,
    boundary,
    first_half,
    second_half
  };

  /// The arrays of the cells as kernels read them; CellData owns the memory.
  template <class Number>
  struct CellView
  {
    int n_cells;
    int n_dofs_per_cell;

    /// Local indices of the nodes, [n_batches][n][lanes], lane fastest.
    const int *dofs;
    /// Set when the product reads entity indices instead of one index per node;
    /// empty otherwise.
    EntityView<Number> entities;
    /// Set when the kernel goes through the nodes of blocks, as on tetrahedra;
    /// empty otherwise.
    BlockNodesView block_nodes;
    /// True if the product may take all hexahedra for parallelepipeds.
    bool parallelepipeds = false;
    /// On the device: vertices of the cells, [n_batches][nv][lanes], as indices
    /// into `coordinates`. The host does not use them.
    const int *vertices;
    /// Coordinates of the vertices. Device: [n_vertices][dim]; host: per cell,
    /// [n_batches][nv][dim][lanes].
    const Number *coordinates;
    /// Stored Jacobians, [n_batches][n_entries][lanes], lane fastest, or null
    /// if kernels compute them from the vertices. dx_i/dxi_k at point q is
    /// entry q * point_stride + i * dim + k; the stride is 0 if all points of a
    /// cell share one Jacobian.
    const Number *jacobians;
    int n_jacobian_entries;
    int jacobian_point_stride;

    /// Colour of every cell in its block, [n_batches][lanes]. Set for colouring
    /// on the device, null otherwise.
    const unsigned char *cell_color;
    int n_cell_colors;
  };

  /// The blocks that one launch (or one parallel loop on the host) works on.
  /// Block k of the list is blocks[first + k], or first + k if `blocks` is
  /// null.
  struct BlockList
  {
    const int *blocks;
    int first;
    int n_blocks;
  };

  /// The colours of blocks of cells, and of the cells of each block.
  struct CellColors
  {
    Coloring coloring;
    Array<int> blocks;
    Array<unsigned char> of_cell;
  };

  template <class Number>
  class CellData;

  /// True if the cells are hexahedra on a device whose maps are linear: each
  /// vertex is as near to its place in the parallelepiped of the vertices 0, 1,
  /// 2 and 4 as the coordinates of the cell are rounded, in double up to four
  /// times as far. Looks at all cells.
  template <class Number>
  bool
  has_linear_maps(const CellData<Number> &cells);

  /// The cells of a `Space` in the memory of one backend, stored as kernels
  /// read them: every array is [batch][entry][lane], lane fastest. There are 32
  /// lanes on the device; on the host their number is the width of the SIMD
  /// type for `Number`. A block consists of `batches_per_block()` batches. The
  /// last block is filled up with padding cells, so no kernel has to test for
  /// the end: all nodes of a padding cell are the padding entry, and its
  /// vertices are the vertices of the last cell.
  ///
  /// On the device, a cell takes 4 n bytes for its node indices, 4 bytes per
  /// vertex if p > 1 (for p = 1 the node indices also serve as vertex indices),
  /// and its share of the coordinates. If Jacobians are stored, it takes 4 n
  /// bytes and dim^2 numbers per Jacobian instead.
  ///
  /// A space without vertices (the faces of a boundary) has no geometry here.
  template <class Number>
  class CellData
  {
  public:
    static constexpr int device_threads = BlockNodes::n_cells_of_block;

    CellData(std::shared_ptr<const Space> space, Backend backend);

    /// Takes cells that exist only on a device (`Space::n_device_cells`), in
    /// the layout above. They have no ghosts, hanging nodes or fixed
    /// components, and use vertex maps. For degree 1, `vertices` is null.
    CellData(std::shared_ptr<const Space> space,
             std::shared_ptr<const Array<int>> dofs,
             std::shared_ptr<const Array<int>> vertices,
             std::shared_ptr<const Array<Number>> coordinates);

    /// The same cells in another number type. Both share colours that are
    /// known, and on a device indices.
    template <class Other>
    explicit CellData(const CellData<Other> &other);

    const Space &
    space() const
    {
      return *host_space;
    }

    Backend
    backend() const
    {
      return where;
    }

    int
    lanes() const
    {
      return n_lanes;
    }

    /// Returns the number of batches, including the padding batches of the last
    /// block.
    int
    n_batches() const
    {
      return batches;
    }

    int
    batches_per_block() const
    {
      return block_batches;
    }

    int
    n_blocks() const
    {
      return batches / block_batches;
    }

    /// Returns the arrays for kernels. With `Conflict::coloring`, the first
    /// call on the device computes the colours.
    CellView<Number>
    view(Conflict conflict) const;

    /// Returns launches that together visit every block of `range` once: one
    /// launch, or one per colour with `Conflict::coloring`. The block lists are
    /// in the memory of the backend.
    std::vector<BlockList>
    launches(Conflict conflict, CellRange range = CellRange::all) const;

    /// Returns the colours of the blocks and the largest number of cell colours
    /// in a block.
    const Coloring &
    coloring() const;

    /// Returns the entity indices, which the first call computes. Like the
    /// first computation of colours and of shared entries, this must not be
    /// done by several threads at once.
    const CellEntities<Number> &
    entities() const;

    /// Returns the nodes of the blocks of tetrahedra on a device, which the
    /// first call lists; otherwise an empty object.
    const BlockNodes &
    block_nodes() const;

    /// True if `has_linear_maps`, which the first call finds out.
    bool
    are_parallelepipeds() const
    {
      if (!lazy_parallelepipeds)
        lazy_parallelepipeds = has_linear_maps(*this);
      return *lazy_parallelepipeds;
    }

    const SharedEntries &
    shared_entries() const;

    const FixedComponents<Number> &
    fixed() const
    {
      return fixed_components;
    }

    /// Returns the tail for a space that is not divided: its hanging nodes if
    /// it has any, otherwise the tail of eliminated values.
    std::shared_ptr<const Tail<Number>>
    tail() const
    {
      return own_tail;
    }

    /// The arrays that kernels read; other CellData may share them.
    const std::shared_ptr<const Array<int>> &
    shared_dofs() const
    {
      return dofs;
    }

    /// Null on the host, for degree 1, and if Jacobians are
    /// stored.
    const std::shared_ptr<const Array<int>> &
    shared_vertices() const
    {
      return vertices;
    }

    /// Null if Jacobians are stored.
    const std::shared_ptr<const Array<Number>> &
    shared_coordinates() const
    {
      return coordinates;
    }

    /// Converts `values` from [n_cells][n_entries] to
    /// [n_batches][n_entries][lanes] in the memory of the backend. Padding
    /// cells repeat the last cell.
    Array<Number>
    pack(const std::vector<double> &values, int n_entries) const;

    std::size_t
    bytes() const;

    /// Returns a zero vector with the sizes of the space, for forms with
    /// `Space::n_components` components.
    Vector<Number>
    make_vector() const;

  private:
    const CellColors &
    colors() const;

    template <class Other>
    friend class CellData;

    /// Sets only sizes and tails.
    CellData(std::shared_ptr<const Space> space, Backend backend,
             std::shared_ptr<const Array<int>> dofs);

    void
    set_geometry();

    std::shared_ptr<const Space> host_space;
    Backend where;
    int n_lanes;
    int block_batches;
    int batches;
    std::shared_ptr<const Array<int>> dofs, vertices;
    std::shared_ptr<const Array<Number>> coordinates;
    Array<Number> jacobians;
    FixedComponents<Number> fixed_components;
    std::shared_ptr<const Tail<Number>> own_tail;
    mutable std::shared_ptr<const CellColors> lazy_colors;
    mutable std::unique_ptr<CellEntities<Number>> lazy_entities;
    mutable std::shared_ptr<const BlockNodes> lazy_block_nodes;
    mutable std::shared_ptr<const SharedEntries> lazy_shared;
    mutable std::optional<bool> lazy_parallelepipeds;
  };
} // namespace tessera
