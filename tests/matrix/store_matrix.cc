#include "matrices.h"

#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>
#include <tessera/matrix/store_matrix.h>

#include <limits>

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

TEST_F(StoreMatrix, PartsMakeTheFileOfTheWhole)
{
  for (const Rows &rows : all_rows())
    for (const std::string ending : {".mtx", ".mtx.gz", ".matrix"})
      {
        const SparseMatrix matrix = make_matrix(rows);
        const auto &start         = matrix.pattern.row_start;
        const int n               = matrix.n_rows();
        // The second part has no rows, and numbers of entries are odd, too.
        const std::vector<int> ends = {n / 3, n / 3, n / 2, n};
        std::vector<SparseMatrix> pieces;
        std::vector<MatrixPart> parts;
        pieces.reserve(ends.size());
        int first = 0;
        for (const int end : ends)
          {
            SparseMatrix &piece = pieces.emplace_back();
            piece.n_columns     = matrix.n_columns;
            for (int row = first; row <= end; ++row)
              piece.pattern.row_start.push_back(start[row] - start[first]);
            piece.pattern.columns.assign(
              matrix.pattern.columns.begin() + start[first],
              matrix.pattern.columns.begin() + start[end]);
            piece.values.assign(matrix.values.begin() + start[first],
                                matrix.values.begin() + start[end]);
            MatrixPart &part = parts.emplace_back(piece);
            part.first_row   = first;
            part.first_entry = start[first];
            part.n_rows      = n;
            part.n_entries   = matrix.n_nonzeros();
            first            = end;
          }
        const std::string file = folder + "parts" + ending;
        store_matrix(parts[0], file,
                     [&](const int section, const TakeBytes &take) {
                       for (const MatrixPart &part : parts)
                         produce_part(part, file, section, take);
                     });
        expect_equal(load_matrix(file), matrix);
      }
}

TEST_F(StoreMatrix, TheRowOfAPartIsThatOfTheWhole)
{
  SparseMatrix rows;
  rows.n_columns         = 9;
  rows.pattern.row_start = {0, 1};
  rows.pattern.columns   = {2};
  rows.values            = {std::numeric_limits<double>::infinity()};
  MatrixPart part(rows);
  part.first_row = 6;
  EXPECT_EQ(error_of<MatrixError>([&] {
              produce_part(part, "a.mtx", 0, [](const char *, std::size_t) {});
            }),
            "The matrix has a value that is not finite in row 7, column 3.");
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
