#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/matrix/matrix_part.h>

#include <string>

namespace tessera
{
  /// Writes a matrix as a binary file with a checksum, in the byte order of the
  /// machine. Throws MatrixError for what `check_matrix` refuses, and Error
  /// where the file cannot be written, which then stays as it was.
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

  /// Reads what `write_matrix` wrote. Throws MatrixError for a file that is
  /// missing, truncated, of another version or byte order or damaged, before
  /// it takes more memory than the file has bytes.
  SparseMatrix
  read_matrix(const std::string &file);

  /// Reads a Matrix Market file or a binary one, whichever it is by its
  /// content. With a folder, which is made where it is not there, a binary copy
  /// of a Matrix Market file is kept in it and read the next time, as long as
  /// the file has the same path, size and time of modification. A copy that is
  /// damaged or of another file is replaced; one that cannot be written is a
  /// warning on std::cerr. Throws what `read_matrix_market` and `read_matrix`
  /// throw.
  SparseMatrix
  load_matrix(const std::string &file, const std::string &cache_folder = "");
} // namespace tessera
