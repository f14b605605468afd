#include "market_text.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>

using namespace tessera;
using namespace tessera::test;

namespace
{
  using MatrixMarketErrors = MatrixFolder;
} // namespace

TEST_F(MatrixMarketErrors, FirstLinesThatAreRefused)
{
  expect_refused("", "' is empty.");
  expect_refused("\n", ":1' has the first word ''; legal is %%MatrixMarket.");
  expect_refused("1 1 1\n1 1 1\n",
                 ":1' has the first word '1'; legal is %%MatrixMarket.");
  expect_refused("%%MatrixMarket\n", ":1' has the object ''; legal is matrix.");
  expect_refused("%%MatrixMarket vector coordinate real general\n",
                 ":1' has the object 'vector'; legal is matrix.");
  expect_refused("%%MatrixMarket matrix array real general\n1 1\n1\n",
                 ":1' has the format 'array'; legal is coordinate.");
  for (const std::string field : {"complex", "Complex", "double", ""})
    expect_refused("%%MatrixMarket matrix coordinate " + field,
                   ":1' has the field '" + field +
                     "'; legal is real, integer or pattern.");
  for (const std::string symmetry : {"hermitian", "triangular", ""})
    expect_refused("%%MatrixMarket matrix coordinate real " + symmetry,
                   ":1' has the symmetry '" + symmetry +
                     "'; legal is general, symmetric or skew-symmetric.");
  expect_refused("%%MatrixMarket matrix coordinate real general real\n",
                 ":1' has 'real' where the end of the line is expected.");
  expect_refused(std::string(700000, '%'),
                 ":1' is longer than 262144 characters.");
}

TEST_F(MatrixMarketErrors, SizesThatAreRefused)
{
  expect_refused(general + "% only\n\n",
                 ":3' ends where numbers of rows, columns and entries are "
                 "expected.");
  const std::string rows = "a number of rows from 0 to 2147483646 is expected.";
  const std::string columns =
    "a number of columns from 0 to 2147483646 is expected.";
  const std::string entries =
    "a number of entries from 0 to 9223372036854775807 is expected.";
  expect_refused(general + "x\n", ":2' has 'x' where " + rows);
  expect_refused(general + "%\n-1 1 1\n", ":3' has '-1' where " + rows);
  expect_refused(general + "2147483647 1 1\n",
                 ":2' has '2147483647' where " + rows);
  expect_refused(general + "99999999999999999999 1 1\n",
                 ":2' has '99999999999999999999' where " + rows);
  expect_refused(general + "1.0 1 1\n", ":2' has '1.0' where " + rows);
  expect_refused(general + "1\n", ":2' ends where " + columns);
  expect_refused(general + "1 2147483647 1\n",
                 ":2' has '2147483647' where " + columns);
  expect_refused(general + "1 1\n", ":2' ends where " + entries);
  expect_refused(general + "1 1 -5\n", ":2' has '-5' where " + entries);
  expect_refused(general + "1 1 9223372036854775808\n",
                 ":2' has '9223372036854775808' where " + entries);
  expect_refused(general + "1 1 1 1\n",
                 ":2' has '1' where the end of the line is expected.");
  expect_refused(symmetric + "3 4 1\n1 1 1\n",
                 ":2' has 3 rows and 4 columns of a symmetric matrix.");
  expect_refused(general + "0 4 1\n1 1 1\n",
                 ":2' announces entries of a matrix of 0 rows and 4 columns.");
}

TEST_F(MatrixMarketErrors, EntriesThatAreRefused)
{
  const std::string sizes = general + "3 4 2\n1 1 1\n";
  expect_refused(sizes, ":3' ends after 1 of 2 entries.");
  expect_refused(sizes + "\n%\n", ":5' ends after 1 of 2 entries.");
  expect_refused(sizes + "2 2 2\n%\n3 3 3\n",
                 ":6' has more than the announced 2 entries.");
  expect_refused(sizes + "0 1 1\n",
                 ":4' has '0' where a row from 1 to 3 is expected.");
  expect_refused(sizes + "4 1 1\n",
                 ":4' has '4' where a row from 1 to 3 is expected.");
  expect_refused(sizes + "-1 1 1\n",
                 ":4' has '-1' where a row from 1 to 3 is expected.");
  expect_refused(sizes + "4294967297 1 1\n",
                 ":4' has '4294967297' where a row from 1 to 3 is expected.");
  expect_refused(sizes + "a 1 1\n",
                 ":4' has 'a' where a row from 1 to 3 is expected.");
  expect_refused(sizes + "1 0 1\n",
                 ":4' has '0' where a column from 1 to 4 is expected.");
  expect_refused(sizes + "1 5 1\n",
                 ":4' has '5' where a column from 1 to 4 is expected.");
  expect_refused(sizes + "1\n",
                 ":4' ends where a column from 1 to 4 is expected.");
  expect_refused(sizes + "1 2\n",
                 ":4' ends where a finite number is expected.");
  expect_refused(sizes + "1 2 3 4\n",
                 ":4' has '4' where the end of the line is expected.");
  expect_refused(sizes + "1 2 3\r2 2 2\n",
                 ":4' has '2' where the end of the line is expected.");
  expect_refused(sizes + std::string("1 2 3\0\n", 7),
                 ":4' has '3?' where a finite number is expected.");
  expect_refused(
    "%%MatrixMarket matrix coordinate pattern general\n"
    "2 2 1\n1 1 1\n",
    ":3' has '1' where the end of the line is expected.");
  expect_refused(symmetric + "3 3 1\n2 3 1\n",
                 ":3' has an entry above the diagonal of a symmetric matrix, "
                 "of which the lower triangle is expected.");
  for (const std::string entry : {"real skew-symmetric\n3 3 1\n2 2 1\n",
                                  "pattern skew-symmetric\n3 3 1\n2 2\n"})
    expect_refused("%%MatrixMarket matrix coordinate " + entry,
                   ":3' has an entry on the diagonal of a skew-symmetric "
                   "matrix, where zeros are.");
}

TEST_F(MatrixMarketErrors, WhatIsAnnouncedIsNotBelieved)
{
  const std::string text = general + "3 3 9223372036854775807\n1 1 1\n";
  expect_refused(text, ":3' ends after 1 of 9223372036854775807 entries.");
  store_bytes(path, text);
  EXPECT_NE(file_refusal(path).find("ends after 1 of"), std::string::npos);
  if (tessera::test::is_watched())
    return; // sanitizers reserve more memory than this limit
  const auto run = [&] {
    const rlimit memory{4ul << 30, 4ul << 30};
    setrlimit(RLIMIT_AS, &memory);
    std::fputs(error_of<DeviceError>([] {
                 parse(general + "2147483646 1 1\n1 1 1\n");
               }).c_str(),
               stderr);
    std::exit(0);
  };
  EXPECT_EXIT(
    run(), testing::ExitedWithCode(0),
    "There is not enough memory on the host for the matrix file 'a'.");
}

TEST_F(MatrixMarketErrors, FilesThatCannotBeRead)
{
  const std::string begin = "The matrix file '" + path;
  EXPECT_EQ(file_refusal(path), begin + "' does not exist.");
  EXPECT_EQ(file_refusal(folder),
            "The matrix file '" + folder + "' is a folder.");
  store_bytes(path, general + "1 1 1\n1 2 1\n");
  EXPECT_EQ(file_refusal(path),
            begin + ":3' has '2' where a column from 1 to 1 is expected.");
  store_bytes(path, "");
  EXPECT_EQ(file_refusal(path), begin + "' is empty.");
  if (geteuid() != 0) // root may read everything
    {
      chmod(path.c_str(), 0);
      EXPECT_EQ(file_refusal(path), begin + "' cannot be opened.");
    }
}

TEST_F(MatrixMarketErrors, DamagedGzip)
{
  const SparseMatrix matrix = make_matrix(2, {0, 1, 2}, {0, 0}, {4, -3});
  write_matrix_market(matrix, path + ".gz");
  const std::string whole = load_bytes(path + ".gz");
  expect_equal(parse(whole), matrix);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  EXPECT_EQ(refusal(whole.substr(0, whole.size() - 1)),
            "The matrix file 'a' is truncated: the end of its gzip data is "
            "missing.");
  EXPECT_EQ(refusal(whole + "x"),
            "The matrix file 'a' is truncated: the end of its gzip data is "
            "missing.");
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1; // a byte of the checksum
  const std::string sentence =
    "The matrix file 'a' is damaged: it cannot be uncompressed.";
  EXPECT_EQ(refusal(damaged), sentence);
  EXPECT_EQ(refusal(whole + "xyz"), sentence);
  // Bits of the header, and those between the last code and the eight bytes of
  // checksum and length, may mean nothing; all others must be noticed.
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit)
      {
        damaged = whole;
        damaged[at] ^= char(1 << bit);
        if (refusal(damaged).empty())
          {
            EXPECT_TRUE(at < 10 || at == whole.size() - 9) << at;
            expect_equal(parse(damaged), matrix);
          }
      }
}
