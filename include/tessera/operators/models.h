#pragma once

#include <string>

/// Models of the bytes that must move between memory and the processor. Unless
/// noted otherwise, a function returns bytes per free degree of freedom, for a
/// large mesh of quadrilaterals of degree p with n = (p+1)^2 local degrees of
/// freedom and 1/p^2 cells and vertices per degree of freedom.
///
/// x is read once, y is written once, indices have 32 bits, and a number has s
/// bytes. A scatter clears y, then reads and writes the entries to which it
/// adds, which costs 2 s more. The (p-1)^2 of p^2 entries that belong to one
/// cell alone count like the others, although the device only writes them.
namespace tessera::models
{
  /// Compressed rows: (s + 4) (p+2)^2 + 2 s + 4, where (p+2)^2 is the mean
  /// number of entries of a row. The model also holds for formats that store
  /// the length of a row instead of its start and do not read padding.
  double
  csr(int degree, int number_bytes);

  /// Cell matrices: (s m + 4 n) / p^2 + 2 s with m = n^2 stored entries per
  /// cell.
  double
  local_matrices(int degree, int number_bytes);

  /// Upper halves of cell matrices: the same with m = n (n+1) / 2.
  double
  local_matrices_symmetric(int degree, int number_bytes);

  /// Matrix-free: 2 s + (4 n + 2 s) / p^2, and 16 / p^2 more for vertex indices
  /// if p > 1.
  double
  matrix_free(int degree, int number_bytes);

  /// Returns the model in the descriptor of the operator with that name, which
  /// includes the scatter if the operator has one. Returns NaN without a model:
  /// the bytes read by sell_packed and sell_short depend on the numbering.
  double
  application(const std::string &name, int degree, int number_bytes);

  /// Bytes per cell of degrees of freedom, which also number the vertices if
  /// p = 1, of vertex indices otherwise, and of the coordinates of a vertex:
  /// 4 n + 2 s, and 16 more if p > 1.
  double
  mesh_data(int degree, int number_bytes);

  /// Returns the model of assembly in the descriptor of the operator with that
  /// name: bytes per cell for computing and writing the entries of a cell
  /// matrix. Operators that are made from a pattern share one model:
  /// `mesh_data`, s p^2 (p+2)^2 for writing every nonzero once, and n^2 for one
  /// byte per local entry to find its place. NaN for other operators.
  double
  assembly(const std::string &name, int degree, int number_bytes);

  /// Floating-point operations per cell of the sum-factorised matrix-free
  /// application with full tables: 16 (p+1)^3 + 40 (p+1)^2. Tables of even and
  /// odd parts need about three quarters of it.
  double
  matrix_free_flops(int degree);
} // namespace tessera::models
