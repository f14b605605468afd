#pragma once

#include <string>

// The bytes that RegulyGiles2015 counts for quadrilaterals, in terms of its
// equations; operators/models.h has those of ours.
namespace tessera::benchmarks
{
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
} // namespace tessera::benchmarks
