#include "oracle.h"
#include "problems.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/operators/csr.h>

#include <numeric>

using namespace tessera;

// Compressed rows made by hand, whatever no mesh gives, against a serial loop.
namespace
{
  struct Rows
  {
    std::string name;
    int n_columns;
    std::vector<int> lengths;
  };

  /// Lengths in [least, most] in steps of `step`.
  std::vector<int>
  lengths(const int n, const int least, const int most, const int step = 1)
  {
    std::vector<int> result(n);
    for (int row = 0; row < n; ++row)
      result[row] = least + step * (row * 7 % ((most - least) / step + 1));
    return result;
  }

  std::vector<Rows>
  all_rows()
  {
    return {{"one entry", 1, {1}},
            {"one empty row", 5, {0}},
            {"one long row", 3000, {3000}},
            {"empty rows alone", 40, std::vector<int>(40, 0)},
            {"31 rows", 80, lengths(31, 0, 11)},
            {"33 rows, even", 90, lengths(33, 0, 40, 2)},
            {"33 rows, odd", 90, lengths(33, 1, 41, 2)},
            {"129 short rows", 129, lengths(129, 0, 14)},
            {"129 rows, even", 140, lengths(129, 22, 38, 2)},
            {"129 rows, odd", 140, lengths(129, 21, 39, 2)},
            {"129 long rows", 200, lengths(129, 30, 110)},
            {"longer than a tile", 3000, std::vector<int>(5, 3000)},
            {"just a tile, one more, one less", 2600, {2560, 2561, 2559, 1}},
            {"long among empty ones", 6000, {0, 0, 6000, 0, 3, 0, 0, 2999, 0}},
            {"ends empty", 100, {100, 50, 0, 0, 0}}};
  }

  /// Columns anywhere, increasing, of rows of the given lengths.
  SparsityPattern
  make_pattern(const Rows &rows)
  {
    std::mt19937 generator(11);
    SparsityPattern pattern;
    pattern.row_start = {0};
    std::vector<int> all(rows.n_columns), chosen;
    std::iota(all.begin(), all.end(), 0);
    for (const int length : rows.lengths)
      {
        chosen.clear();
        std::sample(all.begin(), all.end(), std::back_inserter(chosen), length,
                    generator);
        pattern.columns.insert(pattern.columns.end(), chosen.begin(),
                               chosen.end());
        pattern.row_start.push_back(pattern.columns.size());
      }
    return pattern;
  }

  /// All legal choices, the chosen one first.
  std::vector<ThreadsPerRow>
  all_threads(const Backend backend)
  {
    std::vector<ThreadsPerRow> result;
    for (const std::string &name : threads_per_row_names())
      if (backend == Backend::cuda || result.empty())
        result.push_back(threads_per_row_from_string(name));
    return result;
  }

  template <class Number>
  void
  check(const Backend backend, const Rows &rows, const bool force_64,
        const ThreadsPerRow &threads)
  {
    const SparsityPattern pattern = make_pattern(rows);
    const int n                   = pattern.n_rows();
    const int n_tail              = std::max(rows.n_columns - n, 0);
    const auto a = test::random_values<Number>(pattern.columns.size(), 2);
    const auto x = test::random_values<Number>(n + n_tail, 3);
    const auto b = test::random_values<Number>(n + n_tail, 4);
    std::vector<double> product(n, 0), scale(n, 0), sum(n), sum_scale(n),
      diagonal(n, 0);
    double dot = 0, dot_scale = 0;
    for (int row = 0; row < n; ++row)
      {
        for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1];
             ++k)
          {
            const double term =
              static_cast<double>(a[k]) * x[pattern.columns[k]];
            product[row] += term;
            scale[row] += std::abs(term);
            if (pattern.columns[k] == row)
              diagonal[row] = a[k];
          }
        sum[row]       = b[row] + product[row];
        sum_scale[row] = std::abs(double(b[row])) + scale[row];
        dot += x[row] * product[row];
        dot_scale += std::abs(x[row]) * scale[row];
      }

    CsrMatrix<Number> matrix(CsrPattern(pattern, backend), force_64);
    EXPECT_EQ(matrix.row_start_64() != nullptr, force_64);
    EXPECT_EQ(matrix.row_start_32() == nullptr, force_64);
    EXPECT_EQ(matrix.n_nonzeros(), pattern.n_nonzeros());
    EXPECT_EQ(matrix.max_row_length(), pattern.max_row_length());
    EXPECT_EQ(matrix.values().to_vector(),
              std::vector<Number>(pattern.columns.size(), Number(0)));
    matrix.values().copy_from(a);
    const Csr<Number> A(std::move(matrix), n_tail, threads);
    EXPECT_EQ(A.threads_per_row(), threads.value_or(A.threads_per_row()));
    ASSERT_EQ(A.n_owned(), n);
    ASSERT_EQ(A.n_tail(), n_tail);

    Vector<Number> from = A.make_vector(), to = A.make_vector();
    from.copy_from(x);
    to.copy_from(b);
    A.vmult(to, from);
    const auto stored = test::owned_values(to);
    EXPECT_LT(test::rounding_units(stored, product, scale),
              test::rounding_limit);
    // What is behind the rows is not written to.
    const auto whole = to.to_vector();
    EXPECT_TRUE(std::equal(whole.begin() + n, whole.end(), b.begin() + n));

    to.copy_from(b);
    A.vmult(to, from, Epilogue<Number>::add());
    EXPECT_LT(test::rounding_units(test::owned_values(to), sum, sum_scale),
              test::rounding_limit);

    Array<Number> result(backend, 1);
    std::vector<Number> first;
    for (int run = 0; run < 2; ++run)
      {
        result.copy_from({Number(-1)});
        A.vmult(to, from, Epilogue<Number>::dot(result.data()));
        EXPECT_EQ(test::owned_values(to), stored);
        EXPECT_LT(test::rounding_units(result.to_vector(), {dot}, {dot_scale}),
                  test::rounding_limit);
        if (run == 0)
          first = result.to_vector();
        EXPECT_EQ(result.to_vector(), first);
      }

    A.diagonal(to);
    EXPECT_EQ(test::owned_values(to),
              std::vector<Number>(diagonal.begin(), diagonal.end()));
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
      const auto chosen = [backend](const std::vector<int> &row_lengths,
                                    const auto number) {
        using Number = std::remove_const_t<decltype(number)>;
        return Csr<Number>(CsrMatrix<Number>(CsrPattern(
                             make_pattern({"", 3000, row_lengths}), backend)),
                           0)
          .threads_per_row();
      };
      const bool host = backend == Backend::host;
      // 32 rows fit on chip, in float longer ones than in double.
      EXPECT_EQ(chosen(std::vector<int>(40, 40), 1.), host ? 1 : staged_rows);
      EXPECT_EQ(chosen(std::vector<int>(40, 64), 1.f), host ? 1 : staged_rows);
      EXPECT_EQ(chosen({}, 1.), host ? 1 : staged_rows);
      // At most 12 entries a thread, or all of a warp.
      EXPECT_EQ(chosen(std::vector<int>(40, 41), 1.), host ? 1 : 4);
      EXPECT_EQ(chosen(std::vector<int>(40, 64), 1.), host ? 1 : 8);
      EXPECT_EQ(chosen(std::vector<int>(40, 125), 1.f), host ? 1 : 16);
      EXPECT_EQ(chosen(std::vector<int>(40, 1000), 1.f), host ? 1 : 32);
      // One long row among short ones: at most a tile a thread.
      std::vector<int> one_long(400, 1);
      one_long[7] = 2561;
      EXPECT_EQ(chosen(one_long, 1.), host ? 1 : 4);
      EXPECT_EQ(chosen(one_long, 1.f), host ? 1 : 2);
    }
}

TEST(Csr, ThreadsPerRowHaveNames)
{
  for (const std::string &name : threads_per_row_names())
    EXPECT_EQ(to_string(threads_per_row_from_string(name)), name);
  EXPECT_FALSE(threads_per_row_from_string("auto"));
  EXPECT_EQ(threads_per_row_from_string("staged"), staged_rows);
  EXPECT_EQ(threads_per_row_from_string("32"), 32);
  for (const char *name : {"0", "3", "64", "-1", "", "Auto"})
    EXPECT_THROW(threads_per_row_from_string(name), ParameterError) << name;
}

TEST(Csr, ThreadsPerRowThatAreNotThereAreRefused)
{
  const SparsityPattern pattern = make_pattern(all_rows()[4]);
  for (const Backend backend : test::backends())
    for (const int threads : {staged_rows, 1, 32, 3, 64, -1})
      {
        const auto make = [&]() {
          Csr<double>(CsrMatrix<double>(CsrPattern(pattern, backend)), 0,
                      threads);
        };
        const bool legal =
          threads == staged_rows || threads == 1 || threads == 32;
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

// The blocks of the device go over the rows more than once. Too many for
// fibers.
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
