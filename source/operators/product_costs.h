#pragma once

#include <tessera/operators/product_work.h>

// What product_model.h's formula takes of a card, in seconds. Lines with
// "fitted" are written by scripts/fit_formats; the values are those of an H200.
namespace tessera::costs
{
  /// Of a kernel: its start, a step of a warp, an entry of the busiest thread.
  struct Kernel
  {
    double launch, step, entry;
  };

  // clang-format off
  constexpr Kernel rows_staged     = {2.8e-06, 5e-11, 4.7e-08}; // fitted
  constexpr Kernel rows_streamed   = {3.5e-06, 4.4e-11, 9.8e-09}; // fitted
  constexpr Kernel rows_by_threads = {3.3e-06, 5.3e-11, 1e-07}; // fitted
  constexpr Kernel ellpack         = {2.2e-06, 2.6e-11, 7.3e-08}; // fitted
  constexpr Kernel slices          = {3.3e-06, 3.4e-11, 1e-07}; // fitted
  constexpr Kernel sorted_slices = {3.2e-06, 2.5e-11, 6.7e-08}; // fitted
  constexpr Kernel packed_slices   = {3.3e-06, 4.7e-11, 8.1e-08}; // fitted
  constexpr Kernel sorted_packed_slices = {3.7e-06, 4.5e-11, 5.3e-08}; // fitted
  constexpr Kernel coo             = {7.3e-06, 6.9e-11, 1e-30}; // fitted
  constexpr Kernel csr_merge       = {7.3e-06, 5e-11, 1e-30}; // fitted
  constexpr Kernel csr_mgpu        = {7e-06, 4e-11, 1e-30}; // fitted

  /// A byte from the cache and from memory, a sector asked for, a byte of x.
  constexpr double cached_byte   = 1.18e-13; // fitted
  constexpr double stored_byte   = 1.43e-13; // fitted
  constexpr double request       = 1.67e-18; // fitted
  constexpr double gathered_byte = 2.11e-13; // fitted

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
} // namespace tessera::costs
