#include "generated.h"

#include <tessera/base/error.h>
#include <tessera/study/matrices/matrix_generator.h>

#include <map>

using namespace tessera;

TEST(MatrixGenerator, RandomRowsFollowAPowerLaw)
{
  GeneratedRandomRows p;
  p.n_rows    = 20000;
  p.n_columns = 30000;
  p.most      = 300;
  p.mean      = 4;
  for (const bool popular : {false, true})
    for (const bool diagonal : {false, true})
      {
        p.popular                 = popular;
        p.diagonal                = diagonal;
        const SparseMatrix matrix = generate(p);
        test::check_form(matrix);
        EXPECT_EQ(matrix.n_columns, p.n_columns);
        const std::vector<int> lengths = test::sorted_lengths(matrix);
        EXPECT_EQ(lengths.front(), 1);
        EXPECT_EQ(lengths.back(), 300);
        EXPECT_NEAR(double(matrix.n_nonzeros()) / p.n_rows, 4, 0.02);
        // Doubling the length makes it rarer by the same factor everywhere.
        std::map<int, double> count;
        for (const int length : lengths)
          ++count[length];
        EXPECT_NEAR(count[4] / count[2], count[2] / count[1], 0.02);
        EXPECT_NEAR(count[8] / count[4], count[2] / count[1], 0.02);
        int n_diagonals = 0, n_near = 0, n_offset = 0;
        std::vector<double> sum(p.n_rows, 1), diagonals(p.n_rows, 0);
        test::for_each_entry(matrix,
                             [&](const int i, const int j, const double value) {
                               n_diagonals += i == j;
                               n_near += std::abs(i - j) <= p.reach && i != j;
                               n_offset += i != j;
                               (i == j ? diagonals : sum)[i] += std::abs(value);
                             });
        EXPECT_NEAR(double(n_near) / n_offset, 0.5, 0.1);
        if (diagonal)
          {
            EXPECT_EQ(n_diagonals, p.n_rows);
            EXPECT_EQ(sum, diagonals);
          }
      }
}

TEST(MatrixGenerator, LengthsOutsideOfTheTailAreEven)
{
  GeneratedRandomRows p;
  p.n_rows = p.n_columns = 9000;
  p.most                 = 300;
  p.mean                 = 5;
  p.tail                 = 0;
  std::map<int, int> count;
  for (const int length : test::sorted_lengths(generate(p)))
    ++count[length];
  EXPECT_EQ(count.size(), 10u); // 1 to 9, and the longest
  EXPECT_EQ(count[300], 1);
  for (int length = 2; length <= 8; ++length)
    EXPECT_NEAR(count[length], 9000 / 8, 1);
  p.tail     = 0.1;
  int n_long = 0;
  for (const int length : test::sorted_lengths(generate(p)))
    n_long += length > 9;
  EXPECT_GT(n_long, 20);
  EXPECT_LT(n_long, 900);
}

TEST(MatrixGenerator, RandomRowsOfAnyShape)
{
  for (const int n_rows : {1, 31, 33})
    for (const int n_columns : {1, 2, 40, 200})
      for (const int most : {1, 5, 250})
        for (const double local : {0., 1.})
          {
            GeneratedRandomRows p;
            p.n_rows                  = n_rows;
            p.n_columns               = n_columns;
            p.least                   = 0;
            p.most                    = most;
            p.mean                    = 0.4 * most;
            p.local                   = local;
            p.reach                   = 2;
            const SparseMatrix matrix = generate(p);
            test::check_form(matrix, 0);
            EXPECT_EQ(matrix.pattern.max_row_length(),
                      std::min(most, n_columns));
          }
}

TEST(MatrixGenerator, BandsAreFilledAsAskedFor)
{
  for (const int n : {1, 10, 3000})
    for (const double fill : {0., 0.3, 1.})
      {
        GeneratedBand p;
        p.n_rows                  = n;
        p.half_bandwidth          = 7;
        p.fill                    = fill;
        const SparseMatrix matrix = generate(p);
        test::check_form(matrix);
        test::check_symmetric_values(matrix);
        std::int64_t n_places = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            n_places += i != j && std::abs(i - j) <= 7;
        test::for_each_entry(matrix, [&](const int i, const int j, double) {
          EXPECT_LE(std::abs(i - j), 7);
        });
        EXPECT_NEAR(matrix.n_nonzeros() - n, fill * n_places,
                    fill == 0.3 ? 0.02 * n_places + 10 : 0);
      }
}

TEST(MatrixGenerator, GridsHaveTheirNeighbours)
{
  for (const bool diagonal : {false, true})
    {
      GeneratedGrid p;
      p.n_x                     = 5;
      p.n_y                     = 3;
      p.diagonal                = diagonal;
      const SparseMatrix matrix = generate(p);
      test::check_form(matrix);
      for (int i = 0; i < 15; ++i)
        for (int j = 0; j < 15; ++j)
          {
            const int distance =
              std::abs(i % 5 - j % 5) + std::abs(i / 5 - j / 5);
            EXPECT_EQ(test::entry(matrix, i, j) != 0,
                      distance == 1 || (distance == 0 && diagonal));
          }
      EXPECT_EQ(matrix.n_nonzeros(), 2 * (2 * 15 - 8) + (diagonal ? 15 : 0));
      if (diagonal)
        test::check_symmetric_values(matrix);
    }
}

TEST(MatrixGenerator, LatticesCoupleNeighbours)
{
  GeneratedLattice p;
  p.n                       = 4;
  p.n_t                     = 3;
  const SparseMatrix matrix = generate(p);
  test::check_form(matrix, 39);
  ASSERT_EQ(matrix.n_rows(), 12 * 64 * 3);
  EXPECT_EQ(matrix.pattern.max_row_length(), 39);
  std::vector<int> n_in_column(matrix.n_columns, 0);
  test::for_each_entry(matrix, [&](const int i, const int j, double) {
    const int a[] = {i / 12 % 4, i / 48 % 4, i / 192 % 4, i / 768};
    const int b[] = {j / 12 % 4, j / 48 % 4, j / 192 % 4, j / 768};
    int distance = 0, in_time = 0;
    for (int d = 0; d < 4; ++d)
      {
        const int n = d == 3 ? 3 : 4, step = (b[d] - a[d] + n) % n;
        distance += std::min(step, n - step);
        in_time += d == 3 ? step : 0;
      }
    EXPECT_EQ(distance, 1);
    const int spin = i % 12 / 3, other = j % 12 / 3;
    if (in_time != 0)
      {
        EXPECT_EQ(spin, other);
        EXPECT_EQ(in_time, spin < 2 ? 1 : 2);
      }
    else
      {
        EXPECT_TRUE(spin == other || (spin < 2) != (other < 2));
      }
    ++n_in_column[j];
  });
  EXPECT_EQ(n_in_column, std::vector<int>(matrix.n_columns, 39));
}

TEST(MatrixGenerator, SeedsDifferAndThreadsDoNot)
{
  GeneratedRandomRows rows;
  rows.n_rows = rows.n_columns = 1000;
  rows.most                    = 100;
  rows.mean                    = 5;
  rows.popular                 = true;
  GeneratedBand band;
  band.n_rows         = 1000;
  band.half_bandwidth = 5;
  band.fill           = 0.5;
  GeneratedGrid grid;
  grid.n_x = 40;
  grid.n_y = 25;
  // The bits must be the same on every machine.
  EXPECT_EQ(test::check_seed(rows), 2697784808169385410u);
  EXPECT_EQ(test::check_seed(band), 11814544873284601276u);
  EXPECT_EQ(test::check_seed(grid), 7044020274718599069u);
  EXPECT_EQ(test::check_seed(GeneratedLattice()), 5985321855321416544u);
}

TEST(MatrixGenerator, IllegalParametersAreRefused)
{
  GeneratedRandomRows rows;
  rows.n_rows = rows.n_columns = 10;
  rows.most                    = 5;
  rows.mean                    = 2;
  test::check_refused(rows, [](auto &p) { p.n_rows = 0; });
  test::check_refused(rows, [](auto &p) { p.n_columns = 0; });
  test::check_refused(rows, [](auto &p) { p.least = -1; });
  test::check_refused(rows, [](auto &p) { p.mean = 4; });
  test::check_refused(rows, [](auto &p) { p.tail = -0.1; });
  test::check_refused(rows, [](auto &p) { p.local = 1.5; });
  test::check_refused(rows, [](auto &p) { p.reach = -1; });
  test::check_refused(rows, [](auto &p) { p.diagonal = true, p.n_rows = 11; });
  test::check_refused(GeneratedBand(), [](auto &p) { p.n_rows = 0; });
  test::check_refused(GeneratedBand(), [](auto &p) { p.half_bandwidth = -1; });
  test::check_refused(GeneratedBand(), [](auto &p) { p.fill = 1.1; });
  test::check_refused(GeneratedGrid(), [](auto &p) { p.n_x = 0; });
  test::check_refused(GeneratedGrid(), [](auto &p) { p.n_x = p.n_y = 50000; });
  test::check_refused(GeneratedLattice(), [](auto &p) { p.n = 2; });
  test::check_refused(GeneratedLattice(), [](auto &p) { p.n_t = 0; });
}
