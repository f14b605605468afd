#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera
{
  /// Computes the FNV-1a hash over 64-bit words. The last word of each piece
  /// that is added is padded with zeros. Every step is a bijection, so a change
  /// in a single word always changes the result.
  class Checksum
  {
  public:
    void
    add(const void *const data, const std::size_t bytes)
    {
      const char *const bytes_of = static_cast<const char *>(data);
      for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t))
        {
          std::uint64_t word = 0;
          std::memcpy(&word, bytes_of + i, std::min(sizeof(word), bytes - i));
          value = (value ^ word) * 0x100000001b3u;
        }
    }

    std::uint64_t value = 0xcbf29ce484222325u;
  };
} // namespace tessera
