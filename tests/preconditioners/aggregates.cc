#include "test.h"

#include <tessera/matrix/near_null_space.h>
#include <tessera/preconditioners/smoothed_prolongation.h>

#include <gtest/gtest.h>

#include <set>

#include "grid_matrices.h"

namespace tessera
{
  using namespace test;

  TEST(Aggregates, AreAPartition)
  {
    for (const Backend backend : backends())
      for (const SparseMatrix &A :
           {grid_laplace({2, 17}), grid_laplace({3, 7}), line(33), line(31),
            line(2), with_given(grid_laplace({2, 9}), [](const int i) {
              return i % 7 == 3;
            })})
        {
          const SparseRows rows(A, backend);
          const auto graph = make_strong_graph(
            rows.view(), StrengthMeasure::to_diagonal, 0., backend);
          const auto aggregates = make_aggregates(rows.view(), graph);
          const auto start      = graph.row_start.to_vector();
          const auto columns    = graph.columns.to_vector();
          const auto of_node    = aggregates.of_node.to_vector();
          const auto roots      = aggregates.roots.to_vector();
          const auto neighbours = [&](const int node) {
            return std::set<int>(columns.begin() + start[node],
                                 columns.begin() + start[node + 1]);
          };
          const std::set<int> all_roots(roots.begin(), roots.end());
          std::vector<int> size(aggregates.n, 0);
          for (int node = 0; node < A.n_rows(); ++node)
            if (neighbours(node).empty())
              EXPECT_EQ(of_node[node], aggregates.n);
            else
              {
                ASSERT_LT(of_node[node], aggregates.n);
                ++size[of_node[node]];
                // A node is at most two steps from its root.
                bool is_near = false;
                for (const int next : neighbours(node))
                  is_near =
                    is_near || neighbours(next).count(roots[of_node[node]]) > 0;
                EXPECT_TRUE(is_near);
              }
          for (int a = 0; a < aggregates.n; ++a)
            {
              EXPECT_GE(size[a], 2);
              EXPECT_EQ(of_node[roots[a]], a);
              const auto around = neighbours(roots[a]);
              int n_own         = -1; // the root itself
              for (const int next : around)
                {
                  EXPECT_EQ(all_roots.count(next), next == roots[a]);
                  n_own += of_node[next] == a;
                }
              EXPECT_GE(2 * n_own, int(around.size()) - 1);
              if (a > 0)
                EXPECT_LT(roots[a - 1], roots[a]);
            }
        }
  }

  TEST(Aggregates, DoNotJoinWeakNeighbours)
  {
    const Grid grid{2, 20};
    const SparseMatrix A = grid_laplace(grid, [](const auto &) {
      return std::array<double, 3>{1, 1e-4, 0};
    });
    const RowsView rows  = view(A);
    for (const auto measure :
         {StrengthMeasure::to_diagonal, StrengthMeasure::to_largest})
      {
        const auto graph = make_strong_graph(rows, measure, 0.3, Backend::host);
        const auto of_node = make_aggregates(rows, graph).of_node.to_vector();
        for (int node = 0; node < A.n_rows(); ++node)
          for (int other = 0; other < A.n_rows(); ++other)
            if (of_node[node] == of_node[other])
              EXPECT_EQ(grid.place(node)[1], grid.place(other)[1]);
      }
  }

  /// A chain of springs in which nodes 0, 1 and 4, 5 are tied by 10^6. Node 2
  /// follows node 3, and this one node 4, by couplings that grow by a factor of
  /// 20 and more; node 6 is held by 10^3, so that Jacobi's method solves its
  /// row, and node 7 has no coupling.
  TEST(Aggregates, FollowTheLargestCoupling)
  {
    const std::vector<double> springs = {1e6, 1, 20, 900, 1e6, 1, 0};
    for (const Backend backend : backends())
      {
        SparseMatrix A = line(8);
        for (int i = 0; i < 8; ++i)
          for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1];
               ++k)
            if (const int j = A.pattern.columns[k]; j == i)
              A.values[k] = (i > 0 ? springs[i - 1] : 1) +
                            (i < 7 ? springs[i] : 1) + (i == 6 ? 1e3 : 0);
            else
              A.values[k] = -springs[std::min(i, j)];
        const SparseRows rows(A, backend);
        const auto graph = make_strong_graph(
          rows.view(), StrengthMeasure::to_largest, 0.2, backend);
        EXPECT_EQ(graph.row_start.to_vector(),
                  (std::vector<std::int64_t>{0, 2, 4, 5, 6, 8, 10, 10, 10}));
        const auto aggregates = make_aggregates(rows.view(), graph);
        EXPECT_EQ(aggregates.n, 2);
        EXPECT_EQ(aggregates.of_node.to_vector(),
                  (std::vector<int>{0, 0, 1, 1, 1, 1, 2, 2}));
      }
  }

  TEST(Aggregates, ReproduceTheModes)
  {
    for (const Backend backend : backends())
      for (const int dim : {2, 3})
        {
          const Grid grid{dim, dim == 2 ? 9 : 5};
          const SparseMatrix A = grid_elasticity(grid);
          const auto rigid     = rigid_body_modes(positions(grid), dim);
          const int m = rigid.n, n = A.n_rows();
          std::vector<double> given(rigid.modes.size());
          for (int l = 0; l < m; ++l)
            for (int i = 0; i < n; ++i)
              given[i * m + l] = rigid.modes[l * n + i];
          const SparseRows single(A, backend);
          SparseRows blocks = make_block_pattern(single.view(), dim, backend);
          place_in_blocks(single.view(), blocks);
          const auto graph = make_strong_graph(
            blocks.view(), StrengthMeasure::to_diagonal, 1e-4, backend);
          const auto aggregates = make_aggregates(blocks.view(), graph);
          const auto orthonormal =
            orthonormalize(aggregates, dim, m, Array<double>(backend, given));
          const auto r       = orthonormal.r.to_vector();
          const auto q       = orthonormal.q.to_vector();
          const auto of_node = aggregates.of_node.to_vector();
          for (int i = 0; i < n; ++i)
            for (int l = 0; l < m; ++l)
              {
                double sum = 0;
                for (int k = 0; k < m; ++k)
                  sum += q[i * m + k] * r[(of_node[i / dim] * m + k) * m + l];
                EXPECT_NEAR(sum, given[i * m + l], 1e-14);
              }
          for (int a = 0; a < aggregates.n; ++a)
            for (int k = 0; k < m; ++k)
              for (int l = 0; l <= k; ++l)
                {
                  double sum = 0;
                  for (int i = 0; i < n; ++i)
                    if (of_node[i / dim] == a)
                      sum += q[i * m + k] * q[i * m + l];
                  EXPECT_NEAR(sum, k == l, 1e-13);
                }
        }
  }

  /// P R = B - weight D^-1 A B, whatever the weak entries.
  TEST(Aggregates, ProlongationsRepresentModesBesideWeakEntries)
  {
    const Grid grid{2, 9};
    const auto stretched = [](const auto &) {
      return std::array<double, 3>{1, 1e-3, 1};
    };
    const auto rigid = rigid_body_modes(positions(grid), 2);
    for (const Backend backend : backends())
      for (const int dim : {1, 2})
        {
          const SparseMatrix A =
            dim == 1 ? grid_laplace(grid, stretched) : grid_elasticity(grid);
          const int n = A.n_rows(), m = dim == 1 ? 1 : rigid.n;
          std::vector<double> given(std::size_t(n) * m);
          for (int i = 0; i < n; ++i)
            for (int l = 0; l < m; ++l)
              given[i * m + l] =
                dim == 1 ? 1 + i % 7 : rigid.modes[std::size_t(l) * n + i];
          const Array<double> modes(backend, given);
          const SparseRows single(A, backend);
          SparseRows blocks = make_block_pattern(single.view(), dim, backend);
          place_in_blocks(single.view(), blocks);
          const auto graph =
            dim == 1
              ? make_strong_graph(blocks.view(), StrengthMeasure::to_largest,
                                  0.3, backend)
              : make_strong_graph(blocks.view(), StrengthMeasure::to_diagonal,
                                  0.2, backend);
          EXPECT_LT(std::int64_t(graph.columns.size()), blocks.n_entries());
          const auto aggregates = make_aggregates(blocks.view(), graph);
          for (const int aggregate : aggregates.of_node.to_vector())
            EXPECT_LT(aggregate, aggregates.n);
          const auto orthonormal = orthonormalize(aggregates, dim, m, modes);
          const double weight    = 0.6;
          const SparseMatrix P   = to_host(smoothed_prolongation(
              blocks.view(), graph, aggregates, modes, orthonormal, weight));
          const auto r           = orthonormal.r.to_vector();
          int n_compared         = 0;
          for (int i = 0; i < n; ++i)
            for (int l = 0; l < m; ++l)
              {
                double is = 0, size = 0, a_b = 0, diagonal = 0;
                bool all_are_new = true;
                for (auto k = P.pattern.row_start[i];
                     k < P.pattern.row_start[i + 1]; ++k)
                  {
                    const int column = P.pattern.columns[k];
                    const double r_l = r[std::size_t(column) * m + l];
                    is += P.values[k] * r_l;
                    size += std::abs(P.values[k] * r_l);
                    all_are_new = all_are_new &&
                                  r[std::size_t(column) * m + column % m] > 0;
                  }
                for (auto k = A.pattern.row_start[i];
                     k < A.pattern.row_start[i + 1]; ++k)
                  {
                    const int j = A.pattern.columns[k];
                    a_b += A.values[k] * given[j * m + l];
                    diagonal += j == i ? A.values[k] : 0;
                  }
                if (!all_are_new)
                  continue;
                ++n_compared;
                EXPECT_NEAR(is, given[i * m + l] - weight * a_b / diagonal,
                            1e-14 * (10 + size));
              }
          EXPECT_GT(n_compared, n * m / 2);
        }
  }
} // namespace tessera
