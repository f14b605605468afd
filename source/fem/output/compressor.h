#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  /// Compresses blocks of bytes in the format of zlib, for one thread, at a
  /// fast level: level 9 takes twenty times as long and saves a tenth.
  class Compressor
  {
  public:
    static constexpr std::size_t block = 1 << 18; ///< bytes at a time

    Compressor() : memory(libdeflate_alloc_compressor(level))
    {}

    /// Returns the compressed bytes; none if that fails.
    std::vector<unsigned char>
    operator()(const unsigned char *const data, const std::size_t n) const
    {
      if (memory == nullptr)
        return {};
      std::vector<unsigned char> packed(
        libdeflate_zlib_compress_bound(memory.get(), n));
      packed.resize(libdeflate_zlib_compress(memory.get(), data, n,
                                             packed.data(), packed.size()));
      return packed;
    }

    static constexpr int level = 2;

  private:
    struct Free
    {
      void
      operator()(libdeflate_compressor *const pointer) const
      {
        libdeflate_free_compressor(pointer);
      }
    };

    std::unique_ptr<libdeflate_compressor, Free> memory;
  };
} // namespace tessera
