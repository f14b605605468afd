#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/matrix/row_coloring.h>

#include <omp.h>

#include <set>

#include "cell_meshes.h"
#include "numberings.h"
#include "test.h"
#include "turns.h"

using namespace tessera;

namespace
{
  SparsityPattern
  pattern_of(const std::vector<std::vector<int>> &rows)
  {
    SparsityPattern pattern;
    pattern.row_start = {0};
    for (const auto &row : rows)
      {
        pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
        pattern.row_start.push_back(pattern.columns.size());
      }
    return pattern;
  }

  /// Returns n rows that are all coupled.
  SparsityPattern
  complete(const int n)
  {
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    return pattern_of(std::vector<std::vector<int>>(n, all));
  }

  void
  expect_valid(const SparsityPattern &pattern, const RowColoring &coloring)
  {
    ASSERT_EQ(static_cast<int>(coloring.color.size()), pattern.n_rows());
    std::set<int> used;
    for (int row = 0; row < pattern.n_rows(); ++row)
      {
        used.insert(coloring.color[row]);
        for (auto k = pattern.row_start[row]; k < pattern.row_start[row + 1];
             ++k)
          if (pattern.columns[k] != row)
            {
              EXPECT_NE(coloring.color[row], coloring.color[pattern.columns[k]])
                << row << " and " << pattern.columns[k];
            }
      }
    std::set<int> all;
    for (int color = 0; color < coloring.n_colors; ++color)
      all.insert(color);
    EXPECT_EQ(used, all);
  }

  /// Colours in pieces of different sizes: colours must be valid and the same
  /// for any number of threads. Returns the numbers of colours.
  std::vector<int>
  n_colors_in_pieces(const SparsityPattern &pattern)
  {
    const int n_threads = omp_get_max_threads();
    std::vector<int> result;
    for (const int rows_per_piece : {1, 7, 32, 100, 1000})
      {
        SCOPED_TRACE(std::to_string(rows_per_piece) + " rows a piece");
        omp_set_num_threads(1);
        const RowColoring alone = color_rows(pattern, rows_per_piece);
        expect_valid(pattern, alone);
        result.push_back(alone.n_colors);
        for (const int n : {2, 3, 5})
          {
            omp_set_num_threads(n);
            const RowColoring coloring = color_rows(pattern, rows_per_piece);
            EXPECT_EQ(coloring.n_colors, alone.n_colors) << n << " threads";
            EXPECT_EQ(coloring.color, alone.color) << n << " threads";
          }
      }
    omp_set_num_threads(n_threads);
    return result;
  }

  /// Returns n rows of about `length` random columns, with a row of ten times
  /// as many for every 50; symmetric, every fourth row without its diagonal.
  SparsityPattern
  random_pattern(const int n, const int length)
  {
    RandomSequence random(n);
    std::vector<std::set<int>> rows(n);
    for (int i = 0; i < n; ++i)
      {
        if (i % 4 != 0)
          rows[i].insert(i);
        for (int k = 0; k < (i % 50 == 7 ? 10 : 1) * length / 2; ++k)
          {
            const int j = static_cast<int>(random.below(n));
            if (j != i)
              {
                rows[i].insert(j);
                rows[j].insert(i);
              }
          }
      }
    std::vector<std::vector<int>> lists;
    for (const auto &row : rows)
      lists.emplace_back(row.begin(), row.end());
    return pattern_of(lists);
  }

  int
  n_colors(const Connectivity &mesh, const std::string &numbering,
           const CellOrder order)
  {
    const auto pattern =
      make_sparsity_pattern(build_space(mesh, numbering, order));
    const RowColoring coloring = color_rows(pattern);
    expect_valid(pattern, coloring);
    EXPECT_EQ(color_rows(pattern).color, coloring.color);
    return coloring.n_colors;
  }
} // namespace

TEST(RowColoring, SmallGraphs)
{
  EXPECT_EQ(color_rows(pattern_of({})).n_colors, 0);
  EXPECT_EQ(color_rows(pattern_of({{0}})).color, std::vector<int>{0});
  // These rows have no diagonal.
  EXPECT_EQ(color_rows(pattern_of({{}, {}})).color, (std::vector<int>{0, 0}));
  // A path from one end to the other: the longest rows come first.
  const auto path = pattern_of({{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3}});
  EXPECT_EQ(color_rows(path).color, (std::vector<int>{1, 0, 1, 0}));
  // There is a ring of even length and one of odd length.
  const auto ring = [](const int n) {
    std::vector<std::vector<int>> rows(n);
    for (int i = 0; i < n; ++i)
      {
        rows[i] = {(i + n - 1) % n, i, (i + 1) % n};
        std::sort(rows[i].begin(), rows[i].end());
      }
    return pattern_of(rows);
  };
  EXPECT_EQ(color_rows(ring(6)).n_colors, 2);
  EXPECT_EQ(color_rows(ring(7)).n_colors, 3);
}

TEST(RowColoring, MoreColoursThanAWordHasBits)
{
  for (const int n : {63, 64, 65, 128, 129, 300})
    {
      const RowColoring coloring = color_rows(complete(n));
      expect_valid(complete(n), coloring);
      EXPECT_EQ(coloring.n_colors, n);
    }
}

TEST(RowColoring, StructuredQuadrilateralsReachTheLeast)
{
  for (int degree = 1; degree <= 4; ++degree)
    for (const bool dirichlet : {false, true})
      for (const std::string &numbering : test::numberings)
        for (const CellOrder order : {CellOrder::mesh, CellOrder::hilbert})
          {
            SCOPED_TRACE("degree " + std::to_string(degree) + ", " + numbering +
                         ", " + to_string(order));
            EXPECT_EQ(n_colors(test::generated_mesh(degree, 19, 23, dirichlet),
                               numbering, order),
                      (degree + 1) * (degree + 1));
          }
}

TEST(RowColoring, LittleMoreThanACellHasElsewhere)
{
  const auto check = [](const std::string &name, const Connectivity &mesh) {
    SCOPED_TRACE(name + ", " + to_string(mesh.cell_type) + ", degree " +
                 std::to_string(mesh.degree));
    const int n = n_colors(mesh, "batch_interleaved", CellOrder::hilbert);
    EXPECT_LE(n, mesh.dofs_per_cell() * 5 / 4 + 1);
  };
  for (const CellType type : test::cell_types)
    for (int degree = 1; degree <= max_degree(type); ++degree)
      {
        const bool large = n_nodes(type, degree) > 27;
        if (!large)
          for (const test::NamedMesh &m : test::awkward_meshes(type, degree))
            check(m.name, m.mesh);
        check("grid",
              test::generated_mesh(type, degree, large ? 3 : 7, large ? 4 : 6,
                                   dimension(type) == 3 ? 3 : 1));
      }
  for (int degree = 1; degree <= 4; ++degree)
    {
      check("unstructured", test::unstructured_mesh(degree, 3, false));
      check("a vertex of 60 cells", test::star_mesh(degree, 60));
    }
}

TEST(RowColoring, VerticesAreNotCutIntoPieces)
{
  // Rows around a vertex of many cells are longer, so the other rows are in a
  // class that is not the first one.
  for (const int valence : {4, 7, 60})
    {
      const auto pattern =
        make_sparsity_pattern(build_space(test::star_mesh(1, valence, 4)));
      const RowColoring whole = color_rows(pattern);
      expect_valid(pattern, whole);
      EXPECT_EQ(color_rows(pattern, 3).color, whole.color) << valence;
    }
}

TEST(RowColoring, PiecesOfAwkwardMatrices)
{
  // Tests no rows, one row, empty rows, lines along and across pieces.
  n_colors_in_pieces(pattern_of({}));
  n_colors_in_pieces(pattern_of({{0}}));
  n_colors_in_pieces(
    pattern_of(std::vector<std::vector<int>>(99, std::vector<int>())));
  for (const int n : {6, 7, 8, 31, 32, 33, 99, 100, 101})
    {
      SCOPED_TRACE(std::to_string(n) + " rows");
      std::vector<std::vector<int>> next(n), across(n), all(n);
      for (int i = 0; i < n; ++i)
        {
          for (const int j : {i - 1, i, i + 1})
            if (j >= 0 && j < n)
              next[i].push_back(j);
          across[i] = {std::min(i, n - 1 - i), std::max(i, n - 1 - i)};
          across[i].resize(across[i][0] == across[i][1] ? 1 : 2);
          all[i] = i == n / 2 ? std::vector<int>() : std::vector<int>{i, n / 2};
          std::sort(all[i].begin(), all[i].end());
        }
      all[n / 2].resize(n);
      std::iota(all[n / 2].begin(), all[n / 2].end(), 0);
      for (const int count : n_colors_in_pieces(pattern_of(next)))
        EXPECT_LE(count, 3);
      for (const int count : n_colors_in_pieces(pattern_of(across)))
        EXPECT_EQ(count, 2);
      for (const int count : n_colors_in_pieces(pattern_of(all)))
        EXPECT_EQ(count, 2);
    }
  // There are more colours than a word has bits, in several pieces.
  for (const int count : n_colors_in_pieces(complete(150)))
    EXPECT_EQ(count, 150);
  // Greedy colouring needs at most one colour more than a row has neighbours.
  for (const int n : {10, 333, 2000})
    {
      const SparsityPattern pattern = random_pattern(n, 6);
      for (const int count : n_colors_in_pieces(pattern))
        EXPECT_LE(count, pattern.max_row_length() + 1);
    }
  EXPECT_THROW(color_rows(complete(3), 0), ParameterError);
}

TEST(RowColoring, PiecesCostFewColours)
{
  std::size_t turn = 0;
  for (const CellType type : test::cell_types)
    for (int degree = 1; degree <= 2; ++degree)
      for (const std::string &numbering : test::numberings)
        {
          if (test::is_watched() && !test::in_turn(turn++, 4))
            continue;
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree) +
                       ", " + numbering);
          const bool is_3d        = dimension(type) == 3;
          const Connectivity mesh = test::generated_mesh(
            type, degree, is_3d ? 9 : 41, is_3d ? 8 : 37, is_3d ? 7 : 1);
          const SparsityPattern pattern = make_sparsity_pattern(
            build_space(mesh, numbering, CellOrder::hilbert));
          for (const int count : n_colors_in_pieces(pattern))
            EXPECT_LE(count, 2 * mesh.dofs_per_cell());
        }
}
