#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/space/cell_data.h>

#include <functional>

// The diagonal of C^T A C on a mesh with hanging nodes, which C computes from
// others. Entry i is c^T A c, c being column i of C, which has a 1 at entry i
// and the weights of i at the entries that follow from it. For entries from
// which none follows this is A_ii. A is what the cells of this part add up to.
namespace tessera
{
  /// Computes the diagonal for a matrix that stores the rows of A.
  template <class Number>
  class HangingRows
  {
  public:
    HangingRows(const Space &space, Backend backend);

    /// Sets d_i where entries follow from i. Reads the rows of these and of i.
    void
    set_diagonal(Vector<Number> &d, const RowEntries<const Number> &rows,
                 Stream stream) const;

  private:
    Array<int> source;
    Array<std::int64_t> start;
    Array<int> entry; ///< entries that follow from the source, increasing
    Array<Number> weight;
  };

  /// Computes the diagonal for operators that multiply cell by cell. c^T B c is
  /// found by products with B, the sum over some of the cells, all cells
  /// with hanging nodes among them; the other cells add to A_ii alone. A
  /// product serves all sources of a colour, since no cell couples entries that
  /// belong to two of them. At a flat interface there are as many colours as a
  /// face has nodes.
  template <class Number>
  class HangingProbes
  {
  public:
    explicit HangingProbes(const CellData<Number> &cells);

    /// Adds y += B x.
    using Product =
      std::function<void(Vector<Number> &y, const Vector<Number> &x)>;

    /// Adds c^T B c - B_ii to d_i, which is A_ii before. This takes two
    /// products with B for each colour and component.
    void
    complete(Vector<Number> &d, const Product &add_product,
             Stream stream) const;

  private:
    /// Keeps the tail, which moves no ghosts.
    std::shared_ptr<const Tail<Number>> hanging;
    std::vector<int> start; ///< of the sources of a product
    int n_hanging;          ///< entries
    Array<int> entries;     ///< sources by product, then hanging entries
    mutable Vector<Number> x, y;
  };
} // namespace tessera
