#include "sell_shapes.h"

#include <tessera/base/error.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/sell.h>

using namespace tessera;

// Sliced ELLPACK: layouts written down by hand, and products of rows that no
// mesh gives.
namespace
{
  /// Rows that stand in a slice, by the places of their first entries.
  template <class Number>
  void
  check_slices(const SellMatrix<Number> &matrix, const test::Rows &rows)
  {
    const SellShape &shape = matrix.shape();
    const Backend backend  = matrix.backend();
    const int n            = matrix.n_slices();
    const auto start = test::copy_of(backend, matrix.slice_start(), n + 1);
    const auto first = test::copy_of(backend, matrix.slice_rows(), n + 1);
    const auto log2  = test::copy_of(backend, matrix.log2_threads(), n);
    std::vector<int> sorted(rows.lengths.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    if (matrix.permutation() != nullptr)
      sorted = test::copy_of(backend, matrix.permutation(), sorted.size());

    // Every row is there once, and in its window.
    std::vector<int> where(sorted.size(), -1);
    const int window =
      shape.window == 0 ? static_cast<int>(sorted.size()) : shape.window;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      {
        ASSERT_EQ(where.at(sorted[i]), -1);
        where[sorted[i]] = static_cast<int>(i);
        EXPECT_EQ(static_cast<int>(i) / window, sorted[i] / window);
        if (i % window != 0 && window > 1)
          {
            EXPECT_GE(rows.lengths[sorted[i - 1]], rows.lengths[sorted[i]]);
          }
      }

    ASSERT_EQ(first[n], static_cast<int>(sorted.size()));
    int widest = 0;
    for (int s = 0; s < n; ++s)
      {
        const int threads = 1 << log2[s];
        EXPECT_GE(threads, shape.threads_per_row);
        EXPECT_LE(threads, std::min(shape.lanes, 32));
        EXPECT_LE((first[s + 1] - first[s]) * threads, shape.lanes);
        int width = 0;
        for (int i = first[s]; i < first[s + 1]; ++i)
          width =
            std::max(width, (rows.lengths[sorted[i]] + threads - 1) / threads);
        if (shape.one_width)
          {
            EXPECT_GE(start[s + 1] - start[s],
                      std::int64_t(width) * shape.lanes);
            EXPECT_EQ(start[s + 1] - start[s], start[1]);
            widest = std::max(widest, width);
          }
        else
          EXPECT_EQ(start[s + 1] - start[s], std::int64_t(width) * shape.lanes);
        if (shape.threshold > 0 && threads < std::min(shape.lanes, 32))
          {
            EXPECT_LE(width, shape.threshold);
          }
        if (threads > shape.threads_per_row)
          {
            // With half the lanes a row, and the rows that then fit, one would
            // have had too many entries.
            int longest    = 0;
            const int last = std::min<int>(first[s] + 2 * shape.lanes / threads,
                                           sorted.size());
            for (int i = first[s]; i < last; ++i)
              longest = std::max(longest, rows.lengths[sorted[i]]);
            EXPECT_GT(longest, shape.threshold * threads / 2);
          }
      }
    if (shape.one_width && n > 0)
      {
        EXPECT_EQ(start[1], std::int64_t(widest) * shape.lanes);
      }
  }

  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows, const SellShape &shape)
  {
    const test::RowProblem<Number> problem(rows);
    const CsrPattern pattern(problem.pattern, backend);
    SellMatrix<Number> matrix(pattern, shape);
    check_slices(matrix, rows);
    // Where assembly finds an entry is where its column stands.
    const SparsityPattern back = matrix.pattern();
    EXPECT_EQ(back.row_start, problem.pattern.row_start);
    EXPECT_EQ(back.columns, problem.pattern.columns);
    const Array<Number> values(backend, problem.a);
    place_values(matrix, pattern.row_start, values);
    const Sell<Number> A(std::move(matrix), problem.n_tail);
    problem.check(A);
  }
} // namespace

TEST(Sell, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::all_rows())
      for (const SellShape &shape : test::shapes())
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", " +
                       test::describe(shape));
          check<double>(backend, rows, shape);
          check<float>(backend, rows, shape);
        }
}

TEST(Sell, LongerRowsStandFirst)
{
  // Rows of 1, 3, 0 and 2 entries, two lanes a slice:
  const SparsityPattern pattern{{0, 1, 4, 4, 6}, {2, 0, 1, 3, 1, 2}};
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend), {2, 0});
      EXPECT_EQ(matrix.n_slices(), 2);
      // rows 1 and 3, three wide; rows 0 and 2, one wide
      EXPECT_EQ(test::columns_of(matrix),
                (std::vector<int>{0, 1, 1, 2, 3, 3, 2, 2}));
      EXPECT_EQ(test::copy_of(backend, matrix.permutation(), 4),
                (std::vector<int>{1, 3, 0, 2}));
      EXPECT_EQ(matrix.padding(), 8 / 6.);
    }
}

TEST(Sell, LanesOfARowTakeItsEntriesInTurn)
{
  // Rows of 5 and 2 entries, two lanes each:
  const SparsityPattern pattern{{0, 5, 7}, {0, 1, 2, 3, 4, 5, 6}};
  for (const Backend backend : test::backends())
    {
      const SellMatrix<float> matrix(CsrPattern(pattern, backend), {4, 1, 2});
      EXPECT_EQ(test::columns_of(matrix),
                (std::vector<int>{0, 1, 5, 6, 2, 3, 1, 1, 4, 0, 1, 1}));
      EXPECT_EQ(matrix.permutation(), nullptr);
    }
}

TEST(Sell, AThresholdHalvesRowsAgainAndAgain)
{
  // One of 40, which takes all of a slice, then eight of 3, one lane each.
  std::vector<int> lengths(9, 3);
  lengths[4]                    = 40;
  const SparsityPattern pattern = test::make_pattern({"", 64, lengths});
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend),
                                      {8, 0, 1, 3});
      const int n = matrix.n_slices();
      ASSERT_EQ(n, 2);
      EXPECT_EQ(test::copy_of(backend, matrix.log2_threads(), n),
                (std::vector<std::uint8_t>{3, 0}));
      EXPECT_EQ(test::copy_of(backend, matrix.slice_start(), n + 1),
                (std::vector<std::int64_t>{0, 40, 64}));
    }
}

TEST(Sell, ShapesThatDoNotExistAreRefused)
{
  const auto message = [](const SellShape &shape) -> std::string {
    try
      {
        check_shape(shape);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({48}),
            "The number of lanes of a slice of sliced ELLPACK "
            "was given as 48; legal is a power of two from 1 to "
            "256.");
  EXPECT_NE(message({0}), "");
  EXPECT_NE(message({512}), "");
  EXPECT_NE(message({-32}), "");
  EXPECT_NE(message({32, -1}), "");
  EXPECT_EQ(message({8, 1, 16}),
            "The number of threads per row of sliced ELLPACK was given as 16; "
            "legal is a power of two from 1 to 8 with slices of 8.");
  EXPECT_NE(message({64, 1, 64}), "");
  EXPECT_NE(message({32, 1, 3}), "");
  EXPECT_NE(message({32, 1, 1, -1}), "");
}
