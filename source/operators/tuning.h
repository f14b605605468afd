#pragma once

namespace tessera::tuning
{
  /// Blocks of 128 threads that a multiprocessor must hold, by degree, which
  /// bounds the registers of a thread (65536 / (128 x blocks)).
  template <int degree, class Number>
  constexpr int matrix_free_blocks = degree == 1   ? 8
                                     : degree == 2 ? 4
                                     : degree == 3 ? 3
                                                   : 2;

  /// The same for stored local matrices, which live from loads in flight.
  template <int degree, class Number>
  constexpr int local_matrices_blocks = degree == 1   ? 6
                                        : degree == 2 ? 4
                                        : degree == 3 ? 3
                                                      : 2;

  /// Compressed rows: threads of a block, entries that it holds on chip at a
  /// time, and the blocks that go over all rows, each with a partial sum of a
  /// dot product.
  constexpr int csr_threads    = 128;
  constexpr int csr_tile       = 2048;
  constexpr int csr_max_blocks = 132 * 64;
} // namespace tessera::tuning
