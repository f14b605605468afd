#pragma once

#include <tessera/matrix/sparse_matrix.h>
#include <tessera/program/record.h>

#include <string>
#include <vector>

namespace tessera::spmv
{
  /// Returns a table of the suite with one line per matrix.
  std::string
  matrix_table();

  /// Expands names: matrices of the suite, its groups `table_2`,
  /// `finite_elements` and `awkward`, `all` of them, and files, whose names
  /// have a dot or a slash. Each matrix occurs once. Throws ParameterError for
  /// a name that is none of these.
  std::vector<std::string>
  expand_matrices(const std::vector<std::string> &words);

  /// Returns the file `folder`/`name`.mtx or .mtx.gz, which takes the place of
  /// the matrix of the suite; the name itself if there is none.
  std::string
  source_of(const std::string &name, const std::string &folder);

  /// Makes a matrix of the suite with about `scale` times its rows, or reads a
  /// file. If `cache` is not empty, a copy of the file is kept there.
  SparseMatrix
  make_matrix(const std::string &name, double scale, const std::string &cache);

  /// Returns statistics, row lengths and the picture of a matrix.
  program::Matrix
  describe_matrix(const std::string &name, const SparseMatrix &A);
} // namespace tessera::spmv
