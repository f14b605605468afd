#include "compressed_slices.h"

#include <tessera/base/error.h>

#include <cmath>

using namespace tessera;

// Tests columns in few bits: lines written by hand, all columns recovered, and
// products with rows that no mesh has, with values of both types.
namespace
{
  /// The stored arrays, copied to the host.
  struct Stored
  {
    std::vector<std::int32_t> lines; ///< base * 64 + bits
    std::vector<std::uint32_t> words;
    std::vector<std::int64_t> word_start;
  };

  template <class Number>
  Stored
  pack(const SellMatrix<Number> &matrix)
  {
    const Backend backend      = matrix.backend();
    const std::size_t n_places = matrix.values().size();
    const std::size_t n_lines  = n_places / matrix.shape().lanes;
    const PackedColumns packed(backend, matrix.slices(), matrix.columns(),
                               n_places);
    const PackedColumns::View view = packed.view();
    const std::size_t n_words =
      (packed.bytes() - 4 * (n_lines + PackedColumns::lines_behind) -
       8 * matrix.n_slices()) /
        4 -
      PackedColumns::words_behind;
    return {test::copy_of(backend, view.lines, n_lines),
            test::copy_of(backend, view.words, n_words),
            test::copy_of(backend, view.word_start, matrix.n_slices())};
  }

  Stored
  pack(const SparsityPattern &pattern, const Backend backend)
  {
    return pack(SellMatrix<float>(CsrPattern(pattern, backend)));
  }

  /// Returns the number that is stored in some bits, reading bit by bit.
  std::uint32_t
  read_bits(const std::vector<std::uint32_t> &words, const std::size_t from,
            const int bits)
  {
    std::uint32_t value = 0;
    for (int i = 0; i < bits; ++i)
      value |= (words.at((from + i) / 32) >> (from + i) % 32 & 1) << i;
    return value;
  }

  /// Recovers the columns of all places with an entry, lane by lane.
  template <class Number>
  void
  check_columns(const SellMatrix<Number> &matrix)
  {
    const Stored packed   = pack(matrix);
    const Backend backend = matrix.backend();
    const test::HostSlices slices(matrix);
    const auto &[n, n_lanes, columns, start, first, log2] = slices;
    const auto lengths =
      test::copy_of(backend, matrix.lengths(), matrix.n_rows());
    std::vector<int> sorted(matrix.n_rows());
    std::iota(sorted.begin(), sorted.end(), 0);
    if (matrix.permutation() != nullptr)
      sorted = test::copy_of(backend, matrix.permutation(), sorted.size());
    std::size_t end_of_words = 0;
    for (int s = 0; s < n; ++s)
      {
        ASSERT_EQ(packed.word_start[s], std::int64_t(end_of_words));
        std::vector<std::int64_t> column(n_lanes, 0);
        std::size_t bit = 32 * end_of_words;
        for (std::int64_t place = start[s]; place < start[s + 1];
             place += n_lanes)
          {
            const std::int32_t line = packed.lines[place / n_lanes];
            const int bits          = line & 63;
            EXPECT_TRUE(bits == 0 || (bits * n_lanes) % 32 == 0);
            for (int lane = 0; lane < n_lanes; ++lane)
              {
                const int i   = first[s] + (lane >> log2[s]);
                const int t   = lane % (1 << log2[s]);
                const auto k  = (place - start[s]) / n_lanes;
                const auto at = (k << log2[s]) + t;
                if (i >= first[s + 1] || at >= lengths[sorted[i]])
                  continue;
                column[lane] =
                  (k == 0 ? sorted[i] + t : column[lane]) +
                  static_cast<std::int32_t>(
                    (line - bits) / 64 +
                    read_bits(packed.words, bit + lane * bits, bits));
                EXPECT_EQ(column[lane], columns[place + lane]);
              }
            bit += bits * n_lanes;
          }
        end_of_words = bit / 32;
      }
    EXPECT_EQ(packed.words.size(), end_of_words);
  }

  template <class Number, class Values>
  SellPacked<Number>
  make(const Backend backend, const test::RowProblem<Number, Values> &problem,
       const SellShape &shape, const SliceValues values = SliceValues::number)
  {
    return test::make_compressed<PackedColumns>(backend, problem, shape,
                                                values);
  }
} // namespace

TEST(PackedColumns, LinesHaveTheBitsThatTheirGapsAskFor)
{
  for (const Backend backend : test::backends())
    {
      // The gaps are 0, 0, 0 from the rows, then 1, 1, 2, then 4, 4.
      const Stored near =
        pack({{0, 3, 6, 8}, {0, 1, 5, 1, 2, 6, 2, 4}}, backend);
      EXPECT_EQ(near.lines, (std::vector<std::int32_t>{0, 64 + 1, 4 * 64}));
      EXPECT_EQ(near.words, (std::vector<std::uint32_t>{4}));
      EXPECT_EQ(near.word_start, (std::vector<std::int64_t>{0}));

      // The gaps are 0, -1, then 1, 70000, then 99, 1.
      const Stored far =
        pack({{0, 3, 6}, {0, 1, 100, 0, 70000, 70001}}, backend);
      EXPECT_EQ(far.lines, (std::vector<std::int32_t>{1 - 64, 32, 64 + 8}));
      std::vector<std::uint32_t> words(1 + 32 + 8);
      words[0]  = 1;
      words[1]  = 1;
      words[2]  = 70000;
      words[33] = 98;
      EXPECT_EQ(far.words, words);
    }
}

TEST(PackedColumns, GapsAsLongAsColumnsAreExact)
{
  // In some lines neither base nor offset fits into fewer than 32 bits.
  const SparsityPattern pattern{
    {0, 4, 5, 7},
    {0, 1, 1 << 30, 2147483646, 2147483645, 33554433, 2147483646}};
  for (const Backend backend : test::backends())
    for (const int lanes : {1, 4, 32, 256})
      check_columns(SellMatrix<float>(CsrPattern(pattern, backend), {lanes}));
}

TEST(PackedColumns, AgreeWithASerialLoop)
{
  test::check_products<PackedColumns>(
    [](const auto &matrix) { check_columns(matrix); });
}

TEST(PackedColumns, NeighboursOfRowsAskForNoOffsets)
{
  // Five diagonals of 96 rows in three slices: 4 bytes per line, 8 per slice.
  SparsityPattern pattern{{0}, {}};
  for (int row = 0; row < 96; ++row)
    {
      for (const int column : {0, 1, 2, 40, 41})
        pattern.columns.push_back(row + column);
      pattern.row_start.push_back(pattern.columns.size());
    }
  for (const Backend backend : test::backends())
    {
      const SellMatrix<double> matrix(CsrPattern(pattern, backend));
      const PackedColumns packed(backend, matrix.slices(), matrix.columns(),
                                 matrix.values().size());
      EXPECT_EQ(packed.bytes(), 4u * (3 * 5 + PackedColumns::lines_behind +
                                      PackedColumns::words_behind) +
                                  8 * 3);
    }
}

TEST(FloatValues, AreWithinTheirOwnPrecision)
{
  const test::Rows rows = {"", 200, test::lengths(129, 30, 110)};
  const test::RowProblem<double> problem(rows);
  for (const Backend backend : test::backends())
    {
      const auto A = make(backend, problem, {}, SliceValues::single_float);
      EXPECT_EQ(A.precision().eps, std::numeric_limits<float>::epsilon());
      Vector<double> x = A.make_vector(), y = A.make_vector();
      x.copy_from(problem.x);
      A.vmult(y, x);
      const double units =
        test::rounding_units(test::owned_values(y), problem.product,
                             problem.scale) *
        std::numeric_limits<double>::epsilon() / A.precision().eps;
      EXPECT_LE(units, 0.5 + 1e-6);
      EXPECT_GT(units, 0.01) << "values were not rounded";
      // The entries themselves must be unchanged.
      A.diagonal(y);
      EXPECT_EQ(test::owned_values(y), problem.diagonal);

      EXPECT_EQ(make(backend, problem, {}).precision().eps,
                std::numeric_limits<double>::epsilon());
    }
}

TEST(FloatValues, BeyondTheLargestAreRefused)
{
  for (const Backend backend : test::backends())
    {
      SellPacked<double> A(SellMatrix<double>(CsrPattern(
                             SparsityPattern{{0, 1, 2}, {0, 1}}, backend)),
                           0, SliceValues::single_float);
      const std::size_t n = A.matrix().values().size();
      const auto set      = [&](const double value) {
        std::vector<double> values(n, 0.);
        values[0] = 1;
        values[1] = values[2] = value; // the second one of no row
        A.matrix().values().copy_from(values);
        A.values_changed();
      };
      const auto message = [&](const double value) -> std::string {
        try
          {
            set(value);
          }
        catch (const MatrixError &error)
          {
            return error.what();
          }
        return "";
      };
      EXPECT_EQ(message(-1e39),
                "The matrix has the value -1e+39, which is beyond the largest "
                "float, 3.40282e+38; with it the values of slices cannot be "
                "float.");
      EXPECT_NE(message(std::nextafter(3.4028234663852886e38, 1e39)), "");
      EXPECT_EQ(message(3.4028234663852886e38), "");
      EXPECT_EQ(message(std::numeric_limits<double>::infinity()), "");
      EXPECT_EQ(message(1e-60), "");
      set(-7);
      Vector<double> x = A.make_vector(), y = A.make_vector();
      x.copy_from({3, 5});
      A.vmult(y, x);
      EXPECT_EQ(test::owned_values(y), (std::vector<double>{3, -35}));
    }
}
