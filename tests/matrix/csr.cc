#include "rows.h"

#include <tessera/base/error.h>
#include <tessera/operators/csr.h>

using namespace tessera;
using test::all_rows;
using test::make_pattern;
using test::Rows;

namespace
{
  /// Returns all legal choices; the automatic one comes first.
  std::vector<ThreadsPerRow>
  all_threads(const Backend backend)
  {
    std::vector<ThreadsPerRow> result;
    for (const std::string &name : threads_per_row_options().words())
      if (backend == Backend::cuda || result.empty())
        result.push_back(threads_per_row({{"Threads per row", name}}));
    return result;
  }

  template <class Number>
  void
  check(const Backend backend, const Rows &rows, const bool force_64,
        const ThreadsPerRow &threads)
  {
    const test::RowProblem<Number> problem(rows);
    CsrMatrix<Number> matrix(CsrPattern(problem.pattern, backend), force_64);
    EXPECT_EQ(matrix.row_start_64() != nullptr, force_64);
    EXPECT_EQ(matrix.row_start_32() == nullptr, force_64);
    EXPECT_EQ(matrix.values().to_vector(),
              std::vector<Number>(problem.a.size(), Number(0)));
    EXPECT_EQ(matrix.padding(), 1.);
    EXPECT_EQ(matrix.bytes_of_product(), matrix.bytes());
    matrix.values().copy_from(problem.a);
    const Csr<Number> A(std::move(matrix), problem.n_tail, threads);
    EXPECT_EQ(A.threads_per_row(), threads.value_or(A.threads_per_row()));
    problem.check(A);
  }
} // namespace

TEST(Csr, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const Rows &rows : all_rows())
      for (const ThreadsPerRow &threads : all_threads(backend))
        for (const bool force_64 : {false, true})
          {
            SCOPED_TRACE(to_string(backend) + ", " + rows.name +
                         (force_64 ? ", 64 bits, " : ", 32 bits, ") +
                         to_string(threads) + " threads a row");
            check<double>(backend, rows, force_64, threads);
            check<float>(backend, rows, force_64, threads);
          }
}

TEST(Csr, ThreadsPerRowAreChosenByTheLengthsOfRows)
{
  for (const Backend backend : test::backends())
    {
      // The columns row, row + 3, ... continue each other from row to row.
      const auto chosen = [backend](const std::vector<int> &row_lengths,
                                    const auto number) {
        using Number = std::remove_const_t<decltype(number)>;
        SparsityPattern pattern;
        pattern.row_start = {0};
        for (const int length : row_lengths)
          {
            const int row = pattern.n_rows();
            for (int k = 0; k < length; ++k)
              pattern.columns.push_back(row + 3 * k);
            pattern.row_start.push_back(pattern.columns.size());
          }
        return Csr<Number>(CsrMatrix<Number>(CsrPattern(pattern, backend)),
                           10000)
          .threads_per_row();
      };
      const bool host = backend == Backend::host;
      EXPECT_EQ(chosen(std::vector<int>(40, 96), 1.), host ? 1 : staged_rows);
      EXPECT_EQ(chosen(std::vector<int>(40, 96), 1.f), host ? 1 : staged_rows);
      EXPECT_EQ(chosen({}, 1.), host ? 1 : staged_rows);
      // Longer rows: a thread has at most 14 entries, or a warp has one row.
      EXPECT_EQ(chosen(std::vector<int>(40, 97), 1.), host ? 1 : 8);
      EXPECT_EQ(chosen(std::vector<int>(40, 125), 1.), host ? 1 : 16);
      EXPECT_EQ(chosen(std::vector<int>(40, 216), 1.f), host ? 1 : 16);
      EXPECT_EQ(chosen(std::vector<int>(40, 1000), 1.f), host ? 1 : 32);
      // One long row among short ones: a thread has at most a tile.
      std::vector<int> one_long(400, 1);
      one_long[7] = 2561;
      EXPECT_EQ(chosen(one_long, 1.), host ? 1 : 4);
      EXPECT_EQ(chosen(one_long, 1.f), host ? 1 : 2);
    }
}

TEST(Csr, RowsAreStreamedWhereColumnsFollowOneAnother)
{
  // Rows have 9 columns: 9 i, 9 i + 1, ... along rows, or i, i + 100, ...
  // across rows.
  const int n = 100;
  SparsityPattern along, across;
  along.row_start = across.row_start = {0};
  for (int row = 0; row < n; ++row)
    {
      for (int k = 0; k < 9; ++k)
        {
          along.columns.push_back(9 * row + k);
          across.columns.push_back(row + 100 * k);
        }
      along.row_start.push_back(along.columns.size());
      across.row_start.push_back(across.columns.size());
    }
  for (const Backend backend : test::backends())
    for (const bool force_64 : {false, true})
      {
        const auto chosen = [&](const SparsityPattern &pattern) {
          return Csr<double>(
                   CsrMatrix<double>(CsrPattern(pattern, backend), force_64),
                   1000)
            .threads_per_row();
        };
        const bool host = backend == Backend::host;
        EXPECT_EQ(chosen(along), host ? 1 : streamed_rows);
        EXPECT_EQ(chosen(across), host ? 1 : staged_rows);
      }
}

TEST(Csr, ThreadsPerRowHaveNames)
{
  const auto from = [](const char *name) {
    return threads_per_row({{"Threads per row", name}});
  };
  for (const std::string &name : threads_per_row_options().words())
    EXPECT_EQ(to_string(from(name.c_str())), name);
  EXPECT_FALSE(from("auto"));
  EXPECT_FALSE(threads_per_row({}));
  EXPECT_EQ(from("staged"), staged_rows);
  EXPECT_EQ(from("streamed"), streamed_rows);
  EXPECT_EQ(from("32"), 32);
}

TEST(Csr, ThreadsPerRowThatAreNotThereAreRefused)
{
  const SparsityPattern pattern = make_pattern(all_rows()[4]);
  for (const Backend backend : test::backends())
    for (const int threads : {streamed_rows, staged_rows, 1, 32, 3, 64, -2})
      {
        const auto make = [&]() {
          Csr<double>(CsrMatrix<double>(CsrPattern(pattern, backend)), 0,
                      threads);
        };
        const bool legal = threads == streamed_rows || threads == staged_rows ||
                           threads == 1 || threads == 32;
        if (legal && backend == Backend::cuda)
          EXPECT_NO_THROW(make()) << threads;
        else
          EXPECT_THROW(make(), ParameterError) << threads;
      }
}

TEST(Csr, RowStartsOf32And64BitsGiveTheSameBits)
{
  for (const Backend backend : test::backends())
    for (const Rows &rows : all_rows())
      {
        const SparsityPattern pattern = make_pattern(rows);
        std::vector<double> first;
        for (const bool force_64 : {false, true})
          {
            CsrMatrix<double> matrix(CsrPattern(pattern, backend), force_64);
            EXPECT_EQ(matrix.bytes(),
                      pattern.columns.size() * 12 +
                        pattern.row_start.size() * (force_64 ? 8 : 4));
            matrix.values().copy_from(
              test::random_values<double>(pattern.columns.size()));
            const Csr<double> A(std::move(matrix), rows.n_columns);
            Vector<double> x = A.make_vector(), y = A.make_vector();
            x.copy_from(test::random_values<double>(x.size(), 5));
            A.vmult(y, x);
            if (!force_64)
              first = y.to_vector();
            EXPECT_EQ(y.to_vector(), first) << rows.name;
          }
      }
}

// The blocks of the device go over the rows more than once. For fibers there
// are too many rows.
TEST(Csr, MoreRowsThanAGridTakesAtOnce)
{
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda && !runtime::is_shim())
      {
        const int n = 2 * 132 * 64 * 128 + 5;
        Rows rows{"many", 40, std::vector<int>(n, 2)};
        for (int row = 0; row < n; row += 3)
          rows.lengths[row] = 1;
        for (const ThreadsPerRow &threads : all_threads(backend))
          check<double>(backend, rows, false, threads);
      }
}

TEST(Csr, AddressingIsThatOfCompressedRows)
{
  const SparsityPattern pattern = make_pattern(all_rows()[4]);
  for (const bool force_64 : {false, true})
    {
      const CsrMatrix<float> matrix(CsrPattern(pattern, Backend::host),
                                    force_64);
      for (int row = 0; row < pattern.n_rows(); ++row)
        for (int k = 0; k < pattern.row_start[row + 1] - pattern.row_start[row];
             ++k)
          EXPECT_EQ(matrix.addressing().position(row, k),
                    pattern.row_start[row] + k);
    }
}
