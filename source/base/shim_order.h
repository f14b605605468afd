#pragma once

#include <cstdint>
#include <cstdlib>

#include "shim_races.h"

namespace tessera::shim
{
  /// The numbers 0, ..., n - 1, n <= 1024, in an order that is drawn anew:
  /// number k is `first` + k `step` modulo a power of two, if it is below n.
  class Order
  {
  public:
    explicit Order(const int n) : n(n)
    {
      while (size < n)
        size *= 2;
      if (seed() == 0)
        return;
      // This is xorshift, whose high bits are the better ones.
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      first = static_cast<int>(state >> 40);
      step  = static_cast<int>(state >> 50) * 2 + 1;
    }

    /// Sets `number` to the next one. Returns false after the last one.
    TESSERA_UNWATCHED bool
    next(int &number)
    {
      while (k < size)
        {
          number = (first + k++ * step) & (size - 1);
          if (number < n)
            return true;
        }
      return false;
    }

    static unsigned long
    seed()
    {
      static const char *const text = std::getenv("TESSERA_SHIM_SEED");
      static const unsigned long value =
        text ? std::strtoul(text, nullptr, 10) : 1;
      return value;
    }

  private:
    inline static std::uint64_t state = 0x9e3779b97f4a7c15u * seed();
    int n;
    int size  = 1;
    int first = 0;
    int step  = 1;
    int k     = 0;
  };
} // namespace tessera::shim
