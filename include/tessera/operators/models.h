#pragma once

#include <string>

/// Models of the bytes that must move between memory and the processor. Unless
/// noted otherwise, a function returns bytes per free degree of freedom, for a
/// large mesh of quadrilaterals of degree p with n = (p+1)^2 local degrees of
/// freedom and 1/p^2 cells and vertices per degree of freedom.
///
/// The vector x is read once, y is written once, indices have 32 bits, and a
/// number has s bytes. A scatter clears y, then reads and writes what it adds
/// to, which costs 2 s more. The (p-1)^2 of p^2 entries that belong to one cell
/// alone count like the others, although the device only writes them.
namespace tessera::models
{
  /// Compressed rows: (s + 4) (p+2)^2 + 2 s + 4, where (p+2)^2 is the mean
  /// number of entries of a row. The model also holds for formats that store
  /// the length of a row instead of its start and do not read padding.
  double
  csr(int degree, int number_bytes);

  /// Coordinates: (s + 8) (p+2)^2 + 2 s, with a row and a column for every
  /// entry.
  double
  coo(int degree, int number_bytes);

  /// Lazy ELLPACK: (s + 4) n^2 / p^2 + 2 s + 4. Every entry of every cell
  /// matrix stands in its row, with its column.
  double
  lazy_ell(int degree, int number_bytes);

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

  /// Returns the model of the operator with that name, including the scatter if
  /// it has one. NaN for an operator without a model; what sell_packed and
  /// sell_short read depends on the numbering.
  double
  application(const std::string &name, int degree, int number_bytes);

  /// The bytes per degree of freedom according to RegulyGiles2015, equations 14
  /// to 19, which count differently: 4-byte indices, x once for every stored
  /// entry, and nothing for the scatter.
  /// - ell: (2 s + 4) (p+2)^2 + s; csr: 4 more for the row;
  /// - local_matrices: (s n^2 + (2 s + 4) n) / p^2.
  /// NaN for other operators. Table 1 of the paper lists the ratios to
  /// local_matrices.
  double
  transfer(const std::string &name, int degree, int number_bytes);

  /// The bytes per cell of assembly according to RegulyGiles2015, equations 15
  /// and 16: s (8 + n^2 + n) + 4 n for the coordinates of four vertices,
  /// mapping, matrix and load vector, and 4 n^2 more for indices with csr and
  /// ell. NaN for other operators.
  double
  assembly_transfer(const std::string &name, int degree, int number_bytes);

  /// Returns `transfer` or `assembly_transfer` in bytes for a whole mesh of
  /// quadrilaterals. `kind` is `application` or `assembly`; NaN for other
  /// kinds.
  double
  paper_bytes(const std::string &kind, const std::string &name, int degree,
              int number_bytes, double n_dofs, double n_cells);

  /// Bytes per cell for computing and writing the entries of a cell matrix: 16
  /// + 2 s for vertex indices and coordinates, and in addition
  /// - operators that are made from a pattern: s p^2 (p+2)^2 for writing every
  ///   nonzero once, n^2 for one byte per local entry to find its place, and 4
  ///   n for degrees of freedom (which serve as vertex indices if p = 1);
  /// - lazy_ell: (s + 4) n^2 for writing every entry with its column, 8 p^2 for
  ///   reading and writing lengths, and 4 n for degrees of freedom;
  /// - local_matrices(_symmetric): s m.
  /// NaN for other operators.
  double
  assembly(const std::string &name, int degree, int number_bytes);

  /// Floating-point operations per cell of the sum-factorised matrix-free
  /// application with full tables: 16 (p+1)^3 + 40 (p+1)^2. Tables of even and
  /// odd parts need about three quarters of it.
  double
  matrix_free_flops(int degree);
} // namespace tessera::models
