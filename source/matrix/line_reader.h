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
  /// Reads the lines of a text, plain or compressed by gzip; the first bytes
  /// tell which. Errors are thrown as a MatrixError of one sentence.
  class LineReader
  {
  public:
    /// Messages call the text `name`.
    LineReader(std::istream &in, const std::string &name);

    /// Sets `line` to the next line without its end, valid until the next call.
    /// Returns false behind the last line.
    bool
    next(std::string_view &line);

    /// Throws "The matrix file '<name>:<line>' <what>."
    [[noreturn]] void
    fail(const std::string &what) const;

    /// Throws the same message without the number of a line.
    [[noreturn]] void
    fail_whole(const std::string &what) const;

  private:
    struct EndInflate
    {
      void
      operator()(z_stream_s *stream) const;
    };

    /// Fills as much as there is and returns the number of bytes.
    std::size_t
    read(char *to, std::size_t n);
    std::size_t
    read_stream(char *to, std::size_t n);
    std::size_t
    uncompress(char *to, std::size_t n);

    std::istream &in;
    std::string name;
    std::vector<char> text;
    std::vector<char> compressed; ///< empty if the text is plain
    std::unique_ptr<z_stream_s, EndInflate> inflation;
    bool between_members = false; ///< archives may follow one another
    const char *place    = nullptr;
    const char *end      = nullptr;
    bool finished        = false; ///< true if nothing follows `end`
    std::int64_t number  = 0;     ///< of the last line, from 1
  };
} // namespace tessera
