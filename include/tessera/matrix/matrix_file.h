#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/matrix/matrix_part.h>

#include <string>

namespace tessera
{
  /// Writes a matrix as a binary file with a checksum, in the byte order of the
  /// machine. Throws MatrixError if `check_matrix` refuses it, and Error if the
  /// file cannot be written; an existing file then stays unchanged.
  void
  write_matrix(const SparseMatrix &matrix, const std::string &file);

  /// Writes the file of a matrix in parts: `collect` hands over its sections,
  /// which `produce_binary` produces in all processes.
  void
  write_matrix(const MatrixPart &part, const std::string &file,
               const CollectBytes &collect);

  /// Produces a part's share of a section: 0, the ends of its rows; 1, values;
  /// 2, columns.
  void
  produce_binary(const MatrixPart &part, int section, const TakeBytes &take);

  /// Reads a file of `write_matrix`. Throws MatrixError if the file is missing,
  /// truncated, damaged, or of another version or byte order, before it takes
  /// more memory than the file has bytes.
  SparseMatrix
  read_matrix(const std::string &file);

  /// Reads a Matrix Market file or a binary one; the content decides which. If
  /// a folder is given (it is created if missing), a binary copy of a Matrix
  /// Market file is kept there and read the next time, as long as the file has
  /// the same path, size and time of modification. A copy that is damaged or
  /// belongs to another file is replaced; if one cannot be written, there is a
  /// warning on std::cerr. Throws what `read_matrix_market` and `read_matrix`
  /// throw.
  SparseMatrix
  load_matrix(const std::string &file, const std::string &cache_folder = "");
} // namespace tessera
