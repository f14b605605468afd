#pragma once

#include "matrices.h"

#include <tessera/matrix/matrix_market.h>

#include <sstream>

// Texts of Matrix Market files, and the errors that they cause.
namespace tessera::test
{
  inline const std::string general =
    "%%MatrixMarket matrix coordinate real general\n";
  inline const std::string symmetric =
    "%%MatrixMarket matrix coordinate real symmetric\n";

  inline SparseMatrix
  parse(const std::string &text)
  {
    std::istringstream in(text);
    return read_matrix_market(in, "a");
  }

  inline std::string
  refusal(const std::string &text)
  {
    return error_of<MatrixError>([&] { parse(text); });
  }

  /// Expects a text to be refused with this sentence.
  inline void
  expect_refused(const std::string &text, const std::string &sentence)
  {
    EXPECT_EQ(refusal(text), "The matrix file 'a" + sentence) << text;
  }

  inline std::string
  file_refusal(const std::string &path)
  {
    return error_of<MatrixError>([&] { read_matrix_market(path); });
  }
} // namespace tessera::test
