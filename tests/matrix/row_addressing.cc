#include "test.h"

#include <tessera/matrix/ell_layout.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

using namespace tessera;

// Tests layouts written by hand, without the formats that use them.
namespace
{
  /// Returns rows of 0 to 40 entries; neighbours have different lengths.
  std::vector<int>
  row_lengths(const int n_rows)
  {
    std::vector<int> lengths(n_rows);
    for (int row = 0; row < n_rows; ++row)
      lengths[row] = row * 17 % 41;
    return lengths;
  }

  /// Expects every entry to have a place of its own in [0, size).
  void
  check_injective(const RowAddressing &rows, const std::vector<int> &lengths,
                  const std::int64_t size)
  {
    std::set<std::int64_t> places;
    for (std::size_t row = 0; row < lengths.size(); ++row)
      for (int k = 0; k < lengths[row]; ++k)
        {
          const std::int64_t place = rows.position(row, k);
          ASSERT_GE(place, 0);
          ASSERT_LT(place, size);
          ASSERT_TRUE(places.insert(place).second) << row << " " << k;
          ASSERT_EQ(place, rows.base(row) + rows.offset(row, k));
        }
  }

  const int numbers_of_rows[] = {1, 31, 32, 33, 129};
} // namespace

TEST(RowAddressing, CompressedRowsFollowOneAnother)
{
  for (const int n : numbers_of_rows)
    {
      const std::vector<int> lengths = row_lengths(n);
      std::vector<std::int32_t> start(n + 1, 0);
      std::partial_sum(lengths.begin(), lengths.end(), start.begin() + 1);
      const std::vector<std::int64_t> start_64(start.begin(), start.end());
      const RowAddressing narrow{nullptr, start.data(), nullptr, nullptr, 1};
      const RowAddressing wide{start_64.data(), nullptr, nullptr, nullptr, 1};
      check_injective(narrow, lengths, start.back());
      check_injective(wide, lengths, start.back());
      std::int64_t next = 0;
      for (int row = 0; row < n; ++row)
        for (int k = 0; k < lengths[row]; ++k, ++next)
          {
            EXPECT_EQ(narrow.position(row, k), next);
            EXPECT_EQ(wide.position(row, k), next);
          }
      EXPECT_TRUE(narrow.follow_one_another());
      for (int row = 0; row < n; ++row)
        EXPECT_EQ(wide.length(row), lengths[row]);
    }
}

TEST(RowAddressing, EllpackColumnsFollowOneAnother)
{
  for (const int n : numbers_of_rows)
    {
      const RowAddressing rows{nullptr, nullptr, nullptr, nullptr, n};
      check_injective(rows, row_lengths(n), 41 * n);
      for (int row = 0; row < n; ++row)
        EXPECT_EQ(rows.position(row, 7), 7 * n + row);
    }
}

TEST(RowAddressing, EllpackByRowsOfAWarp)
{
  for (const int n : numbers_of_rows)
    for (const int width : {0, 1, 40})
      {
        const std::vector<std::int32_t> lengths(n, width);
        const RowAddressing rows = ell_addressing(width, lengths.data());
        check_injective(rows, lengths, ell_padded_rows(n) * width);
        for (int row = 0; row < n; ++row)
          for (int k = 0; k < width; ++k)
            {
              EXPECT_EQ(rows.position(row, k),
                        (row / 32 * width + k) * 32 + row % 32);
              EXPECT_EQ(rows.position(row, k), ell_place(row, k, width));
            }
      }
}

TEST(RowAddressing, TheRestStandsBehindTheColumns)
{
  for (const int n : numbers_of_rows)
    for (const int width : {0, 1, 20, 40})
      {
        const std::vector<std::int32_t> lengths = row_lengths(n);
        std::vector<std::int64_t> rest(n);
        std::int64_t next = std::int64_t(width) * n;
        for (int row = 0; row < n; ++row)
          {
            rest[row] = next - width - row;
            next += std::max(lengths[row] - width, 0);
          }
        const RowAddressing rows{nullptr, nullptr,        nullptr,     nullptr,
                                 n,       lengths.data(), rest.data(), width};
        check_injective(rows, lengths, next);
        EXPECT_FALSE(rows.follow_one_another());
        for (int row = 0; row < n; ++row)
          EXPECT_EQ(rows.length(row), lengths[row]);
      }
}

TEST(RowAddressing, SlicesHaveTheirOwnBaseAndStride)
{
  // Slices alternate between 8 and 4 rows and are as wide as their longest row.
  for (const int n : numbers_of_rows)
    {
      const std::vector<int> lengths = row_lengths(n);
      std::vector<std::int32_t> base(n), strides(n);
      std::int32_t size = 0;
      for (int first = 0, slice = 0; first < n; ++slice)
        {
          const int rows = std::min(slice % 2 == 0 ? 8 : 4, n - first);
          for (int row = first; row < first + rows; ++row)
            {
              base[row]    = size + row - first;
              strides[row] = rows;
            }
          size += rows * *std::max_element(lengths.begin() + first,
                                           lengths.begin() + first + rows);
          first += rows;
        }
      check_injective({nullptr, base.data(), strides.data(), nullptr, 0},
                      lengths, size);
    }
}

TEST(RowAddressing, SeveralThreadsShareARow)
{
  // A warp has 32 threads. Its rows have T = 1, 2, 4, ... 32 neighbouring
  // threads each, and as many steps as the longest one needs.
  for (const int n : numbers_of_rows)
    {
      const std::vector<int> lengths = row_lengths(n);
      std::vector<std::int64_t> base(n);
      std::vector<std::uint8_t> log2_threads(n);
      std::int64_t size = 0;
      for (int first = 0, warp = 0; first < n; ++warp)
        {
          const int log2 = warp % 6, T = 1 << log2;
          const int last = std::min(first + 32 / T, n);
          int steps      = 0;
          for (int row = first; row < last; ++row)
            {
              base[row]         = size + (row - first) * T;
              log2_threads[row] = static_cast<std::uint8_t>(log2);
              steps             = std::max(steps, (lengths[row] + T - 1) / T);
            }
          size += 32 * steps;
          first = last;
        }
      const RowAddressing rows{base.data(), nullptr, nullptr,
                               log2_threads.data(), 32};
      check_injective(rows, lengths, size);
      for (int row = 0; row < n; ++row)
        {
          const int T = 1 << log2_threads[row];
          EXPECT_EQ(rows.position(row, 0), base[row]);
          EXPECT_EQ(rows.position(row, T - 1), base[row] + T - 1);
          EXPECT_EQ(rows.position(row, T), base[row] + 32);
        }
    }
}

TEST(RowAddressing, PlacesBeyond32BitsDoNotWrap)
{
  const std::vector<std::int64_t> base    = {0, 3000000000, 1099511627776};
  const std::vector<std::int32_t> strides = {1, 2147483647, 2};
  const RowAddressing rows{base.data(), nullptr, strides.data(), nullptr, 0};
  EXPECT_EQ(rows.position(1, 3), 3000000000 + 3 * std::int64_t(2147483647));
  EXPECT_EQ(rows.position(2, 100), 1099511627776 + 200);
  const RowAddressing ellpack{nullptr, nullptr, nullptr, nullptr, 2000000000};
  EXPECT_EQ(ellpack.position(1999999999, 81),
            std::int64_t(2000000000) * 82 - 1);
  EXPECT_EQ(ell_addressing(100, nullptr).position(1999999999, 99),
            std::int64_t(2000000000) * 100 - 1);
}
