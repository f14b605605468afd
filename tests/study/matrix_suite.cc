#include "generated.h"

#include <tessera/base/error.h>
#include <tessera/study/matrices/matrix_suite.h>

#include <algorithm>

using namespace tessera;

namespace
{
  std::int64_t
  most_nonzeros()
  {
    return test::is_watched() ? 1000000 : 100000000;
  }

  std::vector<double>
  scales()
  {
    std::vector<double> result = {1e-9, 0.01};
    if (!test::is_watched())
      result.push_back(0.1);
    return result;
  }

  /// Returns the matrices that the library can make: the one under sanitizers
  /// has no kernels for hexahedra of degree 3 and 4.
  std::vector<SuiteMatrix>
  made_matrices()
  {
    std::vector<SuiteMatrix> result;
    for (const SuiteMatrix &line : matrix_suite())
      if (!test::is_watched() || (line.name != "hex_3" && line.name != "hex_4"))
        result.push_back(line);
    return result;
  }

  /// Expects agreement within 5 %.
  void
  expect_near(const double value, const double wanted)
  {
    EXPECT_NEAR(value, wanted, 0.05 * wanted);
  }

  int
  shortest_row(const SparseMatrix &matrix)
  {
    int shortest = matrix.n_columns;
    for (int row = 0; row < matrix.n_rows(); ++row)
      shortest = std::min(shortest, test::row_length(matrix, row));
    return shortest;
  }

  void
  check_names(const MatrixGroup group, const std::vector<std::string> &wanted)
  {
    EXPECT_EQ(matrix_suite_names(group), wanted);
    for (const std::string &name : wanted)
      EXPECT_EQ(std::count_if(
                  matrix_suite().begin(), matrix_suite().end(),
                  [&](const SuiteMatrix &line) { return line.name == name; }),
                1);
  }
} // namespace

TEST(MatrixSuite, HoldsTheTableOfThePaper)
{
  // WongKuhlDarve2015, table 2: nonzeros, rows, shortest and longest row.
  const struct
  {
    const char *name;
    int n_nonzeros, n_rows, shortest, longest;
  } table[] = {{"circuit", 958936, 170998, 1, 353},
               {"economics", 1273389, 206500, 1, 44},
               {"epidemiology", 2100225, 525825, 2, 4},
               {"fem_accelerator", 2624331, 121192, 8, 81},
               {"fem_cantilever", 4007383, 62451, 1, 78},
               {"fem_harbor", 2374001, 46835, 4, 145},
               {"fem_ship", 7813404, 140874, 24, 102},
               {"fem_spheres", 6010480, 83334, 1, 81},
               {"heart_3k", 37035, 3129, 5, 21},
               {"heart_5k", 52715, 4563, 6, 22},
               {"heart_30k", 367443, 28639, 6, 24},
               {"protein", 4344765, 36417, 18, 204},
               {"qcd", 1916928, 49152, 39, 39},
               {"webbase", 3105536, 1000005, 1, 4700},
               {"wind_tunnel", 11634424, 217918, 2, 180}};
  std::vector<std::string> names;
  for (const auto &row : table)
    {
      names.push_back(row.name);
      const auto &line = matrix_suite().at(names.size() - 1);
      EXPECT_EQ(line.name, row.name);
      EXPECT_EQ(line.n_nonzeros, row.n_nonzeros) << row.name;
      EXPECT_EQ(line.n_rows, row.n_rows) << row.name;
      EXPECT_EQ(line.shortest, row.shortest) << row.name;
      EXPECT_EQ(line.longest, row.longest) << row.name;
    }
  check_names(MatrixGroup::benchmark, names);
  check_names(MatrixGroup::finite_elements,
              {"quad_1", "quad_2", "quad_3", "quad_4", "hex_1", "hex_2",
               "hex_3", "hex_4"});
  check_names(MatrixGroup::awkward,
              {"heart_30k_shuffled", "empty_rows", "one_dense_row",
               "one_column", "few_rows", "single_entries"});
  EXPECT_EQ(matrix_suite_names().size(), matrix_suite().size());
}

TEST(MatrixSuite, HasTheFiguresOfTheList)
{
  for (const SuiteMatrix &line : made_matrices())
    {
      SCOPED_TRACE(line.name);
      if (line.n_nonzeros > most_nonzeros())
        continue;
      const SparseMatrix matrix = make_suite_matrix(line.name);
      EXPECT_EQ(matrix.n_rows(), line.n_rows);
      expect_near(matrix.n_nonzeros(), line.n_nonzeros);
      expect_near(shortest_row(matrix), line.shortest);
      expect_near(matrix.pattern.max_row_length(), line.longest);
      if (line.group == MatrixGroup::finite_elements)
        {
          EXPECT_EQ(matrix.n_nonzeros(), line.n_nonzeros);
        }
    }
}

TEST(MatrixSuite, IsWellFormedAtEveryScale)
{
  for (const double scale : scales())
    for (const SuiteMatrix &line : made_matrices())
      {
        SCOPED_TRACE(line.name + " at " + std::to_string(scale));
        const SparseMatrix matrix = make_suite_matrix(line.name, scale);
        test::check_form(matrix, line.name == "empty_rows" ? 0 : 1);
        EXPECT_GE(matrix.n_rows(), 1);
        EXPECT_EQ(matrix.n_columns, line.name == "one_column" ? 1
                                    : line.name == "few_rows"
                                      ? 100
                                      : matrix.n_rows());
        EXPECT_LE(matrix.pattern.max_row_length(), line.longest);
      }
}

TEST(MatrixSuite, ScalesTheRows)
{
  for (const SuiteMatrix &line : made_matrices())
    {
      SCOPED_TRACE(line.name);
      const SparseMatrix matrix = make_suite_matrix(line.name, 0.1);
      // Meshes and lattices exist for some sizes only.
      const bool layers =
        line.group == MatrixGroup::finite_elements || line.name == "qcd";
      const double rows = line.name == "few_rows" ? 7 : 0.1 * line.n_rows;
      EXPECT_NEAR(matrix.n_rows(), rows,
                  layers                        ? 0.2 * rows
                  : line.name == "epidemiology" ? 1025
                                                : 0.5);
    }
}

TEST(MatrixSuite, IsTheSameTwiceAndForAnyNumberOfThreads)
{
  for (const std::string &name : matrix_suite_names())
    {
      SCOPED_TRACE(name);
      test::check_repeatable([&] { return make_suite_matrix(name, 0.02); });
    }
}

TEST(MatrixSuite, AwkwardOnesAreWhatTheySay)
{
  const SparseMatrix empty = make_suite_matrix("empty_rows", 0.01);
  const int n              = empty.n_rows();
  for (const int row : {0, 3, n / 2, n / 2 + 99, n - 1})
    EXPECT_EQ(test::row_length(empty, row), 0) << row;
  const SparseMatrix dense = make_suite_matrix("one_dense_row", 0.001);
  EXPECT_EQ(dense.n_rows(), 100);
  for (int row = 0; row < 100; ++row)
    EXPECT_EQ(test::row_length(dense, row), row == 33               ? 100
                                            : row == 0 || row == 99 ? 2
                                                                    : 3);
  EXPECT_LT(make_suite_matrix("few_rows", 100).n_rows(), 32);
  const SparseMatrix single = make_suite_matrix("single_entries", 0.001);
  EXPECT_EQ(single.n_nonzeros(), single.n_rows());
}

TEST(MatrixSuite, RefusesOtherNamesAndScales)
{
  EXPECT_THROW(make_suite_matrix("square"), ParameterError);
  for (const double scale : {0., -1., std::nan(""), 1e9})
    EXPECT_THROW(make_suite_matrix("webbase", scale), ParameterError);
  try
    {
      make_suite_matrix("square");
    }
  catch (const ParameterError &error)
    {
      for (const std::string &name : matrix_suite_names())
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
}
