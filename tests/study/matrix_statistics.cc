#include "generated.h"

#include <tessera/base/error.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/study/matrices/matrix_generator.h>
#include <tessera/study/matrices/matrix_statistics.h>
#include <tessera/study/matrices/matrix_suite.h>
#include <tessera/study/matrix/hybrid.h>

#include <algorithm>
#include <set>

using namespace tessera;

namespace
{
  using Places = std::set<std::pair<int, int>>;

  Places
  places_of(const SparseMatrix &matrix)
  {
    Places places;
    test::for_each_entry(
      matrix, [&](const int i, const int j, double) { places.emplace(i, j); });
    return places;
  }

  /// Computes all numbers from their definitions.
  void
  check(const SparseMatrix &matrix, const int line_entries)
  {
    const MatrixStatistics s = matrix_statistics(matrix, line_entries);
    const Places places      = places_of(matrix);
    const double n = matrix.n_rows(), nz = places.size();
    std::vector<int> lengths(matrix.n_rows(), 0), first(matrix.n_rows());
    for (int row = 0; row < matrix.n_rows(); ++row)
      first[row] = row;
    std::set<std::pair<int, int>> lines;
    double distances = 0, deviation = 0, profile = 0;
    int half_bandwidth = 0;
    bool symmetric     = matrix.n_rows() == matrix.n_columns;
    for (const auto &[i, j] : places)
      {
        ++lengths[i];
        first[i] = std::min(first[i], j);
        lines.emplace(i / 32, j / line_entries);
        distances += std::abs(i - j);
        half_bandwidth = std::max(half_bandwidth, std::abs(i - j));
        symmetric &= places.count({j, i}) == 1;
      }
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        deviation += std::pow(lengths[row] - nz / n, 2);
        profile += row - first[row];
      }
    EXPECT_EQ(s.n_rows, matrix.n_rows());
    EXPECT_EQ(s.n_columns, matrix.n_columns);
    EXPECT_EQ(s.n_nonzeros, nz);
    EXPECT_EQ(s.shortest_row,
              *std::min_element(lengths.begin(), lengths.end()));
    EXPECT_EQ(s.longest_row, *std::max_element(lengths.begin(), lengths.end()));
    EXPECT_DOUBLE_EQ(s.mean_row, nz / n);
    EXPECT_NEAR(s.deviation, std::sqrt(deviation / n),
                1e-9 * (1 + s.longest_row));
    ASSERT_EQ(s.histogram.size(), std::size_t(s.longest_row) + 1);
    for (int l = 0; l <= s.longest_row; ++l)
      EXPECT_EQ(s.histogram[l], std::count(lengths.begin(), lengths.end(), l));
    EXPECT_EQ(s.n_empty_rows, s.histogram[0]);
    EXPECT_EQ(s.half_bandwidth, half_bandwidth);
    EXPECT_EQ(s.profile, profile);
    EXPECT_DOUBLE_EQ(s.mean_distance, nz == 0 ? 0 : distances / nz);
    EXPECT_EQ(s.symmetric_pattern, symmetric);
    EXPECT_DOUBLE_EQ(s.lines_per_entry, nz == 0 ? 0 : lines.size() / nz);
  }

  /// Calls f for all names, with as many rows as a test with sets can handle.
  template <class F>
  void
  for_each_matrix(const F &f)
  {
    for (const SuiteMatrix &line : matrix_suite())
      {
        SCOPED_TRACE(line.name);
        f(make_suite_matrix(line.name, std::min(300. / line.n_rows, 1.)));
      }
  }

  SparseMatrix
  matrix_of(SparsityPattern pattern, const int n_columns)
  {
    const std::size_t n = pattern.columns.size();
    return {std::move(pattern), n_columns, std::vector<double>(n, 1)};
  }

  /// Returns rows of 3, 1, 0, 2 and 1 entries.
  SparseMatrix
  small_matrix()
  {
    return matrix_of({{0, 3, 4, 4, 6, 7}, {0, 1, 4, 0, 2, 3, 0}}, 5);
  }
} // namespace

TEST(MatrixStatistics, OfASmallMatrix)
{
  const MatrixStatistics s = matrix_statistics(small_matrix(), 2);
  EXPECT_EQ(s.n_rows, 5);
  EXPECT_EQ(s.n_nonzeros, 7);
  EXPECT_EQ(s.shortest_row, 0);
  EXPECT_EQ(s.longest_row, 3);
  EXPECT_EQ(s.n_empty_rows, 1);
  EXPECT_EQ(s.histogram, (std::vector<std::int64_t>{1, 2, 1, 1}));
  EXPECT_DOUBLE_EQ(s.mean_row, 1.4);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(1.04));
  EXPECT_EQ(s.half_bandwidth, 4);
  EXPECT_EQ(s.profile, 1 + 1 + 4);
  EXPECT_DOUBLE_EQ(s.mean_distance, (0 + 1 + 4 + 1 + 1 + 0 + 4) / 7.);
  EXPECT_FALSE(s.symmetric_pattern);
  EXPECT_DOUBLE_EQ(s.lines_per_entry, 3 / 7.); // lines are 0 and 1, 2 and 3, 4
}

TEST(MatrixStatistics, AreWhatTheirDefinitionsSay)
{
  for_each_matrix([](const SparseMatrix &matrix) {
    check(matrix, 16);
    check(matrix, 5);
  });
}

TEST(MatrixStatistics, OfNothing)
{
  const SparseMatrix matrix = matrix_of({{0}, {}}, 3);
  const MatrixStatistics s  = matrix_statistics(matrix);
  EXPECT_EQ(s.n_columns, 3);
  EXPECT_EQ(s.longest_row + s.half_bandwidth + s.n_rows, 0);
  EXPECT_EQ(s.mean_row + s.deviation + s.mean_distance + s.lines_per_entry, 0);
  for (const double padding :
       {ell_padding(matrix.pattern), hybrid_padding(matrix.pattern),
        sliced_ell_padding(matrix.pattern, 32, 64)})
    EXPECT_EQ(padding, 1);
  EXPECT_EQ(pattern_picture(matrix, 2), std::vector<std::int64_t>(4, 0));
}

TEST(MatrixStatistics, SeeSymmetry)
{
  SparseMatrix matrix = matrix_of({{0, 2, 4, 6}, {0, 1, 0, 2, 1, 2}}, 3);
  EXPECT_TRUE(matrix_statistics(matrix).symmetric_pattern);
  matrix.pattern.columns[3] = 1;
  EXPECT_FALSE(matrix_statistics(matrix).symmetric_pattern);
  matrix.pattern.columns[3] = 2;
  matrix.n_columns          = 4;
  EXPECT_FALSE(matrix_statistics(matrix).symmetric_pattern);
}

TEST(MatrixStatistics, PaddingIsThatOfTheFormats)
{
  for_each_matrix([](const SparseMatrix &matrix) {
    const CsrPattern pattern(matrix.pattern, Backend::host);
    EXPECT_DOUBLE_EQ(ell_padding(matrix.pattern),
                     EllMatrix<float>(pattern).padding());
    const HybridMatrix<float> hybrid(pattern);
    EXPECT_EQ(hybrid_width(matrix.pattern), hybrid.width());
    EXPECT_DOUBLE_EQ(hybrid_padding(matrix.pattern), hybrid.padding());
  });
}

TEST(MatrixStatistics, PaddingOfSlices)
{
  const SparsityPattern pattern = small_matrix().pattern; // 3 1 0 2 1
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 1, 1), 1);
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 2, 1), 2 * (3 + 2 + 1) / 7.);
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 2, 4), 2 * (3 + 1 + 1) / 7.);
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 2, 5), 2 * (3 + 1 + 0) / 7.);
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 3, 2), 3 * (3 + 1) / 7.);
  EXPECT_DOUBLE_EQ(sliced_ell_padding(pattern, 8, 100), 8 * 3 / 7.);
  for_each_matrix([](const SparseMatrix &matrix) {
    const SparsityPattern &p = matrix.pattern;
    // Slices of 32 rows follow one another, but all have one width.
    EXPECT_LE(sliced_ell_padding(p, 32, 1), ell_padding(p));
    EXPECT_LE(sliced_ell_padding(p, 32, matrix.n_rows()),
              sliced_ell_padding(p, 32, 1));
    EXPECT_EQ(sliced_ell_padding(p, 1, 7), 1);
  });
}

TEST(MatrixStatistics, PicturesCountEntries)
{
  EXPECT_EQ(pattern_picture(small_matrix(), 1), (std::vector<std::int64_t>{7}));
  for_each_matrix([](const SparseMatrix &matrix) {
    for (const int n : {1, 7, 40, 500})
      {
        std::vector<std::int64_t> wanted(n * n, 0);
        test::for_each_entry(
          matrix, [&](const std::int64_t i, const std::int64_t j, double) {
            ++wanted[i * n / matrix.n_rows() * n + j * n / matrix.n_columns];
          });
        EXPECT_EQ(pattern_picture(matrix, n), wanted);
      }
  });
}

TEST(MatrixStatistics, IllegalSizesAreRefused)
{
  const SparseMatrix matrix = small_matrix();
  EXPECT_THROW(matrix_statistics(matrix, 0), ParameterError);
  EXPECT_THROW(sliced_ell_padding(matrix.pattern, 0, 1), ParameterError);
  EXPECT_THROW(sliced_ell_padding(matrix.pattern, 1, 0), ParameterError);
  EXPECT_THROW(pattern_picture(matrix, 0), ParameterError);
  EXPECT_THROW(pattern_picture(matrix, 46341), ParameterError);
}
