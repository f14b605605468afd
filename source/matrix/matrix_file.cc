#include "memory_error.h"

#include <tessera/base/binary_file.h>
#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <optional>

/// The file has a `Header`; what it is a copy of, filled up with zeros to whole
/// words of 8 bytes; and row starts, values and columns.
namespace tessera
{
  namespace
  {
    constexpr FileKind kind = {{"TSRMATR"}, FileKind().byte_order, 1};

    using Reader = BinaryReader<MatrixError>;

    constexpr int n_sections = 3; ///< row starts, values and columns

    struct Header
    {
      FileKind kind;
      std::int64_t n_rows       = 0;
      std::int64_t n_columns    = 0;
      std::int64_t n_nonzeros   = 0;
      std::int64_t origin_bytes = 0;
    };

    /// Hands bytes to a file in whole words of its checksum, however they
    /// arrive.
    class WholeWords
    {
    public:
      explicit WholeWords(BinaryWriter &file) : file(file)
      {}

      void
      put(const char *const bytes, const std::size_t n)
      {
        rest.insert(rest.end(), bytes, bytes + n);
        const std::size_t whole = rest.size() / word * word;
        file.put(rest.data(), whole);
        rest.erase(rest.begin(), rest.begin() + whole);
      }

      /// Ends a section, whose last word may be shorter.
      void
      finish()
      {
        file.put(rest.data(), rest.size());
        rest.clear();
      }

    private:
      static constexpr std::size_t word = sizeof(std::uint64_t);
      BinaryWriter &file;
      std::vector<char> rest;
    };

    void
    write_binary(const MatrixPart &part, const std::string &origin,
                 const std::string &path, const CollectBytes &collect)
    {
      Header header;
      header.kind         = kind;
      header.n_rows       = part.n_rows;
      header.n_columns    = part.rows.n_columns;
      header.n_nonzeros   = part.n_entries;
      header.origin_bytes = static_cast<std::int64_t>(origin.size());
      replace_file(path, "matrix file", [&](const std::string &temporary) {
        BinaryWriter file(temporary);
        file.put(&header, 1);
        file.put(origin.data(), origin.size());
        const std::int64_t first = 0;
        file.put(&first, 1);
        WholeWords words(file);
        for (int section = 0; section < n_sections; ++section)
          {
            collect(section, [&](const char *const bytes, const std::size_t n) {
              words.put(bytes, n);
            });
            words.finish();
          }
        return file.finish();
      });
    }

    void
    write_binary(const SparseMatrix &matrix, const std::string &origin,
                 const std::string &path)
    {
      check_matrix(matrix);
      const MatrixPart whole(matrix);
      write_binary(whole, origin, path,
                   [&](const int section, const TakeBytes &take) {
                     produce_binary(whole, section, take);
                   });
    }

    /// Hands an array to `take` in pieces, so that no copy of it is large.
    template <class T>
    void
    take_all(const std::vector<T> &values, const TakeBytes &take)
    {
      constexpr std::size_t piece = std::size_t(1) << 17;
      for (std::size_t i = 0; i < values.size(); i += piece)
        take(reinterpret_cast<const char *>(values.data() + i),
             std::min(piece, values.size() - i) * sizeof(T));
    }


    /// Reads the matrix of a file. If `origin` is not null, the file must be a
    /// copy of it.
    SparseMatrix
    read_binary(const std::string &path, const std::string *const origin)
    {
      Reader file(path, "matrix file");
      const Header header = file.header<Header>(kind, "binary matrix file");
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      file.require(
        header.n_rows >= 0 && header.n_rows < most && header.n_columns >= 0 &&
          header.n_columns <= most && header.n_nonzeros >= 0 &&
          header.n_nonzeros <= file.size() && header.origin_bytes >= 0 &&
          header.origin_bytes <= file.size() && header.origin_bytes % 8 == 0,
        "is damaged: its counts are out of range");
      file.check_size(sizeof(Header) + header.origin_bytes +
                      sizeof(std::int64_t) * (header.n_rows + 1) +
                      (sizeof(double) + sizeof(int)) * header.n_nonzeros +
                      sizeof(std::uint64_t));
      std::string stored(header.origin_bytes, '\0');
      file.get(stored.data(), stored.size());
      file.require(origin == nullptr || stored == *origin,
                   "is a copy of another file");

      SparseMatrix matrix;
      matrix.n_columns = static_cast<int>(header.n_columns);
      matrix.pattern.row_start.resize(header.n_rows + 1);
      matrix.pattern.columns.resize(header.n_nonzeros);
      matrix.values.resize(header.n_nonzeros);
      file.get(matrix.pattern.row_start.data(),
               matrix.pattern.row_start.size());
      file.get(matrix.values.data(), matrix.values.size());
      file.get(matrix.pattern.columns.data(), matrix.pattern.columns.size());
      file.finish();
      const std::string what = defect(matrix);
      file.require(what.empty(), "is damaged: it " + what);
      return matrix;
    }


    bool
    is_binary(const std::string &path)
    {
      auto begin = kind.magic;
      std::ifstream file(path, std::ios::binary);
      return file.read(begin.data(), begin.size()) && begin == kind.magic;
    }


    /// Returns path, size and time of change, padded to whole words of 8 bytes.
    std::string
    origin_of(const std::filesystem::path &path)
    {
      std::string origin =
        path.string() + '\n' +
        std::to_string(std::filesystem::file_size(path)) + '\n' +
        std::to_string(
          std::filesystem::last_write_time(path).time_since_epoch().count());
      origin.resize((origin.size() + 7) / 8 * 8, '\0');
      return origin;
    }


    /// Returns a name that depends on the path alone, not on the content.
    std::string
    name_of_copy(const std::filesystem::path &path)
    {
      const std::string whole = path.string();
      Checksum hash;
      hash.add(whole.data(), whole.size());
      char digits[17];
      std::snprintf(digits, sizeof(digits), "%016llx",
                    static_cast<unsigned long long>(hash.value));
      return path.filename().string().substr(0, 100) + '.' + digits + ".matrix";
    }


    std::optional<SparseMatrix>
    read_copy(const std::string &path, const std::string &origin)
    {
      try
        {
          return read_binary(path, &origin);
        }
      catch (const MatrixError &)
        {
          return std::nullopt;
        }
      catch (const std::bad_alloc &)
        {
          return std::nullopt;
        }
    }


    SparseMatrix
    load_with_copy(const std::string &file, const std::string &folder)
    {
      const auto source        = std::filesystem::canonical(file);
      const std::string origin = origin_of(source);
      const std::string copy =
        (std::filesystem::path(folder) / name_of_copy(source)).string();
      if (auto matrix = read_copy(copy, origin))
        return std::move(*matrix);
      SparseMatrix matrix = read_matrix_market(file);
      try
        {
          std::error_code failure;
          std::filesystem::create_directories(folder, failure);
          write_binary(matrix, origin, copy);
        }
      catch (const Error &error)
        {
          std::cerr << "warning: " << error.what() << std::endl;
        }
      return matrix;
    }
  } // namespace


  void
  write_matrix(const SparseMatrix &matrix, const std::string &file)
  {
    write_binary(matrix, "", file);
  }


  void
  write_matrix(const MatrixPart &part, const std::string &file,
               const CollectBytes &collect)
  {
    write_binary(part, "", file, collect);
  }


  void
  produce_binary(const MatrixPart &part, const int section,
                 const TakeBytes &take)
  {
    const SparsityPattern &pattern = part.rows.pattern;
    if (section == 1)
      return take_all(part.rows.values, take);
    if (section == 2)
      return take_all(pattern.columns, take);
    std::vector<std::int64_t> ends(pattern.row_start.begin() + 1,
                                   pattern.row_start.end());
    for (std::int64_t &end : ends)
      end += part.first_entry;
    take_all(ends, take);
  }


  SparseMatrix
  read_matrix(const std::string &file)
  {
    return or_say_memory(file, [&] { return read_binary(file, nullptr); });
  }


  SparseMatrix
  load_matrix(const std::string &file, const std::string &cache_folder)
  {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure))
      return read_matrix_market(file);
    if (is_binary(file))
      return read_matrix(file);
    if (cache_folder.empty())
      return read_matrix_market(file);
    try
      {
        return load_with_copy(file, cache_folder);
      }
    catch (const std::filesystem::filesystem_error &)
      {
        throw MatrixError("The matrix file '" + file +
                          "' cannot be found again.");
      }
  }
} // namespace tessera
