#include "sell_shapes.h"

#include <tessera/base/error.h>
#include <tessera/base/launch_log.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/sell.h>

using namespace tessera;

// Tests sliced ELLPACK: layouts written by hand, and products with rows that no
// mesh has.
namespace
{
  /// Checks the slices of rows, their widths, threads and order.
  template <class Number>
  void
  check_slices(const SellMatrix<Number> &matrix, const test::Rows &rows)
  {
    const SellShape &shape = matrix.shape();
    const Backend backend  = matrix.backend();
    const int n            = matrix.n_slices();
    const auto start = test::copy_of(backend, matrix.slice_start(), n + 1);
    const auto first = test::copy_of(backend, matrix.slice_rows(), n + 1);
    const auto log2  = test::copy_of(backend, matrix.log2_threads(), n);
    std::vector<int> sorted(rows.lengths.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    if (matrix.permutation() != nullptr)
      sorted = test::copy_of(backend, matrix.permutation(), sorted.size());

    // Every row must occur once, within its window.
    std::vector<int> where(sorted.size(), -1);
    const int window =
      shape.window == 0 ? static_cast<int>(sorted.size()) : shape.window;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      {
        ASSERT_EQ(where.at(sorted[i]), -1);
        where[sorted[i]] = static_cast<int>(i);
        EXPECT_EQ(static_cast<int>(i) / window, sorted[i] / window);
        if (i % window != 0 && window > 1)
          {
            EXPECT_GE(rows.lengths[sorted[i - 1]], rows.lengths[sorted[i]]);
          }
      }

    ASSERT_EQ(first[n], static_cast<int>(sorted.size()));
    int widest = 0;
    for (int s = 0; s < n; ++s)
      {
        const int threads = 1 << log2[s];
        EXPECT_GE(threads, shape.threads_per_row);
        EXPECT_LE(threads, std::min(shape.lanes, 32));
        EXPECT_LE((first[s + 1] - first[s]) * threads, shape.lanes);
        int width = 0;
        for (int i = first[s]; i < first[s + 1]; ++i)
          width =
            std::max(width, (rows.lengths[sorted[i]] + threads - 1) / threads);
        if (shape.one_width)
          {
            EXPECT_GE(start[s + 1] - start[s],
                      std::int64_t(width) * shape.lanes);
            EXPECT_EQ(start[s + 1] - start[s], start[1]);
            widest = std::max(widest, width);
          }
        else
          EXPECT_EQ(start[s + 1] - start[s], std::int64_t(width) * shape.lanes);
        if (shape.threshold > 0 && threads < std::min(shape.lanes, 32))
          {
            EXPECT_LE(width, shape.threshold);
          }
        if (threads > shape.threads_per_row)
          {
            // With half the lanes per row and the rows that then fit, some row
            // would have too many entries.
            int longest    = 0;
            const int last = std::min<int>(first[s] + 2 * shape.lanes / threads,
                                           sorted.size());
            for (int i = first[s]; i < last; ++i)
              longest = std::max(longest, rows.lengths[sorted[i]]);
            EXPECT_GT(longest, shape.threshold * threads / 2);
          }
      }
    if (shape.one_width && n > 0)
      {
        EXPECT_EQ(start[1], std::int64_t(widest) * shape.lanes);
      }
  }

  template <class Number>
  void
  check(const Backend backend, const test::Rows &rows, const SellShape &shape)
  {
    const test::RowProblem<Number> problem(rows);
    const CsrPattern pattern(problem.pattern, backend);
    SellMatrix<Number> matrix(pattern, shape);
    check_slices(matrix, rows);
    // Assembly must find an entry where its column is stored.
    const SparsityPattern back = matrix.pattern();
    EXPECT_EQ(back.row_start, problem.pattern.row_start);
    EXPECT_EQ(back.columns, problem.pattern.columns);
    const Array<Number> values(backend, problem.a);
    place_values(matrix, pattern.row_start, values);
    const Sell<Number> A(std::move(matrix), problem.n_tail);
    problem.check(A);
  }

  /// Returns shapes that differ in the layouts that they give.
  const std::vector<SellShape> &
  shapes_of_layouts()
  {
    static const std::vector<SellShape> all = [] {
      std::vector<SellShape> result      = test::shapes();
      const std::vector<SellShape> other = {
        {1, 0},               // a row per slice
        {32, 7},              // windows of less than a slice
        {32, 1000000},        // one window of more than all rows
        {256, 3, 32},         // the most lanes
        {256, 0, 1, 1},       // all numbers of threads per row
        {8, 0, 4, 2},         // from four threads per row on
        {32, 0, 1, 12, true}, // slices by a threshold, with one width
        {64, 50, 2, 4},       // a threshold in windows
        {32, 1, 1, 5, true}}; // a threshold for rows in their own order
      result.insert(result.end(), other.begin(), other.end());
      return result;
    }();
    return all;
  }

  template <class T>
  void
  expect_same(const T *host, const T *device, const std::size_t n)
  {
    ASSERT_EQ(host == nullptr, device == nullptr);
    if (host == nullptr)
      return;
    EXPECT_EQ(test::copy_of(Backend::host, host, n),
              test::copy_of(Backend::cuda, device, n));
  }

  /// Compares every array of the layouts that the host and the device make.
  template <class Number>
  void
  compare_layouts(const SparsityPattern &pattern, const SellShape &shape)
  {
    const SellMatrix<Number> host(CsrPattern(pattern, Backend::host), shape);
    const SellMatrix<Number> device(CsrPattern(pattern, Backend::cuda), shape);
    const int n = pattern.n_rows(), n_slices = host.n_slices();
    ASSERT_EQ(device.n_slices(), n_slices);
    ASSERT_EQ(device.values().size(), host.values().size());
    EXPECT_EQ(device.shape(), host.shape());
    EXPECT_EQ(device.log2_lanes(), host.log2_lanes());
    EXPECT_EQ(device.most_log2_threads(), host.most_log2_threads());
    EXPECT_EQ(device.bytes(), host.bytes());
    EXPECT_EQ(device.index_bytes(), host.index_bytes());
    expect_same(host.slice_start(), device.slice_start(), n_slices + 1);
    expect_same(host.slice_rows(), device.slice_rows(), n_slices + 1);
    expect_same(host.log2_threads(), device.log2_threads(), n_slices);
    expect_same(host.permutation(), device.permutation(), n);
    expect_same(host.lengths(), device.lengths(), n);
    expect_same(host.addressing().base_64, device.addressing().base_64, n);
    expect_same(host.addressing().log2_threads,
                device.addressing().log2_threads, n);
    EXPECT_EQ(host.addressing().stride, device.addressing().stride);
    expect_same(host.columns(), device.columns(), host.values().size());
  }
} // namespace

TEST(Sell, TheDeviceMakesTheLayoutOfTheHost)
{
  std::vector<std::pair<std::string, SparsityPattern>> patterns;
  for (const test::Rows &rows : test::all_rows())
    patterns.emplace_back(rows.name, test::make_pattern(rows));
  patterns.emplace_back("no rows", SparsityPattern{{0}, {}});
  std::vector<int> lengths(200, 2);
  lengths[77] = 900;
  patterns.emplace_back("one dense row",
                        test::make_pattern({"", 900, lengths}));
  for (const int least : {0, 1})
    {
      std::vector<int> power_law;
      for (int row = 0; row < 700; ++row)
        power_law.push_back(std::max(least, 600 / (1 + row * 389 % 700)));
      patterns.emplace_back("lengths by a power law from " +
                              std::to_string(least),
                            test::make_pattern({"", 2000, power_law}));
    }
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda)
      for (const auto &[name, pattern] : patterns)
        for (const SellShape &shape : shapes_of_layouts())
          {
            SCOPED_TRACE(name + ", " + test::describe(shape));
            compare_layouts<double>(pattern, shape);
            compare_layouts<float>(pattern, shape);
          }
}

TEST(Sell, ManyWindowsOfLongRowsAreSortedByKeysOf64Bits)
{
  // A row of 2^16 entries and short ones, in 2^16 windows and a half.
  const int longest = 1 << 16, n = (1 << 17) + 1;
  SparsityPattern pattern{{0}, {}};
  for (int row = 0; row < n; ++row)
    {
      const int length = row == n / 3 ? longest : row % 3;
      for (int k = 0; k < length; ++k)
        pattern.columns.push_back(k);
      pattern.row_start.push_back(pattern.columns.size());
    }
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda)
      compare_layouts<float>(pattern, {1, 2});
}

TEST(Sell, TheDeviceCutsSlicesItself)
{
  const SparsityPattern pattern =
    test::make_pattern({"", 90, test::lengths(33, 0, 40)});
  const auto n_launches = [&](const SellShape &shape) {
    const CsrPattern rows(pattern, Backend::cuda);
    const runtime::LaunchLog log;
    make_sell_layout(rows, shape);
    return log.launches().size();
  };
  for (const Backend backend : test::backends())
    if (backend == Backend::cuda)
      {
        // lengths, slices, places of rows, and columns
        EXPECT_EQ(n_launches({32, 1}), 4);
        EXPECT_EQ(n_launches({32, 8}), 5);        // and keys to sort by
        EXPECT_EQ(n_launches({32, 0, 1, 12}), 6); // and groups of slices
        EXPECT_EQ(n_launches({32, 8, 1, 12}), 3); // slices of the host
      }
}

TEST(Sell, AgreesWithASerialLoop)
{
  for (const Backend backend : test::backends())
    for (const test::Rows &rows : test::all_rows())
      for (const SellShape &shape : test::shapes())
        {
          SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", " +
                       test::describe(shape));
          check<double>(backend, rows, shape);
          check<float>(backend, rows, shape);
        }
}

TEST(Sell, LongerRowsStandFirst)
{
  // Rows have 1, 3, 0 and 2 entries; a slice has two lanes.
  const SparsityPattern pattern{{0, 1, 4, 4, 6}, {2, 0, 1, 3, 1, 2}};
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend), {2, 0});
      EXPECT_EQ(matrix.n_slices(), 2);
      // Rows 1 and 3 have a slice of width 3, rows 0 and 2 one of width 1.
      EXPECT_EQ(test::columns_of(matrix),
                (std::vector<int>{0, 1, 1, 2, 3, 3, 2, 2}));
      EXPECT_EQ(test::copy_of(backend, matrix.permutation(), 4),
                (std::vector<int>{1, 3, 0, 2}));
      EXPECT_EQ(matrix.padding(), 8 / 6.);
    }
}

TEST(Sell, OneLaneAndOneWidthAreEllpackRowByRow)
{
  const SellShape shape{1, 1, 1, 0, true};
  // Rows have 1, 3, 0 and 2 entries.
  const SparsityPattern pattern{{0, 1, 4, 4, 6}, {2, 0, 1, 3, 1, 2}};
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend), shape);
      EXPECT_EQ(test::columns_of(matrix),
                (std::vector<int>{2, 0, 0, 0, 1, 3, 2, 2, 2, 1, 2, 3}));
      EXPECT_EQ(matrix.permutation(), nullptr);
      EXPECT_EQ(matrix.padding(), 12 / 6.);
    }
  test::on_all_rows(
    [&](auto number, const Backend backend, const test::Rows &rows) {
      if (rows.lengths.size() * rows.n_columns < 20000)
        check<decltype(number)>(backend, rows, shape);
    });
}

TEST(Sell, LanesOfARowTakeItsEntriesInTurn)
{
  // Rows have 5 and 2 entries and two lanes each.
  const SparsityPattern pattern{{0, 5, 7}, {0, 1, 2, 3, 4, 5, 6}};
  for (const Backend backend : test::backends())
    {
      const SellMatrix<float> matrix(CsrPattern(pattern, backend), {4, 1, 2});
      EXPECT_EQ(test::columns_of(matrix),
                (std::vector<int>{0, 1, 5, 6, 2, 3, 1, 1, 4, 0, 1, 1}));
      EXPECT_EQ(matrix.permutation(), nullptr);
    }
}

TEST(Sell, AThresholdHalvesRowsAgainAndAgain)
{
  // One row of 40 takes a whole slice; eight rows of 3 have one lane each.
  std::vector<int> lengths(9, 3);
  lengths[4]                    = 40;
  const SparsityPattern pattern = test::make_pattern({"", 64, lengths});
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend),
                                      {8, 0, 1, 3});
      const int n = matrix.n_slices();
      ASSERT_EQ(n, 2);
      EXPECT_EQ(test::copy_of(backend, matrix.log2_threads(), n),
                (std::vector<std::uint8_t>{3, 0}));
      EXPECT_EQ(test::copy_of(backend, matrix.slice_start(), n + 1),
                (std::vector<std::int64_t>{0, 40, 64}));
    }
}

TEST(Sell, ShapesThatDoNotExistAreRefused)
{
  const auto message = [](const SellShape &shape) -> std::string {
    try
      {
        check_shape(shape);
      }
    catch (const ParameterError &error)
      {
        return error.what();
      }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({48}),
            "The number of lanes of a slice of sliced ELLPACK "
            "was given as 48; legal is a power of two from 1 to "
            "256.");
  EXPECT_NE(message({0}), "");
  EXPECT_NE(message({512}), "");
  EXPECT_NE(message({-32}), "");
  EXPECT_NE(message({32, -1}), "");
  EXPECT_EQ(message({8, 1, 16}),
            "The number of threads per row of sliced ELLPACK was given as 16; "
            "legal is a power of two from 1 to 8 with slices of 8.");
  EXPECT_NE(message({64, 1, 64}), "");
  EXPECT_NE(message({32, 1, 3}), "");
  EXPECT_NE(message({32, 1, 1, -1}), "");
}

/// Blocks and loads must not change any bit of y.
TEST(Sell, BlocksAndLoads)
{
  const test::Rows rows         = {"", 400, test::lengths(400, 0, 40)};
  const SparsityPattern pattern = test::make_pattern(rows);
  const auto product = [&](const Backend backend, const SellLaunch &launch) {
    const CsrPattern where(pattern, backend);
    SellMatrix<double> matrix(where, {32, 64, 1, 5});
    place_values(matrix, where.row_start,
                 Array<double>(backend, test::random_values<double>(
                                          pattern.columns.size(), 3)));
    const Sell<double> A(std::move(matrix), 0, launch);
    Vector<double> x(backend, 400, 0), y(backend, 400, 0);
    x.copy_from(test::random_values<double>(400, 4));
    A.vmult(y, x);
    return y.to_vector();
  };
  for (const Backend backend : test::backends())
    {
      const auto tuned = product(backend, {});
      EXPECT_EQ(product(backend, {{}, false}), tuned);
      for (int block = 32; block <= 256; block += 32)
        EXPECT_EQ(product(backend, {block, true}), tuned) << block;
      for (const int block : {0, -32, 16, 100, 288})
        EXPECT_THROW(product(backend, {block, true}), ParameterError) << block;
      EXPECT_THROW(product(backend, {64, false}), ParameterError);
    }
}
