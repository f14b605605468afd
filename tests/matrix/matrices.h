#pragma once

#include "bytes.h"
#include "matrix/rows.h"

#include <tessera/base/error.h>
#include <tessera/matrix/matrix_checks.h>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

// Matrices, and files with matrices.
namespace tessera::test
{
  inline SparseMatrix
  make_matrix(const int n_columns, const std::vector<std::int64_t> &row_start,
              const std::vector<int> &columns,
              const std::vector<double> &values)
  {
    return {{row_start, columns}, n_columns, values};
  }

  /// Returns a matrix with values in [-1, 1] of all magnitudes.
  inline SparseMatrix
  make_matrix(const Rows &rows)
  {
    SparseMatrix matrix;
    matrix.pattern   = make_pattern(rows);
    matrix.n_columns = rows.n_columns;
    matrix.values    = random_values<double>(matrix.pattern.columns.size(), 5);
    for (std::size_t k = 0; k < matrix.values.size(); ++k)
      matrix.values[k] *= std::pow(10., -double(k * 37 % 320));
    return matrix;
  }

  inline void
  expect_equal(const SparseMatrix &a, const SparseMatrix &b)
  {
    EXPECT_EQ(defect(a), "");
    EXPECT_EQ(a.n_columns, b.n_columns);
    EXPECT_EQ(a.pattern.row_start, b.pattern.row_start);
    EXPECT_EQ(a.pattern.columns, b.pattern.columns);
    EXPECT_EQ(a.values, b.values);
  }

  /// Returns the sentence of the error with which `work` ends.
  template <class ErrorType>
  std::string
  error_of(const std::function<void()> &work)
  {
    try
      {
        work();
        return "";
      }
    catch (const ErrorType &error)
      {
        return error.what();
      }
  }

  /// Provides a folder that is removed at the end of the test.
  class MatrixFolder : public testing::Test
  {
  protected:
    const std::string folder =
      testing::TempDir() + "tessera_matrix_" + std::to_string(getpid()) + '/';
    const std::string path = folder + "a.mtx";

    MatrixFolder()
    {
      std::filesystem::create_directories(folder);
    }

    ~MatrixFolder() override
    {
      std::filesystem::remove_all(folder);
    }

    std::vector<std::string>
    names(const std::string &subfolder = "") const
    {
      std::vector<std::string> result;
      for (const auto &entry :
           std::filesystem::directory_iterator(folder + subfolder))
        result.push_back(entry.path().filename().string());
      std::sort(result.begin(), result.end());
      return result;
    }
  };
} // namespace tessera::test
