#pragma once

#include <tessera/operators/product_work.h>

// What product_model.h's formula takes of a card, in seconds. Lines with
// "fitted" are written by scripts/fit_formats; the values are those of an H200.
namespace tessera::costs
{
  /// Of a kernel: its launch; how long a warp holds its place at its start and
  /// for a step; an entry of the busiest thread, of coo and csr_mgpu a pass
  /// over empty rows, which is an estimate: no record has so many of them; a
  /// sector of x that is asked for. Slices of few and of many entries a lane
  /// have kernels of their own (tuning.h).
  struct Kernel
  {
    double launch, start, step, entry, request;
  };

  /// Blocks of 128 threads that a multiprocessor holds, by the registers and
  /// the shared memory of a kernel in that number type. Lines with "counted"
  /// are written by scripts/fit_formats, from the records' counters.
  struct Blocks
  {
    int of_double, of_float;
  };

  // clang-format off
  constexpr Kernel rows_staged              = {1.74e-06, 8e-07, 7.28e-08, 4.12e-08, 1e-12}; // fitted
  constexpr Kernel rows_streamed            = {1.93e-06, 5.08e-07, 2.66e-07, 7.37e-09, 1e-12}; // fitted
  constexpr Kernel rows_by_threads          = {1.52e-06, 4.19e-07, 3.28e-07, 9.27e-08, 1e-12}; // fitted
  constexpr Kernel ellpack                  = {1.35e-06, 5.36e-07, 1.41e-07, 3.2e-08, 1e-12}; // fitted
  constexpr Kernel slices_few               = {1.74e-06, 1.05e-06, 1.21e-07, 5.52e-08, 1e-12}; // fitted
  constexpr Kernel slices_many              = {1.74e-06, 1.05e-06, 1.21e-07, 5.52e-08, 1e-12}; // fitted
  constexpr Kernel sorted_slices_few        = {1.88e-06, 1.03e-06, 1.06e-07, 4.9e-08, 1e-12}; // fitted
  constexpr Kernel sorted_slices_many       = {1.88e-06, 1.03e-06, 1.06e-07, 4.9e-08, 1e-12}; // fitted
  constexpr Kernel packed_slices            = {2.05e-06, 1.64e-06, 8.54e-08, 5.36e-08, 1e-12}; // fitted
  constexpr Kernel sorted_packed_slices     = {2.46e-06, 1.57e-06, 8.33e-08, 3.61e-08, 1e-12}; // fitted
  constexpr Kernel short_slices_few         = {1.74e-06, 1.05e-06, 1.21e-07, 5.52e-08, 1e-12}; // fitted
  constexpr Kernel short_slices_many        = {1.74e-06, 1.05e-06, 1.21e-07, 5.52e-08, 1e-12}; // fitted
  constexpr Kernel sorted_short_slices_few  = {1.88e-06, 1.03e-06, 1.06e-07, 4.9e-08, 1e-12}; // fitted
  constexpr Kernel sorted_short_slices_many = {1.88e-06, 1.03e-06, 1.06e-07, 4.9e-08, 1e-12}; // fitted
  constexpr Kernel coo                      = {3.28e-06, 3.2e-06, 1.9e-07, 2e-08, 1e-12}; // fitted
  constexpr Kernel csr_merge                = {3.63e-06, 2.76e-06, 2.42e-07, 1e-30, 1e-12}; // fitted
  constexpr Kernel csr_mgpu                 = {2.82e-06, 2.01e-06, 1.13e-07, 5e-07, 1e-12}; // fitted

  constexpr Blocks blocks_of_rows_staged        = {10, 8}; // counted
  constexpr Blocks blocks_of_rows_streamed      = {7, 8}; // counted
  constexpr Blocks blocks_of_rows_by_threads    = {12, 16}; // counted
  constexpr Blocks blocks_of_ellpack            = {6, 9}; // counted
  constexpr Blocks blocks_of_slices_few         = {8, 9}; // counted
  constexpr Blocks blocks_of_slices_many        = {6, 8}; // counted
  constexpr Blocks blocks_of_packed_slices_few  = {7, 8}; // counted
  constexpr Blocks blocks_of_packed_slices_many = {5, 5}; // counted
  constexpr Blocks blocks_of_short_slices_few   = {8, 9}; // counted
  constexpr Blocks blocks_of_short_slices_many  = {6, 8}; // counted
  constexpr Blocks blocks_of_coo                = {8, 8}; // counted
  constexpr Blocks blocks_of_csr_merge          = {10, 9}; // counted
  constexpr Blocks blocks_of_csr_mgpu           = {8, 9}; // counted

  /// A byte from the cache and from memory; a byte of x for the blocks, and what
  /// it takes more where it is there no longer.
  constexpr double cached_byte   = 2.33e-14; // fitted
  constexpr double stored_byte   = 9.19e-14; // fitted
  constexpr double gathered_byte = 1.45e-13; // fitted
  constexpr double far_byte      = 1.38e-13; // fitted

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
