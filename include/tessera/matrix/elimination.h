#pragma once

#include <tessera/base/vector.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Eliminates degrees of freedom from an assembled system A x = b, A
  /// symmetric with a positive diagonal (RegulyGiles2015, section 3.2, item 2;
  /// LinLau2025, table II): where `constrained` [n_rows] is not zero, x_i is to
  /// be g_i; other entries of g are not read. On other rows b_i -= sum over
  /// constrained j of A_ij g_j; then constrained rows and columns become zero
  /// but for the diagonal, and b_i = A_ii g_i there. The matrix stays
  /// symmetric, and x = A^-1 b has x_i = g_i.
  ///
  /// The diagonal keeps its value instead of being set to one: A_ii is the
  /// Rayleigh quotient of e_i with the matrix before, so that the eigenvalues
  /// that are added lie among those it had, whatever the unit of kappa or the
  /// mesh width, and the system is as well conditioned and as exactly
  /// representable in float as before. With Jacobi both choices are the same.
  ///
  /// Repeatable; may be captured in a graph. Throws std::length_error where
  /// sizes differ.
  template <class Number>
  void
  zero_rows_and_columns(RowMatrix<Number> &matrix,
                        const Array<unsigned char> &constrained,
                        const Vector<Number> &g, Vector<Number> &b,
                        Stream stream = {});
} // namespace tessera
