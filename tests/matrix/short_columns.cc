#include "compressed_slices.h"

#include <cmath>
#include <limits>

using namespace tessera;

// Columns in 16 bits: words written down by hand, all columns back bit by bit,
// slices that reach too far, and products of rows that no mesh gives.
namespace
{
  /// What is stored, on the host.
  struct Stored
  {
    std::vector<std::uint32_t> words;
    std::vector<int> bases;
    int n_short;
    std::size_t bytes;
  };

  template <class Number>
  Stored
  shorten(const SellMatrix<Number> &matrix)
  {
    const Backend backend     = matrix.backend();
    const std::size_t n_lanes = matrix.shape().lanes;
    const std::size_t places  = matrix.values().size();
    const ShortColumns columns(backend, matrix.slices(), matrix.columns(),
                               places);
    const ShortColumns::View view = columns.view(matrix.columns());
    EXPECT_EQ(view.columns, matrix.columns());
    const std::size_t n_pairs = (places / n_lanes + matrix.n_slices() + 1) / 2;
    return {test::copy_of(backend, view.words, n_pairs * n_lanes),
            test::copy_of(backend, view.bases, matrix.n_slices()),
            columns.n_short(), columns.bytes()};
  }

  Stored
  shorten(const SparsityPattern &pattern, const Backend backend,
          const SellShape &shape = {})
  {
    return shorten(SellMatrix<float>(CsrPattern(pattern, backend), shape));
  }

  /// All places of lanes with a row, padding too.
  template <class Number>
  void
  check_columns(const SellMatrix<Number> &matrix)
  {
    const Stored stored   = shorten(matrix);
    const Backend backend = matrix.backend();
    const int n = matrix.n_slices(), n_lanes = matrix.shape().lanes;
    const auto columns = test::columns_of(matrix);
    const auto start   = test::copy_of(backend, matrix.slice_start(), n + 1);
    const auto first   = test::copy_of(backend, matrix.slice_rows(), n + 1);
    const auto log2    = test::copy_of(backend, matrix.log2_threads(), n);
    int n_short        = 0;
    std::size_t bytes  = 4 * n;
    for (int s = 0; s < n; ++s)
      {
        const std::int64_t line = start[s] / n_lanes;
        const std::int64_t end  = start[s + 1] / n_lanes;
        const int n_used        = (first[s + 1] - first[s]) << log2[s];
        std::vector<int> all;
        for (std::int64_t l = line; l < end; ++l)
          for (int lane = 0; lane < n_used; ++lane)
            all.push_back(columns[l * n_lanes + lane]);
        const bool fits = all.empty() ||
                          *std::max_element(all.begin(), all.end()) -
                              *std::min_element(all.begin(), all.end()) <
                            65536;
        EXPECT_EQ(stored.bases[s] != ShortColumns::reaches_further, fits);
        n_short += fits;
        bytes += 4 * n_lanes * (fits ? (end - line + 1) / 2 : end - line);
        if (!fits)
          continue;
        for (std::int64_t l = line; l < end; ++l)
          for (int lane = 0; lane < n_used; ++lane)
            {
              const std::uint32_t word =
                stored.words.at(((line + s + 1) / 2 + (l - line) / 2) * n_lanes +
                                lane);
              const std::uint32_t offset =
                (l - line) % 2 == 0 ? word % 65536 : word / 65536;
              EXPECT_EQ(stored.bases[s] + static_cast<int>(offset),
                        columns[l * n_lanes + lane]);
            }
      }
    EXPECT_EQ(stored.n_short, n_short);
    EXPECT_EQ(stored.bytes, bytes);
  }
} // namespace

TEST(ShortColumns, WordsByHand)
{
  // Two slices of two lanes. Rows {5}, {2, 6, 9}: the first has columns 5, 0,
  // 0, with its own row as padding, so that the base is 0; the second has rows
  // {70002, 70003}, {70001} and 3, its own row, as padding.
  const SparsityPattern far{{0, 1, 4, 6, 7}, {5, 2, 6, 9, 70002, 70003, 70001}};
  // The same without padding: base 70001. The fourth pair stays empty.
  const SparsityPattern near{{0, 1, 4, 6, 8},
                             {5, 2, 6, 9, 70002, 70003, 70001, 70004}};
  for (const Backend backend : test::backends())
    {
      Stored stored = shorten(far, backend, {2});
      EXPECT_EQ(stored.bases,
                (std::vector<int>{0, ShortColumns::reaches_further}));
      EXPECT_EQ(stored.n_short, 1);
      stored = shorten(near, backend, {2});
      EXPECT_EQ(stored.bases, (std::vector<int>{0, 70001}));
      EXPECT_EQ(stored.n_short, 2);
      // Lines 0 and 1, line 2 alone; the second slice begins with pair 2.
      EXPECT_EQ(stored.words,
                (std::vector<std::uint32_t>{5, 2 + (6 << 16), 0, 9,
                                            1 + (2 << 16), 0 + (3 << 16), 0,
                                            0}));
      EXPECT_EQ(stored.bytes, 4u * (4 + 2) + 4 * 2);
    }
}

TEST(ShortColumns, SixteenBitsAreEnoughUpToTheirLargestNumber)
{
  for (const Backend backend : test::backends())
    {
      EXPECT_EQ(shorten({{0, 2}, {0, 65535}}, backend, {1}).n_short, 1);
      EXPECT_EQ(shorten({{0, 2}, {0, 65536}}, backend, {1}).n_short, 0);
      EXPECT_EQ(shorten({{0, 2}, {2147418112, 2147483646}}, backend, {1})
                  .bases,
                (std::vector<int>{2147418112}));
    }
}

TEST(ShortColumns, LanesWithoutARowDoNotCount)
{
  // 70,001 rows of one entry: the last slice has 17 rows and 15 other lanes.
  SparsityPattern pattern{{0}, {}};
  for (int row = 0; row < 70001; ++row)
    {
      pattern.columns.push_back(row);
      pattern.row_start.push_back(row + 1);
    }
  for (const Backend backend : test::backends())
    EXPECT_EQ(shorten(pattern, backend).n_short, (70001 + 31) / 32);
}

TEST(ShortColumns, AgreeWithASerialLoop)
{
  int turn = 0;
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::all_rows())
      for (const SellShape &shape : test::shapes())
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", " +
                       test::describe(shape));
          const auto check = [&](const auto &problem, const SliceValues values,
                                 const std::size_t value_bytes) {
            if (test::left_out(turn++, 5))
              return;
            const auto A = test::make_compressed<ShortColumns>(backend, problem,
                                                               shape, values);
            check_columns(A.matrix());
            problem.check(A);
            test::check_bytes(A, value_bytes);
          };
          check(test::RowProblem<double>(rows), SliceValues::number, 8);
          check(test::RowProblem<float>(rows), SliceValues::single_float, 4);
          // Values that float holds are multiplied and summed in double.
          check(test::RowProblem<double, float>(rows),
                SliceValues::single_float, 4);
        }
}

TEST(ShortColumns, SlicesThatReachFurtherAreMultipliedToo)
{
  // Every other slice of 32 rows has columns at both ends of 100,000.
  const int n = 100000;
  SparsityPattern pattern{{0}, {}};
  std::vector<double> a;
  for (int row = 0; row < n; ++row)
    {
      for (int k = 0; k <= row % 5; ++k)
        pattern.columns.push_back(row / 32 % 2 == 0 ? std::min(row + k, n - 1)
                                                    : (row + 21013 * k) % n);
      auto &columns = pattern.columns;
      std::sort(columns.end() - row % 5 - 1, columns.end());
      columns.erase(std::unique(columns.end() - row % 5 - 1, columns.end()),
                    columns.end());
      pattern.row_start.push_back(columns.size());
    }
  for (std::size_t k = 0; k < pattern.columns.size(); ++k)
    a.push_back(1 + k % 7);
  std::vector<double> x(n), product(n);
  for (int row = 0; row < n; ++row)
    x[row] = row % 11 - 5;
  for (int row = 0; row < n; ++row)
    for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1]; ++k)
      product[row] += a[k] * x[pattern.columns[k]];
  for (const Backend backend : test::backends())
    for (const SellShape &shape :
         {SellShape{}, SellShape{16, 64}, SellShape{32, 0, 1, 2}})
      {
        const CsrPattern rows(pattern, backend);
        SellShort<double> A(SellMatrix<double>(rows, shape), 0);
        place_values(A.matrix(), rows.row_start, Array<double>(backend, a));
        EXPECT_GT(A.columns().n_short(), 0);
        EXPECT_LT(A.columns().n_short(), A.matrix().n_slices());
        Vector<double> from = A.make_vector(), to = A.make_vector();
        from.copy_from(x);
        A.vmult(to, from);
        EXPECT_EQ(test::owned_values(to), product);
      }
}

TEST(ShortColumns, WhatIsNotFiniteStaysInItsRows)
{
  // Only row 3 asks for x[3], which is also within the reach of the other rows.
  const SparsityPattern pattern{{0, 1, 4, 6, 8, 9},
                                {0, 0, 1, 2, 1, 2, 2, 3, 4}};
  for (const Backend backend : test::backends())
    {
      const CsrPattern rows(pattern, backend);
      SellShort<double> A(SellMatrix<double>(rows), 0);
      place_values(A.matrix(), rows.row_start,
                   Array<double>(backend, std::vector<double>(9, 1)));
      Vector<double> x = A.make_vector(), y = A.make_vector();
      x.copy_from({1, 2, 3, std::numeric_limits<double>::infinity(), 5});
      A.vmult(y, x);
      // Padding of a row is 0 times its own x.
      std::vector<double> product = test::owned_values(y);
      EXPECT_FALSE(std::isfinite(product[3]));
      product[3] = 0;
      EXPECT_EQ(product, (std::vector<double>{1, 6, 5, 0, 5}));
    }
}
