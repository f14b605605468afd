#include "../matrix/rows.h"

#include <tessera/base/error.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/factory.h>

#include <algorithm>
#include <limits>

using namespace tessera;

// Tests rows with all their zeros: a layout written by hand, both products of
// the device, and matrices that are too large.
namespace
{
  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_dense(const SparsityPattern &pattern, const int n_tail,
             const Backend backend, const std::string &threads = "auto")
  {
    AssemblyOptions options;
    options.storage = {{"Dense threads per row", threads}};
    return make_row_operator<Number>("dense", CsrPattern(pattern, backend),
                                     n_tail, options);
  }

  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows)
  {
    const test::RowProblem<Number> problem(rows);
    const auto &columns = problem.pattern.columns;
    const int longest =
      columns.empty() ? 0
                      : 1 + *std::max_element(columns.begin(), columns.end());
    const bool on_device = backend == Backend::cuda;
    for (const std::string threads : {"auto", "1", "block"})
      {
        if (!on_device && threads != "auto")
          continue;
        SCOPED_TRACE(threads);
        const auto A =
          make_dense<Number>(problem.pattern, problem.n_tail, backend, threads);
        place_values(A->matrix(),
                     Array<std::int64_t>(backend, problem.pattern.row_start),
                     Array<Number>(backend, problem.a));
        A->values_changed();
        problem.check(*A);
        // Values that change take their places.
        A->matrix().values().zero();
        place_values(A->matrix(),
                     Array<std::int64_t>(backend, problem.pattern.row_start),
                     Array<Number>(backend, problem.a));
        A->values_changed();
        problem.check(*A);

        const std::size_t n = problem.n;
        EXPECT_EQ(A->traffic().compulsory,
                  sizeof(Number) * (2 * n + problem.a.size()));
        EXPECT_EQ(A->traffic().stored, sizeof(Number) * n * longest);
        const auto found = A->product_parameters();
        if (!on_device)
          EXPECT_TRUE(found.empty());
        else if (threads == "1" || (threads == "auto" && longest < 128))
          EXPECT_EQ(std::get<std::int64_t>(found.at("T")), 1);
        else
          EXPECT_EQ(std::get<std::string>(found.at("T")), "block");
      }
  }
} // namespace

TEST(Dense, AgreesWithASerialLoop)
{
  test::on_all_rows(
    [](auto number, const Backend backend, const test::Rows &rows) {
      if (!test::is_watched() || rows.lengths.size() * rows.n_columns < 20000)
        check<decltype(number)>(backend, rows);
    });
}

TEST(Dense, ZerosStandBehindTheEntries)
{
  // | 1 2 . . |
  // | . . . . |
  // | 3 . . 4 |
  const SparsityPattern pattern{{0, 2, 2, 4}, {0, 1, 0, 3}};
  for (const Backend backend : test::backends())
    {
      const auto A              = make_dense<double>(pattern, 2, backend);
      RowMatrix<double> &matrix = A->matrix();
      place_values(matrix, Array<std::int64_t>(backend, pattern.row_start),
                   Array<double>(backend, std::vector<double>{1, 2, 3, 4}));
      A->values_changed();
      std::vector<double> expected(32 + 12, 0.);
      for (const auto &[place, value] :
           std::vector<std::pair<int, double>>{{0, 1},
                                               {1, 2},
                                               {2, 3},
                                               {3, 4},
                                               {32, 1},
                                               {33, 2},
                                               {40, 3},
                                               {43, 4}})
        expected[place] = value;
      EXPECT_EQ(matrix.values().to_vector(), expected);
      EXPECT_EQ(matrix.padding(), 11.);
      EXPECT_EQ(matrix.bytes(), 44 * 8 + 4 * 4 + 4 * 8u);
      EXPECT_EQ(matrix.pattern().row_start, pattern.row_start);
      EXPECT_EQ(matrix.pattern().columns, pattern.columns);
    }
}

TEST(Dense, LargeMatricesAreRefused)
{
  const SparsityPattern pattern{{0, 1}, {std::numeric_limits<int>::max() - 1}};
  for (const Backend backend : test::backends())
    try
      {
        make_dense<double>(pattern, 0, backend);
        FAIL() << "nothing was thrown";
      }
    catch (const ParameterError &error)
      {
        EXPECT_EQ(
          error.what(),
          std::string("The operator dense was given 1 row of 2147483647 "
                      "numbers, which take 16383 MiB; legal are at most 8192 "
                      "MiB, beyond which other operators of rows remain."));
      }
}
