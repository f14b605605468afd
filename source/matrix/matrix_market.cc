#include "line_reader.h"
#include "memory_error.h"
#include "rows_of_entries.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_market.h>

#include <locale.h>
#include <stdlib.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace tessera
{
  namespace
  {
    constexpr std::int64_t max_size = std::numeric_limits<int>::max() - 1;

    enum class Field
    {
      real,
      integer,
      pattern
    };

    enum class Symmetry
    {
      general,
      symmetric,
      skew_symmetric
    };

    /// The content of a file, with entries in its order.
    struct Content
    {
      Field field         = Field::real;
      Symmetry symmetry   = Symmetry::general;
      std::int64_t n_rows = 0, n_columns = 0, n_entries = 0;
      std::vector<MatrixEntry> entries;
    };

    bool
    blank(const char c)
    {
      return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /// Takes the first word from a line; it is empty at the end of the line.
    std::string_view
    take_word(std::string_view &line)
    {
      std::size_t begin = 0;
      while (begin < line.size() && blank(line[begin]))
        ++begin;
      std::size_t end = begin;
      while (end < line.size() && !blank(line[end]))
        ++end;
      const std::string_view word = line.substr(begin, end - begin);
      line.remove_prefix(end);
      return word;
    }

    std::string_view
    without_plus(const std::string_view word)
    {
      return word.size() > 1 && word[0] == '+' && word[1] != '-'
               ? word.substr(1)
               : word;
    }

    /// Converts a whole word to a number, or returns invalid_argument.
    template <class T>
    std::errc
    convert(const std::string_view word, T &value)
    {
      const std::string_view digits = without_plus(word);
      const char *const end         = digits.data() + digits.size();
      const auto result = std::from_chars(digits.data(), end, value);
      return result.ptr == end ? result.ec : std::errc::invalid_argument;
    }

    class Parser
    {
    public:
      Parser(std::istream &in, const std::string &name) : lines(in, name)
      {}

      Content
      read(const std::int64_t file_size)
      {
        read_banner("coordinate", {"real", "integer", "pattern"},
                    {"general", "symmetric", "skew-symmetric"});
        read_sizes();
        // An entry has at least four characters.
        content.entries.reserve(std::min(content.n_entries, file_size / 4));
        for (std::string_view line; next(line);)
          read_entry(line);
        const auto n = static_cast<std::int64_t>(content.entries.size());
        if (n < content.n_entries)
          lines.fail("ends after " + std::to_string(n) + " of " +
                     counted(content.n_entries, "entry"));
        return std::move(content);
      }

      std::vector<double>
      read_vector(const std::int64_t file_size)
      {
        read_banner("array", {"real", "integer"}, {"general"});
        std::string_view line = sizes_line("numbers of rows and columns");
        const auto n          = integer(line, max_size, "a number of rows");
        const auto columns    = integer(line, max_size, "a number of columns");
        expect_end(line);
        if (columns != 1)
          lines.fail("has " + counted(columns, "column") +
                     ", of which a vector has 1");
        std::vector<double> values;
        values.reserve(std::min(n, file_size / 2));
        while (next(line))
          {
            if (std::int64_t(values.size()) == n)
              lines.fail("has more than the announced " + counted(n, "entry"));
            values.push_back(read_value(line));
            expect_end(line);
          }
        if (std::int64_t(values.size()) < n)
          lines.fail("ends after " + std::to_string(values.size()) + " of " +
                     counted(n, "entry"));
        return values;
      }

    private:
      /// Sets `line` to the next one that is neither blank nor a comment.
      bool
      next(std::string_view &line)
      {
        while (lines.next(line))
          {
            std::size_t begin = 0;
            while (begin < line.size() && blank(line[begin]))
              ++begin;
            line.remove_prefix(begin);
            if (!line.empty() && line[0] != '%')
              return true;
          }
        return false;
      }

      [[noreturn]] void
      fail(const std::string_view found, const std::string &expected) const
      {
        if (found.empty())
          lines.fail("ends where " + expected + " is expected");
        lines.fail("has '" + printable(found) + "' where " + expected +
                   " is expected");
      }

      void
      expect_end(std::string_view line) const
      {
        if (const auto word = take_word(line); !word.empty())
          fail(word, "the end of the line");
      }

      /// Takes the next word of the line and returns its place in `names`,
      /// whatever the case of its letters.
      int
      choose(std::string_view &line, const std::vector<std::string> &names,
             const std::string &what) const
      {
        const std::string word(take_word(line));
        const auto found = std::find_if(
          names.begin(), names.end(), [&](const std::string &name) {
            return strcasecmp(name.c_str(), word.c_str()) == 0;
          });
        if (found == names.end())
          lines.fail("has the " + what + " '" + printable(word) +
                     "'; legal is " + list_of(names));
        return static_cast<int>(found - names.begin());
      }

      void
      read_banner(const std::string &format,
                  const std::vector<std::string> &fields,
                  const std::vector<std::string> &symmetries)
      {
        std::string_view line;
        if (!lines.next(line))
          lines.fail_whole("is empty");
        choose(line, {"%%MatrixMarket"}, "first word");
        choose(line, {"matrix"}, "object");
        choose(line, {format}, "format");
        content.field    = Field(choose(line, fields, "field"));
        content.symmetry = Symmetry(choose(line, symmetries, "symmetry"));
        expect_end(line);
      }

      std::string_view
      sizes_line(const std::string &what)
      {
        std::string_view line;
        if (!next(line))
          lines.fail("ends where " + what + " are expected");
        return line;
      }

      std::int64_t
      integer(std::string_view &line, const std::int64_t most,
              const std::string &what) const
      {
        const auto word    = take_word(line);
        std::int64_t value = 0;
        if (convert(word, value) != std::errc() || value < 0 || value > most)
          fail(word, what + " from 0 to " + std::to_string(most));
        return value;
      }

      void
      read_sizes()
      {
        std::string_view line =
          sizes_line("numbers of rows, columns and entries");
        content.n_rows    = integer(line, max_size, "a number of rows");
        content.n_columns = integer(line, max_size, "a number of columns");
        content.n_entries =
          integer(line, std::numeric_limits<std::int64_t>::max(),
                  "a number of entries");
        expect_end(line);
        const std::string sizes = counted(content.n_rows, "row") + " and " +
                                  counted(content.n_columns, "column");
        if (content.symmetry != Symmetry::general &&
            content.n_rows != content.n_columns)
          lines.fail("has " + sizes + " of a symmetric matrix");
        if (content.n_entries > 0 &&
            (content.n_rows == 0 || content.n_columns == 0))
          lines.fail("announces entries of a matrix of " + sizes);
      }

      int
      index(std::string_view &line, const std::int64_t n,
            const std::string &what) const
      {
        const auto word    = take_word(line);
        std::int64_t value = 0;
        if (convert(word, value) != std::errc() || value < 1 || value > n)
          fail(word, what + " from 1 to " + std::to_string(n));
        return static_cast<int>(value - 1);
      }

      double
      real(const std::string_view word) const
      {
        double value = 0.;
        if (convert(word, value) == std::errc() && std::isfinite(value))
          return value;
        // The word has a Fortran exponent, or is out of range, or is no number.
        std::string text(word);
        std::replace(text.begin(), text.end(), 'D', 'e');
        std::replace(text.begin(), text.end(), 'd', 'e');
        const std::errc error =
          text.find_first_not_of("0123456789+-.eE") == std::string::npos
            ? convert(text, value)
            : std::errc::invalid_argument;
        if (error == std::errc::invalid_argument)
          fail(word, "a finite number");
        if (error == std::errc::result_out_of_range)
          {
            static const locale_t neutral =
              newlocale(LC_ALL_MASK, "C", nullptr);
            value = strtod_l(text.c_str(), nullptr, neutral);
          }
        if (!std::isfinite(value))
          fail(word, "a number that a double holds");
        return value;
      }

      double
      read_value(std::string_view &line) const
      {
        if (content.field == Field::pattern)
          return 1.;
        const auto word = take_word(line);
        if (content.field == Field::integer &&
            without_plus(word).find_first_not_of("0123456789-") !=
              std::string_view::npos)
          fail(word, "an integer");
        return real(word);
      }

      void
      read_entry(std::string_view line)
      {
        if (std::int64_t(content.entries.size()) == content.n_entries)
          lines.fail("has more than the announced " +
                     counted(content.n_entries, "entry"));
        MatrixEntry entry;
        entry.row    = index(line, content.n_rows, "a row");
        entry.column = index(line, content.n_columns, "a column");
        entry.value  = read_value(line);
        expect_end(line);
        if (content.symmetry != Symmetry::general && entry.column > entry.row)
          lines.fail(
            "has an entry above the diagonal of a symmetric matrix, "
            "of which the lower triangle is expected");
        if (content.symmetry == Symmetry::skew_symmetric &&
            entry.column == entry.row && entry.value != 0.)
          lines.fail(
            "has an entry on the diagonal of a skew-symmetric "
            "matrix, where zeros are");
        content.entries.push_back(entry);
      }

      LineReader lines;
      Content content;
    };

    SparseMatrix
    read_stream(std::istream &in, const std::string &name,
                const std::int64_t file_size)
    {
      return or_say_memory(name, [&] {
        Content content     = Parser(in, name).read(file_size);
        const int sign      = content.symmetry == Symmetry::general     ? 0
                              : content.symmetry == Symmetry::symmetric ? 1
                                                                        : -1;
        SparseMatrix matrix = rows_of_entries(
          static_cast<int>(content.n_rows), static_cast<int>(content.n_columns),
          std::move(content.entries), sign);
        if (const std::string what = defect(matrix); !what.empty())
          throw MatrixError("The matrix file '" + name + "' " + what + '.');
        return matrix;
      });
    }

    /// Opens a file and returns `read(stream, bytes)`; the bytes are 0 if they
    /// are not known.
    template <class Read>
    auto
    with_file(const std::string &file, const Read &read)
    {
      std::error_code failure;
      const auto status = std::filesystem::status(file, failure);
      const auto refuse = [&](const std::string &why) {
        throw MatrixError("The matrix file '" + file + "' " + why + '.');
      };
      if (!std::filesystem::exists(status))
        refuse("does not exist");
      if (std::filesystem::is_directory(status))
        refuse("is a folder");
      std::ifstream in(file, std::ios::binary);
      if (!in)
        refuse("cannot be opened");
      const auto size = std::filesystem::is_regular_file(status)
                          ? std::filesystem::file_size(file, failure)
                          : 0;
      return read(in, failure ? 0 : static_cast<std::int64_t>(size));
    }
  } // namespace


  SparseMatrix
  read_matrix_market(std::istream &in, const std::string &name)
  {
    return read_stream(in, name, 0);
  }


  SparseMatrix
  read_matrix_market(const std::string &file)
  {
    return with_file(file, [&](std::istream &in, const std::int64_t size) {
      return read_stream(in, file, size);
    });
  }


  std::vector<double>
  read_market_vector(const std::string &file)
  {
    return with_file(file, [&](std::istream &in, const std::int64_t size) {
      return or_say_memory(file,
                           [&] { return Parser(in, file).read_vector(size); });
    });
  }
} // namespace tessera
