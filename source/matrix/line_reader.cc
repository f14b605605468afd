#include "line_reader.h"

#include <tessera/base/error.h>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera
{
  namespace
  {
    /// This is also the length of the longest line.
    constexpr std::size_t buffer_size = 1 << 18;
  } // namespace


  LineReader::LineReader(std::istream &in, const std::string &name)
    : in(in), name(name), text(buffer_size)
  {
    const std::size_t n = read_stream(text.data(), text.size());
    place = end = text.data();
    if (n < 2 || static_cast<unsigned char>(text[0]) != 0x1f ||
        static_cast<unsigned char>(text[1]) != 0x8b)
      {
        end += n;
        finished = n < text.size();
        return;
      }
    compressed.resize(buffer_size);
    compressed.swap(text);
    place = end = text.data();
    auto stream = std::make_unique<z_stream>();
    if (inflateInit2(stream.get(), MAX_WBITS + 16) != Z_OK)
      throw std::bad_alloc();
    inflation.reset(stream.release());
    inflation->next_in  = reinterpret_cast<Bytef *>(compressed.data());
    inflation->avail_in = static_cast<uInt>(n);
  }


  void
  LineReader::EndInflate::operator()(z_stream_s *const stream) const
  {
    inflateEnd(stream);
    delete stream;
  }


  void
  LineReader::fail(const std::string &what) const
  {
    throw MatrixError("The matrix file '" + name + ':' +
                      std::to_string(number) + "' " + what + '.');
  }


  void
  LineReader::fail_whole(const std::string &what) const
  {
    throw MatrixError("The matrix file '" + name + "' " + what + '.');
  }


  std::size_t
  LineReader::read_stream(char *const to, const std::size_t n)
  {
    in.read(to, static_cast<std::streamsize>(n));
    if (in.bad())
      fail_whole("cannot be read");
    return static_cast<std::size_t>(in.gcount());
  }


  std::size_t
  LineReader::uncompress(char *const to, const std::size_t n)
  {
    inflation->next_out  = reinterpret_cast<Bytef *>(to);
    inflation->avail_out = static_cast<uInt>(n);
    while (inflation->avail_out > 0)
      {
        if (inflation->avail_in == 0)
          {
            inflation->next_in = reinterpret_cast<Bytef *>(compressed.data());
            inflation->avail_in =
              static_cast<uInt>(read_stream(compressed.data(), buffer_size));
            if (inflation->avail_in == 0)
              {
                if (!between_members)
                  fail_whole(
                    "is truncated: the end of its gzip data is "
                    "missing");
                break;
              }
          }
        if (between_members)
          inflateReset(inflation.get());
        const int status = inflate(inflation.get(), Z_NO_FLUSH);
        between_members  = status == Z_STREAM_END;
        if (status == Z_MEM_ERROR)
          throw std::bad_alloc();
        if (status != Z_OK && status != Z_STREAM_END)
          fail_whole("is damaged: it cannot be uncompressed");
      }
    return n - inflation->avail_out;
  }


  std::size_t
  LineReader::read(char *const to, const std::size_t n)
  {
    return inflation ? uncompress(to, n) : read_stream(to, n);
  }


  bool
  LineReader::next(std::string_view &line)
  {
    while (true)
      {
        const std::size_t rest = end - place;
        const auto *const stop =
          static_cast<const char *>(std::memchr(place, '\n', rest));
        if (stop != nullptr || finished)
          {
            if (stop == nullptr && rest == 0)
              return false;
            ++number;
            line  = {place, stop ? std::size_t(stop - place) : rest};
            place = stop ? stop + 1 : end;
            return true;
          }
        if (rest == text.size())
          {
            ++number;
            fail("is longer than " + std::to_string(text.size()) +
                 " characters");
          }
        std::memmove(text.data(), place, rest);
        const std::size_t n = read(text.data() + rest, text.size() - rest);
        place               = text.data();
        end                 = place + rest + n;
        finished            = rest + n < text.size();
      }
  }
} // namespace tessera
