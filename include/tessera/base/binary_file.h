#pragma once

#include <tessera/base/checksum.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

// This header reads and writes the binary files of this project. A file
// consists of a header that begins with a `FileKind`, of arrays in the byte
// order of the machine, and of a checksum of everything before it.
namespace tessera
{
  struct FileKind
  {
    std::array<char, 8> magic{};
    /// A machine with another byte order reads this as another number.
    std::uint32_t byte_order = 0x01020304;
    std::uint32_t version    = 0;
  };

  class BinaryWriter
  {
  public:
    explicit BinaryWriter(const std::string &path)
      : file(path, std::ios::binary | std::ios::trunc)
    {}

    template <class T>
    void
    put(const T *const values, const std::size_t n)
    {
      file.write(reinterpret_cast<const char *>(values),
                 static_cast<std::streamsize>(n * sizeof(T)));
      checksum.add(values, n * sizeof(T));
    }

    /// Writes the checksum and closes the file. Returns true if everything was
    /// written.
    bool
    finish()
    {
      const std::uint64_t sum = checksum.value;
      put(&sum, 1);
      file.close();
      return file.good();
    }

  private:
    std::ofstream file;
    Checksum checksum;
  };

  /// Reads a file that a BinaryWriter wrote. Every problem throws an ErrorType
  /// with the sentence "The <what> '<path>' <problem>.".
  template <class ErrorType>
  class BinaryReader
  {
  public:
    BinaryReader(const std::string &path, const std::string &what)
      : path(path), what(what)
    {
      std::error_code failure;
      require(!std::filesystem::is_directory(path, failure), "is a folder");
      file.open(path, std::ios::binary | std::ios::ate);
      require(file.is_open(), "cannot be opened");
      n_bytes = file.tellg();
      file.seekg(0);
    }

    void
    require(const bool condition, const std::string &problem) const
    {
      if (!condition)
        throw ErrorType("The " + what + " '" + path + "' " + problem + ".");
    }

    template <class T>
    void
    get(T *const values, const std::size_t n)
    {
      file.read(reinterpret_cast<char *>(values),
                static_cast<std::streamsize>(n * sizeof(T)));
      checksum.add(values, n * sizeof(T));
    }

    /// Reads the header of the file and checks that its member `kind` equals
    /// `legal`. `name` describes a file of this kind in the message.
    template <class Header>
    Header
    header(const FileKind &legal, const std::string &name)
    {
      require(n_bytes >= std::int64_t(sizeof(Header)), "is truncated");
      Header result;
      get(&result, 1);
      require(result.kind.magic == legal.magic, "is not a " + name);
      require(result.kind.byte_order == legal.byte_order,
              "was written on a machine of another byte order");
      require(result.kind.version == legal.version,
              "is of version " + std::to_string(result.kind.version) +
                ", legal is " + std::to_string(legal.version));
      return result;
    }

    /// Throws unless the file has `expected` bytes. Call this before allocating
    /// arrays whose sizes come from the header.
    void
    check_size(const std::int64_t expected) const
    {
      require(n_bytes == expected, "has " + std::to_string(n_bytes) +
                                     " bytes, but its header asks for " +
                                     std::to_string(expected));
    }

    /// Returns the size of the file in bytes.
    std::int64_t
    size() const
    {
      return n_bytes;
    }

    /// Reads the checksum. Throws unless it is the checksum of everything read
    /// so far.
    void
    finish()
    {
      const std::uint64_t sum = checksum.value;
      std::uint64_t expected  = 0;
      get(&expected, 1);
      require(file.good() && expected == sum,
              "is damaged: its checksum is wrong");
    }

  private:
    std::string path, what;
    std::ifstream file;
    std::int64_t n_bytes = 0;
    Checksum checksum;
  };
} // namespace tessera
