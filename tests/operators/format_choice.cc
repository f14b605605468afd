#include <tessera/base/error.h>
#include <tessera/matrices/matrix_suite.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>

#include <algorithm>

#include "test.h"

using namespace tessera;
using test::backends;

namespace
{
  std::vector<FormatCandidate>
  ranking_of(const std::string &matrix, const double scale,
             const Backend backend)
  {
    return rank_formats(
      CsrPattern(make_suite_matrix(matrix, scale).pattern, backend), 8);
  }

  TEST(FormatChoice, QuickestFirst)
  {
    for (const Backend backend : backends())
      for (const std::string name : {"quad_2", "webbase", "empty_rows"})
        {
          const auto ranking = ranking_of(name, 0.05, backend);
          ASSERT_GT(ranking.size(), 3u);
          EXPECT_TRUE(std::is_sorted(ranking.begin(), ranking.end(),
                                     [](const auto &a, const auto &b) {
                                       return a.seconds < b.seconds;
                                     }));
          EXPECT_GT(ranking.front().seconds, 0);
          const std::string text = describe(ranking);
          EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
                    static_cast<int>(ranking.size()) + 1);
          EXPECT_NE(text.find("chosen: " + ranking.front().name),
                    std::string::npos)
            << text;
        }
  }

  /// Where one row is full, ELLPACK has as many places in all of them.
  TEST(FormatChoice, NotEllpackForADenseRow)
  {
    for (const Backend backend : backends())
      {
        const auto ranking = ranking_of("one_dense_row", 0.02, backend);
        const FormatCandidate &chosen = ranking.front();
        EXPECT_NE(chosen.name, "ell");
        if (backend == Backend::cuda)
          EXPECT_LE(chosen.work.longest, 100000 * 0.02 / 2)
            << "a thread goes through most of the row with " << chosen.name;
      }
  }

  /// The operator of the chosen format has the matrix.
  /// One block of csr_mgpu stores all of many empty rows.
  TEST(FormatChoice, NotByEntriesBeforeAMillionEmptyRows)
  {
    SparsityPattern pattern;
    pattern.row_start.assign(1000001, 10000);
    for (int row = 0; row < 10000; ++row)
      {
        pattern.row_start[row] = row;
        pattern.columns.push_back(row);
      }
    for (const Backend backend : backends())
      {
        const auto ranking = rank_formats(CsrPattern(pattern, backend), 8);
        EXPECT_NE(ranking.front().name, "csr_mgpu");
        for (const FormatCandidate &candidate : ranking)
          if (candidate.name == "csr_mgpu")
            EXPECT_EQ(candidate.work.longest, (990000 + 127) / 128 - 2);
      }
  }

  TEST(FormatChoice, MakesTheChosen)
  {
    for (const Backend backend : backends())
      for (const std::string name :
           {"heart_3k", "few_rows", "empty_rows", "single_entries"})
        {
          const SparseMatrix A = make_suite_matrix(name, 0.02);
          const int n_tail     = std::max(A.n_columns - A.n_rows(), 0);
          std::vector<FormatCandidate> ranking;
          AssemblyOptions options;
          options.ranking = &ranking;
          const auto op   = make_row_operator<double>(
            auto_operator, CsrPattern(A.pattern, backend), n_tail, options);
          ASSERT_FALSE(ranking.empty());
          EXPECT_EQ(op->name(), ranking.front().name);
          place_values(op->matrix(),
                       Array<std::int64_t>(backend, A.pattern.row_start),
                       Array<double>(backend, A.values));
          Vector<double> x(backend, A.n_rows(), n_tail),
            y(backend, A.n_rows(), n_tail);
          x.copy_from(std::vector<double>(A.n_rows() + n_tail, 1.));
          op->vmult(y, x);
          const auto result = y.to_vector();
          for (int row = 0; row < A.n_rows(); ++row)
            {
              double sum = 0, scale = 1e-300;
              for (auto k = A.pattern.row_start[row];
                   k < A.pattern.row_start[row + 1]; ++k)
                {
                  sum += A.values[k];
                  scale += std::abs(A.values[k]);
                }
              EXPECT_NEAR(result[row], sum, 1e-14 * scale) << name;
            }
        }
  }

  TEST(FormatChoice, TakesNoOptionsOfFormats)
  {
    AssemblyOptions options;
    options.sell.window = 64;
    EXPECT_THROW(check_options(auto_operator, Backend::host, options),
                 ParameterError);
    options              = {};
    options.hybrid_width = 3;
    EXPECT_THROW(check_options(auto_operator, Backend::host, options),
                 ParameterError);
    EXPECT_NO_THROW(check_options(auto_operator, Backend::host, {}));
  }
} // namespace
