#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/study/record.h>

#include <string>
#include <vector>

namespace tessera::spmv
{
  /// The suite, a line a matrix.
  std::string
  matrix_table();

  /// What is asked for by name: matrices of the suite, its groups `table_2`,
  /// `finite_elements` and `awkward`, `all` of them, and files, which have a
  /// dot or a slash in their names. Each once. Throws ParameterError for a name
  /// that is none of them.
  std::vector<std::string>
  expand_matrices(const std::vector<std::string> &words);

  /// Makes a matrix of the suite, of about `scale` times its rows, or reads a
  /// file, with a copy in `cache` where that is not empty.
  SparseMatrix
  make_matrix(const std::string &name, double scale, const std::string &cache);

  /// Statistics, row lengths and picture.
  study::Matrix
  describe_matrix(const std::string &name, const SparseMatrix &A);
} // namespace tessera::spmv
