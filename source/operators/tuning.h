#pragma once

namespace tessera::tuning
{
  /// Blocks of 128 threads that a multiprocessor must hold, by degree, which
  /// bounds the registers of a thread (65536 / (128 x blocks)); with
  /// coefficients from memory more registers are needed.
  template <int degree, bool uniform, class Number>
  constexpr int matrix_free_blocks = sizeof(Number) == 4
                                       ? (degree == 1 ? 8 : 4)
                                       : (degree == 1              ? 8
                                          : degree == 2            ? 4
                                          : degree == 3 && uniform ? 3
                                                                   : 2);

  /// Whether the values of a cell's nodes stand in shared memory, for degrees
  /// where they are too many for registers.
  template <int degree, class Number>
  constexpr bool matrix_free_shares = degree == 3 && sizeof(Number) == 8;

  /// The same for stored local matrices, which live from loads in flight.
  template <int degree, class Number>
  constexpr int local_matrices_blocks = degree == 1   ? 6
                                        : degree == 2 ? 4
                                        : degree == 3 ? 3
                                                      : 2;

  /// Compressed rows: threads of a block; entries that it holds on chip at a
  /// time, about 16 KB of them, and blocks that a multiprocessor must hold,
  /// measured for double and float on an H200 (2026-11-21,
  /// doc/benchmarking.md); blocks that go over all rows, each with a partial
  /// sum of a dot product.
  constexpr int csr_threads = 128;
  template <class Number>
  constexpr int csr_tile = sizeof(Number) == 8 ? 1280 : 2048;
  template <class Number>
  constexpr int csr_blocks     = sizeof(Number) == 8 ? 10 : 8;
  constexpr int csr_max_blocks = 132 * 64;
} // namespace tessera::tuning
