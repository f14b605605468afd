#pragma once

#include <tessera/base/array.h>
#include <tessera/space/space.h>

namespace tessera
{
  template <class Number>
  class CellData;

  /// Inner nodes of the cells of a batch: that of node k and cell `lane` is
  /// first + k per_node + lane per_lane, k going over the inner nodes as they
  /// are numbered in a cell; cells from `n_cells` on are padding.
  struct alignas(16) InnerNodes
  {
    int first, per_node, per_lane, n_cells;
  };

  /// What kernels read of CellEntities.
  template <class Number>
  struct EntityView
  {
    const int *indices        = nullptr; ///< null: there are none
    const InnerNodes *inner   = nullptr;
    const Number *coordinates = nullptr;
    int padding_index         = 0;
  };

  /// Quadrilaterals of degree p > 1 in fewer bytes than an index for every node
  /// and every vertex: by what nodes lie on. Of a cell there is an index of
  /// each vertex, of the first inner node of each edge and, for p > 2, the
  /// distances from there to the next on the four edges, a byte each; of a
  /// batch, InnerNodes. Coordinates of a vertex stand where its degree of
  /// freedom does, so that one index serves both. 32 bytes a cell for p = 2 and
  /// 36 beyond, where 4 (p+1)^2 + 16 were; 16 a batch; and coordinates take 2
  /// numbers a degree of freedom, of which those of vertices are read.
  ///
  /// Empty on the host, for other cells, where vertices at several places share
  /// a degree of freedom, and where numbers are not at such distances: those of
  /// batch_interleaved and aligned are, on meshes whose edges all cells see in
  /// the same direction; of blocked_aligned where batches are of one block.
  template <class Number>
  class CellEntities
  {
  public:
    static constexpr int lanes = cells_per_batch;

    /// Entries of a cell in `indices`: vertices 0 to 3, the edges at x_0 = 0
    /// and 1 and at x_1 = 0 and 1, distances.
    static constexpr int
    n_entries(const int degree)
    {
      return degree > 2 ? 9 : 8;
    }

    /// Found on the device, where the cells are.
    explicit CellEntities(const CellData<Number> &cells);

    bool
    empty() const
    {
      return indices.size() == 0;
    }

    EntityView<Number>
    view() const;

    std::size_t
    bytes() const
    {
      return indices.bytes() + inner.bytes() + coordinates.bytes();
    }

    /// That a product must read beside coordinates.
    static constexpr std::size_t
    index_bytes(const int degree, const int n_cells)
    {
      const std::size_t n_batches =
        (static_cast<std::size_t>(n_cells) + lanes - 1) / lanes;
      return 4 * static_cast<std::size_t>(n_entries(degree)) * n_cells +
             sizeof(InnerNodes) * n_batches;
    }

  private:
    /// None.
    explicit CellEntities(const int padding_index)
      : padding_index(padding_index)
    {}

    Array<int> indices;      ///< [n_batches][n_entries][lanes]
    Array<InnerNodes> inner; ///< [n_batches]
    /// [n_local + 3][2]; those of padding, at the last four, are a square.
    Array<Number> coordinates;
    int padding_index;
  };
} // namespace tessera
