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
} // namespace tessera::tuning
