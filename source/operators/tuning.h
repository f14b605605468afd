#pragma once

#include <tessera/space/element.h>

// Launch shapes, measured. A line with "tuned" is one that `scripts/tune`
// writes: the candidates that it tries, and the options of the measured rows
// that decide; "by degree": entry p belongs to degree p. The values hold for an
// H200 (2026-11-21 and 22, doc/benchmarking.md).
namespace tessera::tuning
{
  /// Says whether the product of a cell goes through shared memory in three
  /// passes, for degrees where its values are too many for registers.
  template <class E>
  constexpr bool matrix_free_stages =
    E::cell_type == CellType::quadrilateral &&E::degree >= 2;

  /// Threads of a block, which go over its 128 cells: fewer where values of
  /// double would take more than the 48 KB of shared memory that a block has.
  template <class E>
  constexpr int matrix_free_threads =
    matrix_free_stages<E> &&E::degree == 4 ? 64 : 128;

  /// Blocks of so many threads that a multiprocessor must hold, which bounds
  /// the registers of a thread (65536 / (threads x blocks)): of quadrilaterals
  /// with one coefficient for all, for double and float; with coefficients from
  /// memory double needs more registers.
  // clang-format off
  constexpr int quadrilateral_blocks_double[] = {0, 8, 7, 5, 6}; // tuned by degree: 3 4 5 6 7 8 | --operators matrix_free --kinds application --numbers double
  constexpr int quadrilateral_blocks_float[]  = {0, 8, 8, 6, 8}; // tuned by degree: 3 4 5 6 7 8 | --operators matrix_free --kinds application --numbers float
  // clang-format on
  template <class E, bool stored, bool uniform, class Number>
  constexpr int matrix_free_blocks = E::simplex || (stored && E::degree == 1)
                                       ? 4
                                     : sizeof(Number) == 4
                                       ? quadrilateral_blocks_float[E::degree]
                                     : uniform || E::degree == 1
                                       ? quadrilateral_blocks_double[E::degree]
                                     : E::degree == 3 ? 3
                                                      : 4;

  /// Blocks of 128 threads on tetrahedra, by degree: forms of one component and
  /// of several ones. With few points, more blocks pay although some numbers
  /// then stand in memory (H200, 2026-11-29).
  constexpr int tetrahedron_blocks_few[]        = {0, 8, 7};
  constexpr int tetrahedron_blocks[]            = {0, 6, 3};
  constexpr int tetrahedron_vector_blocks_few[] = {0, 6, 3};
  constexpr int tetrahedron_vector_blocks[]     = {0, 4, 2};
  template <class F, class E>
  constexpr int blocks_of_tetrahedra =
    F::n_components == 1
      ? (has_few_points<E> ? tetrahedron_blocks_few
                           : tetrahedron_blocks)[E::degree]
      : (has_few_points<E> ? tetrahedron_vector_blocks_few
                           : tetrahedron_vector_blocks)[E::degree];

  /// The same for quadrilaterals with a number at every point. The numbers of a
  /// line are in registers.
  // clang-format off
  constexpr int number_blocks_double[] = {0, 8, 6, 5, 6}; // tuned by degree: 3 4 5 6 7 8 | --operators matrix_free --kinds application --numbers double --coefficients point
  constexpr int number_blocks_float[]  = {0, 8, 8, 6, 8}; // tuned by degree: 3 4 5 6 7 8 | --operators matrix_free --kinds application --numbers float --coefficients point
  // clang-format on
  template <class E, class Number>
  constexpr int number_blocks = sizeof(Number) == 8
                                  ? number_blocks_double[E::degree]
                                  : number_blocks_float[E::degree];

  /// The same for forms with components in double, by degree: on
  /// quadrilaterals, and blocks of a team's threads (TeamShape) on hexahedra.
  /// More blocks pay although some numbers of a thread then stand in memory.
  /// Teams with components were measured with elasticity, before it had planes.
  /// The last two are for teams and one component: values alone, and gradients,
  /// which were not measured.
  // clang-format off
  constexpr int vector_blocks[]      = {0, 1, 3, 1, 1}; // tuned by degree: 1 2 3 | --forms elasticity --operators matrix_free --kinds application --numbers double
  constexpr int vector_team_blocks[] = {0, 4, 3, 2, 1};
  constexpr int value_team_blocks[]  = {0, 8, 5, 4, 4}; // tuned by degree: 2 3 4 5 6 8 | --forms mass --cell-types hexahedron --operators matrix_free --kinds application --numbers double
  constexpr int team_blocks[]        = {0, 4, 3, 2, 2};
  // clang-format on

  /// Blocks of a plane's threads (PlaneShape) on hexahedra, and on
  /// parallelepipeds; 0 where one thread has a cell.
  // clang-format off
  constexpr int plane_blocks_double[] = {0, 0, 5, 4, 3}; // tuned by degree: 2 3 4 5 6 8 10 12 | --cell-types hexahedron --operators matrix_free --kinds application --numbers double --coefficients number
  constexpr int plane_blocks_float[]  = {0, 0, 6, 5, 3}; // tuned by degree: 2 3 4 5 6 8 10 12 | --cell-types hexahedron --operators matrix_free --kinds application --numbers float --coefficients number
  constexpr int linear_plane_blocks_double[] = {0, 0, 0, 4, 3}; // tuned by degree: 2 3 4 5 6 7 8 10 12 | --cell-types hexahedron --distortion 0 --operators matrix_free --kinds application --numbers double
  constexpr int linear_plane_blocks_float[]  = {0, 0, 0, 8, 3}; // tuned by degree: 2 3 4 5 6 7 8 10 12 | --cell-types hexahedron --distortion 0 --operators matrix_free --kinds application --numbers float
  constexpr int vector_plane_blocks[]        = {0, 0, 3, 2, 1}; // tuned by degree: 1 2 3 4 5 6 8 10 | --forms elasticity --cell-types hexahedron --operators matrix_free --kinds application --numbers double
  // clang-format on
  /// True where planes are turned in shared memory in place of sums in
  /// registers: for nodes with components at degree 2, where that takes 14 %
  /// less time and at degree 1 4 % more; from degree 3 on it leaves room for
  /// four warps (H200, 2026-11-29).
  template <class E, int n_components>
  constexpr bool planes_turn = n_components > 1 && E::degree == 2;

  /// Bent cells with one component: a number at the points (`varies` is 1) of
  /// degree 4, and a tensor (2), also a uniform one, from degree 3 on leave
  /// room for one block less.
  template <class F, class E, bool linear, int varies, class Number>
  constexpr int plane_blocks =
    F::n_components > 1 ? vector_plane_blocks[E::degree]
    : linear            ? (sizeof(Number) == 8 ? linear_plane_blocks_double
                                               : linear_plane_blocks_float)[E::degree]
                        : (sizeof(Number) == 8 ? plane_blocks_double
                                               : plane_blocks_float)[E::degree] -
                 (varies > 0 && E::degree + varies > 4);

  /// Threads of a block at most, and blocks, where pairs of layers of a
  /// hexahedron make the halves of cell matrices (PairShape). Three blocks of
  /// degree 2 and two of degree 3 gain 5 % and keep numbers in memory (H200,
  /// 2026-11-29).
  template <class E>
  constexpr int pair_threads = E::degree == 4 ? 608 : 320;
  template <class F, class E>
  constexpr int pair_blocks = F::n_components == 1 && E::degree == 2 ? 2 : 1;

  /// The same as matrix_free_blocks for stored local matrices, which live from
  /// loads in flight.
  // clang-format off
  constexpr int local_blocks[] = {0, 6, 4, 3, 2}; // tuned by degree: 2 3 4 6 8 | --operators local_matrices_symmetric --kinds application
  // clang-format on
  template <int n, class Number>
  constexpr int local_matrices_blocks = local_blocks[n <= 4    ? 1
                                                     : n <= 10 ? 2
                                                     : n <= 16 ? 3
                                                               : 4];

  /// Values of a cell's nodes beyond which a team of threads applies its local
  /// matrix from shared memory. A symmetric one is cut into squares: the next
  /// constants are their rows, and the rows that are loaded before the first is
  /// used.
  constexpr int most_values_in_registers = 25;
  template <int n>
  constexpr int square_rows       = n <= 28 || n == 81 ? 7
                                    : n == 35          ? 9
                                                       : 8;
  constexpr int square_rows_ahead = 2, square_nodes_ahead = 4;

  /// Compressed rows: threads of a block; entries that it holds on chip at a
  /// time, about 16 KB of them, and blocks that a multiprocessor must hold.
  constexpr int csr_threads = 128;
  // clang-format off
  constexpr int csr_tile_double   = 1280; // tuned: 1024 1280 1536 2048 | --operators csr --kinds application --numbers double --threads-per-row staged
  constexpr int csr_tile_float    = 2048; // tuned: 1280 1536 2048 2560 | --operators csr --kinds application --numbers float --threads-per-row staged
  constexpr int csr_blocks_double = 10; // tuned: 6 8 10 12 | --operators csr --kinds application --numbers double --threads-per-row staged
  constexpr int csr_blocks_float  = 8; // tuned: 6 8 10 12 | --operators csr --kinds application --numbers float --threads-per-row staged
  // clang-format on
  template <class Number>
  constexpr int csr_tile = sizeof(Number) == 8 ? csr_tile_double
                                               : csr_tile_float;
  template <class Number, class Offset>
  constexpr int csr_blocks = sizeof(Number) == 4   ? csr_blocks_float
                             : sizeof(Offset) == 8 ? csr_blocks_double - 1
                                                   : csr_blocks_double;

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
  constexpr int csr_streamed_longest = 1280;
  // clang-format off
  constexpr int csr_streamed_tile   = 512; // tuned: 256 384 512 768 1024 | --operators csr --kinds application --numberings cell_first_touch --threads-per-row streamed
  constexpr int csr_streamed_ahead  = 8; // tuned: 4 8 12 16 | --operators csr --kinds application --numberings cell_first_touch --threads-per-row streamed
  constexpr int csr_streamed_blocks = 6; // tuned: 4 5 6 7 8 | --operators csr --kinds application --numberings cell_first_touch --threads-per-row streamed
  // clang-format on
  constexpr int csr_sampled_rows = 1 << 16;

  /// ELLPACK: threads of a block, blocks that a multiprocessor must hold, and
  /// entries of a row that are loaded before the first of them is used.
  constexpr int ell_threads = 128;
  // clang-format off
  constexpr int ell_blocks = 6; // tuned: 4 6 8 10 | --operators ell --kinds application
  constexpr int ell_ahead  = 16; // tuned: 4 8 12 16 | --operators ell --kinds application
  // clang-format on

  /// The same for sliced ELLPACK: for lanes with few entries, and for lanes
  /// with more than `sell_few` in the mean, as quadrilaterals of degree 1 have
  /// (H200, 2026-11-22: lanes of 16 and more take 5 to 20 % less time with more
  /// loads ahead, lanes of 4 as much more). Packed columns want registers of
  /// their own for the lines of the next round; columns in 16 bits have few
  /// entries up to `sell_short_few` bytes of the vectors' type a lane. For rows
  /// of blocks, `ahead` counts entries of blocks.
  constexpr int sell_threads   = 128;
  constexpr int sell_few       = 8;
  constexpr int sell_short_few = 160;
  // clang-format off
  constexpr int sell_blocks_few  = 6; // tuned: 4 6 8 10 | --operators sell --kinds application --cell-types triangle --degrees 1
  constexpr int sell_ahead_few   = 8; // tuned: 4 8 12 16 | --operators sell --kinds application --cell-types triangle --degrees 1
  constexpr int sell_blocks_many = 5; // tuned: 4 5 6 8 | --operators sell --kinds application --degrees 2,3,4
  constexpr int sell_ahead_many  = 16; // tuned: 8 12 16 | --operators sell --kinds application --degrees 2,3,4
  constexpr int sell_of_blocks_blocks = 5;
  constexpr int sell_of_blocks_ahead  = 18;
  constexpr int sell_packed_blocks_double = 7; // tuned: 5 6 7 8 | --operators sell_packed --kinds application --degrees 2,3,4 --numbers double
  constexpr int sell_packed_blocks_float  = 6; // tuned: 5 6 7 8 | --operators sell_packed --kinds application --degrees 2,3,4 --numbers float
  constexpr int sell_packed_ahead         = 8; // tuned: 8 12 16 | --operators sell_packed --kinds application --degrees 2,3,4
  constexpr int sell_short_blocks_few  = 8; // tuned: 5 6 7 8 | --operators sell_short --kinds application --degrees 1,2 --numbers double
  constexpr int sell_short_ahead_few   = 8; // tuned: 4 8 12 16 | --operators sell_short --kinds application --degrees 1,2 --numbers double
  constexpr int sell_short_blocks_many = 5; // tuned: 4 5 6 8 | --operators sell_short --kinds application --degrees 3,4 --numbers double
  constexpr int sell_short_ahead_many  = 16; // tuned: 8 12 16 | --operators sell_short --kinds application --degrees 3,4 --numbers double
  // clang-format on

  /// Work in tiles of entries: threads of a block, and below the blocks that a
  /// multiprocessor must hold.
  constexpr int tile_threads = 128;

  /// Entries of a row before a tile that the tile forms once more, at most one
  /// a thread, instead of waiting for their sum.
  constexpr int tile_repeats = tile_threads;

  /// Row starts that a thread loads together with entries.
  constexpr int tile_rows_ahead = 2;

  template <int values>
  constexpr int csr_mgpu_blocks = values <= 6    ? 10
                                  : values <= 12 ? 8
                                                 : 6;

  /// Entries of a thread of csr_mgpu where none are asked for: those that were
  /// best for rows of at most that mean length, and for longer ones, in tables
  /// 3 and 7 of WongKuhlDarve2015.
  constexpr double csr_mgpu_short_mean = 8;
  constexpr int csr_mgpu_short_values  = 6;
  constexpr int csr_mgpu_long_values   = 10;

  /// Blocks that go over all rows, each with a partial sum of a dot product.
  constexpr int max_row_blocks = 132 * 64;
} // namespace tessera::tuning
