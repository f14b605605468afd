#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <string>
#include <vector>

namespace tessera
{
  /// The purpose of a matrix of the suite.
  enum class MatrixGroup
  {
    benchmark,       ///< table 2 of WongKuhlDarve2015
    finite_elements, ///< tensor-product elements on a uniform mesh
    awkward          ///< cases in which formats and kernels go wrong
  };

  /// A line of `matrix_suite.def`, with figures at scale 1.
  struct SuiteMatrix
  {
    std::string name, sentence, source;
    MatrixGroup group;
    int n_rows;
    std::int64_t n_nonzeros;
    int shortest, longest; ///< rows
  };

  /// All of `matrix_suite.def`, in its order. Matrices of the group `benchmark`
  /// replace the matrices of that name in the table: they are generated,
  /// seeded, and have the table's number of rows and, to 5 %, its numbers of
  /// nonzeros and its shortest and longest row. They are not the original
  /// matrices; their entries stand elsewhere and have other values.
  const std::vector<SuiteMatrix> &
  matrix_suite();

  /// Returns the names in the order of the list.
  std::vector<std::string>
  matrix_suite_names();

  std::vector<std::string>
  matrix_suite_names(MatrixGroup group);

  /// A matrix of the suite with about `scale` times the number of rows, one at
  /// least: exactly (rounded), except if rows come by layers of a mesh, grid or
  /// lattice. Lengths of rows are kept if there are enough rows. The same
  /// arguments give the same matrix for any number of threads. Throws
  /// ParameterError for an unknown name, listing the known ones, and for a
  /// scale that is not positive or gives 2^31 rows or more.
  SparseMatrix
  make_suite_matrix(const std::string &name, double scale = 1);
} // namespace tessera
