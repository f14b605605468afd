#include "matrices.h"

#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::test;

namespace
{
  constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Returns the defect of a good matrix after `change`.
  template <class Change>
  std::string
  defect_after(const Change &change)
  {
    SparseMatrix matrix =
      make_matrix(4, {0, 2, 2, 4}, {0, 3, 1, 2}, {1, 2, 3, 4});
    EXPECT_EQ(defect(matrix), "");
    EXPECT_NO_THROW(check_matrix(matrix));
    change(matrix);
    const std::string what = defect(matrix);
    EXPECT_EQ(error_of<MatrixError>([&] { check_matrix(matrix); }),
              what.empty() ? "" : "The matrix " + what + ".");
    return what;
  }
} // namespace

TEST(MatrixChecks, Defects)
{
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start.clear(); }),
            "has no legal numbers of rows and columns");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.n_columns = -1; }),
            "has no legal numbers of rows and columns");
  const std::string fit =
    "has row starts, columns and values that do not fit together";
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.values.pop_back(); }), fit);
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start[0] = 1; }),
            fit);
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start[3] = 3; }),
            fit);
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start[2] = 1; }),
            "has row starts that do not increase at row 2");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start[1] = 5; }),
            "has row starts that do not increase at row 1");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.row_start[1] = -1; }),
            "has row starts that do not increase at row 1");
  const std::string column =
    "has a column that does not exist or does not increase in row ";
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.columns[2] = -1; }),
            column + "3, column 0");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.columns[3] = 4; }),
            column + "3, column 5");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.pattern.columns[3] = 1; }),
            column + "3, column 2");
  for (const double value : {infinity, -infinity, std::nan("")})
    EXPECT_EQ(defect_after([=](SparseMatrix &A) { A.values[1] = value; }),
              "has a value that is not finite in row 1, column 4");
  EXPECT_EQ(defect_after([](SparseMatrix &A) { A.values[1] = -0.; }), "");
}

TEST(MatrixChecks, ValuesThatAreTooLargeForFloat)
{
  const double most = std::numeric_limits<float>::max();
  SparseMatrix large =
    make_matrix(4, {0, 2, 2, 4}, {0, 3, 1, 2}, {most, -most, 1e-300, 4});
  EXPECT_NO_THROW(check_fits<float>(large));
  large.values[2] = -1e39;
  EXPECT_NO_THROW(check_fits<double>(large));
  EXPECT_EQ(error_of<MatrixError>([&] { check_fits<float>(large); }),
            "The matrix has the value -1e+39 in row 3, column 2, which is "
            "beyond the largest float, 3.40282e+38.");
  large.values[2] = infinity; // is no finite value
  EXPECT_NO_THROW(check_fits<float>(large));
}

/// A row may have small values beside others and zeros, but must not vanish.
TEST(MatrixChecks, ValuesThatAreTooSmallForFloat)
{
  SparseMatrix small =
    make_matrix(4, {0, 2, 2, 4}, {0, 3, 1, 2}, {0, -0., 1e-300, -2e-38});
  EXPECT_NO_THROW(check_fits<float>(small));
  small.values[3] = -1e-38; // is stored with fewer digits, or as zero
  EXPECT_NO_THROW(check_fits<double>(small));
  EXPECT_EQ(error_of<MatrixError>([&] { check_fits<float>(small); }),
            "The matrix has no value beyond 1e-38 in row 3, which is below the "
            "smallest float, 1.17549e-38.");
}
