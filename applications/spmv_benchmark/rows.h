#pragma once

#include "formats.h"
#include "report.h"

#include <tessera/matrix/sparse_matrix.h>

namespace tessera::spmv
{
  /// Selects the measurements for every matrix.
  struct Sweep
  {
    Backend backend;
    std::vector<std::string> formats;
    Choices choices;
    bool chosen_only = false;      ///< only the variant predicted to be fastest
    std::vector<int> applications; ///< consecutive ones; 0: as many as suit
    int n_samples      = 20;
    std::uint64_t seed = 1;
    /// The files to which x and y of the first variant are written; no file is
    /// written if the name is empty.
    std::string vector_file = {}, product_file = {};
  };

  /// The table of matrices.
  const benchmarks::Layout &
  matrix_layout();

  /// Adds a row for every variant of every format, and on the device for the
  /// algorithms of cuSPARSE. A row has its error against a serial loop in
  /// double, the seconds for bringing new values to their places, and the
  /// applications after which this pays off (WongKuhlDarve2015, equation 14).
  /// It also has the time that was predicted before anything was measured; the
  /// variant that is fastest by prediction is marked as chosen.
  template <class Number>
  void
  measure_matrix(const Sweep &sweep, benchmarks::Report &report,
                 const std::string &name, const SparseMatrix &A);
} // namespace tessera::spmv
