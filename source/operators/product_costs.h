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
  constexpr Kernel rows_staged     = {3.7e-06, 1.5e-11, 4.7e-08}; // fitted
  constexpr Kernel rows_streamed   = {3.8e-06, 7.8e-11, 5.0e-08}; // fitted
  constexpr Kernel rows_by_threads = {5.0e-06, 4.2e-11, 9.8e-08}; // fitted
  constexpr Kernel ellpack         = {2.5e-06, 4.3e-11, 7.0e-08}; // fitted
  constexpr Kernel slices          = {3.0e-06, 5.2e-11, 1.0e-07}; // fitted

  /// A byte from the cache and from memory, a sector asked for, a byte of x.
  constexpr double cached_byte   = 1.4e-13; // fitted
  constexpr double stored_byte   = 1.9e-13; // fitted
  constexpr double request       = 1.2e-14; // fitted
  constexpr double gathered_byte = 2.2e-13; // fitted

  /// The host's: its start, a byte of compressed rows, of slices with their
  /// padding, of vectors, and a sector asked for; two threads.
  constexpr double host_launch         = 5.0e-06; // fitted
  constexpr double host_byte_of_rows   = 3.0e-11; // fitted
  constexpr double host_byte_of_slices = 3.0e-11; // fitted
  constexpr double host_vector_byte    = 3.0e-11; // fitted
  constexpr double host_request        = 1.0e-10; // fitted
  // clang-format on

  /// Bytes that stay in the cache from one product to the next.
  constexpr double cache = 50e6;
} // namespace tessera::costs
