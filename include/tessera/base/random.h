#pragma once

#include <tessera/base/attributes.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// These seeded random numbers are the same on every machine; numbers of the
// distributions in <random> are not.
namespace tessera
{
  /// The mixing function of splitmix64: it mixes all bits, so that mix(0),
  /// mix(1), ... look random.
  TESSERA_HOST_DEVICE constexpr std::uint64_t
  mix(std::uint64_t z)
  {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A sequence of random numbers. Sequences with different seeds or streams
  /// are independent of each other, so that, for example, every row of a matrix
  /// can have its own stream.
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
      state += step;
      return mix(state);
    }

    /// Returns a number in [0, n), with n at most 2^32. The deviation from a
    /// uniform distribution is about n / 2^32.
    std::uint32_t
    below(const std::uint64_t n)
    {
      return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
    }

    /// Returns a number in [0, 1), a multiple of 2^-53.
    double
    uniform()
    {
      return in_unit(next());
    }

    /// Returns the result of the (n + 1)-th call of uniform(), so that item n
    /// of a loop does not need the earlier calls.
    TESSERA_HOST_DEVICE double
    uniform_after(const std::uint64_t n) const
    {
      return in_unit(mix(state + (n + 1) * step));
    }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

    TESSERA_HOST_DEVICE static double
    in_unit(const std::uint64_t bits)
    {
      return static_cast<double>(bits >> 11) * 0x1p-53;
    }

    std::uint64_t state;
  };

  /// Shuffles a list by the method of Fisher and Yates: every order is equally
  /// likely.
  template <class T>
  void
  shuffle(std::vector<T> &list, RandomSequence random)
  {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[random.below(i)]);
  }
} // namespace tessera
