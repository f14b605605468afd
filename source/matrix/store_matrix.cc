#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>
#include <tessera/matrix/store_matrix.h>

#include <filesystem>

namespace tessera
{
  namespace
  {
    bool
    ends_in(const std::string &text, const std::string &ending)
    {
      return text.size() > ending.size() &&
             text.compare(text.size() - ending.size(), ending.size(), ending) ==
               0;
    }

    enum class Kind
    {
      text,
      binary
    };

    Kind
    kind_of(const std::string &file)
    {
      const std::string name = std::filesystem::path(file).filename().string();
      if (ends_in(name, ".matrix"))
        return Kind::binary;
      if (ends_in(name, ".mtx") || ends_in(name, ".mtx.gz"))
        return Kind::text;
      throw ParameterError("A matrix cannot be written to '" + file +
                           "'; legal endings are .mtx and .mtx.gz for Matrix "
                           "Market, and .matrix for a binary file.");
    }
  } // namespace


  void
  check_can_store(const std::string &file)
  {
    kind_of(file);
    if (!can_replace(file))
      throw ParameterError("The matrix file '" + file + "' cannot be written.");
  }


  void
  store_matrix(const SparseMatrix &matrix, const std::string &file)
  {
    const MatrixPart whole(matrix);
    store_matrix(whole, file, [&](const int section, const TakeBytes &take) {
      produce_part(whole, file, section, take);
    });
  }


  void
  store_matrix(const MatrixPart &part, const std::string &file,
               const CollectBytes &collect)
  {
    if (kind_of(file) == Kind::binary)
      write_matrix(part, file, collect);
    else
      write_matrix_market(part, file, collect);
  }


  void
  produce_part(const MatrixPart &part, const std::string &file,
               const int section, const TakeBytes &take)
  {
    if (section == 0)
      check_matrix(part.rows, part.first_row);
    if (kind_of(file) == Kind::binary)
      produce_binary(part, section, take);
    else
      produce_market(part, take);
  }
} // namespace tessera
