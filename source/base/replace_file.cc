#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <streambuf>

namespace tessera
{
  namespace
  {
    /// A file that keeps why it could not be written, which a std::filebuf
    /// does not.
    class FileBuffer : public std::streambuf
    {
    public:
      explicit FileBuffer(const std::string &path)
        : file(
            open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
      {
        keep(file >= 0);
        setp(buffer.data(), buffer.data() + buffer.size());
      }

      ~FileBuffer() override
      {
        close();
      }

      /// Writes what is left. Returns 0 or the first error number.
      int
      close()
      {
        if (file >= 0)
          {
            sync();
            keep(::close(file) == 0);
            file = -1;
          }
        return failure;
      }

    protected:
      int
      sync() override
      {
        write(pbase(), pptr());
        setp(buffer.data(), buffer.data() + buffer.size());
        return failure == 0 ? 0 : -1;
      }

      /// Long texts need not go through the buffer.
      std::streamsize
      xsputn(const char *const text, const std::streamsize n) override
      {
        if (n < static_cast<std::streamsize>(buffer.size()))
          return std::streambuf::xsputn(text, n);
        if (sync() == 0)
          write(text, text + n);
        return failure == 0 ? n : 0;
      }

      int_type
      overflow(const int_type character) override
      {
        if (sync() != 0)
          return traits_type::eof();
        if (!traits_type::eq_int_type(character, traits_type::eof()))
          sputc(traits_type::to_char_type(character));
        return traits_type::not_eof(character);
      }

    private:
      void
      write(const char *at, const char *const end)
      {
        while (failure == 0 && at < end)
          {
            const ssize_t n = ::write(file, at, end - at);
            if (n >= 0)
              at += n;
            else if (errno != EINTR)
              keep(false);
          }
      }

      void
      keep(const bool good)
      {
        if (!good && failure == 0)
          failure = errno;
      }

      int failure = 0;
      int file;
      std::array<char, 1 << 16> buffer;
    };

    /// Returns the path, or what it is a link to.
    std::string
    target_of(const std::string &path)
    {
      std::error_code error;
      if (!std::filesystem::is_symlink(path, error))
        return path;
      const auto target = std::filesystem::canonical(path, error);
      return error ? path : target.string();
    }

    bool
    is_special(const std::string &path)
    {
      std::error_code error;
      const auto status = std::filesystem::status(path, error);
      return std::filesystem::exists(status) &&
             !std::filesystem::is_regular_file(status);
    }
  } // namespace


  bool
  can_replace(const std::string &path)
  {
    if (is_special(path))
      return false;
    const std::string beside =
      target_of(path) + '.' + std::to_string(getpid()) + ".part";
    const int file =
      open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool good =
      file >= 0 && ::write(file, "\n", 1) == 1 && ::close(file) == 0;
    std::remove(beside.c_str());
    return good;
  }


  void
  replace_file(const std::string &path, const std::string &what,
               const std::function<bool(const std::string &)> &write)
  {
    if (is_special(path))
      throw Error(ExitCode::other, "The " + what + " '" + path +
                                     "' cannot be written: It is no file.");
    static std::atomic<int> count{0};
    const std::string target    = target_of(path);
    const std::string temporary = target + '.' + std::to_string(getpid()) +
                                  '.' + std::to_string(count++) + ".part";
    try
      {
        errno = 0;
        if (!write(temporary) ||
            std::rename(temporary.c_str(), target.c_str()) != 0)
          {
            const int failure = errno;
            throw Error(ExitCode::other,
                        "The " + what + " '" + path + "' cannot be written" +
                          (failure == 0
                             ? ""
                             : std::string(": ") + std::strerror(failure)) +
                          '.');
          }
      }
    catch (...)
      {
        std::remove(temporary.c_str());
        throw;
      }
  }


  void
  write_file(const std::string &path, const std::string &what,
             const std::function<void(std::ostream &)> &content)
  {
    replace_file(path, what, [&](const std::string &temporary) {
      FileBuffer buffer(temporary);
      std::ostream out(&buffer);
      try
        {
          content(out);
        }
      catch (...)
        {
          if (buffer.close() == 0)
            throw;
        }
      errno = buffer.close();
      return errno == 0;
    });
  }
} // namespace tessera
