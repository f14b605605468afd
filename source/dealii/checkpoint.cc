#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/dealii/checkpoint.h>

#include <boost/crc.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

namespace tessera
{
  namespace
  {
    const std::string first_line = "Tessera checkpoint, version 1\n";

    using Texts = std::map<std::string, std::string>;

    [[noreturn]] void
    throw_missing(const std::string &name)
    {
      throw ParameterError("The checkpoint has no '" + name +
                           "' that fits: it was written by another version of "
                           "this program.");
    }

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

      /// The number of things that follow and have `n_bytes` bytes each.
      std::size_t
      count(const std::size_t n_bytes)
      {
        const std::size_t n = size();
        if (n > left / n_bytes)
          throw Damaged();
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

    struct Contents
    {
      Texts problem;
      State state;
    };

    Contents
    read_file(const std::string &name)
    {
      if (!std::filesystem::is_regular_file(name))
        throw Damaged();
      Input in(name);
      std::string line(first_line.size(), ' ');
      in.bytes(line.data(), line.size());
      if (line != first_line)
        throw Damaged();
      Contents contents;
      contents.problem     = in.texts();
      contents.state.texts = in.texts();
      for (std::size_t n = in.count(2 * sizeof(std::uint64_t)); n > 0; --n)
        {
          const std::string key = in.text();
          std::vector<double> values(in.count(sizeof(double)));
          in.bytes(values.data(), values.size() * sizeof(double));
          contents.state.arrays.emplace(key, std::move(values));
        }
      in.close();
      return contents;
    }

    /// Throws ParameterError if what was computed is not what is computed now.
    void
    compare(const std::string &name, const Texts &written, const Texts &now)
    {
      const auto value = [](const Texts &entries, const std::string &key) {
        const auto entry = entries.find(key);
        return entry == entries.end() ? "missing" : "'" + entry->second + "'";
      };
      Texts all = now;
      all.insert(written.begin(), written.end());
      for (const auto &[key, unused] : all)
        if (value(written, key) != value(now, key))
          throw ParameterError("The checkpoint '" + name +
                               "' is of another problem: '" + key + "' is " +
                               value(written, key) + " there and " +
                               value(now, key) + " now.");
    }
  } // namespace


  const std::vector<double> &
  State::array(const std::string &name, const long size) const
  {
    const auto entry = arrays.find(name);
    if (entry == arrays.end() ||
        (size >= 0 && entry->second.size() != static_cast<std::size_t>(size)))
      throw_missing(name);
    return entry->second;
  }


  double
  State::number(const std::string &name) const
  {
    return array(name, 1)[0];
  }


  const std::string &
  State::text(const std::string &name) const
  {
    const auto entry = texts.find(name);
    if (entry == texts.end())
      throw_missing(name);
    return entry->second;
  }


  void
  Checkpoint::write(const State &state) const
  {
    replace_file(path, "checkpoint", [&](const std::string &temporary) {
      Output out(temporary);
      out.bytes(first_line.data(), first_line.size());
      out.texts(problem);
      out.texts(state.texts);
      out.size(state.arrays.size());
      for (const auto &[key, values] : state.arrays)
        {
          out.text(key);
          out.size(values.size());
          out.bytes(values.data(), values.size() * sizeof(double));
        }
      // The file before becomes the older generation once the new one is whole.
      return out.close() &&
             (std::rename(path.c_str(), (path + ".previous").c_str()) == 0 ||
              errno == ENOENT);
    });
  }


  std::optional<State>
  Checkpoint::read() const
  {
    bool any = false;
    for (const std::string &name : {path, path + ".previous"})
      {
        if (!std::filesystem::exists(name))
          continue;
        any = true;
        try
          {
            Contents contents = read_file(name);
            compare(name, contents.problem, problem);
            return std::move(contents.state);
          }
        catch (const Damaged &)
          {
            std::cerr << "warning: the checkpoint '" << name
                      << "' is damaged or not one." << std::endl;
          }
      }
    if (any)
      throw ParameterError("No checkpoint of '" + path + "' can be read.");
    return {};
  }


  std::string
  checksum(const void *data, const std::size_t n_bytes)
  {
    boost::crc_32_type crc;
    crc.process_bytes(data, n_bytes);
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x",
                  static_cast<unsigned int>(crc.checksum()));
    return digits;
  }
} // namespace tessera
