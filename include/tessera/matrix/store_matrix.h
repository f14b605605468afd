#pragma once

#include <tessera/base/collect_bytes.h>
#include <tessera/matrix/matrix_part.h>

#include <string>

namespace tessera
{
  /// Throws ParameterError if the name of the file has none of the endings of
  /// `store_matrix`, or if the file cannot be written. Call it before the work
  /// that produces the matrix. It does not make the folder, and keeps an
  /// existing file.
  void
  check_can_store(const std::string &file);

  /// Writes a matrix in the format that the ending of the file selects: `.mtx`
  /// for Matrix Market, `.mtx.gz` for the same with compression, and `.matrix`
  /// for the binary file of `write_matrix`. `load_matrix` reads the same matrix
  /// from each of them. Throws ParameterError for another ending, MatrixError
  /// for what `check_matrix` refuses, and Error if the file cannot be written.
  void
  store_matrix(const SparseMatrix &matrix, const std::string &file);

  /// Does the same for a matrix that is divided among several processes, in the
  /// process that writes: `collect` hands over the output of `produce_part` in
  /// all processes, part by part.
  void
  store_matrix(const MatrixPart &part, const std::string &file,
               const CollectBytes &collect);

  /// Passes this part's bytes of a section of such a file to `take`. Throws
  /// MatrixError for what `check_matrix` refuses.
  void
  produce_part(const MatrixPart &part, const std::string &file, int section,
               const TakeBytes &take);
} // namespace tessera
