#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Seeded numbers that are the same on every machine, which those of the
// distributions of <random> are not.
namespace tessera
{
  /// splitmix64: mixes all bits, so that mix(i) for i = 0, 1, ... look random.
  constexpr std::uint64_t
  mix(std::uint64_t z)
  {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Numbers one after the other; sequences of different seeds and streams,
  /// say one a row, have nothing to do with each other.
  class RandomSequence
  {
  public:
    explicit RandomSequence(const std::uint64_t seed,
                            const std::uint64_t stream = 0)
      : state(mix(mix(seed) ^ stream))
    {}

    std::uint64_t
    next()
    {
      state += 0x9e3779b97f4a7c15u;
      return mix(state);
    }

    /// In [0, n), n at most 2^32; off by n / 2^32 from uniform.
    std::uint32_t
    below(const std::uint64_t n)
    {
      return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
    }

    /// In [0, 1), a multiple of 2^-53.
    double
    uniform()
    {
      return static_cast<double>(next() >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t state;
  };

  /// Fisher and Yates: every order is as likely as any other.
  template <class T>
  void
  shuffle(std::vector<T> &list, RandomSequence random)
  {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[random.below(i)]);
  }
} // namespace tessera
