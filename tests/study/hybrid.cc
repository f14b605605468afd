#include "../matrix/rows.h"
#include "entries.h"
#include "operators/cases.h"

#include <tessera/assembly/slot_map.h>
#include <tessera/base/error.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/study/operators/hybrid.h>

using namespace tessera;

// Tests the hybrid of ELLPACK and a rest: a layout written by hand,
// products with rows that no mesh has, and assembly by slots.
namespace
{
  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows,
        const std::optional<int> &given)
  {
    const test::RowProblem<Number> problem(rows);
    HybridMatrix<Number> matrix(CsrPattern(problem.pattern, backend), given);
    const int longest = problem.pattern.max_row_length();
    const int width   = matrix.width();
    if (given)
      {
        EXPECT_EQ(width, std::min(*given, longest));
      }
    const std::int64_t stride = (problem.n + 31) / 32 * 32;
    std::vector<std::int64_t> rest_start;
    std::int64_t n_places = stride * width, n_rest_rows = 0;
    for (const int length : rows.lengths)
      {
        rest_start.push_back(n_places);
        n_places += std::max(length - width, 0);
        n_rest_rows += length > width;
      }
    ASSERT_EQ(matrix.values().size(), std::size_t(n_places));
    EXPECT_EQ(matrix.n_rest_entries(), n_places - stride * width);
    EXPECT_EQ(matrix.n_rest_rows(), n_rest_rows);
    matrix.values().copy_from(
      problem.values_at(n_places, [&](const int row, const int k) {
        return k < width ? row / 32 * 32 * width + 32 * k + row % 32
                         : rest_start[row] + k - width;
      }));
    const Hybrid<Number> A(std::move(matrix), problem.n_tail);
    problem.check(A);
  }

  SparsityPattern
  pattern_of_lengths(const std::vector<int> &lengths)
  {
    return test::make_pattern({"", 100, lengths});
  }

  /// Half of the longest row is in columns, the rest behind.
  template <class Number>
  void
  check_assembly(const std::shared_ptr<const Space> &space,
                 const test::Oracle &oracle, std::size_t &turn)
  {
    const SparsityPattern pattern = make_sparsity_pattern(*space);
    for (const Backend backend : test::backends())
      {
        const CellData<Number> cells(space, backend);
        const SlotMap<Number> slots(CsrPattern(pattern, backend), cells);
        const FormData<Number> kappa(laplace(oracle.kappa), cells);
        for (const test::Way &way : test::ways(backend))
          {
            if (!test::in_turn(++turn, 5))
              continue;
            SCOPED_TRACE(test::to_string(way));
            const test::Entries expected(pattern, oracle);
            HybridMatrix<Number> matrix(CsrPattern(pattern, backend),
                                        pattern.max_row_length() / 2);
            test::assemble_rows(
              slots.sink(matrix.values().data(), matrix.addressing()), kappa,
              "local_reuse", way);
            const auto found = collect_rows(matrix, pattern.n_rows()).values;
            EXPECT_LT(test::rounding_units(
                        std::vector<Number>(found.begin(), found.end()),
                        expected.values, expected.scale),
                      test::rounding_limit);
          }
      }
  }
} // namespace

TEST(Hybrid, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::all_rows())
      for (const std::optional<int> &width :
           {std::optional<int>(), std::optional<int>(0), std::optional<int>(1),
            std::optional<int>(35), std::optional<int>(6000)})
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", width " +
                       std::to_string(width.value_or(-1)));
          check<double>(backend, rows, width);
          check<float>(backend, rows, width);
        }
}

TEST(Hybrid, TheRestStandsBehindTheColumns)
{
  // Rows of 1, 4, 0 and 3 entries are cut at 2.
  const SparsityPattern pattern{{0, 1, 5, 5, 8}, {0, 0, 1, 2, 3, 1, 2, 3}};
  for (const Backend backend : test::backends())
    {
      const HybridMatrix<float> matrix(CsrPattern(pattern, backend), 2);
      EXPECT_EQ(matrix.width(), 2);
      EXPECT_EQ(matrix.n_rest_rows(), 2);
      EXPECT_EQ(matrix.n_rest_entries(), 3);
      EXPECT_EQ(matrix.padding(), 67 / 8.);
      std::vector<int> expected(67, 0);
      const int first[] = {0, 0, 2, 1}, second[] = {0, 1, 2, 2},
                rest[] = {2, 3, 3};
      std::copy_n(first, 4, expected.begin());
      std::copy_n(second, 4, expected.begin() + 32);
      std::copy_n(rest, 3, expected.begin() + 64);
      EXPECT_EQ(test::columns_of(matrix), expected);
      // The bytes are values and columns; lengths and rest of each row; rows
      // and starts of the rest.
      EXPECT_EQ(matrix.bytes(),
                std::size_t(67 * 8 + 4 * (4 + 8) + 2 * 4 + 3 * 8));
      EXPECT_EQ(matrix.bytes_of_product(),
                std::size_t(8 * 8 + 4 * 4 + 2 * 4 + 3 * 8));
      if (backend == Backend::host || runtime::is_shim())
        {
          const RowAddressing rows = matrix.addressing();
          EXPECT_EQ(rows.position(1, 1), 33);
          EXPECT_EQ(rows.position(1, 2), 64);
          EXPECT_EQ(rows.position(1, 3), 65);
          EXPECT_EQ(rows.position(3, 2), 66);
          EXPECT_EQ(rows.length(1), 4);
          EXPECT_EQ(
            std::vector<int>(matrix.rest_rows(), matrix.rest_rows() + 2),
            (std::vector<int>{1, 3}));
          EXPECT_EQ(std::vector<std::int64_t>(matrix.rest_start(),
                                              matrix.rest_start() + 3),
                    (std::vector<std::int64_t>{64, 66, 67}));
        }
    }
}

TEST(Hybrid, AThirdOfTheRowsFillsTheWidth)
{
  const auto width = [](const Backend backend,
                        const std::vector<int> &lengths) {
    return HybridMatrix<double>(
             CsrPattern(pattern_of_lengths(lengths), backend))
      .width();
  };
  for (const Backend backend : test::backends())
    {
      EXPECT_EQ(width(backend, {1, 1, 1, 1, 1, 1, 5, 5, 5}), 5);
      EXPECT_EQ(width(backend, {1, 1, 1, 1, 1, 1, 4, 5, 5}), 4);
      EXPECT_EQ(width(backend, {1, 1, 1, 1, 1, 1, 1, 5, 5}), 1);
      EXPECT_EQ(width(backend, {0, 0, 0, 0, 9}), 0);
      EXPECT_EQ(width(backend, std::vector<int>(40, 7)), 7);
      EXPECT_EQ(width(backend, {}), 0);
    }
}

TEST(Hybrid, NegativeWidthsAreRefused)
{
  for (const Backend backend : test::backends())
    EXPECT_THROW(
      HybridMatrix<double>(CsrPattern(pattern_of_lengths({3}), backend), -1),
      ParameterError);
}

TEST(Hybrid, AssemblyWritesColumnsAndTheRest)
{
  std::size_t turn = 0;
  for (const test::PreparedCase &c : test::prepared_cases())
    {
      SCOPED_TRACE(c.name);
      check_assembly<double>(c.space, c.oracles[0], turn);
      check_assembly<float>(c.space, c.oracles.back(), turn);
    }
  // Rows of 255 entries and more have slots of 16 bits.
  const auto space =
    std::make_shared<const Space>(build_space(test::star_mesh(4, 14)));
  const test::Oracle oracle(*space,
                            test::varying(*space, Coefficient::Kind::per_cell));
  for (int k = 0; k < 5; ++k)
    check_assembly<double>(space, oracle, turn);
}
