#include "meshes.h"
#include "operators/cases.h"
#include "test.h"

#include <tessera/base/algorithms.h>
#include <tessera/matrix/csr.h>
#include <tessera/space/partition.h>

namespace tessera
{
  using namespace test;

  void
  expect_equal(const CsrPattern &pattern, const SparsityPattern &expected)
  {
    EXPECT_EQ(pattern.row_start.to_vector(), expected.row_start);
    EXPECT_EQ(pattern.columns.to_vector(), expected.columns);
    EXPECT_EQ(pattern.n_rows, expected.n_rows());
    EXPECT_EQ(pattern.n_nonzeros, expected.n_nonzeros());
    EXPECT_EQ(pattern.max_row_length, expected.max_row_length());
    std::int64_t n_even = 0;
    for (int row = 0; row < pattern.n_rows; ++row)
      n_even +=
        (expected.row_start[row + 1] - expected.row_start[row]) % 2 == 0;
    EXPECT_EQ(pattern.most_rows_even, 2 * n_even > pattern.n_rows);
  }

  void
  check(const Space &space)
  {
    const SparsityPattern expected = make_sparsity_pattern(space);
    const auto shared              = std::make_shared<const Space>(space);
    for (const Backend backend : backends())
      {
        SCOPED_TRACE(to_string(backend) + " " + to_string(space.cell_type) +
                     " " + std::to_string(space.degree) + " " +
                     std::to_string(space.n_cells()));
        expect_equal(make_csr_pattern(CellData<double>(shared, backend)),
                     expected);
        expect_equal(make_csr_pattern(CellData<float>(shared, backend)),
                     expected);
      }
  }

  TEST(CsrPattern, IsThatOfTheHostForAllCells)
  {
    for (const PreparedCase &c : prepared_cases())
      {
        SCOPED_TRACE(c.name);
        check(*c.space);
      }
  }

  /// Rows have up to 128, up to 256 and more candidates, and so many that the
  /// host makes them.
  TEST(CsrPattern, RowsOfManyCells)
  {
    for (const int n_cells : {5, 14, 100, 200})
      check(build_space(star_mesh(4, n_cells)));
    for (const int n_cells : {40, 80})
      check(build_space(star_mesh(1, n_cells)));
  }

  TEST(CsrPattern, LeavesOutGhosts)
  {
    const Connectivity mesh = unstructured_mesh(2, 1);
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = static_cast<int>(c / 3 % 3);
    for (const Part &each : partition(mesh, part, 3))
      check(each.space);
  }

  /// Offsets exceed 2^31, without the memory that such a matrix would take.
  TEST(CsrPattern, CountsBeyond32Bits)
  {
    EXPECT_FALSE(needs_64_bit_offsets(2147483647 - 4096));
    EXPECT_TRUE(needs_64_bit_offsets(2147483647 - 4095));
    EXPECT_TRUE(needs_64_bit_offsets(2147483648));
    const std::vector<int> lengths = {2000000000, 2000000000, 0, 7, 2147483647};
    std::vector<std::int64_t> expected(lengths.size() + 1, 0);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      expected[i + 1] = expected[i] + lengths[i];
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        {
          const Array<int> in(backend, lengths);
          Array<std::int64_t> out(backend, expected.size());
          algorithms::exclusive_scan(in.data(), out.data(), lengths.size());
          EXPECT_EQ(out.to_vector(), expected);
          EXPECT_EQ(algorithms::maximum(in.data(), lengths.size()), 2147483647);
          EXPECT_EQ(algorithms::count_even(in.data(), lengths.size()), 3);
          EXPECT_EQ(algorithms::count_at_least(in.data(), lengths.size(), 7),
                    4);
          EXPECT_EQ(algorithms::count_at_least(in.data(), lengths.size(), 8),
                    3);
          EXPECT_EQ(
            algorithms::count_at_least(in.data(), lengths.size(), 2147483647),
            1);
        }
  }
} // namespace tessera
