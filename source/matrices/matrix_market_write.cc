#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/matrices/matrix_checks.h>
#include <tessera/matrices/matrix_market.h>

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

    /// Calls `put(characters, n)` for the text of a matrix, piece by piece.
    template <class Put>
    void
    write_text(const SparseMatrix &matrix, const Put &put)
    {
      std::string text = "%%MatrixMarket matrix coordinate real general\n" +
                         std::to_string(matrix.n_rows()) + ' ' +
                         std::to_string(matrix.n_columns) + ' ' +
                         std::to_string(matrix.n_nonzeros()) + '\n';
      put(text.data(), text.size());
      text.resize(piece_size);
      char *place           = text.data();
      char *const end       = text.data() + text.size();
      const auto &row_start = matrix.pattern.row_start;
      for (int row = 0; row < matrix.n_rows(); ++row)
        for (std::int64_t k = row_start[row]; k < row_start[row + 1]; ++k)
          {
            if (std::size_t(end - place) < longest_line)
              {
                put(text.data(), place - text.data());
                place = text.data();
              }
            place    = std::to_chars(place, end, row + 1).ptr;
            *place++ = ' ';
            place =
              std::to_chars(place, end, matrix.pattern.columns[k] + 1).ptr;
            *place++ = ' ';
            place    = std::to_chars(place, end, matrix.values[k],
                                     std::chars_format::general, 17)
                      .ptr;
            *place++ = '\n';
          }
      put(text.data(), place - text.data());
    }


    bool
    write_compressed(const SparseMatrix &matrix, const std::string &path)
    {
      // Level 1 is the fastest. Higher levels take several times as long, and
      // digits hardly become shorter.
      const gzFile file = gzopen(path.c_str(), "wb1");
      if (file == nullptr)
        return false;
      bool good = true;
      write_text(matrix, [&](const char *const text, const std::size_t n) {
        good = good && (n == 0 || gzwrite(file, text, unsigned(n)) > 0);
      });
      return gzclose(file) == Z_OK && good;
    }


    bool
    write_plain(const SparseMatrix &matrix, const std::string &path)
    {
      std::ofstream file(path, std::ios::binary | std::ios::trunc);
      write_matrix_market(matrix, file);
      file.close();
      return file.good();
    }
  } // namespace


  void
  write_matrix_market(const SparseMatrix &matrix, std::ostream &out)
  {
    check_matrix(matrix);
    write_text(matrix, [&](const char *const text, const std::size_t n) {
      out.write(text, static_cast<std::streamsize>(n));
    });
  }


  void
  write_matrix_market(const SparseMatrix &matrix, const std::string &file)
  {
    check_matrix(matrix);
    const bool compressed = std::filesystem::path(file).extension() == ".gz";
    replace_file(file, "matrix file", [&](const std::string &temporary) {
      return (compressed ? write_compressed : write_plain)(matrix, temporary);
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
