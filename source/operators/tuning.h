#pragma once

#include <tessera/space/element.h>

namespace tessera::tuning
{
  /// Whether the product of a cell goes through shared memory in three passes,
  /// for degrees where its values are too many for registers.
  template <class E, class Number>
  constexpr bool matrix_free_stages = E::cell_type == CellType::quadrilateral &&
                                      (E::degree >= 2) && sizeof(Number) == 8;

  /// Threads of a block, which go over its 128 cells: fewer where their values
  /// would take more than the 48 KB of shared memory that a block has.
  template <class E, class Number>
  constexpr int matrix_free_threads =
    matrix_free_stages<E, Number> &&E::degree == 4 ? 64 : 128;

  /// Blocks of so many threads that a multiprocessor must hold, by degree,
  /// which bounds the registers of a thread (65536 / (threads x blocks)); with
  /// coefficients or Jacobians from memory more registers are needed.
  template <class E, bool stored, bool uniform, class Number>
  constexpr int matrix_free_blocks = E::n == 10 ? 3
                                     : matrix_free_stages<E, Number>
                                       ? (E::degree == 2   ? (uniform ? 6 : 4)
                                          : E::degree == 3 ? (uniform ? 4 : 3)
                                          : uniform        ? 6
                                                           : 4)
                                     : E::simplex || stored
                                       ? (E::degree <= 2 ? 4 : 2)
                                     : sizeof(Number) == 4
                                       ? (E::degree == 1 ? 8 : 4)
                                       : 8;

  /// Blocks of a team's threads (TeamShape) on hexahedra.
  template <class E, bool stored, class Number>
  constexpr int team_blocks = E::degree == 1   ? 4
                              : E::degree == 2 ? (stored ? 2 : 3)
                              : E::degree == 3 ? (stored ? 1 : 2)
                                               : 2;

  /// The same as matrix_free_blocks for stored local matrices, which live from
  /// loads in flight.
  template <class E, class Number>
  constexpr int local_matrices_blocks = E::n <= 4    ? 6
                                        : E::n <= 10 ? 4
                                        : E::n <= 16 ? 3
                                                     : 2;

  /// Values of a cell's nodes beyond which local matrices are applied from
  /// shared memory, and then cells and threads of a block.
  constexpr int most_values_in_registers = 25;
  template <class E>
  constexpr int staged_cells = E::n <= 32   ? 64
                               : E::n <= 64 ? 32
                                            : 16;
  template <class E>
  constexpr int staged_threads = E::n <= 32 ? 64 : 32;

  /// Compressed rows: threads of a block; entries that it holds on chip at a
  /// time, about 16 KB of them, and blocks that a multiprocessor must hold,
  /// measured for double and float on an H200 (2026-11-21,
  /// doc/benchmarking.md).
  constexpr int csr_threads = 128;
  template <class Number>
  constexpr int csr_tile = sizeof(Number) == 8 ? 1280 : 2048;
  template <class Number, class Offset>
  constexpr int csr_blocks = sizeof(Number) == 4   ? 8
                             : sizeof(Offset) == 8 ? 9
                                                   : 10;

  /// Rows of a larger mean length, or with a longest one that does not fit on
  /// chip, have several threads each: as many as leave every thread at most so
  /// many entries. Measured for double on quadrilaterals, hexahedra and
  /// tetrahedra on an H200 (2026-11-21, doc/benchmarking.md). Blocks that a
  /// multiprocessor must hold bound the registers.
  constexpr int csr_longest_staged_mean = 96;
  constexpr int csr_entries_of_thread   = 14;
  constexpr int csr_row_blocks          = 12;

  /// Rows streamed through chip: products that a warp keeps, entries that
  /// its rows have at most if it takes more than one, products that a lane
  /// forms at a time, and blocks that a multiprocessor must hold. Products and
  /// loads in flight share the L1 cache with x: twelve blocks instead of eight
  /// halve the speed (H200, 2026-11-21, doc/benchmarking.md). Sampled rows tell
  /// whether columns follow one another along rows.
  constexpr int csr_streamed_tile    = 512;
  constexpr int csr_streamed_longest = 1280;
  template <class Number>
  constexpr int csr_streamed_ahead = sizeof(Number) == 8 ? 8 : 16;
  template <class Number, class Offset>
  constexpr int csr_streamed_blocks = sizeof(Number) == 8   ? 6
                                      : sizeof(Offset) == 8 ? 7
                                                            : 8;
  constexpr int csr_sampled_rows    = 1 << 16;

  /// ELLPACK: threads of a block, blocks that a multiprocessor must hold, and
  /// entries of a row that are loaded before the first of them is used.
  constexpr int ell_threads = 128;
  constexpr int ell_blocks  = 6;
  constexpr int ell_ahead   = 16;

  /// Blocks that go over all rows, each with a partial sum of a dot product.
  constexpr int max_row_blocks = 132 * 64;
} // namespace tessera::tuning
