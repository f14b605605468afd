#pragma once

#include "operators/cases.h"
#include "sell_shapes.h"

#include <tessera/matrix/place_rows.h>
#include <tessera/operators/sell_compressed.h>

// Slices whose columns are stored in fewer bits.
namespace tessera::test
{
  /// The places of lines and rows of slices, on the host.
  struct HostSlices
  {
    template <class Number>
    explicit HostSlices(const SellMatrix<Number> &matrix)
      : n(matrix.n_slices()), n_lanes(matrix.shape().lanes),
        columns(columns_of(matrix)),
        start(copy_of(matrix.backend(), matrix.slice_start(), n + 1)),
        first(copy_of(matrix.backend(), matrix.slice_rows(), n + 1)),
        log2(copy_of(matrix.backend(), matrix.log2_threads(), n))
    {}

    int n, n_lanes;
    std::vector<int> columns;
    std::vector<std::int64_t> start; ///< first place of each slice
    std::vector<int> first;          ///< first sorted row of each slice
    std::vector<std::uint8_t> log2;  ///< lanes per row of each slice
  };

  template <class Columns, class Number, class Values>
  SellCompressed<Number, Columns>
  make_compressed(const Backend backend,
                  const RowProblem<Number, Values> &problem,
                  const SellShape &shape,
                  const SliceValues values = SliceValues::number)
  {
    const CsrPattern pattern(problem.pattern, backend);
    SellCompressed<Number, Columns> A(SellMatrix<Number>(pattern, shape),
                                      problem.n_tail, values);
    place_values(A.matrix(), pattern.row_start,
                 Array<Number>(backend, problem.a));
    if (backend == Backend::cuda)
      runtime::synchronize({});
    A.values_changed();
    return A;
  }

  /// Compares the bytes of a product with the stored bytes.
  template <class Number, class Columns>
  void
  check_bytes(const SellCompressed<Number, Columns> &A,
              const std::size_t value_bytes)
  {
    const auto &matrix     = A.matrix();
    const std::size_t both = matrix.index_bytes() + A.columns().bytes();
    EXPECT_EQ(A.traffic().stored, matrix.values().size() * value_bytes + both);
    EXPECT_EQ(A.traffic().compulsory, matrix.n_nonzeros() * value_bytes + both +
                                        2 * sizeof(Number) * A.n_owned());
  }

  /// Tests products of many kinds of rows in slices of many shapes, a part of
  /// them under sanitizers, and calls `check_columns` for their matrices.
  template <class Columns, class CheckColumns>
  void
  check_products(const CheckColumns &check_columns)
  {
    int turn = 0;
    for (const Backend backend : backends())
      for (const Rows &rows : all_rows())
        for (const SellShape &shape : shapes())
          {
            SCOPED_TRACE(to_string(backend) + ", " + rows.name + ", " +
                         describe(shape));
            const auto check = [&](const auto &problem,
                                   const SliceValues values,
                                   const std::size_t value_bytes) {
              if (left_out(turn++, 10))
                return;
              const auto A =
                make_compressed<Columns>(backend, problem, shape, values);
              check_columns(A.matrix());
              problem.check(A);
              check_bytes(A, value_bytes);
            };
            check(RowProblem<double>(rows), SliceValues::number, 8);
            check(RowProblem<float>(rows), SliceValues::single_float, 4);
            // Float values are multiplied and summed in double.
            check(RowProblem<double, float>(rows), SliceValues::single_float,
                  4);
          }
  }
} // namespace tessera::test
