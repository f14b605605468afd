#pragma once

#include <boost/crc.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Files of checkpoints: numbers and texts, and their checksum.
namespace tessera::checkpoint_file
{
  using Texts = std::map<std::string, std::string>;

  /// Writes a file and its checksum. What fails leaves its reason in errno.
  class Output
  {
  public:
    explicit Output(const std::string &name)
      : file(std::fopen(name.c_str(), "wb")), good(file != nullptr)
    {}

    ~Output()
    {
      if (file != nullptr)
        std::fclose(file);
    }

    void
    bytes(const void *data, const std::size_t n)
    {
      crc.process_bytes(data, n);
      good = good && std::fwrite(data, 1, n, file) == n;
    }

    void
    size(const std::uint64_t n)
    {
      bytes(&n, sizeof n);
    }

    void
    text(const std::string &value)
    {
      size(value.size());
      bytes(value.data(), value.size());
    }

    void
    texts(const Texts &values)
    {
      size(values.size());
      for (const auto &[key, value] : values)
        {
          text(key);
          text(value);
        }
    }

    /// Appends the checksum. Returns true if all is on the disk.
    bool
    close()
    {
      size(crc.checksum());
      return good && std::fflush(file) == 0 && fsync(fileno(file)) == 0;
    }

  private:
    FILE *const file;
    bool good;
    boost::crc_32_type crc;
  };

  struct Damaged
  {};

  /// Reads what Output wrote; throws Damaged for anything else, before it
  /// takes memory for it.
  class Input
  {
  public:
    explicit Input(const std::string &name)
      : left(std::filesystem::file_size(name)),
        file(std::fopen(name.c_str(), "rb"), &std::fclose)
    {
      if (file == nullptr)
        throw Damaged();
    }

    void
    bytes(void *data, const std::size_t n)
    {
      if (n > left || std::fread(data, 1, n, file.get()) != n)
        throw Damaged();
      left -= n;
      crc.process_bytes(data, n);
    }

    std::size_t
    size()
    {
      std::uint64_t n = 0;
      bytes(&n, sizeof n);
      return n;
    }

    /// Throws unless as much is left as n things of `n_bytes` bytes take.
    void
    check(const std::size_t n, const std::size_t n_bytes) const
    {
      if (n > left / n_bytes)
        throw Damaged();
    }

    /// The number of things that follow and have `n_bytes` bytes each.
    std::size_t
    count(const std::size_t n_bytes)
    {
      const std::size_t n = size();
      check(n, n_bytes);
      return n;
    }

    std::string
    text()
    {
      std::string value(count(1), ' ');
      bytes(value.data(), value.size());
      return value;
    }

    Texts
    texts()
    {
      Texts values;
      for (std::size_t n = count(2 * sizeof(std::uint64_t)); n > 0; --n)
        {
          std::string key = text();
          values.emplace(std::move(key), text());
        }
      return values;
    }

    void
    close()
    {
      const std::uint64_t sum = crc.checksum();
      if (size() != sum || left != 0)
        throw Damaged();
    }

  private:
    std::uintmax_t left;
    std::unique_ptr<FILE, int (*)(FILE *)> file;
    boost::crc_32_type crc;
  };

  /// Reads rows of n things piece by piece and calls visit(row, things).
  template <class T, class Visit>
  void
  for_rows(Input &in, const std::size_t n_rows, const std::size_t n,
           const Visit &visit)
  {
    const std::size_t most =
      std::max<std::size_t>(1, 65536 / std::max<std::size_t>(1, n));
    std::vector<T> piece;
    for (std::size_t row = 0; row < n_rows && n > 0;)
      {
        const std::size_t n_now = std::min(most, n_rows - row);
        piece.resize(n_now * n);
        in.bytes(piece.data(), piece.size() * sizeof(T));
        for (std::size_t i = 0; i < n_now; ++i)
          visit(row++, &piece[i * n]);
      }
  }
} // namespace tessera::checkpoint_file
