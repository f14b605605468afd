#pragma once

#include <random>
#include <string>

namespace tessera::fuzz
{
  using Random = std::mt19937_64;

  /// Returns a number below n.
  inline std::size_t
  below(Random &random, const std::size_t n)
  {
    return random() % n;
  }

  /// Returns the text with one to six damages: bytes flipped; numbers replaced
  /// by huge, negative or small ones, or by no numbers; lines dropped, doubled,
  /// swapped or copied elsewhere; or the end cut off.
  std::string
  mutate(std::string text, Random &random);
} // namespace tessera::fuzz
