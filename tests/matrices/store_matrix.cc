#include "matrices.h"

#include <tessera/matrices/matrix_file.h>
#include <tessera/matrices/matrix_market.h>
#include <tessera/matrices/store_matrix.h>

using namespace tessera;
using namespace tessera::test;

// The ending of a name decides how a matrix is stored.
namespace
{
  using StoreMatrix = MatrixFolder;
}

TEST_F(StoreMatrix, IsReadAsItWas)
{
  for (const Rows &rows : all_rows())
    for (const std::string ending : {".mtx", ".mtx.gz", ".matrix"})
      {
        const SparseMatrix matrix = make_matrix(rows);
        check_can_store(folder + "a" + ending);
        store_matrix(matrix, folder + "a" + ending);
        expect_equal(load_matrix(folder + "a" + ending), matrix);
      }
  EXPECT_EQ(load_bytes(folder + "a.mtx").substr(0, 2), "%%");
  EXPECT_EQ(load_bytes(folder + "a.mtx.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(load_bytes(folder + "a.matrix").substr(0, 7), "TSRMATR");
  EXPECT_EQ(names(),
            (std::vector<std::string>{"a.matrix", "a.mtx", "a.mtx.gz"}));
}

TEST_F(StoreMatrix, NamesThatAreRefused)
{
  const SparseMatrix matrix = make_matrix({"", 80, lengths(31, 0, 11)});
  for (const std::string name :
       {"a", "a.txt", "a.gz", "a.mtx.bz2", ".mtx", ".mtx.gz", ".matrix", ""})
    {
      const std::string sentence =
        "A matrix cannot be written to '" + folder + name +
        "'; legal endings are .mtx and .mtx.gz for Matrix Market, and .matrix "
        "for a binary file.";
      EXPECT_EQ(
        error_of<ParameterError>([&] { check_can_store(folder + name); }),
        sentence);
      EXPECT_EQ(
        error_of<ParameterError>([&] { store_matrix(matrix, folder + name); }),
        sentence);
    }
  EXPECT_TRUE(names().empty());
}

TEST_F(StoreMatrix, FilesThatCannotBeWritten)
{
  std::filesystem::create_directories(folder + "folder.mtx");
  for (const std::string name : {"no/a.mtx", "folder.mtx"})
    EXPECT_EQ(error_of<ParameterError>([&] { check_can_store(folder + name); }),
              "The matrix file '" + folder + name + "' cannot be written.");
  EXPECT_EQ(names(), std::vector<std::string>{"folder.mtx"});
  store_bytes(path, "earlier");
  check_can_store(path);
  EXPECT_EQ(load_bytes(path), "earlier");
}
