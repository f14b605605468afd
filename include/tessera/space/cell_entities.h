#pragma once

#include <tessera/base/array.h>
#include <tessera/space/space.h>

namespace tessera
{
  template <class Number>
  class CellData;

  /// Gives the local indices of the inner nodes of all cells of a batch: inner
  /// node k of the cell `lane` has index
  /// first + k * per_node + lane * per_lane. Here k counts the inner nodes in
  /// their order in the cell. Lanes from `n_cells` on are padding.
  struct alignas(16) InnerNodes
  {
    int first, per_node, per_lane, n_cells;
  };

  /// The arrays of CellEntities as kernels read them.
  template <class Number>
  struct EntityView
  {
    const int *indices        = nullptr; ///< null if there are no entities
    const InnerNodes *inner   = nullptr;
    const Number *coordinates = nullptr;
    int padding_index         = 0;
  };

  /// Stores the node indices of quadrilaterals of degree p > 1 in fewer bytes
  /// than one index per node and per vertex, by the entities that the nodes lie
  /// on. A cell stores the index of each vertex, the index of the first inner
  /// node of each edge and, for p > 2, for each of the four edges the distance
  /// between successive inner nodes as one byte. A batch stores its InnerNodes.
  /// The coordinates of a vertex stand at the index of its degree of freedom,
  /// so one index serves both.
  ///
  /// A cell takes 32 bytes for p = 2 and 36 for larger p, instead of 4 (p+1)^2
  /// + 16; a batch takes 16 more. The coordinates take two numbers per degree
  /// of freedom, but kernels read only the entries of vertices.
  ///
  /// The object is empty on the host, for other cell types and degree 1, if
  /// vertices at different places share a degree of freedom, and if the
  /// numbering does not have such constant distances. The numberings
  /// `batch_interleaved` and `aligned` have them on meshes where all cells see
  /// an edge in the same direction; `blocked_aligned` has them if also no batch
  /// contains cells of several blocks.
  template <class Number>
  class CellEntities
  {
  public:
    static constexpr int lanes = cells_per_batch;

    /// Returns the number of entries per cell in `indices`: vertices 0 to 3,
    /// the edges at x_0 = 0, x_0 = 1, x_1 = 0 and x_1 = 1, and for p > 2 the
    /// packed distances.
    static constexpr int
    n_entries(const int degree)
    {
      return degree > 2 ? 9 : 8;
    }

    /// Computes the entities on the device from the node indices of the cells.
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

    /// Returns the bytes of indices that a product must read for `n_cells`
    /// cells, without the coordinates.
    static constexpr std::size_t
    index_bytes(const int degree, const int n_cells)
    {
      const std::size_t n_batches =
        (static_cast<std::size_t>(n_cells) + lanes - 1) / lanes;
      return 4 * static_cast<std::size_t>(n_entries(degree)) * n_cells +
             sizeof(InnerNodes) * n_batches;
    }

  private:
    /// Makes an empty object.
    explicit CellEntities(const int padding_index)
      : padding_index(padding_index)
    {}

    Array<int> indices;      ///< [n_batches][n_entries][lanes]
    Array<InnerNodes> inner; ///< [n_batches]
    /// Coordinates by local index, [n_local + 3][2], coordinate fastest. The
    /// last four points are the unit square, which serves padding cells.
    Array<Number> coordinates;
    int padding_index;
  };
} // namespace tessera
