#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <string>
#include <vector>

namespace tessera
{
  /// What a matrix of the suite is there for.
  enum class MatrixGroup
  {
    benchmark,       ///< table 2 of WongKuhlDarve2015
    finite_elements, ///< tensor-product elements on a uniform mesh
    awkward          ///< what formats and kernels go wrong at
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

  /// All of `matrix_suite.def`, in its order. Those of the group `benchmark`
  /// stand in for the matrices that the table has by that name: they are
  /// generated, seeded, and have the table's number of rows and, to 5 %, its
  /// numbers of nonzeros and its shortest and longest row. They are not those
  /// matrices; their entries stand elsewhere and have other values.
  const std::vector<SuiteMatrix> &
  matrix_suite();

  /// Returns the names in the order of the list.
  std::vector<std::string>
  matrix_suite_names();

  std::vector<std::string>
  matrix_suite_names(MatrixGroup group);

  /// A matrix of the suite with about `scale` times the number of rows, one at
  /// least: exactly, rounded, but where rows come by layers of a mesh, grid or
  /// lattice. Lengths of rows stay what they are where the rows suffice. The
  /// same for the same arguments, whatever the number of threads. Throws
  /// ParameterError for a name that is not one, listing those that are, and
  /// for a scale that is not positive or gives 2^31 rows or more.
  SparseMatrix
  make_suite_matrix(const std::string &name, double scale = 1);
} // namespace tessera
