#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/row_matrix.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// The columns of ghosts and hanging nodes, which arrive while the rows of a
  /// part are multiplied. Whatever the format, the product goes over all rows
  /// with zeros in place of what is to come; then these columns are added to
  /// the few rows that have them:
  ///   y = A x = A [x_owned; 0] + A [0; x_shared]
  template <class Number>
  class GhostColumns
  {
  public:
    /// The rows belong to the cells that have ghosts or hanging nodes.
    /// Vectors are [node][component].
    GhostColumns(const Space &space, int n_components, Backend backend);

    /// Sets ghosts and hanging nodes of x to zero.
    void
    hide(const Vector<Number> &x, Stream stream) const;

    /// Adds A [0; x_shared] to y, which A [x_owned; 0] was written or added to,
    /// and sets *share to what x . A x gains by it if y is the product alone.
    /// Reads the values and columns of the rows again, 12 bytes an entry in
    /// double. Repeatable.
    void
    add(const RowEntries<const Number> &matrix, const Vector<Number> &x,
        Vector<Number> &y, double *share, Stream stream) const;

  private:
    int n_shared; ///< entries of the tail that have rows
    Array<int> rows;
    mutable Array<Number> added; ///< [rows.size()]
    mutable Array<double> partial;
    mutable Array<unsigned int> counter;
  };
} // namespace tessera
