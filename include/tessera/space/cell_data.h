#pragma once

#include <tessera/base/array.h>
#include <tessera/base/vector.h>
#include <tessera/space/cell_entities.h>
#include <tessera/space/coloring.h>
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
#include <tessera/assembly/conflicts.def>
#undef TESSERA_CONFLICT
  };

  std::string
  to_string(Conflict conflict);

  /// Throws ParameterError naming the legal values.
  Conflict
  conflict_from_string(const std::string &name);

  /// Whether nothing but assembly into rows can do with it: `gather`, `owner`.
  bool
  is_of_rows(Conflict conflict);

  /// Throws ParameterError where `what`, which adds to entries that threads
  /// share, cannot do with those, unless it `gathers`, or on the device with
  /// `none`.
  void
  check_conflict(Conflict conflict, Backend backend, const std::string &what,
                 bool gathers = false);

  /// What serves a backend best: atomics on the device, colours on the host.
  Conflict
  default_conflict(Backend backend);

  /// The same for assembly into rows: `gather` for quadrilaterals on the
  /// device, where cells around a row are few.
  Conflict
  default_row_conflict(CellType type, Backend backend);

  /// For what adds cell by cell beside a matrix whose rows are assembled so:
  /// colours, which are repeatable too, instead of what `is_of_rows`.
  Conflict
  cell_conflict(Conflict conflict);

  /// Part of the cells, in whole blocks. Interior blocks hold cells alone that
  /// read and write owned entries, so that they can be worked on while the
  /// tail travels.
  enum class CellRange
  {
    all,
    interior,
    boundary
  };

  /// Cells as kernels see them; see CellData for what is behind.
  template <class Number>
  struct CellView
  {
    int n_cells;
    int n_dofs_per_cell;

    const int *dofs; /// [n_batches][n][lanes]
    /// Of a product that reads those instead; else without indices.
    EntityView<Number> entities;
    /// device: [n_batches][nv][lanes], indices into coordinates; host: unused
    const int *vertices;
    /// device: [n_vertices][dim]; host: [n_batches][nv][dim][lanes]
    const Number *coordinates;
    /// [n_batches][n_entries][lanes], null where vertices say it all: entry
    /// (i, k) of point q is q point_stride + i dim + k, and the stride is 0
    /// where all points of a cell have the same.
    const Number *jacobians;
    int n_jacobian_entries;
    int jacobian_point_stride;

    const unsigned char *cell_color; /// [n_batches][lanes]; with colouring
    int n_cell_colors;
  };

  /// Blocks that one launch (or one parallel loop) works on: block k is
  /// `blocks ? blocks[first + k] : first + k`.
  struct BlockList
  {
    const int *blocks;
    int first;
    int n_blocks;
  };

  /// The cells of a `Space` in the memory of one backend, as kernels read
  /// them: [batch][entry][lane], where lanes are 32 on the device and the
  /// width of the host's SIMD type for `Number`, and blocks are
  /// `batches_per_block` batches. The last block is filled up with cells whose
  /// degrees of freedom are the padding entry and whose vertices are those of
  /// the last cell, so that no kernel tests for the end.
  ///
  /// Bytes a cell on the device: 4 n, 4 for each vertex if p > 1 (for p = 1
  /// degrees of freedom serve as vertices), and the coordinates; or, where
  /// Jacobians are stored, 4 n and 8 dim^2 for each of them.
  ///
  /// A space without vertices (the faces of a boundary) has no geometry here.
  template <class Number>
  class CellData
  {
  public:
    static constexpr int device_threads = 128;

    CellData(std::shared_ptr<const Space> space, Backend backend);

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

    /// Including those that fill up the last block.
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

    /// With `Conflict::coloring` the colours are computed at the first call.
    CellView<Number>
    view(Conflict conflict) const;

    /// The launches that visit every block of `range` once: one, or one a
    /// colour. Block lists of a launch lie in backend memory.
    std::vector<BlockList>
    launches(Conflict conflict, CellRange range = CellRange::all) const;

    /// Colours of blocks and the maximum of colours in a block, for reports.
    const Coloring &
    coloring() const;

    /// Found at the first call, like colours and shared entries: by one thread.
    const CellEntities<Number> &
    entities() const;

    const SharedEntries &
    shared_entries() const;

    /// Repacks [n_cells][n_entries] into [n_batches][n_entries][lanes];
    /// padding repeats the last cell.
    Array<Number>
    pack(const std::vector<double> &values, int n_entries) const;

    std::size_t
    bytes() const;

    /// A vector of the space's sizes, zero.
    Vector<Number>
    make_vector() const;

  private:
    struct Colors
    {
      Coloring coloring;
      Array<int> blocks;
      Array<unsigned char> of_cell;
    };

    const Colors &
    colors() const;

    void
    set_geometry();

    std::shared_ptr<const Space> host_space;
    Backend where;
    int n_lanes;
    int block_batches;
    int batches;
    Array<int> dofs;
    Array<int> vertices;
    Array<Number> coordinates;
    Array<Number> jacobians;
    mutable std::unique_ptr<Colors> lazy_colors;
    mutable std::unique_ptr<CellEntities<Number>> lazy_entities;
    mutable std::unique_ptr<SharedEntries> lazy_shared;
  };
} // namespace tessera
