#pragma once

#include "product_work.h"

// The costs of one card in the formula of product_model.h, in seconds. The
// values hold for an H200; scripts/fit_formats writes lines marked
// "fitted".
namespace tessera::spmv::costs
{
  /// The costs of a kernel: its launch; the time for which a warp holds its
  /// place at its start, and for a step; an entry of the busiest thread (for
  /// coo and csr_mgpu a pass over empty rows, which is estimated, because no
  /// record has so many); and a sector of x that is requested. Slices with few
  /// and with many entries per lane have kernels of their own (tuning.h).
  struct Kernel
  {
    double launch, start, step, entry, request;
  };

  /// The number of blocks of 128 threads that a multiprocessor holds, limited
  /// by registers and shared memory, in double and in float.
  /// scripts/fit_formats writes lines marked "counted" from the records'
  /// counters.
  struct Blocks
  {
    int of_double, of_float;
  };

  // clang-format off
  constexpr Kernel rows_staged              = {1.8e-06, 3.82e-07, 5.25e-08, 3.58e-08, 2.01e-12}; // fitted
  constexpr Kernel rows_streamed            = {1.93e-06, 4.6e-07, 1.49e-07, 6.63e-09, 1.88e-12}; // fitted
  constexpr Kernel rows_by_threads          = {1.54e-06, 4.45e-07, 2.87e-07, 9.13e-08, 3.52e-16}; // fitted
  constexpr Kernel ellpack                  = {1.42e-06, 1.09e-10, 4.33e-08, 2.74e-08, 2.54e-12}; // fitted
  constexpr Kernel slices_few               = {1.75e-06, 2.14e-10, 1.75e-07, 5.84e-08, 2.52e-13}; // fitted
  constexpr Kernel slices_many              = {1.48e-06, 4.1e-07, 8.71e-08, 5.05e-08, 2.38e-16}; // fitted
  constexpr Kernel sorted_slices_few        = {1.93e-06, 6.51e-07, 7.91e-08, 5.9e-08, 6.08e-14}; // fitted
  constexpr Kernel sorted_slices_many       = {1.73e-06, 8.83e-07, 5.59e-08, 4.73e-08, 9.9e-17}; // fitted
  constexpr Kernel packed_slices            = {2.11e-06, 8.73e-07, 1.17e-07, 6.17e-08, 1.29e-14}; // fitted
  constexpr Kernel sorted_packed_slices     = {2.44e-06, 1.02e-06, 1.03e-07, 4.69e-08, 1.03e-16}; // fitted
  constexpr Kernel short_slices_few         = {2.06e-06, 4.58e-07, 1.1e-07, 4.8e-08, 3.02e-13}; // fitted
  constexpr Kernel short_slices_many        = {4.68e-07, 7.85e-07, 6.36e-08, 5.24e-08, 1.07e-15}; // fitted
  constexpr Kernel sorted_short_slices_few  = {2.22e-06, 8.93e-07, 9.12e-08, 4.99e-08, 3.72e-16}; // fitted
  constexpr Kernel sorted_short_slices_many = {1.09e-06, 9.37e-07, 6.38e-08, 3.81e-08, 5.02e-16}; // fitted
  constexpr Kernel coo                      = {3.3e-06, 3.81e-06, 2.51e-08, 2e-08, 5.85e-13}; // fitted
  constexpr Kernel csr_merge                = {3.41e-06, 2.96e-06, 4.85e-08, 1e-30, 3.47e-13}; // fitted
  constexpr Kernel csr_mgpu                 = {2.79e-06, 2.09e-06, 1.85e-08, 5e-07, 1.03e-12}; // fitted

  constexpr Blocks blocks_of_rows_staged        = {10, 9}; // counted
  constexpr Blocks blocks_of_rows_streamed      = {7, 8}; // counted
  constexpr Blocks blocks_of_rows_by_threads    = {12, 16}; // counted
  constexpr Blocks blocks_of_ellpack            = {6, 9}; // counted
  constexpr Blocks blocks_of_slices_few         = {8, 9}; // counted
  constexpr Blocks blocks_of_slices_many        = {5, 7}; // counted
  constexpr Blocks blocks_of_packed_slices      = {7, 8}; // counted
  constexpr Blocks blocks_of_short_slices_few   = {8, 10}; // counted
  constexpr Blocks blocks_of_short_slices_many  = {5, 6}; // counted
  constexpr Blocks blocks_of_coo                = {8, 8}; // counted
  constexpr Blocks blocks_of_csr_merge          = {9, 8}; // counted
  constexpr Blocks blocks_of_csr_mgpu           = {8, 9}; // counted

  /// The costs of a byte from the cache and from memory; of a byte of x for a
  /// block, and what such a byte costs in addition if it has left the cache.
  constexpr double cached_byte   = 3.65e-14; // fitted
  constexpr double stored_byte   = 1.18e-13; // fitted
  constexpr double gathered_byte = 1.35e-13; // fitted
  constexpr double far_byte      = 6.21e-14; // fitted

  /// The costs of the host with two threads: its start, a byte of compressed
  /// rows, a byte of slices with padding, a byte of vectors, and a requested
  /// sector.
  constexpr double host_launch         = 1.63e-08; // fitted
  constexpr double host_byte_of_rows   = 4.85e-11; // fitted
  constexpr double host_byte_of_slices = 2.29e-11; // fitted
  constexpr double host_vector_byte    = 5.18e-11; // fitted
  constexpr double host_request        = 3.51e-10; // fitted
  // clang-format on

  /// The number of bytes that stay in the cache between two products.
  constexpr double cache = 50e6;

  constexpr int multiprocessors = 132;
} // namespace tessera::spmv::costs
