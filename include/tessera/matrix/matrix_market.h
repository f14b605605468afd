#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/matrix/matrix_part.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace tessera
{
  /// Reads a Matrix Market file, plain or compressed by gzip. The first bytes
  /// decide which, not the name.
  ///
  /// Legal are `matrix coordinate` with `real`, `integer` or `pattern` entries,
  /// which are `general`, `symmetric` or `skew-symmetric`; words of the first
  /// line in upper or lower case. `array`, the format of dense matrices,
  /// `complex` and `hermitian` are refused. Comments and blank lines may stand
  /// anywhere behind the first line; lines have at most 2^18 characters and end
  /// as on Unix or Windows. Numbers of rows and of columns are at most 2^31
  /// - 2.
  ///
  /// Entries are in any order. Entries at the same place are added up in the
  /// order of the file; zeros are kept. Entries of a pattern are 1. For
  /// symmetric and skew-symmetric matrices the file holds the lower triangle,
  /// the result both; the upper triangle of a skew-symmetric pattern is -1.
  /// Exponents are written with E or D; numbers between two doubles or below
  /// the smallest one are rounded.
  ///
  /// Throws MatrixError, one sentence with file and line, for content that is
  /// illegal, damaged or does not end where it should; and DeviceError if there
  /// is not enough memory. Memory grows with the entries read, whatever the
  /// header announces.
  SparseMatrix
  read_matrix_market(const std::string &file);

  /// The same from a stream that was opened with std::ios::binary; `name` is
  /// for messages.
  SparseMatrix
  read_matrix_market(std::istream &in, const std::string &name);

  /// Reads a vector: a Matrix Market file `matrix array` of one column with
  /// `real` or `integer` entries, `general`, one on a line; plain or compressed
  /// by gzip. Throws what `read_matrix_market` throws.
  std::vector<double>
  read_market_vector(const std::string &file);

  /// Writes a general real matrix with 17 digits, so that reading it gives the
  /// same matrix; compressed by gzip if the name ends in `.gz`. Throws
  /// MatrixError if `check_matrix` in matrices/matrix_checks.h refuses it, and
  /// Error if the file cannot be written; an existing file then stays.
  void
  write_matrix_market(const SparseMatrix &matrix, const std::string &file);

  /// The same without compression.
  void
  write_matrix_market(const SparseMatrix &matrix, std::ostream &out);

  /// Writes the file of a matrix in parts: `collect` hands over the only
  /// section, which `produce_market` produces in all processes.
  void
  write_matrix_market(const MatrixPart &part, const std::string &file,
                      const CollectBytes &collect);

  /// Produces the lines of the entries of a part.
  void
  produce_market(const MatrixPart &part, const TakeBytes &take);

  /// Writes a vector so that `read_market_vector` reads the same vector. Throws
  /// Error if the file cannot be written; an existing file then stays.
  void
  write_market_vector(const std::vector<double> &values,
                      const std::string &file);
} // namespace tessera
