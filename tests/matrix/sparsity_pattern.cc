#include "meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/space/partition.h>

#include <omp.h>

#include <set>

using namespace tessera;

namespace
{
  /// Returns all pairs of free degrees of freedom that share a cell.
  std::set<std::pair<int, int>>
  pairs(const Space &space)
  {
    std::set<std::pair<int, int>> result;
    const int n = space.dofs_per_cell();
    for (int cell = 0; cell < space.n_cells(); ++cell)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          {
            const int row    = space.cell_dofs[n * cell + i];
            const int column = space.cell_dofs[n * cell + j];
            if (row < space.n_stored() && column < space.n_stored())
              result.emplace(row, column);
          }
    return result;
  }

  void
  check(const Space &space)
  {
    const SparsityPattern pattern           = make_sparsity_pattern(space);
    const std::set<std::pair<int, int>> set = pairs(space);
    ASSERT_EQ(pattern.n_rows(), space.n_stored());
    ASSERT_EQ(pattern.row_start[0], 0);
    ASSERT_EQ(pattern.n_nonzeros(), std::int64_t(set.size()));
    ASSERT_EQ(pattern.columns.size(), set.size());

    // A set is sorted by rows, then by columns, without repetition.
    auto next   = set.begin();
    int longest = 0;
    for (int row = 0; row < pattern.n_rows(); ++row)
      {
        const std::int64_t begin = pattern.row_start[row];
        const std::int64_t end   = pattern.row_start[row + 1];
        longest = std::max(longest, static_cast<int>(end - begin));
        ASSERT_TRUE(set.count({row, row}));
        for (std::int64_t k = begin; k < end; ++k, ++next)
          {
            ASSERT_EQ(*next, std::pair(row, pattern.columns[k]));
            ASSERT_TRUE(set.count({pattern.columns[k], row}));
          }
      }
    EXPECT_EQ(pattern.max_row_length(), longest);
  }

  template <class F>
  void
  for_each_mesh(const F &f)
  {
    for (int degree = 1; degree <= 4; ++degree)
      for (const Connectivity &mesh :
           {test::generated_mesh(degree, 1, 1, false),
            test::generated_mesh(degree, 3, 11),
            test::generated_mesh(degree, 6, 5, false),
            test::unstructured_mesh(degree, 1),
            test::unstructured_mesh(degree, 1, false),
            test::star_mesh(degree, 14)})
        f(mesh);
  }
} // namespace

TEST(SparsityPattern, IsThatOfASetOfPairs)
{
  for_each_mesh([](const Connectivity &mesh) {
    for (const std::string &numbering : test::numberings)
      {
        SCOPED_TRACE(std::to_string(mesh.degree) + " " +
                     std::to_string(mesh.n_cells()) + " " + numbering);
        check(build_space(mesh, numbering, CellOrder::hilbert));
      }
  });
}

TEST(SparsityPattern, IsThatOfASetOfPairsWithManyRows)
{
  check(build_space(test::generated_mesh(1, 300, 120)));
}

TEST(SparsityPattern, HasGhostsButNotConstrainedNodes)
{
  const Connectivity mesh = test::unstructured_mesh(2, 1);
  std::vector<int> part(mesh.n_cells());
  for (std::size_t c = 0; c < part.size(); ++c)
    part[c] = static_cast<int>(c / 3 % 3);
  for (const Part &each : partition(mesh, part, 3))
    {
      ASSERT_GT(each.space.n_ghosts + each.space.n_constrained, 0);
      check(each.space);
    }
}

TEST(SparsityPattern, DoesNotDependOnTheNumberOfThreads)
{
  const int n_threads = omp_get_max_threads();
  const Space space   = build_space(test::unstructured_mesh(3, 1));
  omp_set_num_threads(1);
  const SparsityPattern alone = make_sparsity_pattern(space);
  for (const int n : {2, 3, 7})
    {
      omp_set_num_threads(n);
      const SparsityPattern pattern = make_sparsity_pattern(space);
      EXPECT_EQ(pattern.row_start, alone.row_start);
      EXPECT_EQ(pattern.columns, alone.columns);
    }
  omp_set_num_threads(n_threads);
}
