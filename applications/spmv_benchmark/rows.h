#pragma once

#include "formats.h"
#include "report.h"

#include <tessera/matrix/sparse_matrix.h>

namespace tessera::spmv
{
  /// What is measured of every matrix.
  struct Sweep
  {
    Backend backend;
    std::vector<std::string> formats;
    Choices choices;
    bool all_thresholds = false; ///< those of `sweep_thresholds`
    bool chosen_only =
      false; ///< of every matrix the variant predicted quickest
    std::vector<int> applications; ///< one after the other; 0: as many as suit
    int n_samples      = 20;
    std::uint64_t seed = 1;
  };

  /// Adds a row for every variant of every format, and on the device for those
  /// of cuSPARSE; each has its error, against a serial loop in double, the
  /// seconds that new values take to come to their places, and the applications
  /// after which that pays (WongKuhlDarve2015, equation 14). Rows also have
  /// what is predicted of them before anything is measured, and the quickest by
  /// that is marked as chosen.
  template <class Number>
  void
  measure_matrix(const Sweep &sweep, benchmarks::Report &report,
                 const std::string &name, const SparseMatrix &A);
} // namespace tessera::spmv
