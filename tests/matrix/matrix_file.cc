#include "matrices.h"

#include <tessera/base/checksum.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>

#include <chrono>
#include <cstring>

using namespace tessera;
using namespace tessera::test;

namespace
{
  using MatrixFile = MatrixFolder;

  const SparseMatrix small =
    make_matrix(4, {0, 2, 2, 5}, {0, 3, 1, 2, 3}, {1, -2, 3, 4, .5});

  std::string
  refusal(const std::string &path)
  {
    return error_of<MatrixError>([&] { read_matrix(path); });
  }

  /// Returns the bytes with `value` at a place and the checksum that results.
  template <class T>
  std::string
  changed(std::string bytes, const std::size_t place, const T value)
  {
    std::memcpy(&bytes[place], &value, sizeof(T));
    Checksum checksum;
    checksum.add(bytes.data(), bytes.size() - 8);
    std::memcpy(&bytes[bytes.size() - 8], &checksum.value, 8);
    return bytes;
  }
} // namespace

TEST_F(MatrixFile, RoundTrip)
{
  for (const Rows &rows : all_rows())
    {
      const SparseMatrix matrix = make_matrix(rows);
      write_matrix(matrix, path);
      expect_equal(read_matrix(path), matrix);
    }
  for (const auto &matrix :
       {make_matrix(0, {0}, {}, {}), make_matrix(5, {0}, {}, {}),
        make_matrix(0, {0, 0, 0}, {}, {}),
        make_matrix(2147483647, {0, 1}, {2147483646}, {1})})
    {
      write_matrix(matrix, path);
      expect_equal(read_matrix(path), matrix);
      expect_equal(load_matrix(path), matrix);
    }
}

TEST_F(MatrixFile, TruncatedAtEveryLength)
{
  write_matrix(small, path);
  const std::string whole = load_bytes(path);
  for (std::size_t length = 0; length < whole.size(); ++length)
    {
      store_bytes(path, whole.substr(0, length));
      EXPECT_NE(refusal(path), "") << length;
    }
  store_bytes(path, whole + '\0');
  EXPECT_NE(refusal(path), "");
}

TEST_F(MatrixFile, EveryFlippedBit)
{
  write_matrix(small, path);
  const std::string whole = load_bytes(path);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit)
      {
        std::string damaged = whole;
        damaged[at] ^= char(1 << bit);
        store_bytes(path, damaged);
        EXPECT_NE(refusal(path), "") << at << ' ' << bit;
      }
}

TEST_F(MatrixFile, WhatIsWrongWithARightChecksum)
{
  write_matrix(small, path);
  const std::string whole = load_bytes(path);
  const auto expect = [&](const std::string &bytes, const std::string &what) {
    store_bytes(path, bytes);
    EXPECT_EQ(refusal(path), "The matrix file '" + path + "' " + what + ".");
  };
  expect(changed(whole, 0, 'x'), "is not a binary matrix file");
  expect(changed(whole, 8, 0x04030201),
         "was written on a machine of another byte order");
  expect(changed(whole, 12, 7), "is of version 7, legal is 1");
  // These are rows, columns, nonzeros and the bytes of the origin.
  for (const std::size_t place : {16, 24, 32, 40})
    for (const std::int64_t value : {std::int64_t(-1), std::int64_t(0x80000000),
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()})
      expect(changed(whole, place, value),
             "is damaged: its counts are out of range");
  const std::string size = std::to_string(whole.size());
  expect(changed(whole, 16, std::int64_t(0x7ffffffe)),
         "has " + size + " bytes, but its header asks for " +
           std::to_string(whole.size() + 8 * (0x7ffffffel - 3)));
  expect(changed(whole, 32, std::int64_t(6)),
         "has " + size + " bytes, but its header asks for " +
           std::to_string(whole.size() + 12));
  // Row starts begin at 48, values at 80, and columns at 120.
  expect(changed(whole, 48, std::int64_t(1)),
         "is damaged: it has row starts, columns and values that do not fit "
         "together");
  expect(changed(whole, 64, std::int64_t(1)),
         "is damaged: it has row starts that do not increase at row 2");
  expect(changed(whole, 56, std::int64_t(1) << 60),
         "is damaged: it has row starts that do not increase at row 1");
  expect(changed(whole, 80, std::numeric_limits<double>::infinity()),
         "is damaged: it has a value that is not finite in row 1, column 1");
  for (const int column : {-1, 0, 4})
    expect(changed(whole, 124, column),
           "is damaged: it has a column that does not exist or does not "
           "increase in row 1, column " +
             std::to_string(column + 1));
  store_bytes(path, changed(whole, 80, 1.));
  expect_equal(read_matrix(path), small);
}

TEST_F(MatrixFile, OtherFiles)
{
  EXPECT_EQ(refusal(path), "The matrix file '" + path + "' cannot be opened.");
  EXPECT_EQ(refusal(folder), "The matrix file '" + folder + "' is a folder.");
  store_bytes(path, "");
  EXPECT_EQ(refusal(path), "The matrix file '" + path + "' is truncated.");
  write_matrix_market(make_matrix({"", 80, lengths(31, 0, 11)}), path);
  EXPECT_EQ(refusal(path),
            "The matrix file '" + path + "' is not a binary matrix file.");
}

TEST_F(MatrixFile, WritingKeepsTheOldFileWhereItFails)
{
  EXPECT_EQ(
    error_of<Error>([&] { write_matrix(small, folder + "no/a.matrix"); }),
    "The matrix file '" + folder +
      "no/a.matrix' cannot be written: No such "
      "file or directory.");
  write_matrix(small, path);
  SparseMatrix wrong       = small;
  wrong.pattern.columns[0] = 4;
  EXPECT_THROW(write_matrix(wrong, path), MatrixError);
  expect_equal(read_matrix(path), small);
  EXPECT_EQ(names(), std::vector<std::string>{"a.mtx"});
}

TEST_F(MatrixFile, LoadsByContent)
{
  write_matrix(small, folder + "binary.mtx");
  expect_equal(load_matrix(folder + "binary.mtx"), small);
  expect_equal(load_matrix(folder + "binary.mtx", folder + "cache"), small);
  EXPECT_FALSE(std::filesystem::exists(folder + "cache"));
  write_matrix_market(small, folder + "text.matrix");
  expect_equal(load_matrix(folder + "text.matrix"), small);
  write_matrix_market(small, folder + "text.gz");
  expect_equal(load_matrix(folder + "text.gz"), small);
  for (const std::string name : {"", "none"})
    for (const std::string &cache : {std::string(), folder + "cache"})
      EXPECT_THROW(load_matrix(folder + name, cache), MatrixError);
}

TEST_F(MatrixFile, KeepsACopy)
{
  const std::string cache = folder + "a/cache";
  write_matrix_market(small, path);
  expect_equal(load_matrix(path, cache), small);
  const auto copies = names("a/cache");
  ASSERT_EQ(copies.size(), 1u);
  const std::string copy = cache + '/' + copies[0];
  expect_equal(read_matrix(copy), small);

  // The copy must be read: the text is damaged but as old as before.
  const auto time         = std::filesystem::last_write_time(path);
  const std::string text  = load_bytes(path);
  const std::string bytes = load_bytes(copy);
  store_bytes(path, std::string(text.size(), 'x'));
  std::filesystem::last_write_time(path, time);
  expect_equal(load_matrix(path, cache), small);
  expect_equal(load_matrix(folder + "a/../a.mtx", cache), small);
  EXPECT_EQ(names("a/cache"), copies);

  // A damaged copy must not be read.
  store_bytes(path, text);
  for (const std::string &damaged :
       {std::string(), bytes.substr(0, bytes.size() - 1), text,
        bytes.substr(0, 60) + '?' + bytes.substr(61)})
    {
      std::filesystem::last_write_time(path, time);
      store_bytes(copy, damaged);
      expect_equal(load_matrix(path, cache), small);
      EXPECT_EQ(load_bytes(copy), bytes);
    }

  // Nor may a copy be read if the text has another time or size.
  SparseMatrix other = small;
  other.values[0]    = 7;
  write_matrix_market(other, path);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));
  expect_equal(load_matrix(path, cache), other);
  other.values[0] = 0.1;
  write_matrix_market(other, path);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));
  expect_equal(load_matrix(path, cache), other);
  EXPECT_EQ(names("a/cache"), copies);

  // Nor may it be read for another path with the same name.
  const std::string another = folder + "a/a.mtx";
  write_matrix_market(small, another);
  expect_equal(load_matrix(another, cache), small);
  EXPECT_EQ(names("a/cache").size(), 2u);
  // The copy of another file has the name of this file's copy.
  for (const std::string &name : names("a/cache"))
    if (cache + '/' + name != copy)
      std::filesystem::copy_file(
        copy, cache + '/' + name,
        std::filesystem::copy_options::overwrite_existing);
  expect_equal(load_matrix(another, cache), small);
  expect_equal(load_matrix(path, cache), other);
}

TEST_F(MatrixFile, CopyThatCannotBeWrittenIsAWarning)
{
  write_matrix_market(small, path);
  testing::internal::CaptureStderr();
  expect_equal(load_matrix(path, path + "/cache"), small);
  const std::string warning = testing::internal::GetCapturedStderr();
  EXPECT_EQ(warning.find("warning: The matrix file '" + path + "/cache/"), 0u);
  EXPECT_EQ(names(), std::vector<std::string>{"a.mtx"});
}
