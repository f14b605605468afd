#include "generated.h"

#include <tessera/study/matrices/matrix_generator.h>

#include <map>
#include <set>

using namespace tessera;

namespace
{
  GeneratedGraph
  graph(const int n_rows, const int block_size, const int least,
        const double mean, const int most)
  {
    GeneratedGraph p;
    p.n_rows     = n_rows;
    p.block_size = block_size;
    p.least      = least;
    p.mean       = mean;
    p.most       = most;
    return p;
  }

  double
  mean_distance(const SparseMatrix &matrix)
  {
    double sum = 0;
    test::for_each_entry(matrix, [&](const int i, const int j, double) {
      sum += std::abs(i - j);
    });
    return sum / matrix.n_nonzeros();
  }
} // namespace

TEST(MatrixGeneratorGraph, GraphsAreSymmetricAndHaveTheLengthsAskedFor)
{
  for (const GraphOrder order :
       {GraphOrder::lexicographic, GraphOrder::tiled, GraphOrder::shuffled})
    {
      GeneratedGraph p          = graph(1500, 1, 5, 12.5, 24);
      p.order                   = order;
      const SparseMatrix matrix = generate(p);
      test::check_form(matrix, 5);
      test::check_symmetric_values(matrix);
      const std::vector<int> lengths = test::sorted_lengths(matrix);
      EXPECT_EQ(lengths.front(), 5);
      EXPECT_EQ(lengths.back(), 24);
      EXPECT_NEAR(double(matrix.n_nonzeros()) / matrix.n_rows(), 12.5, 0.3);
    }
}

TEST(MatrixGeneratorGraph, GraphsOfOneSeedDifferByTheirNumberingAlone)
{
  GeneratedGraph p         = graph(2000, 1, 5, 12.5, 24);
  const SparseMatrix plain = generate(p);
  p.order                  = GraphOrder::shuffled;
  const SparseMatrix other = generate(p);
  EXPECT_EQ(test::sorted_lengths(plain), test::sorted_lengths(other));
  EXPECT_GT(mean_distance(other), 2 * mean_distance(plain));
}

TEST(MatrixGeneratorGraph, BlocksAreDense)
{
  // 401 blocks of 3 and a row; 20 nodes are fixed and have this bandwidth.
  for (const int bandwidth : {0, 1})
    {
      GeneratedGraph p          = graph(1204, 3, 24, 50, 78);
      p.n_fixed                 = 20;
      p.fixed_bandwidth         = bandwidth;
      const SparseMatrix matrix = generate(p);
      test::check_form(matrix);
      test::check_symmetric_values(matrix);
      EXPECT_NEAR(double(matrix.n_nonzeros()) / p.n_rows, 50, 2);
      std::map<std::pair<int, int>, int> blocks;
      test::for_each_entry(matrix, [&](const int i, const int j, double) {
        ++blocks[{i / 3, j / 3}];
      });
      std::set<int> fixed;
      for (const auto &[block, count] : blocks)
        {
          const auto [a, b] = block;
          const int n_a = a < 401 ? 3 : 1, n_b = b < 401 ? 3 : 1;
          if (a == b && count != n_a * n_b)
            {
              fixed.insert(a);
              EXPECT_EQ(count, bandwidth == 0 ? 3 : 7);
              continue;
            }
          EXPECT_EQ(count, n_a * n_b);
        }
      EXPECT_TRUE(fixed.size() == 20 || fixed.size() == 19); // the last node
      for (const auto &[block, count] : blocks)
        EXPECT_TRUE(block.first == block.second ||
                    fixed.count(block.first) + fixed.count(block.second) == 0);
    }
}

TEST(MatrixGeneratorGraph, SmallGraphsHaveShorterRows)
{
  for (int n = 1; n < 40; ++n)
    for (const int block_size : {1, 3})
      {
        const SparseMatrix matrix = generate(graph(n, block_size, 6, 12, 24));
        test::check_form(matrix, std::min(n, 4));
        test::check_symmetric_values(matrix);
        EXPECT_LE(matrix.pattern.max_row_length(), std::min(n, 24));
      }
}

TEST(MatrixGeneratorGraph, LengthsOfGraphsLieAboutTheMean)
{
  GeneratedGraph p = graph(3000, 1, 4, 20, 60);
  p.tails          = 0.02;
  p.spread         = 0.25;
  int n_usual      = 0;
  for (const int length : test::sorted_lengths(generate(p)))
    n_usual += std::abs(length - 20) <= 5;
  EXPECT_GT(n_usual, 0.97 * 3000);
  EXPECT_LT(n_usual, 3000);
}

TEST(MatrixGeneratorGraph, SeedsDifferAndThreadsDoNot)
{
  // The bits must be the same on every machine.
  EXPECT_EQ(test::check_seed(graph(1000, 3, 12, 40, 78)), 8209530836227579677u);
}

TEST(MatrixGeneratorGraph, RefusesIllegalParameters)
{
  const GeneratedGraph mesh = graph(100, 3, 6, 12, 24);
  test::check_refused(mesh, [](auto &p) { p.n_rows = 0; });
  test::check_refused(mesh, [](auto &p) { p.block_size = 0; });
  test::check_refused(mesh, [](auto &p) { p.least = 7; });
  test::check_refused(mesh, [](auto &p) { p.mean = 5; });
  test::check_refused(mesh, [](auto &p) { p.most = 3003; });
  test::check_refused(mesh, [](auto &p) { p.tails = 1; });
  test::check_refused(mesh, [](auto &p) { p.spread = -0.1; });
  test::check_refused(mesh, [](auto &p) { p.n_fixed = 34; });
  test::check_refused(mesh, [](auto &p) { p.fixed_bandwidth = -1; });
}
