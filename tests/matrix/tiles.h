#pragma once

#include "rows.h"

#include <cmath>
#include <limits>

// What operators whose work is split into tiles have to get right.
namespace tessera::test
{
  /// Rows that no tile ends in, that end where tiles do, and many empty ones.
  inline std::vector<Rows>
  tile_rows()
  {
    std::vector<Rows> result = all_rows();
    std::vector<int> empty_first(300, 0), hardly_any(5000, 0);
    empty_first.insert(empty_first.end(), 2, 30);
    for (std::size_t row = 999; row < hardly_any.size(); row += 1000)
      hardly_any[row] = 30;
    const std::vector<Rows> more = {
      {"no rows", 3, {}},
      {"one very long row", 140000, {3, 140000, 2}},
      {"rows end with tiles of entries", 600, std::vector<int>(24, 512)},
      {"rows end with tiles of the path", 200, std::vector<int>(49, 127)},
      {"thousands of empty rows", 40, hardly_any},
      {"empty rows first", 40, empty_first}};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }

  /// The operator with these rows; `more` is what its constructor takes beside.
  template <template <class> class Op, template <class> class Matrix,
            class Number, class... More>
  void
  check_tiles(const Backend backend, const Rows &rows, const bool force_64,
              const More &...more)
  {
    const RowProblem<Number> problem(rows);
    const auto make = [&](const std::vector<Number> &a) {
      Matrix<Number> matrix(CsrPattern(problem.pattern, backend), force_64);
      matrix.values().copy_from(a);
      return Op<Number>(std::move(matrix), problem.n_tail, more...);
    };
    const Op<Number> A = make(problem.a);
    problem.check(A);
    const std::int64_t items =
      problem.pattern.n_nonzeros() + (A.name() == "csr_merge" ? problem.n : 0);
    EXPECT_EQ(A.n_tiles(),
              std::max<std::int64_t>(
                (items + A.tile_size() - 1) / A.tile_size(), problem.n > 0));
    const std::size_t places = A.n_tiles() * 2 * sizeof(Number);
    EXPECT_EQ(A.traffic().stored,
              A.matrix().bytes() + 4 * (A.n_tiles() + 1) + places);
    const bool cleared =
      A.name() == "coo" &&
      std::count(rows.lengths.begin(), rows.lengths.end(), 0) > 0;
    EXPECT_EQ(A.traffic().compulsory,
              (cleared ? 3 : 2) * sizeof(Number) * problem.n +
                A.matrix().bytes_of_product() + 4 * (A.n_tiles() + 1) +
                2 * places);

    // Sums are not differences of others: what is not finite stays in its row.
    if (problem.pattern.n_nonzeros() == 0)
      return;
    std::vector<Number> a = problem.a;
    const std::size_t bad = a.size() / 2;
    a[bad]                = std::numeric_limits<Number>::infinity();
    const Op<Number> B    = make(a);
    Vector<Number> x = B.make_vector(), y = B.make_vector();
    x.copy_from(std::vector<Number>(x.size(), Number(1)));
    B.vmult(y, x);
    const std::vector<Number> found = owned_values(y);
    const auto &start               = problem.pattern.row_start;
    for (int row = 0; row < problem.n; ++row)
      EXPECT_EQ(std::isinf(found[row]), start[row] <= std::int64_t(bad) &&
                                          std::int64_t(bad) < start[row + 1]);
  }
} // namespace tessera::test
