#pragma once

#include "formats.h"
#include "report.h"

#include <tessera/matrix/sparse_matrix.h>

namespace tessera::spmv
{
  /// The files to which x and y of the first variant are written; no file is
  /// written if the name is empty.
  struct Files
  {
    std::string x, y;
  };

  /// The table of matrices.
  const benchmarks::Layout &
  matrix_layout();

  /// Adds a row for every way to store the matrix that the study asks for, and
  /// on the device for the algorithms of cuSPARSE. A row has its error against
  /// a serial loop in double, the seconds for bringing new values to their
  /// places, and the applications after which this pays off (WongKuhlDarve2015,
  /// equation 14). It also has the time that was predicted before anything was
  /// measured; the variant that is fastest by prediction is marked as chosen.
  template <class Number>
  void
  measure_matrix(const Study &study, Backend backend, const Files &files,
                 benchmarks::Report &report, const std::string &name,
                 const SparseMatrix &A);
} // namespace tessera::spmv
