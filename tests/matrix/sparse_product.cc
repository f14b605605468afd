#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/matrix/sparse_product.h>

#include <gtest/gtest.h>

namespace tessera
{
  using namespace test;

  namespace
  {
    /// Returns rows of random lengths up to `most`, with random blocks. Every
    /// seventh row is empty.
    SparseRows
    random_rows(const Backend backend, const int n_rows, const int n_columns,
                const int most, const int row_block, const int column_block,
                const int seed)
    {
      std::vector<std::int64_t> row_start = {0};
      std::vector<int> columns;
      std::vector<double> values;
      for (int row = 0; row < n_rows; ++row)
        {
          RandomSequence random(seed, row);
          const int n = row % 7 == 5 ? 0 : 1 + int(random.below(most));
          for (int column = 0; column < n_columns; ++column)
            if (int(random.below(n_columns)) < n)
              columns.push_back(column);
          row_start.push_back(std::int64_t(columns.size()));
        }
      RandomSequence random(seed + 1);
      for (std::size_t k = 0; k < columns.size() * row_block * column_block;
           ++k)
        values.push_back(2 * random.uniform() - 1);
      SparseRows result;
      result.n_rows       = n_rows;
      result.n_columns    = n_columns;
      result.row_block    = row_block;
      result.column_block = column_block;
      result.row_start    = Array<std::int64_t>(backend, row_start);
      result.columns      = Array<int>(backend, columns);
      result.values       = Array<double>(backend, values);
      return result;
    }

    std::vector<std::vector<double>>
    dense(const SparseMatrix &A)
    {
      std::vector<std::vector<double>> rows(
        A.n_rows(), std::vector<double>(A.n_columns, 0.));
      for (int i = 0; i < A.n_rows(); ++i)
        for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1];
             ++k)
          {
            if (k > A.pattern.row_start[i])
              EXPECT_LT(A.pattern.columns[k - 1], A.pattern.columns[k]);
            rows[i][A.pattern.columns[k]] = A.values[k];
          }
      return rows;
    }

    struct Sizes
    {
      int n, middle, m, most_a, most_b, blocks[3];
    };

    constexpr Sizes all_sizes[] = {
      {0, 3, 2, 2, 2, {1, 1, 1}},       {1, 1, 1, 1, 1, {1, 1, 1}},
      {31, 33, 40, 9, 4, {1, 1, 1}},    {33, 31, 29, 9, 4, {2, 3, 1}},
      {40, 33, 31, 6, 5, {3, 3, 6}},    {5, 60, 1500, 50, 200, {1, 1, 1}},
      {3, 20, 900, 20, 400, {2, 1, 2}}, {60, 50, 2000, 12, 40, {1, 1, 1}},
      {45, 40, 300, 5, 12, {2, 1, 2}}};
  } // namespace

  TEST(SparseProduct, IsThatOfDenseMatrices)
  {
    for (const Backend backend : backends())
      for (const Sizes &s : all_sizes)
        {
          const SparseRows A = random_rows(backend, s.n, s.middle, s.most_a,
                                           s.blocks[0], s.blocks[1], 1),
                           B = random_rows(backend, s.middle, s.m, s.most_b,
                                           s.blocks[1], s.blocks[2], 2);
          SparseRows C       = product_pattern(A.view(), B.view(), backend);
          for (int repeat = 0; repeat < 2; ++repeat)
            multiply(A.view(), B.view(), C);
          const auto a = dense(to_host(A)), b = dense(to_host(B)),
                     c = dense(to_host(C));
          ASSERT_EQ(c.size(), std::size_t(s.n) * s.blocks[0]);
          for (std::size_t i = 0; i < a.size(); ++i)
            for (int j = 0; j < s.m * s.blocks[2]; ++j)
              {
                double sum = 0;
                for (std::size_t k = 0; k < b.size(); ++k)
                  sum += a[i][k] * b[k][j];
                EXPECT_NEAR(c[i][j], sum, 1e-13);
              }
          const SparseRows A_host =
                             random_rows(Backend::host, s.n, s.middle, s.most_a,
                                         s.blocks[0], s.blocks[1], 1),
                           B_host =
                             random_rows(Backend::host, s.middle, s.m, s.most_b,
                                         s.blocks[1], s.blocks[2], 2);
          SparseRows on_host =
            product_pattern(A_host.view(), B_host.view(), Backend::host);
          multiply(A_host.view(), B_host.view(), on_host);
          EXPECT_EQ(C.columns.to_vector(), on_host.columns.to_vector());
          EXPECT_EQ(C.values.to_vector(), on_host.values.to_vector());
        }
  }

  TEST(SparseProduct, RefusesOtherSizes)
  {
    const SparseRows A = random_rows(Backend::host, 3, 4, 2, 1, 1, 1);
    EXPECT_THROW(product_pattern(A.view(), A.view(), Backend::host),
                 ParameterError);
  }

  TEST(SparseRows, AreTransposed)
  {
    for (const Backend backend : backends())
      for (const Sizes &s : all_sizes)
        {
          const SparseRows A = random_rows(backend, s.n, s.middle, s.most_a,
                                           s.blocks[0], s.blocks[2], 3);
          const SparseRows T = transpose(A);
          const auto a = dense(to_host(A)), t = dense(to_host(T));
          ASSERT_EQ(t.size(), std::size_t(s.middle) * s.blocks[2]);
          for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < t.size(); ++j)
              EXPECT_EQ(a[i][j], t[j][i]);
          EXPECT_EQ(to_host(transpose(T)).values, to_host(A).values);
        }
  }

  TEST(SparseRows, AreDividedIntoBlocks)
  {
    for (const Backend backend : backends())
      for (const int b : {1, 2, 3})
        {
          const SparseRows A =
            random_rows(backend, 30 * b, 31 * b, 7, 1, 1, 4 + b);
          SparseRows blocks = make_block_pattern(A.view(), b, backend);
          for (int repeat = 0; repeat < 2; ++repeat)
            place_in_blocks(A.view(), blocks);
          EXPECT_EQ(blocks.n_rows, 30);
          EXPECT_EQ(dense(to_host(blocks)), dense(to_host(A)));
        }
    const SparseRows A = random_rows(Backend::host, 5, 5, 2, 1, 1, 1);
    EXPECT_THROW(make_block_pattern(A.view(), 2, Backend::host),
                 ParameterError);
  }
} // namespace tessera
