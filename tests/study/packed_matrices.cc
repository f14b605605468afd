#include <tessera/forms/laplace.h>

#include "../../source/study/operators/packed_matrices_kernels.h"
#include "../operators/cases.h"

#include <set>

// Cell matrices in other layouts, and products that go over nodes. Their
// products are compared with the oracle together with all other operators.
namespace tessera
{
  using namespace test;

  TEST(PackedMatrices, ATournamentHasEveryPairOnce)
  {
    for (int n = 2; n <= 125; ++n)
      {
        const Tournament rounds{n};
        std::set<std::pair<int, int>> met;
        for (int round = 0; round < rounds.n_rounds(); ++round)
          {
            std::set<int> pairs;
            for (int k = 0; k < n; ++k)
              {
                const int other = rounds.partner(round, k);
                ASSERT_EQ(rounds.partner(round, other), k);
                if (other <= k)
                  continue;
                ASSERT_TRUE(met.insert({k, other}).second);
                ASSERT_EQ(rounds.round(k, other), round);
                ASSERT_EQ(rounds.pair(round, k), rounds.pair(round, other));
                ASSERT_TRUE(pairs.insert(rounds.pair(round, k)).second);
                ASSERT_LT(rounds.pair(round, k), rounds.n_pairs());
                ASSERT_GE(rounds.pair(round, k), 0);
              }
          }
        ASSERT_EQ(int(met.size()), n * (n - 1) / 2);
      }
  }

  // No two entries share a place, and no place is left empty.
  TEST(PackedMatrices, EveryEntryHasItsPlace)
  {
    for (const CellLayout layout : {CellLayout::cells, CellLayout::off_diagonal,
                                    CellLayout::rows, CellLayout::pairs})
      for (const int nodes : {3, 4, 6, 8, 9, 10, 27, 35, 64})
        for (int m = 1; m <= (nodes < 30 ? 3 : 1); ++m)
          {
            const int n = nodes * m;
            const bool halves =
              layout == CellLayout::pairs || layout == CellLayout::off_diagonal;
            const int stored = layout == CellLayout::off_diagonal
                                 ? n_off_diagonal(nodes, m)
                                 : n_local_entries(halves, n);
            const CellPlaces places{layout, halves, nodes, m, stored, 32};
            const std::int64_t n_cells = 2 * team_block;
            std::vector<char> taken(n_cells * stored, 0);
            for (std::int64_t cell = 0; cell < n_cells; ++cell)
              for (int i = 0; i < n; ++i)
                for (int j = halves ? i : 0; j < n; ++j)
                  {
                    const std::int64_t place = places(cell, i, j);
                    if (layout == CellLayout::off_diagonal &&
                        i % nodes == j % nodes)
                      {
                        ASSERT_EQ(place, -1);
                        continue;
                      }
                    ASSERT_GE(place, 0);
                    ASSERT_LT(place, n_cells * stored);
                    ASSERT_EQ(taken[place]++, 0);
                  }
            ASSERT_EQ(std::count(taken.begin(), taken.end(), 1),
                      n_cells * stored)
              << int(layout) << " " << nodes << " " << m;
          }
  }

  // With one component the two are the same sums in the same order.
  TEST(PackedMatrices, DofByDofIsNodeByNodeForOneComponent)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron})
        for (const int degree : test::degrees(type, 2))
          {
            const auto cells = std::make_shared<const CellData<double>>(
              distorted_boxes(type, degree), backend);
            const Form form = laplace(anisotropic(dimension(type)));
            EXPECT_EQ(product<double>("dof_by_dof", cells, form),
                      product<double>("node_by_node", cells, form));
          }
  }

  TEST(PackedMatrices, LessIsStored)
  {
    for (const Backend backend : backends())
      {
        const auto cells = std::make_shared<const CellData<double>>(
          distorted_boxes(CellType::quadrilateral, 1), backend);
        const auto bytes = [&](const std::string &name) {
          return make_operator<double>(name, cells, laplace())
                   ->traffic()
                   .stored -
                 cells->bytes();
        };
        // 16, 10 and 6 values of a quadrilateral.
        EXPECT_EQ(bytes("ebe_by_dof"), bytes("local_matrices"));
        EXPECT_EQ(10 * bytes("ebe_by_dof"), 16 * bytes("ebe_symmetric"));
        EXPECT_EQ(6 * bytes("ebe_symmetric"),
                  10 * bytes("local_matrices_zero_sums"));
        EXPECT_GT(bytes("node_by_node"), bytes("local_matrices"));
      }
  }
} // namespace tessera
