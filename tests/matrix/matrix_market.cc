#include "market_text.h"

#include <cmath>
#include <limits>
#include <map>

using namespace tessera;
using namespace tessera::test;

namespace
{
  using MatrixMarket = MatrixFolder;

  double
  value_of(const std::string &number)
  {
    return parse(general + "1 1 1\n1 1 " + number + "\n").values.at(0);
  }
} // namespace

TEST_F(MatrixMarket, FieldsAndSymmetries)
{
  const std::vector<std::int64_t> start = {0, 1, 3, 3};
  expect_equal(parse(general + "3 4 3\n2 4 -2.5e-3\n1 2 3\n2 1 0\n"),
               make_matrix(4, start, {1, 0, 3}, {3, 0, -2.5e-3}));
  expect_equal(parse("%%MatrixMarket matrix coordinate integer general\n"
                     "3 4 3\n2 4 -7\n1 2 +3\n2 1 9007199254740992\n"),
               make_matrix(4, start, {1, 0, 3}, {3, 9007199254740992., -7}));
  expect_equal(parse("%%MatrixMarket matrix coordinate pattern general\n"
                     "3 4 3\n2 4\n1 2\n2 1\n"),
               make_matrix(4, start, {1, 0, 3}, {1, 1, 1}));

  const std::vector<std::int64_t> both = {0, 3, 4, 6};
  const std::vector<int> columns       = {0, 1, 2, 0, 0, 2};
  const std::string lower              = "3 3 4\n1 1 4\n2 1 5\n3 1 6\n3 3 -7\n";
  expect_equal(parse(symmetric + lower),
               make_matrix(3, both, columns, {4, 5, 6, 5, 6, -7}));
  expect_equal(
    parse("%%MatrixMarket matrix coordinate integer symmetric\n" + lower),
    make_matrix(3, both, columns, {4, 5, 6, 5, 6, -7}));
  expect_equal(parse("%%MatrixMarket matrix coordinate pattern symmetric\n"
                     "3 3 4\n3 3\n3 1\n2 1\n1 1\n"),
               make_matrix(3, both, columns, {1, 1, 1, 1, 1, 1}));
  for (const std::string field : {"real", "integer"})
    expect_equal(
      parse("%%MatrixMarket matrix coordinate " + field +
            " skew-symmetric\n3 3 3\n2 1 5\n3 3 0\n3 1 -6\n"),
      make_matrix(3, {0, 2, 3, 5}, {1, 2, 0, 0, 2}, {-5, 6, 5, -6, 0}));
  expect_equal(parse("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"
                     "2 2 1\n2 1\n"),
               make_matrix(2, {0, 1, 2}, {1, 0}, {-1, 1}));
}

TEST_F(MatrixMarket, CommentsBlanksAndLineEnds)
{
  const SparseMatrix expected = make_matrix(3, {0, 1, 2}, {2, 0}, {1.5, -2});
  const std::string text =
    "%%MATRIXMARKET  Matrix\tCOORDINATE Real General \n"
    "% a comment\n%\n\n   \n  % blanks before it\n"
    "\t 2 3  2 \n\n% between\n 1 3   1.5\n%%\n"
    "  \t2 1 -2 \n\n% at the end\n \n";
  expect_equal(parse(text), expected);
  std::string windows;
  for (const char c : text)
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  expect_equal(parse(windows), expected);
  expect_equal(parse(general + "2 3 2\n1 3 1.5\n2 1 -2"), expected);
  expect_equal(parse(general + "2 3 2\n1 3 1.5\n2 1 -2\r"), expected);
  expect_equal(parse(general + '%' + std::string(250000, '%') +
                     "\n2 3 2\n1 3 1.5\n2 1 -2\n"),
               expected);
}

TEST_F(MatrixMarket, EmptyMatrices)
{
  for (const auto &[sizes, rows, columns] :
       {std::tuple("0 0 0", 0, 0), std::tuple("0 5 0", 0, 5),
        std::tuple("4 0 0", 4, 0), std::tuple("4 5 0", 4, 5),
        std::tuple("1 2147483646 0", 1, 2147483646)})
    expect_equal(
      parse(general + sizes),
      make_matrix(columns, std::vector<std::int64_t>(rows + 1, 0), {}, {}));
  expect_equal(parse(symmetric + "2 2 0\n"), make_matrix(2, {0, 0, 0}, {}, {}));
}

TEST_F(MatrixMarket, WhatIsAtTheSamePlaceIsAddedUpInItsOrder)
{
  // Another order of the entries would give another sum.
  expect_equal(parse(general + "2 3 6\n1 3 1e30\n1 3 -1e30\n2 2 1\n1 3 1\n"
                               "1 1 2\n1 1 -2\n"),
               make_matrix(3, {0, 2, 3}, {0, 2, 1}, {0, 1, 1}));
  expect_equal(parse(symmetric + "2 2 4\n2 1 1e30\n2 2 3\n2 1 -1e30\n2 1 1\n"),
               make_matrix(2, {0, 1, 3}, {1, 0, 1}, {1, 1, 3}));
  expect_refused(general + "2 2 2\n2 1 1e308\n2 1 1e308\n",
                 "' has a value that is not finite in row 2, column 1.");
}

TEST_F(MatrixMarket, AnyOrderIsThatOfAMap)
{
  std::mt19937 random(3);
  for (const bool mirrored : {false, true})
    {
      const int n = 129;
      std::map<std::pair<int, int>, double> sums;
      std::string text;
      for (int k = 0; k < 2000; ++k)
        {
          int row = random() % n, column = random() % n;
          if (mirrored && column > row)
            std::swap(row, column);
          const double value = random() % 1000;
          text += std::to_string(row + 1) + ' ' + std::to_string(column + 1) +
                  ' ' + std::to_string(value) + '\n';
          sums[{row, column}] += value;
          if (mirrored && row != column)
            sums[{column, row}] += value;
        }
      const SparseMatrix matrix =
        parse((mirrored ? symmetric : general) + "129 129 2000\n" + text);
      ASSERT_EQ(defect(matrix), "");
      ASSERT_EQ(matrix.n_rows(), n);
      ASSERT_EQ(matrix.n_nonzeros(), std::int64_t(sums.size()));
      auto next = sums.begin();
      for (int row = 0; row < n; ++row)
        for (auto k = matrix.pattern.row_start[row];
             k < matrix.pattern.row_start[row + 1]; ++k, ++next)
          {
            ASSERT_EQ(next->first, std::pair(row, matrix.pattern.columns[k]));
            ASSERT_EQ(next->second, matrix.values[k]);
          }
    }
}

TEST_F(MatrixMarket, Numbers)
{
  EXPECT_EQ(value_of("+1.5"), 1.5);
  EXPECT_EQ(value_of("-.5"), -.5);
  EXPECT_EQ(value_of("5."), 5.);
  EXPECT_EQ(value_of("1e+3"), 1000.);
  EXPECT_EQ(value_of("1.25D-3"), 1.25e-3);
  EXPECT_EQ(value_of("-1.25d+03"), -1250.);
  EXPECT_EQ(value_of("0.1000000000000000055511151231257827"), .1);
  EXPECT_EQ(value_of("1.7976931348623157e308"),
            std::numeric_limits<double>::max());
  EXPECT_EQ(value_of("4.9406564584124654e-324"),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value_of("1e-400"), 0.);
  EXPECT_EQ(value_of("1D-400"), 0.);
  EXPECT_EQ(value_of("0e999"), 0.);
  for (const std::string number :
       {"nan", "-nan", "inf", "+inf", "-Infinity", "nan(1)", "x", "1e", "1.2.3",
        "--1", "+-1", "++1", "0x10", "1,5", ".", "-", "1e5x", "1dd5", "1 5"})
    EXPECT_NE(refusal(general + "1 1 1\n1 1 " + number + "\n"), "") << number;
  expect_refused(general + "1 1 1\n1 1 nan\n",
                 ":3' has 'nan' where a finite number is expected.");
  for (const std::string number : {"1e309", "-1e309", "1D999", "1e999999999"})
    expect_refused(general + "1 1 1\n1 1 " + number + "\n",
                   ":3' has '" + number +
                     "' where a number that a double holds is expected.");
  for (const std::string number : {"1.5", "1e3", "x", "1."})
    expect_refused(
      "%%MatrixMarket matrix coordinate integer general\n"
      "1 1 1\n1 1 " +
        number + "\n",
      ":3' has '" + number + "' where an integer is expected.");
}

TEST_F(MatrixMarket, RoundTrip)
{
  for (const Rows &rows : all_rows())
    {
      SCOPED_TRACE(rows.name);
      const SparseMatrix matrix = make_matrix(rows);
      std::stringstream text;
      write_matrix_market(matrix, text);
      expect_equal(read_matrix_market(text, "a"), matrix);
      for (const std::string &name : {path, path + ".gz"})
        {
          write_matrix_market(matrix, name);
          expect_equal(read_matrix_market(name), matrix);
        }
      EXPECT_EQ(load_bytes(path + ".gz").substr(0, 2), "\x1f\x8b");
    }
  const double most = std::numeric_limits<double>::max();
  const auto matrix =
    make_matrix(3, {0, 3}, {0, 1, 2},
                {most, -std::numeric_limits<double>::denorm_min(), -0.});
  write_matrix_market(matrix, path);
  EXPECT_EQ(load_bytes(path), general +
                                "1 3 3\n1 1 1.7976931348623157e+308\n"
                                "1 2 -4.9406564584124654e-324\n"
                                "1 3 -0\n");
  const SparseMatrix read_back = read_matrix_market(path);
  expect_equal(read_back, matrix);
  EXPECT_TRUE(std::signbit(read_back.values[2]));
}

TEST_F(MatrixMarket, TextsLongerThanTheBuffer)
{
  const SparseMatrix matrix = make_matrix({"", 5000, lengths(5000, 3, 40)});
  write_matrix_market(matrix, path);
  write_matrix_market(matrix, path + ".gz");
  EXPECT_GT(std::filesystem::file_size(path), 3u << 20);
  expect_equal(read_matrix_market(path), matrix);
  expect_equal(read_matrix_market(path + ".gz"), matrix);
  // The content decides, whatever the name is.
  std::filesystem::rename(path + ".gz", path);
  expect_equal(read_matrix_market(path), matrix);
  const std::string bytes = load_bytes(path);
  store_bytes(path, bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(file_refusal(path),
            "The matrix file '" + path +
              "' is truncated: the end of its gzip data is missing.");
}

TEST_F(MatrixMarket, GzipOfSeveralMembers)
{
  // Bytes of "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1".
  const std::vector<unsigned char> first = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x55,
    0xf5, 0x4d, 0x2c, 0x29, 0xca, 0xac, 0xf0, 0x4d, 0x2c, 0xca, 0x4e, 0x2d,
    0x51, 0xc8, 0x05, 0x73, 0x14, 0x92, 0xf3, 0xf3, 0x8b, 0x52, 0x32, 0xf3,
    0x12, 0x4b, 0x52, 0x15, 0x8a, 0x52, 0x13, 0x73, 0x14, 0xd2, 0x53, 0xf3,
    0x52, 0x8b, 0x12, 0x73, 0xb8, 0x8c, 0x14, 0x80, 0x90, 0xcb, 0x50, 0xc1,
    0x10, 0x00, 0xb8, 0x9e, 0xbb, 0x0a, 0x37, 0x00, 0x00, 0x00};
  // The bytes hold the text " 4\n2 1 -3\n".
  const std::vector<unsigned char> second = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
    0x53, 0x30, 0xe1, 0x32, 0x52, 0x30, 0x54, 0xd0, 0x35, 0xe6,
    0x02, 0x00, 0x68, 0x30, 0xc2, 0x6e, 0x0a, 0x00, 0x00, 0x00};
  std::string bytes(first.begin(), first.end());
  EXPECT_EQ(refusal(bytes),
            "The matrix file 'a:3' ends where a finite number is expected.");
  bytes.append(second.begin(), second.end());
  expect_equal(parse(bytes), make_matrix(2, {0, 1, 2}, {0, 0}, {4, -3}));
}

TEST_F(MatrixMarket, WritingKeepsTheOldFileWhereItFails)
{
  const SparseMatrix matrix = make_matrix(1, {0, 1}, {0}, {1});
  EXPECT_EQ(
    error_of<Error>([&] { write_matrix_market(matrix, folder + "no/a.mtx"); }),
    "The matrix file '" + folder +
      "no/a.mtx' cannot be written: No such "
      "file or directory.");
  write_matrix_market(matrix, path);
  auto wrong      = matrix;
  wrong.values[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of<MatrixError>([&] { write_matrix_market(wrong, path); }),
            "The matrix has a value that is not finite in row 1, column 1.");
  expect_equal(read_matrix_market(path), matrix);
  EXPECT_EQ(names(), std::vector<std::string>{"a.mtx"});
}
