#include "block_rows.h"

#include "matrix/rows.h"

#include <cmath>
#include <map>

using namespace tessera;
using namespace tessera::test;
using benchmarks::BlockRows;
using benchmarks::make_block_rows;

// Tests blocks of compressed rows by hand and against single entries.
namespace
{
  /// Groups of `block` rows share their columns, in whole blocks of them,
  /// except for entries with leave_out(row, column).
  template <class Number>
  struct BlockProblem
  {
    SparsityPattern pattern;
    std::vector<Number> values;
    int n_columns;
    std::map<std::pair<int, int>, Number> entries;

    template <class LeaveOut>
    BlockProblem(const Rows &blocks, const int block, const LeaveOut &leave_out)
      : n_columns(blocks.n_columns * block)
    {
      const SparsityPattern coarse = make_pattern(blocks);
      pattern.row_start            = {0};
      for (int row = 0; row < coarse.n_rows() * block; ++row)
        {
          for (auto k = coarse.row_start[row / block];
               k < coarse.row_start[row / block + 1]; ++k)
            for (int j = 0; j < block; ++j)
              if (const int column = coarse.columns[k] * block + j;
                  !leave_out(row, column))
                pattern.columns.push_back(column);
          pattern.row_start.push_back(pattern.columns.size());
        }
      values = random_values<Number>(pattern.columns.size(), 7);
      for (int row = 0; row < pattern.n_rows(); ++row)
        for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1];
             ++k)
          entries[{row, pattern.columns[k]}] = values[k];
    }

    void
    check(const int block) const
    {
      const BlockRows<Number> found =
        make_block_rows(pattern, values, n_columns, block);
      EXPECT_EQ(found.block, block);
      ASSERT_EQ(found.n_rows() * block, pattern.n_rows());
      ASSERT_EQ(found.columns.size(), std::size_t(found.n_blocks()));
      ASSERT_EQ(found.values.size(), found.columns.size() * block * block);
      std::size_t n_found = 0;
      for (int row = 0; row < pattern.n_rows(); ++row)
        {
          const int of = row / block;
          for (int b = found.starts[of]; b < found.starts[of + 1]; ++b)
            {
              EXPECT_TRUE(b == found.starts[of] ||
                          found.columns[b - 1] < found.columns[b]);
              for (int j = 0; j < block; ++j)
                {
                  const int column = found.columns[b] * block + j;
                  const auto entry = entries.find({row, column});
                  n_found += entry != entries.end();
                  EXPECT_EQ(
                    found
                      .values[(std::size_t(b) * block + row % block) * block +
                              j],
                    entry == entries.end() ? Number(0) : entry->second);
                }
            }
        }
      EXPECT_EQ(n_found, entries.size());
    }
  };

  template <class Number>
  void
  check_all()
  {
    for (const Rows &rows : all_rows())
      if (rows.lengths.size() < 1000 && rows.n_columns < 2000)
        for (const int block : {1, 2, 3, 4})
          {
            SCOPED_TRACE(rows.name + ", " + std::to_string(block));
            BlockProblem<Number>(rows, block, [](int, int) {
              return false;
            }).check(block);
            // Without a fifth there are still fewer than 1.5 places each.
            BlockProblem<Number>(rows, block, [&](const int row, const int j) {
              return block > 1 && (row * 7 + j) % 5 == 0;
            }).check(block);
          }
  }

  std::string
  refusal(const SparsityPattern &pattern, const int n_columns, const int block)
  {
    try
      {
        make_block_rows(pattern, std::vector<double>(pattern.columns.size(), 1),
                        n_columns, block);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  }
} // namespace

TEST(BlockRows, ByHand)
{
  // 1 2 . 3
  // 4 . . 5
  // . . . .
  // . . . .
  // . . 6 7
  // . . 8 9
  const SparsityPattern pattern{{0, 3, 5, 5, 5, 7, 9},
                                {0, 1, 3, 0, 3, 2, 3, 2, 3}};
  const auto found =
    make_block_rows<double>(pattern, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 6, 2);
  EXPECT_EQ(found.starts, (std::vector<int>{0, 2, 2, 3}));
  EXPECT_EQ(found.columns, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(found.values,
            (std::vector<double>{1, 2, 4, 0, 0, 3, 0, 5, 6, 7, 8, 9}));
}

TEST(BlockRows, AgreeWithSingleEntries)
{
  check_all<double>();
  check_all<float>();
}

TEST(BlockRows, NoRows)
{
  const auto found = make_block_rows<float>({{0}, {}}, {}, 0, 3);
  EXPECT_EQ(found.n_rows(), 0);
  EXPECT_EQ(found.n_blocks(), 0);
}

TEST(BlockRows, WhatIsNotMadeOfBlocks)
{
  EXPECT_EQ(refusal({{0, 1, 2, 3}, {0, 1, 2}}, 3, 2),
            "Blocks of 2 by 2 do not suit a matrix of 3 rows.");
  EXPECT_EQ(refusal({{0, 1, 2}, {1, 2}}, 3, 2),
            "Blocks of 2 by 2 reach beyond the 3 columns of a matrix.");
  EXPECT_EQ(
    refusal({{0, 1, 2}, {0, 1}}, 2, 2),
    "Blocks of 2 by 2 would store 2 places for each entry, beyond 1.5.");
  EXPECT_EQ(
    refusal({{0, 1, 2, 3}, {0, 1, 2}}, 3, 3),
    "Blocks of 3 by 3 would store 3 places for each entry, beyond 1.5.");
  // There are four places for three entries.
  EXPECT_EQ(refusal({{0, 2, 3}, {0, 1, 1}}, 2, 2), "");
}

TEST(BlockRows, FillSaysWhetherBlocksAreFull)
{
  // 1 1 . .    Blocks of 2 by 2 are full; blocks of 3 by 3 do not fit.
  // 1 1 . .
  // . . 1 1
  // . . 1 1
  const SparsityPattern full{{0, 2, 4, 6, 8}, {0, 1, 0, 1, 2, 3, 2, 3}};
  EXPECT_EQ(benchmarks::block_fill(full, 2), 1);
  EXPECT_TRUE(std::isnan(benchmarks::block_fill(full, 3)));
  EXPECT_EQ(benchmarks::largest_blocks(full), 2);
  // Without its last entry there are 8 places for 7.
  const SparsityPattern open{{0, 2, 4, 6, 7}, {0, 1, 0, 1, 2, 3, 2}};
  EXPECT_EQ(benchmarks::block_fill(open, 2), 8 / 7.);
  EXPECT_EQ(benchmarks::largest_blocks(open), 1);
  // One block of three, which takes four of two.
  const SparsityPattern threes{{0, 3, 6, 9, 9, 9, 9},
                               {0, 1, 2, 0, 1, 2, 0, 1, 2}};
  EXPECT_EQ(benchmarks::block_fill(threes, 2), 16 / 9.);
  EXPECT_EQ(benchmarks::largest_blocks(threes), 3);
  EXPECT_EQ(benchmarks::largest_blocks({{0}, {}}), 1);
  EXPECT_EQ(benchmarks::largest_blocks({{0, 0, 0}, {}}), 1);
}
