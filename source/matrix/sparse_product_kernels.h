#pragma once

#include "sparse_product.cuh"

// Teams of threads of the device make the rows of a sparse product.
namespace tessera
{
  /// The threads that make a row together, the slots of the table in shared
  /// memory in which they find its columns, and the most columns that it takes.
  /// While a team meets a row with more, each of its threads may add one column
  /// beyond that.
  template <int n_lanes, int n_slots>
  struct Team
  {
    static constexpr int lanes = n_lanes, slots = n_slots,
                         most = n_slots / 4 * 3;
    static_assert(most + lanes < slots, "a search ends at a free slot");
  };

  using SmallTeam = Team<8, 64>;
  using LargeTeam = Team<32, 512>;

  /// Counts or writes the columns of rows of A B.
  struct RowsToCollect
  {
    /// The count of rows that have too many columns for a table.
    static constexpr int too_many = 0x7fffffff;

    ProductColumns product;
    int log2_readers; ///< of a row of B
    bool small_first; ///< large teams take what small ones could not
    int *count;       ///< null if columns are written
    const std::int64_t *row_start;
    int *columns;

    // Rows with tables in memory; `rows` is null for tables on chip.
    const int *rows           = nullptr;
    const std::int64_t *first = nullptr; ///< slot of each table
    int *slots                = nullptr; ///< of tables, each with a list behind
  };

  /// Lets teams count the columns of all rows that their table has room for, or
  /// write them. With `small_first`, large teams leave out the rows of small
  /// ones.
  template <class Size>
  void
  collect_rows(const RowsToCollect &work);

  /// The same for n rows in a list, with tables in memory.
  void
  collect_listed_rows(const RowsToCollect &work, std::int64_t n);

  /// Computes the values of C = A B. A team takes a component of a row.
  template <class Size>
  void
  multiply_rows(const RowsView &a, const RowsView &b, int log2_readers,
                SparseRows &C);
} // namespace tessera
