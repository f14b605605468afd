#pragma once

#include "rows.h"

#include <tessera/operators/tile_operator.h>

#include <cmath>
#include <limits>

// Requirements on operators whose work is split into tiles.
namespace tessera::test
{
  /// Rows in which no tile ends, rows that end with tiles, many empty rows.
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
      {"128 entries before a tile", 3000, {896, 3000, 3}},
      {"129 entries before a tile", 3000, {895, 3000, 3}},
      {"128 entries before a tile of the path", 3000, {1023, 3000, 3}},
      {"129 entries before a tile of the path", 3000, {1022, 3000, 3}},
      {"few entries before many tiles", 9000, {1020, 9000, 0, 5, 7000, 1}},
      {"begun anywhere", 300, lengths(301, 0, 300)},
      {"thousands of empty rows", 40, hardly_any},
      {"empty rows first", 40, empty_first}};
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }

  /// Counts tiles that begin with an entry (or, on the path, a row end) of a
  /// row with more entries before it than are repeated.
  template <class Number>
  std::int64_t
  count_parts(const TileOperator<Number> &A, const SparsityPattern &pattern,
              const bool by_path)
  {
    std::int64_t item = 0, result = 0;
    for (int row = 0; row < pattern.n_rows(); ++row)
      {
        const auto length = pattern.row_start[row + 1] - pattern.row_start[row];
        for (std::int64_t k = 0; k < length + by_path; ++k, ++item)
          result += item % A.tile_size() == 0 && k > A.most_repeated();
      }
    return result;
  }

  /// A product in a graph, after one with another vector, must have the bits of
  /// a direct one: no part of a product may be left for the next one.
  template <class Number>
  void
  check_replays(const TileOperator<Number> &A, const std::vector<Number> &x,
                const std::vector<Number> &other)
  {
    const Stream stream = runtime::create_stream();
    Vector<Number> from = A.make_vector(), to = A.make_vector();
    Array<double> dot(Backend::cuda, 1);
    const auto product = [&](const Stream where) {
      A.vmult(to, from, Epilogue<Number>::dot(dot.data()), where);
    };
    {
      const runtime::Graph graph(stream, [&]() { product(stream); });
      from.copy_from(x);
      product({});
      const std::vector<Number> direct = owned_values(to);
      const double direct_dot          = dot.to_vector()[0];
      for (const auto &next : {other, x})
        {
          from.copy_from(next);
          graph.replay(stream);
          runtime::synchronize(stream);
        }
      EXPECT_EQ(owned_values(to), direct);
      EXPECT_EQ(dot.to_vector()[0], direct_dot);
    }
    runtime::destroy_stream(stream);
  }

  /// Tests an operator with these rows; `more` are its constructor's arguments.
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
    if (backend == Backend::cuda)
      check_replays(A, problem.x, problem.b);
    const bool by_path = A.name() == "csr_merge";
    const std::int64_t items =
      problem.pattern.n_nonzeros() + (by_path ? problem.n : 0);
    EXPECT_EQ(A.n_tiles(),
              std::max<std::int64_t>(
                (items + A.tile_size() - 1) / A.tile_size(), problem.n > 0));
    const bool on_host = backend == Backend::host;
    EXPECT_EQ(A.n_parts(),
              on_host ? 0 : count_parts(A, problem.pattern, by_path));
    // A tile of the host has its first row and two parts. A tile of the device
    // has the entries before it, and one part that is handed over.
    const std::size_t boundaries = (on_host ? 4 : 8) * (A.n_tiles() + 1);
    const std::size_t part       = sizeof(Number);
    EXPECT_EQ(A.traffic().stored, A.matrix().bytes() + boundaries +
                                    A.n_tiles() * (on_host ? 2 : 1) * part);
    const bool cleared =
      on_host && A.name() == "coo" &&
      std::count(rows.lengths.begin(), rows.lengths.end(), 0) > 0;
    EXPECT_EQ(A.traffic().compulsory,
              (cleared ? 3 : 2) * sizeof(Number) * problem.n +
                A.matrix().bytes_of_product() + boundaries +
                (on_host ? 4 * A.n_tiles() : 3 * A.n_parts()) * part);

    // Values that are not finite stay in their rows: sums are no differences.
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
