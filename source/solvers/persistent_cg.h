#pragma once

#include "single_reduction_cg.cuh"

#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// What the kernel of all iterations reads and writes.
  template <class Number>
  struct PersistentCGArguments
  {
    SingleReductionData<Number> data;
    double *sums; ///< the sums of `data`, to be written
    RowEntries<const Number> rows;
    double *partial;       ///< [2 + 3][n_blocks]
    unsigned int *counter; ///< 0 before the kernel
    int n_iterations;
    int lanes; ///< threads for a row, a power of two up to 32
  };

  /// Returns how many threads shall share a row: as many as the device has for
  /// `n` rows, but each with two entries or more.
  int
  persistent_cg_lanes(int n, int mean_length);

  /// Returns the number of blocks of `run_persistent_cg` for `n` rows, which
  /// are all on the device at the same time.
  int
  persistent_cg_blocks(int n, int lanes);

  template <class Number>
  void
  run_persistent_cg(const PersistentCGArguments<Number> &arguments,
                    int n_blocks, Stream stream);
} // namespace tessera
