#pragma once

#include <string>

/// Bytes that must move between memory and the processor, on quadrilaterals of
/// degree p with n = (p+1)^2 local degrees of freedom: x is read once, y
/// written once, indices are 32-bit, s bytes a number, and a large mesh has
/// 1/p^2 cells and vertices a degree of freedom. A scatter that clears y, then
/// reads and writes what it adds to, costs 2 s more; entries that one cell
/// alone has, (p-1)^2 of p^2, count like the others, though the device only
/// writes them.
namespace tessera::study::models
{
  /// (s + 4) (p+2)^2 + 2 s + offset_bytes: a mean row has (p+2)^2 entries. Of
  /// ell, hybrid and lazy_ell_consolidated too, whose rows have a length in the
  /// place of a start; padding is not read.
  double
  csr(int degree, int number_bytes, int offset_bytes = 4);

  /// (s + 8) (p+2)^2 + 2 s: a row beside every column.
  double
  coo(int degree, int number_bytes);

  /// (s + 4) n^2 / p^2 + 2 s + 4: every entry of every cell matrix stands in
  /// its row, with its column.
  double
  lazy_ell(int degree, int number_bytes);

  /// (s m + 4 n) / p^2 + 2 s with m = n^2 stored entries a cell.
  double
  local_matrices(int degree, int number_bytes, bool scatter = true);

  /// The same with m = n (n+1) / 2.
  double
  local_matrices_symmetric(int degree, int number_bytes, bool scatter = true);

  /// 2 s + (4 n + 2 s) / p^2, and 16 / p^2 for vertex indices if p > 1.
  double
  matrix_free(int degree, int number_bytes, bool scatter = true);

  /// By name in `operators.def`, with scatter where the operator has one:
  /// bytes a free degree of freedom, or NaN for an operator without a model;
  /// what sell_packed and sell_short read depends on the numbering.
  double
  application(const std::string &name, int degree, int number_bytes);

  /// What RegulyGiles2015, equations 14 to 19, counts instead, bytes a degree
  /// of freedom: 4-byte indices, x once for every stored entry, nothing for
  /// the scatter.
  /// - ell: (2 s + 4) (p+2)^2 + s; csr: 4 more for the row;
  /// - local_matrices: (s n^2 + (2 s + 4) n) / p^2.
  /// NaN for other operators. Table 1 has the ratios to local_matrices.
  double
  transfer(const std::string &name, int degree, int number_bytes);

  /// Equations 15 and 16, bytes a cell of assembly: coordinates of four
  /// vertices, mapping, matrix and load vector, s (8 + n^2 + n) + 4 n, and
  /// 4 n^2 indices for csr and ell. NaN for other operators.
  double
  assembly_transfer(const std::string &name, int degree, int number_bytes);

  /// Either of them for all of a mesh of quadrilaterals, by kind of the work:
  /// `application` or `assembly`; NaN for other kinds.
  double
  paper_bytes(const std::string &kind, const std::string &name, int degree,
              int number_bytes, double n_dofs, double n_cells);

  /// What the three fused kernels of a CG iteration add: 11 s a degree of
  /// freedom.
  double
  cg_vectors(int number_bytes);

  /// Bytes a cell of computing and writing the entries of a cell matrix:
  /// 16 + 2 s for vertex indices and coordinates, and for
  /// - csr, ell and hybrid: every nonzero written once, s p^2 (p+2)^2, one byte
  /// a local entry
  ///   to find its place, n^2, and degrees of freedom, 4 n (which serve as
  ///   vertex indices if p = 1);
  /// - lazy_ell: every entry written with its column, (s + 4) n^2, lengths
  ///   read and written, 8 p^2, and degrees of freedom, 4 n;
  /// - local_matrices(_symmetric): s m.
  /// NaN for other operators.
  double
  assembly(const std::string &name, int degree, int number_bytes);

  /// 16 (p+1)^3 + 40 (p+1)^2 operations a cell: the sum-factorised
  /// matrix-free application by full tables; those of even and odd parts need
  /// about three quarters of it.
  double
  matrix_free_flops(int degree);
} // namespace tessera::study::models
