#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// The entries of a matrix that stand in the rows and columns of given
  /// degrees of freedom. `write` replaces these rows and columns by rows and
  /// columns of the identity, so that the product is M A M + (1 - M); see
  /// FixedComponents. It moves 16 bytes for each entry, and is for few degrees
  /// of freedom: fixed components of nodes, not whole boundaries.
  class IdentityRows
  {
  public:
    IdentityRows() = default;

    /// `pattern` is the symmetric pattern of the matrix; `given` are rows of
    /// single entries. Rows from `n_owned` on get no one on the diagonal,
    /// because another part stores it.
    IdentityRows(const CsrPattern &pattern, const std::vector<int> &given,
                 int n_owned);

    template <class Number>
    void
    write(RowMatrix<Number> &matrix, Stream stream = {}) const;

    std::size_t
    bytes() const
    {
      return row.bytes() + place.bytes() + value.bytes();
    }

  private:
    Array<int> row, place; ///< entry `place` of a row
    Array<unsigned char> value;
  };

  /// Eliminates degrees of freedom from an assembled system A x = b, where A is
  /// symmetric with a positive diagonal (RegulyGiles2015, section 3.2, item 2;
  /// LinLau2025, table II). The solution gets x_i = g_i for all i with nonzero
  /// `constrained`, [n_rows]; other entries of g are not read.
  ///
  /// On unconstrained rows, b_i -= sum over constrained j of A_ij g_j. Then the
  /// constrained rows and columns are set to zero, except for the diagonal, and
  /// b_i = A_ii g_i there. The matrix stays symmetric.
  ///
  /// The diagonal keeps its value instead of being set to one. A_ii is the
  /// Rayleigh quotient of e_i with the original matrix, so the eigenvalues that
  /// are added lie within the range of the original ones, whatever the unit of
  /// kappa or the mesh width is. The system is therefore as well conditioned,
  /// and as exactly representable in float, as before. With Jacobi both choices
  /// are equivalent.
  ///
  /// A part of a problem has its share of the sums A_ij, and of b, in the rows
  /// of owned entries and ghosts, [n_rows]; vectors have the entries of these
  /// rows first. The results are shares, too, since all is linear in A: the
  /// owners add them up (`Tail::export_add`).
  ///
  /// Repeatable; may be captured in a graph. Throws std::length_error if sizes
  /// do not fit.
  template <class Number>
  void
  zero_rows_and_columns(RowMatrix<Number> &matrix,
                        const Array<unsigned char> &constrained,
                        const Vector<Number> &g, Vector<Number> &b,
                        Stream stream = {});
} // namespace tessera
