#pragma once

#include <tessera/base/array.h>
#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <string>

namespace tessera
{
  /// Rounds `n` values of the device to float, and counts in `beyond` the
  /// finite values beyond the largest.
  void
  round_values_on_device(const double *from, float *to, std::int64_t n,
                         unsigned int *beyond, Stream stream);

  /// Cells are assembled in so many parts if each needs temporary memory.
  constexpr int n_cell_parts = 16;

  /// Returns the blocks of cells of the largest part.
  inline int
  blocks_of_part(const int n_blocks)
  {
    return std::max(1, (n_blocks + n_cell_parts - 1) / n_cell_parts);
  }

  /// Calls `work(first, count)` for the blocks of each part.
  template <class Work>
  void
  for_each_cell_part(const int n_blocks, const Work &work)
  {
    const int part = blocks_of_part(n_blocks);
    for (int first = 0; first < n_blocks; first += part)
      work(first, std::min(part, n_blocks - first));
  }

  /// Waits for the stream. Throws MatrixError if `beyond` counts any values of
  /// cell matrices.
  inline void
  check_rounded(const Array<unsigned int> &beyond, const Stream stream)
  {
    if (beyond.backend() == Backend::cuda)
      runtime::synchronize(stream);
    if (beyond.to_vector()[0] > 0)
      throw MatrixError("A cell matrix has a value beyond the largest float, " +
                        std::to_string(FLT_MAX) +
                        "; with it the values of cells cannot be float.");
  }
} // namespace tessera
