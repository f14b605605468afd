#include "compressed_slices.h"

#include <cmath>
#include <limits>
#include <set>

using namespace tessera;

// Tests columns in 16 bits: words written by hand, all columns recovered,
// slices that reach too far, and products with rows that no mesh has.
namespace
{
  /// The stored arrays, copied to the host.
  struct Stored
  {
    std::vector<std::uint32_t> words;
    std::vector<int> bases, line_bases;
    int n_with_base, n_with_line_bases;
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
    return {
      test::copy_of(backend, view.words, n_pairs * n_lanes),
      test::copy_of(backend, view.bases, matrix.n_slices()),
      columns.n_with_line_bases() > 0
        ? test::copy_of(backend, view.line_bases,
                        (places / n_lanes + 3 * matrix.n_slices() + 3) / 4 * 4)
        : std::vector<int>(),
      columns.n_with_base(),
      columns.n_with_line_bases(),
      columns.bytes()};
  }

  Stored
  shorten(const SparsityPattern &pattern, const Backend backend,
          const SellShape &shape = {})
  {
    return shorten(SellMatrix<float>(CsrPattern(pattern, backend), shape));
  }

  /// Recovers the columns of all places of lanes with a row, padding included.
  template <class Number>
  void
  check_columns(const SellMatrix<Number> &matrix)
  {
    const Stored stored = shorten(matrix);
    const test::HostSlices slices(matrix);
    const auto &[n, n_lanes, columns, start, first, log2] = slices;
    const auto reach = [&slices](const int s, const auto from, const auto to) {
      const int n_used = (slices.first[s + 1] - slices.first[s])
                         << slices.log2[s];
      std::vector<int> all;
      for (std::int64_t l = from; l < to; ++l)
        for (int lane = 0; lane < n_used; ++lane)
          all.push_back(slices.columns[l * slices.n_lanes + lane]);
      return all.empty() ? 0
                         : *std::max_element(all.begin(), all.end()) -
                             *std::min_element(all.begin(), all.end());
    };
    int n_with_base = 0, n_with_line_bases = 0;
    std::vector<bool> with_base(n), lines_fit(n, true);
    for (int s = 0; s < n; ++s)
      {
        const std::int64_t line = start[s] / n_lanes;
        const std::int64_t end  = start[s + 1] / n_lanes;
        with_base[s]            = reach(s, line, end) < 65536;
        for (std::int64_t l = line; l < end; ++l)
          lines_fit[s] = lines_fit[s] && reach(s, l, l + 1) < 65536;
        n_with_base += with_base[s];
        n_with_line_bases += lines_fit[s] && !with_base[s];
      }
    if (16 * n_with_line_bases < n + 16 - n % 16) // at most one of 16
      {
        n_with_line_bases = 0;
        lines_fit         = with_base;
      }
    std::size_t bytes = 4 * n;
    for (int s = 0; s < n; ++s)
      {
        const std::int64_t line = start[s] / n_lanes;
        const std::int64_t end  = start[s + 1] / n_lanes;
        bytes +=
          4 * n_lanes * (lines_fit[s] ? (end - line + 1) / 2 : end - line);
        EXPECT_EQ(stored.bases[s] >= 0, with_base[s]);
        if (!with_base[s])
          {
            EXPECT_EQ(stored.bases[s], lines_fit[s]
                                         ? ShortColumns::base_a_line
                                         : ShortColumns::reaches_further);
            bytes += lines_fit[s] ? 4 * (end - line) : 0;
          }
        const int n_used = (first[s + 1] - first[s]) << log2[s];
        for (std::int64_t l = line; lines_fit[s] && l < end; ++l)
          for (int lane = 0; lane < n_used; ++lane)
            {
              const std::uint32_t word = stored.words.at(
                ((line + s + 1) / 2 + (l - line) / 2) * n_lanes + lane);
              const std::uint32_t offset =
                (l - line) % 2 == 0 ? word % 65536 : word / 65536;
              const int base =
                with_base[s]
                  ? stored.bases[s]
                  : stored.line_bases.at((line + 3 * s + 3) / 4 * 4 + l - line);
              EXPECT_EQ(base + static_cast<int>(offset),
                        columns[l * n_lanes + lane]);
            }
      }
    EXPECT_EQ(stored.n_with_base, n_with_base);
    EXPECT_EQ(stored.n_with_line_bases, n_with_line_bases);
    EXPECT_EQ(stored.bytes, bytes);
  }
} // namespace

TEST(ShortColumns, WordsByHand)
{
  // There are two slices of two lanes. The first has rows {5} and {2, 6, 9};
  // row 0 is padded with its own number, so the base is 0. The second has rows
  // {70002, 70003} and {70001}, and 3, its own row, as padding.
  const SparsityPattern far{{0, 1, 4, 6, 7}, {5, 2, 6, 9, 70002, 70003, 70001}};
  // Without padding the base is 70001. The fourth pair stays empty.
  const SparsityPattern near{{0, 1, 4, 6, 8},
                             {5, 2, 6, 9, 70002, 70003, 70001, 70004}};
  for (const Backend backend : test::backends())
    {
      Stored stored = shorten(far, backend, {2});
      EXPECT_EQ(stored.bases,
                (std::vector<int>{0, ShortColumns::reaches_further}));
      EXPECT_EQ(stored.n_with_base, 1);
      EXPECT_EQ(stored.n_with_line_bases, 0);
      stored = shorten(near, backend, {2});
      EXPECT_EQ(stored.bases, (std::vector<int>{0, 70001}));
      EXPECT_EQ(stored.n_with_base, 2);
      // Lines 0 and 1 share words, line 2 is alone; slice 1 begins with pair 2.
      EXPECT_EQ(stored.words,
                (std::vector<std::uint32_t>{
                  5, 2 + (6 << 16), 0, 9, 1 + (2 << 16), 0 + (3 << 16), 0, 0}));
      EXPECT_EQ(stored.bytes, 4u * (4 + 2) + 4 * 2);

      // The columns of each line are near, but not in the whole slice.
      stored = shorten({{0, 2, 4}, {0, 70000, 3, 80000}}, backend, {2});
      EXPECT_EQ(stored.bases, (std::vector<int>{ShortColumns::base_a_line}));
      EXPECT_EQ(stored.line_bases,
                (std::vector<int>{0, 70000, 0, 0, 0, 0, 0, 0}));
      EXPECT_EQ(stored.words,
                (std::vector<std::uint32_t>{0, 3 + (10000 << 16), 0, 0}));
      EXPECT_EQ(stored.n_with_line_bases, 1);
      EXPECT_EQ(stored.bytes, 4u * 2 + 4 + 4 * 2);
    }
}

TEST(ShortColumns, SixteenBitsAreEnoughUpToTheirLargestNumber)
{
  for (const Backend backend : test::backends())
    {
      // There is one line of two lanes, then two lines of one lane.
      const SparsityPattern near{{0, 1, 2}, {0, 65535}};
      const SparsityPattern far{{0, 1, 2}, {0, 65536}};
      EXPECT_EQ(shorten(near, backend, {2}).bases, (std::vector<int>{0}));
      EXPECT_EQ(shorten(far, backend, {2}).bases,
                (std::vector<int>{ShortColumns::reaches_further}));
      EXPECT_EQ(shorten({{0, 2}, {0, 65535}}, backend, {1}).bases,
                (std::vector<int>{0}));
      EXPECT_EQ(shorten({{0, 2}, {0, 65536}}, backend, {1}).bases,
                (std::vector<int>{ShortColumns::base_a_line}));
      EXPECT_EQ(shorten({{0, 2}, {2147418112, 2147483646}}, backend, {1}).bases,
                (std::vector<int>{2147418112}));
    }
}

TEST(ShortColumns, LanesWithoutARowDoNotCount)
{
  // Of 70,001 rows with one entry, the last slice has 17; 15 lanes have no row.
  SparsityPattern pattern{{0}, {}};
  for (int row = 0; row < 70001; ++row)
    {
      pattern.columns.push_back(row);
      pattern.row_start.push_back(row + 1);
    }
  for (const Backend backend : test::backends())
    EXPECT_EQ(shorten(pattern, backend).n_with_base, (70001 + 31) / 32);
}

TEST(ShortColumns, AgreeWithASerialLoop)
{
  test::check_products<ShortColumns>(
    [](const auto &matrix) { check_columns(matrix); });
}

namespace
{
  /// Of three slices of 32 rows, the first has neighbours, the second lines of
  /// neighbours that are far apart or also neighbours, the third any columns.
  void
  check_slices_that_reach_further(const bool with_lines)
  {
    const int n = 200000;
    SparsityPattern pattern{{0}, {}};
    std::vector<double> a;
    for (int row = 0; row < n; ++row)
      {
        const int of_three = row / 32 % 3;
        const int kind     = of_three == 1 && !with_lines ? 0 : of_three;
        const int far      = kind == 0   ? 1
                             : kind == 1 ? 40001
                                         : 40001 + row % 16 * 6000;
        std::set<int> columns;
        for (int k = 0; k <= (kind == 1 ? 4 : row % 5); ++k)
          columns.insert((kind == 1 ? row % 32 : row) + k * far);
        for (const int column : columns)
          if (column < n)
            pattern.columns.push_back(column);
        pattern.row_start.push_back(pattern.columns.size());
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
      for (const SellShape &shape : {SellShape{}, SellShape{16, 64},
                                     SellShape{32, 32}, SellShape{32, 0, 1, 2}})
        {
          const CsrPattern rows(pattern, backend);
          SellShort<double> A(SellMatrix<double>(rows, shape), 0);
          place_values(A.matrix(), rows.row_start, Array<double>(backend, a));
          check_columns(A.matrix());
          if (shape == SellShape{})
            EXPECT_EQ(A.columns().n_with_line_bases() > 0, with_lines);
          EXPECT_GT(A.columns().n_with_base(), 0);
          EXPECT_LT(A.columns().n_with_base() + A.columns().n_with_line_bases(),
                    A.matrix().n_slices());
          Vector<double> from = A.make_vector(), to = A.make_vector();
          from.copy_from(x);
          A.vmult(to, from);
          EXPECT_EQ(test::owned_values(to), product);
        }
  }
} // namespace

TEST(ShortColumns, SlicesThatReachFurtherAreMultipliedToo)
{
  check_slices_that_reach_further(true);
  check_slices_that_reach_further(false);
}

TEST(ShortColumns, LinesOfNeighboursHaveABaseEach)
{
  // Rows have 1 to 40 entries in blocks of 33. Each entry is in a part of its
  // own, as with numberings by entity.
  SparsityPattern pattern{{0}, {}};
  std::vector<double> a;
  const int n_rows = 33 * 40, apart = 70000;
  for (int row = 0; row < n_rows; ++row)
    {
      for (int k = 0; k <= row / 33; ++k)
        {
          pattern.columns.push_back(k * apart + row);
          a.push_back(1 + (row + k) % 9);
        }
      pattern.row_start.push_back(pattern.columns.size());
    }
  const int n_tail = 40 * apart;
  std::vector<double> product(n_rows), x(n_rows + n_tail);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<int>(i % 13) - 6;
  for (int row = 0; row < n_rows; ++row)
    for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1]; ++k)
      product[row] += a[k] * x[pattern.columns[k]];
  for (const Backend backend : test::backends())
    {
      const CsrPattern rows(pattern, backend);
      SellShort<double> A(SellMatrix<double>(rows, {1}), n_tail);
      SellShort<double> B(SellMatrix<double>(rows, {32, 0}), n_tail);
      for (SellShort<double> *const op : {&A, &B})
        {
          place_values(op->matrix(), rows.row_start, Array<double>(backend, a));
          check_columns(op->matrix());
          EXPECT_GT(op->columns().n_with_line_bases(), 0);
          Vector<double> from = op->make_vector(), to = op->make_vector();
          from.copy_from(x);
          op->vmult(to, from);
          EXPECT_EQ(test::owned_values(to), product);
        }
      EXPECT_EQ(A.columns().n_with_line_bases(), n_rows - 33);
    }
}

TEST(ShortColumns, WhatIsNotFiniteStaysInItsRows)
{
  // Only row 3 reads x[3], which is also within the reach of the other rows.
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
      // The padding of a row is 0 times its own x.
      std::vector<double> product = test::owned_values(y);
      EXPECT_FALSE(std::isfinite(product[3]));
      product[3] = 0;
      EXPECT_EQ(product, (std::vector<double>{1, 6, 5, 0, 5}));
    }
}
