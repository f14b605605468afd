#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_market.h>

#include <zlib.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iomanip>

namespace tessera
{
  namespace
  {
    constexpr std::size_t piece_size = 1 << 20;
    /// An entry has two integers of 10 digits, a number of 17, and punctuation.
    constexpr std::size_t longest_line = 64;

    std::string
    head_of(const MatrixPart &part)
    {
      return "%%MatrixMarket matrix coordinate real general\n" +
             std::to_string(part.n_rows) + ' ' +
             std::to_string(part.rows.n_columns) + ' ' +
             std::to_string(part.n_entries) + '\n';
    }


    bool
    write_compressed(const std::string &head, const CollectBytes &collect,
                     const std::string &path)
    {
      // Level 1 is the fastest. Higher levels take several times as long, and
      // digits hardly become shorter.
      const gzFile file = gzopen(path.c_str(), "wb1");
      if (file == nullptr)
        return false;
      bool good      = true;
      const auto put = [&](const char *const text, const std::size_t n) {
        good = good && (n == 0 || gzwrite(file, text, unsigned(n)) > 0);
      };
      put(head.data(), head.size());
      try
        {
          collect(0, put);
        }
      catch (...)
        {
          gzclose(file);
          throw;
        }
      return gzclose(file) == Z_OK && good;
    }


    bool
    write_plain(const std::string &head, const CollectBytes &collect,
                const std::string &path)
    {
      std::ofstream file(path, std::ios::binary | std::ios::trunc);
      file << head;
      collect(0, [&](const char *const text, const std::size_t n) {
        file.write(text, static_cast<std::streamsize>(n));
      });
      file.close();
      return file.good();
    }
  } // namespace


  void
  produce_market(const MatrixPart &part, const TakeBytes &take)
  {
    std::vector<char> text(piece_size);
    char *place           = text.data();
    char *const end       = text.data() + text.size();
    const auto &row_start = part.rows.pattern.row_start;
    for (int row = 0; row < part.rows.n_rows(); ++row)
      for (std::int64_t k = row_start[row]; k < row_start[row + 1]; ++k)
        {
          if (std::size_t(end - place) < longest_line)
            {
              take(text.data(), place - text.data());
              place = text.data();
            }
          place    = std::to_chars(place, end, part.first_row + row + 1).ptr;
          *place++ = ' ';
          place =
            std::to_chars(place, end, part.rows.pattern.columns[k] + 1).ptr;
          *place++ = ' ';
          place    = std::to_chars(place, end, part.rows.values[k],
                                   std::chars_format::general, 17)
                    .ptr;
          *place++ = '\n';
        }
    take(text.data(), place - text.data());
  }


  void
  write_matrix_market(const MatrixPart &part, const std::string &file,
                      const CollectBytes &collect)
  {
    const bool compressed = std::filesystem::path(file).extension() == ".gz";
    replace_file(file, "matrix file", [&](const std::string &temporary) {
      return (compressed ? write_compressed : write_plain)(head_of(part),
                                                           collect, temporary);
    });
  }


  void
  write_matrix_market(const SparseMatrix &matrix, std::ostream &out)
  {
    check_matrix(matrix);
    const MatrixPart whole(matrix);
    out << head_of(whole);
    produce_market(whole, [&](const char *const text, const std::size_t n) {
      out.write(text, static_cast<std::streamsize>(n));
    });
  }


  void
  write_matrix_market(const SparseMatrix &matrix, const std::string &file)
  {
    check_matrix(matrix);
    const MatrixPart whole(matrix);
    write_matrix_market(whole, file, [&](int, const TakeBytes &take) {
      produce_market(whole, take);
    });
  }


  void
  write_market_vector(const std::vector<double> &values,
                      const std::string &file)
  {
    write_file(file, "vector file", [&](std::ostream &out) {
      out << "%%MatrixMarket matrix array real general\n"
          << values.size() << " 1\n"
          << std::setprecision(17);
      for (const double value : values)
        out << value << '\n';
    });
  }
} // namespace tessera
