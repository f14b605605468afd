#include "product_model.h"

#include <tessera/study/matrices/matrix_suite.h>

#include <gtest/gtest.h>

#include <numeric>

using namespace tessera;
using namespace tessera::spmv;

// Tests the counted work against numbers found by hand.
namespace
{
  /// Lanes with few entries take this many together (tuning.h).
  constexpr int round = 8;

  /// Returns rows of the given lengths, with columns 0, 1, ...
  SparsityPattern
  rows_of(const std::vector<int> &lengths)
  {
    SparsityPattern pattern;
    pattern.row_start = {0};
    for (const int length : lengths)
      {
        for (int k = 0; k < length; ++k)
          pattern.columns.push_back(k);
        pattern.row_start.push_back(pattern.row_start.back() + length);
      }
    return pattern;
  }

  SparsityPattern
  diagonal(const int n)
  {
    SparsityPattern pattern;
    pattern.row_start.resize(n + 1);
    std::iota(pattern.row_start.begin(), pattern.row_start.end(), 0);
    pattern.columns.resize(n);
    std::iota(pattern.columns.begin(), pattern.columns.end(), 0);
    return pattern;
  }

  Product
  slices(const SellShape &shape)
  {
    return {ProductKernel::slices, shape};
  }

  TEST(ProductWork, Diagonal)
  {
    for (const int bytes : {8, 4})
      {
        // Four warps have one step each; their columns are neighbours.
        const ProductWork work = count_work(diagonal(128), slices({}), bytes);
        EXPECT_EQ(work.starts, 4);
        EXPECT_EQ(work.steps, 4 * round);
        EXPECT_EQ(work.entries, 128);
        EXPECT_EQ(work.number_bytes, bytes);
        EXPECT_EQ(work.longest, 1);
        EXPECT_EQ(work.requests, 128 * bytes / 32);
        EXPECT_EQ(work.gathered, 128 * bytes);
        EXPECT_EQ(work.vectors, 2 * 128 * bytes);
        // The index arrays are lengths of rows, and 13 bytes per slice.
        EXPECT_EQ(work.stored, 128 * (bytes + 4) + 128 * 4 + 4 * 13);

        // Columns equal rows, so a line consists of its base.
        const ProductWork packed =
          count_work(diagonal(128), {ProductKernel::packed_slices}, bytes);
        EXPECT_EQ(packed.requests, work.requests);
        EXPECT_EQ(packed.stored, 128 * bytes + 4 * 4 + 128 * 4 + 4 * 13);
        // Columns take a whole word, whether it holds one or two.
        EXPECT_EQ(
          count_work(diagonal(128), {ProductKernel::short_slices}, bytes)
            .stored,
          work.stored);

        for (const ProductKernel kernel :
             {ProductKernel::coo, ProductKernel::csr_merge,
              ProductKernel::csr_mgpu})
          {
            const ProductWork tiles =
              count_work(diagonal(128), {kernel}, bytes);
            const int indices = kernel == ProductKernel::coo ? 8 : 4;
            EXPECT_EQ(tiles.steps, 4);
            EXPECT_EQ(tiles.longest, 0);
            EXPECT_EQ(tiles.requests, work.requests);
            EXPECT_EQ(tiles.vectors, 2 * 128 * bytes);
            EXPECT_EQ(tiles.stored, 128 * (bytes + indices) + 128 * 4);
          }
      }
  }

  TEST(ProductWork, OneLongRow)
  {
    // Row 0 has 64 entries; the 63 others have one, in column 0.
    std::vector<int> lengths(64, 1);
    lengths[0]                 = 64;
    const SparsityPattern rows = rows_of(lengths);

    const ProductWork sliced = count_work(rows, slices({}), 8);
    EXPECT_EQ(sliced.steps, 64 + round);
    EXPECT_EQ(sliced.longest, 64);
    EXPECT_EQ(sliced.requests, 64 + 1); // one column per step
    EXPECT_EQ(sliced.gathered, 64 * 8);
    EXPECT_EQ(sliced.vectors, 64 * 8 + 64 * 8);
    // The first step of a slice is whole; later ones have a sector per array.
    EXPECT_EQ(sliced.stored, 64 * 12 + 63 * (32 + 32) + 64 * 4 + 2 * 13);

    EXPECT_EQ(sliced.padded, (64 + 1) * 32 * 12 + 64 * 4 + 2 * 13);

    // The long row has 32 lanes; the groups of 16, 8, ... lanes have no rows.
    const ProductWork halved = count_work(rows, slices({32, 0, 1, 2}), 8);
    EXPECT_EQ(halved.longest, 2);
    EXPECT_EQ(halved.steps, 3 * round);

    const ProductWork threads =
      count_work(rows, {ProductKernel::rows_by_threads, {}, 4}, 8);
    EXPECT_EQ(threads.longest, 16);
    EXPECT_EQ(threads.steps, 16 + 7);    // eight rows per warp
    EXPECT_EQ(threads.requests, 16 + 7); // four columns share a sector
    EXPECT_EQ(threads.stored, 127 * 12 + 64 * 4);

    const ProductWork streamed =
      count_work(rows, {ProductKernel::rows_streamed}, 8);
    EXPECT_EQ(streamed.steps, 3 + 1); // 95 and 32 entries
    EXPECT_EQ(streamed.requests, 8 + 8 + 1 + 1);
  }

  /// Rows of 15 and 17 entries in turn begin in only two of the 16 or 32 banks.
  TEST(ProductWork, BanksOfStagedRows)
  {
    std::vector<int> lengths(64, 15);
    for (int row = 1; row < 64; row += 2)
      lengths[row] = 17;
    const SparsityPattern rows = rows_of(lengths);
    const Product staged{ProductKernel::rows_staged};

    // A block has 64 rows with two threads each: 9 and 8 steps. Of the 16 lanes
    // of half a warp, 8 want the same bank.
    const ProductWork in_double = count_work(rows, staged, 8);
    EXPECT_EQ(in_double.starts, 4);
    EXPECT_EQ(in_double.steps, 2 * 9 * 8 + 2 * 8 * 8);
    EXPECT_EQ(in_double.longest, 9);
    EXPECT_EQ(in_double.stored, 64 * 16 * 12 + 64 * 4);

    // A block has 128 rows with a thread each, so two warps have rows. Of 32
    // lanes, 16 want the same bank.
    const ProductWork in_float = count_work(rows, staged, 4);
    EXPECT_EQ(in_float.starts, 4);
    EXPECT_EQ(in_float.steps, 2 * 17 * 16);
    EXPECT_EQ(in_float.longest, 17);

    // Rows of 16 entries are spread over banks by a word that is left out.
    const ProductWork even =
      count_work(rows_of(std::vector<int>(64, 16)), staged, 8);
    EXPECT_EQ(even.steps, 4 * 8);
  }

  TEST(ProductWork, TilesAndTurnsOfLongRows)
  {
    const SparsityPattern rows = rows_of(std::vector<int>(64, 100));
    // A block has 32 rows, and 3200 entries in tiles of 1280.
    const ProductWork staged =
      count_work(rows, {ProductKernel::rows_staged}, 8);
    EXPECT_EQ(staged.starts, 2 * 3 * 4);
    EXPECT_EQ(staged.longest, 25);
    EXPECT_EQ(staged.entries, 6400);
    // A warp has eight rows.
    const ProductWork streamed =
      count_work(rows, {ProductKernel::rows_streamed}, 8);
    EXPECT_EQ(streamed.starts, 8);
    EXPECT_EQ(streamed.steps, 6400 / 32);
  }

  TEST(ProductWork, ScatteredRowsOfSortedSlices)
  {
    // Every fourth row has two entries and comes first. Each of these has its
    // own sector of y, while the others share sectors.
    std::vector<int> lengths(128, 1);
    for (int row = 0; row < 128; row += 4)
      lengths[row] = 2;
    const ProductWork work = count_work(rows_of(lengths), slices({32, 0}), 8);
    EXPECT_EQ(work.steps, 4 * round);
    // A sector has three rows, and warps begin in the middle of one.
    EXPECT_EQ(work.vectors, 32 * 32 + 32 * (11 + 12 + 11) + 2 * 8);
  }

  TEST(ProductWork, NoRowsAndNoEntries)
  {
    for (const SparsityPattern &pattern :
         {rows_of({}), rows_of({0}), rows_of({0, 0, 0})})
      for (const Product &product :
           {slices({}), slices({32, 0, 1, 4}),
            Product{ProductKernel::rows_staged},
            Product{ProductKernel::rows_streamed}, Product{ProductKernel::coo},
            Product{ProductKernel::csr_mgpu},
            Product{ProductKernel::packed_slices},
            Product{ProductKernel::short_slices},
            Product{ProductKernel::rows_by_threads, {}, 8}})
        {
          const ProductWork work = count_work(pattern, product, 8);
          EXPECT_EQ(work.requests, 0);
          EXPECT_EQ(work.gathered, 0);
          EXPECT_EQ(work.longest, 0);
          for (const Backend backend : {Backend::host, Backend::cuda})
            EXPECT_GT(predict_seconds(work, product, backend), 0);
        }
  }

  /// Two columns share a word if all are within 2^16; there is a base per line
  /// if only the columns of each line are. Otherwise a word has one column.
  TEST(ProductWork, ShortColumns)
  {
    const auto stored = [](const int second, const int last_of_row_3) {
      SparsityPattern pattern{{0}, {}};
      for (int row = 0; row < 32; ++row)
        {
          for (const int column :
               {row, second + row, row == 3 ? last_of_row_3 : second + 40})
            pattern.columns.push_back(column);
          pattern.row_start.push_back(pattern.columns.size());
        }
      return count_work(pattern, {ProductKernel::short_slices}, 8).stored;
    };
    const int index_bytes = 32 * 4 + 13;
    EXPECT_EQ(stored(100, 65535), 32 * (3 * 8 + 8) + index_bytes);
    EXPECT_EQ(stored(70000, 70100), 32 * (3 * 8 + 8) + 3 * 4 + index_bytes);
    EXPECT_EQ(stored(70000, 140000), 32 * (3 * 8 + 12) + index_bytes);
  }

  /// A sample of blocks gives the result of all blocks if these are alike.
  TEST(ProductWork, Samples)
  {
    const SparsityPattern pattern = diagonal(128 * 100);
    const ProductWork all         = count_work(pattern, slices({}), 8, 1 << 20);
    const ProductWork few         = count_work(pattern, slices({}), 8, 7);
    EXPECT_DOUBLE_EQ(few.requests, all.requests);
    EXPECT_DOUBLE_EQ(few.gathered, all.gathered);
    EXPECT_DOUBLE_EQ(few.stored, all.stored);
    EXPECT_DOUBLE_EQ(few.vectors, all.vectors);
  }

  /// A warp holds its place equally long in either type, but in float there are
  /// more places. Lanes with many entries use a kernel with fewer places.
  TEST(ProductModel, Places)
  {
    ProductWork work;
    work.starts        = 1e5;
    work.entries       = 1e5;
    const auto seconds = [&](const ProductKernel kernel) {
      return predict_seconds(work, {kernel}, Backend::cuda);
    };
    const double launch_ellpack =
      predict_seconds({}, {ProductKernel::ellpack}, Backend::cuda);
    const double in_double = seconds(ProductKernel::ellpack) - launch_ellpack;
    const double few       = seconds(ProductKernel::slices);
    work.number_bytes      = 4;
    const double in_float  = seconds(ProductKernel::ellpack) - launch_ellpack;
    EXPECT_GT(in_double, 0);
    EXPECT_NEAR(in_float / in_double, 6. / 9, 1e-12);
    work.number_bytes = 8;
    work.entries      = 9. * 32 * 1e5;
    EXPECT_GT(seconds(ProductKernel::slices), few);
  }

  /// Bytes that blocks fetch repeatedly take longer if x does not fit into the
  /// cache.
  TEST(ProductModel, FarFromTheCache)
  {
    const auto of_a_byte = [](const double vectors) {
      const auto seconds = [&](const double gathered) {
        ProductWork work;
        work.vectors  = vectors;
        work.gathered = gathered;
        return predict_seconds(work, {ProductKernel::ellpack}, Backend::cuda);
      };
      return (seconds(3 * vectors) - seconds(2 * vectors)) / vectors;
    };
    EXPECT_GT(of_a_byte(1e6), 0);
    EXPECT_NEAR(of_a_byte(1e6) / of_a_byte(5e6), 1, 0.01);
    EXPECT_GT(of_a_byte(1e9), 1.2 * of_a_byte(1e6)); // with fitted constants
  }

  /// Known facts about formats: long rows need many threads, short ones few,
  /// and no thread goes through all of a dense row.
  TEST(ProductModel, Order)
  {
    const auto seconds = [](const SparsityPattern &pattern,
                            const Product &product) {
      return predict_seconds(count_work(pattern, product, 8), product,
                             Backend::cuda);
    };
    const auto threads = [](const int T) {
      return Product{ProductKernel::rows_by_threads, {}, T};
    };
    const SparsityPattern short_rows = make_suite_matrix("quad_1").pattern;
    EXPECT_LT(seconds(short_rows, slices({})),
              seconds(short_rows, threads(32)));
    const SparsityPattern long_rows = make_suite_matrix("hex_4", 0.2).pattern;
    EXPECT_LT(seconds(long_rows, threads(32)), seconds(long_rows, threads(1)));
    const SparsityPattern one_dense =
      make_suite_matrix("one_dense_row").pattern;
    EXPECT_LT(seconds(one_dense, slices({32, 0, 1, 16})),
              seconds(one_dense, slices({32, 0})));
  }
} // namespace
