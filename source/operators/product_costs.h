#pragma once

#include <tessera/operators/product_work.h>

// What product_model.h's formula takes of a card, in seconds. Lines with
// "fitted" are written by scripts/fit_formats; the values are those of an H200.
namespace tessera::costs
{
  /// Of a kernel: its launch; how long a warp holds its place at its start and
  /// for a step; an entry of the busiest thread.
  struct Kernel
  {
    double launch, start, step, entry;
  };

  /// Blocks of 128 threads that a multiprocessor holds, by the registers and
  /// the shared memory of a kernel in that number type. Lines with "counted"
  /// are written by scripts/fit_formats, from the records' counters.
  struct Blocks
  {
    int of_double, of_float;
  };

  // clang-format off
  constexpr Kernel rows_staged          = {3.19e-06, 1.29e-06, 6.25e-08, 2.73e-08}; // fitted
  constexpr Kernel rows_streamed        = {3.61e-06, 5.76e-07, 2.14e-07, 7.13e-09}; // fitted
  constexpr Kernel rows_by_threads      = {3.34e-06, 3.38e-07, 3.32e-07, 5.74e-08}; // fitted
  constexpr Kernel ellpack              = {2.72e-06, 4.96e-07, 1.2e-07, 3.72e-08}; // fitted
  constexpr Kernel slices               = {3.21e-06, 1.01e-06, 1.09e-07, 5.64e-08}; // fitted
  constexpr Kernel sorted_slices        = {3.12e-06, 1.07e-06, 9.39e-08, 4.91e-08}; // fitted
  constexpr Kernel packed_slices        = {3.25e-06, 1.57e-06, 8.43e-08, 5.18e-08}; // fitted
  constexpr Kernel sorted_packed_slices = {3.84e-06, 1.55e-06, 7.84e-08, 3.01e-08}; // fitted
  constexpr Kernel coo                  = {8.3e-06, 1.18e-06, 2.74e-07, 1e-30}; // fitted
  constexpr Kernel csr_merge            = {8.49e-06, 1.93e-06, 1.26e-07, 1e-30}; // fitted
  constexpr Kernel csr_mgpu             = {7.68e-06, 1.76e-06, 7.28e-08, 1e-30}; // fitted

  constexpr Blocks blocks_of_rows_staged        = {10, 8}; // counted
  constexpr Blocks blocks_of_rows_streamed      = {7, 8}; // counted
  constexpr Blocks blocks_of_rows_by_threads    = {12, 16}; // counted
  constexpr Blocks blocks_of_ellpack            = {6, 9}; // counted
  constexpr Blocks blocks_of_slices_few         = {8, 9}; // counted
  constexpr Blocks blocks_of_slices_many        = {6, 8}; // counted
  constexpr Blocks blocks_of_packed_slices_few  = {7, 8}; // counted
  constexpr Blocks blocks_of_packed_slices_many = {5, 5}; // counted
  constexpr Blocks blocks_of_coo                = {8, 8}; // counted
  constexpr Blocks blocks_of_csr_merge          = {9, 10}; // counted
  constexpr Blocks blocks_of_csr_mgpu           = {8, 9}; // counted

  /// A byte from the cache and from memory; a byte of x for the blocks, and what
  /// it takes more where it is there no longer.
  constexpr double cached_byte   = 2.74e-14; // fitted
  constexpr double stored_byte   = 9.29e-14; // fitted
  constexpr double gathered_byte = 1.32e-13; // fitted
  constexpr double far_byte      = 2.3e-13; // fitted

  /// The host's: its start, a byte of compressed rows, of slices with their
  /// padding, of vectors, and a sector asked for; two threads.
  constexpr double host_launch         = 1.63e-08; // fitted
  constexpr double host_byte_of_rows   = 4.85e-11; // fitted
  constexpr double host_byte_of_slices = 2.29e-11; // fitted
  constexpr double host_vector_byte    = 5.18e-11; // fitted
  constexpr double host_request        = 3.51e-10; // fitted
  // clang-format on

  /// Bytes that stay in the cache from one product to the next.
  constexpr double cache = 50e6;

  constexpr int multiprocessors = 132;
} // namespace tessera::costs
