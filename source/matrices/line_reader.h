#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace tessera
{
  /// The lines of a text, plain or compressed by gzip, which its first bytes
  /// tell. What cannot be read is a MatrixError of one sentence.
  class LineReader
  {
  public:
    /// `name` is for messages.
    LineReader(std::istream &in, const std::string &name);

    /// The next line without its end, valid until the next call; false behind
    /// the last one.
    bool
    next(std::string_view &line);

    /// "The matrix file '<name>:<line>' <what>."
    [[noreturn]] void
    fail(const std::string &what) const;

    /// The same of the whole file.
    [[noreturn]] void
    fail_whole(const std::string &what) const;

  private:
    struct EndInflate
    {
      void
      operator()(z_stream_s *stream) const;
    };

    /// Fills as much as there is; returns the number of bytes.
    std::size_t
    read(char *to, std::size_t n);
    std::size_t
    read_stream(char *to, std::size_t n);
    std::size_t
    uncompress(char *to, std::size_t n);

    std::istream &in;
    std::string name;
    std::vector<char> text;
    std::vector<char> compressed; ///< empty for a plain text
    std::unique_ptr<z_stream_s, EndInflate> inflation;
    bool between_members = false; ///< an archive may be several ones in a row
    const char *place    = nullptr;
    const char *end      = nullptr;
    bool finished        = false; ///< nothing is to come behind `end`
    std::int64_t number  = 0;     ///< of the last line, from 1
  };
} // namespace tessera
