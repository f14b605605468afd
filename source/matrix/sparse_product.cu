#include <tessera/base/claim.cuh>
#include <tessera/base/first_at_least.h>
#include <tessera/base/for_each.cuh>

#include "../base/rounded_product.h"
#include "sparse_product_kernels.h"

// The teams of a warp pass its synchronisations together, also those without a
// row. Readers of a row of B are neighbouring lanes, so that a team works on
// lanes / readers rows of B at a time.
namespace tessera
{
  namespace
  {
    constexpr int threads = 128, no_column = -1;

    /// A table of columns with open addressing; `size` is a power of two.
    struct Table
    {
      int *slots;
      std::int64_t size;

      TESSERA_DEVICE void
      clear(const int lane, const int lanes) const
      {
        for (std::int64_t s = lane; s < size; s += lanes)
          slots[s] = no_column;
      }

      TESSERA_DEVICE std::int64_t
      first_slot(const int column) const
      {
        const std::uint32_t mixed =
          static_cast<std::uint32_t>(column) * 0x9e3779b1u;
        return (mixed >> 7) & (size - 1);
      }

      /// Returns the slot of a column that is new, and otherwise -1.
      TESSERA_DEVICE std::int64_t
      insert(const int column) const
      {
        for (std::int64_t at = first_slot(column);; at = (at + 1) & (size - 1))
          {
            const int found = device::claim(slots + at, no_column, column);
            if (found == no_column)
              return at;
            if (found == column)
              return -1;
          }
      }

      /// Returns the slot of a column that is there; another one ends at a free
      /// slot.
      TESSERA_DEVICE std::int64_t
      find(const int column) const
      {
        std::int64_t at = first_slot(column);
        while (slots[at] != column && slots[at] != no_column)
          at = (at + 1) & (size - 1);
        return at;
      }

      /// Makes the table no larger than n columns need.
      TESSERA_DEVICE void
      shrink(const int n)
      {
        const std::int64_t all = size;
        for (size = 16; size < all && size < 2 * n;)
          size *= 2;
      }
    };

    /// What the threads of a team share when they collect a row.
    struct Collection
    {
      Table table;
      int *list; ///< columns in the order in which they were found
      int *n;    ///< their number
      int most;

      /// Returns false if there are too many columns.
      TESSERA_DEVICE bool
      add(const int column) const
      {
        if (table.insert(column) < 0)
          return true;
        const int at = device::atomic_fetch_add(n, 1);
        if (at < most)
          list[at] = column;
        return at < most;
      }

      TESSERA_DEVICE void
      add_row(const RowsToCollect &work, const int row, const int lane,
              const int lanes) const
      {
        const RowsView &a = work.product.a, &b = work.product.b;
        const int readers = 1 << work.log2_readers;
        if (work.product.with_diagonal && lane == 0 && !add(row))
          return;
        for (std::int64_t k = a.row_start[row] + (lane >> work.log2_readers);
             k < a.row_start[row + 1]; k += lanes >> work.log2_readers)
          {
            const int middle       = a.columns[k];
            const std::int64_t end = b.row_start[middle + 1];
            for (std::int64_t l = b.row_start[middle] + (lane & (readers - 1));
                 l < end; l += readers)
              if (!add(b.columns[l]))
                return;
          }
      }

      /// Puts each column behind all smaller ones.
      TESSERA_DEVICE void
      write(int *const columns, const int lane, const int lanes) const
      {
        const int n_columns = *n;
        for (int k = lane; k < n_columns; k += lanes)
          {
            const int column = list[k];
            int place        = 0;
            for (int other = 0; other < n_columns; ++other)
              place += list[other] < column ? 1 : 0;
            columns[place] = column;
          }
      }
    };

    TESSERA_DEVICE void
    collect_row(const RowsToCollect &work, const Collection &team,
                const std::int64_t row, const bool takes_part, const int lane,
                const int lanes)
    {
      team.table.clear(lane, lanes);
      if (lane == 0)
        *team.n = 0;
      device::warp_synchronize();
      if (takes_part)
        team.add_row(work, static_cast<int>(row), lane, lanes);
      device::warp_synchronize();
      if (!takes_part)
        return;
      if (work.count == nullptr)
        team.write(work.columns + work.row_start[row], lane, lanes);
      else if (lane == 0)
        work.count[row] =
          *team.n > team.most ? RowsToCollect::too_many : *team.n;
    }

    /// Reads the columns of A and the rows of B that they name; writes 4 bytes
    /// a row, or a column. The order in which threads find columns does not
    /// matter.
    template <class Size>
    TESSERA_KERNEL(threads, 8)
    void collect_kernel(TESSERA_ARGUMENT(RowsToCollect) work)
    {
      constexpr int lanes = Size::lanes, slots = Size::slots, most = Size::most,
                    teams     = threads / lanes;
      constexpr bool is_large = lanes == LargeTeam::lanes;
      TESSERA_SHARED int tables[teams][slots];
      TESSERA_SHARED int lists[teams][most];
      TESSERA_SHARED int numbers[teams];
      const std::int64_t row = global_thread<threads>() / lanes;
      const int team         = device::thread_index() / lanes,
                lane         = device::thread_index() % lanes;
      const bool is_second   = is_large && work.small_first;
      bool takes_part        = row < work.product.a.n_rows;
      Table table{tables[team], slots};
      if (takes_part && work.count == nullptr)
        {
          const auto n =
            static_cast<int>(work.row_start[row + 1] - work.row_start[row]);
          takes_part = n <= most && (!is_second || n > SmallTeam::most);
          table.shrink(n);
        }
      else if (takes_part && is_second)
        takes_part = work.count[row] == RowsToCollect::too_many;
      if (is_large && !takes_part)
        return;
      collect_row(work, {table, lists[team], numbers + team, most}, row,
                  takes_part, lane, lanes);
    }

    TESSERA_KERNEL(threads, 8)
    void
    collect_listed_kernel(TESSERA_ARGUMENT(RowsToCollect) work,
                          const std::int64_t n)
    {
      constexpr int lanes = LargeTeam::lanes;
      TESSERA_SHARED int numbers[threads / lanes];
      const std::int64_t i = global_thread<threads>() / lanes;
      if (i >= n)
        return;
      const std::int64_t size = (work.first[i + 1] - work.first[i]) / 2;
      int *const slots        = work.slots + work.first[i];
      collect_row(work,
                  {{slots, size},
                   slots + size,
                   numbers + device::thread_index() / lanes,
                   static_cast<int>(size)},
                  work.rows[i], true, device::thread_index() % lanes, lanes);
    }

    /// The place of columns in a row of C: found by a table, or in the sorted
    /// columns if there are too many for it.
    struct Places
    {
      Table table;
      const std::uint16_t *of_slots;
      const int *columns;
      int n;
      bool has_table;

      TESSERA_DEVICE int
      operator()(const int column) const
      {
        return has_table ? of_slots[table.find(column)]
                         : first_at_least(columns, n - 1, column);
      }
    };

    /// Threads of a team read lanes / readers rows of B at a time and multiply,
    /// but add one row after the other, so that the terms of an entry are added
    /// in the order of the columns of A. Rows whose sums have no room on chip
    /// are added up in their place in C.
    template <class Size, bool is_single>
    TESSERA_KERNEL(threads, 8)
    void multiply_kernel(TESSERA_ARGUMENT(RowsView) a,
                         TESSERA_ARGUMENT(RowsView) b,
                         const std::int64_t *const row_start,
                         const int *const columns, double *const values,
                         const int log2_readers)
    {
      constexpr int lanes = Size::lanes, slots = Size::slots, most = Size::most,
                    teams = threads / lanes;
      TESSERA_SHARED int tables[teams][slots];
      TESSERA_SHARED std::uint16_t places[teams][slots];
      TESSERA_SHARED double sums[teams][most];
      const int kb      = is_single ? 1 : a.column_block,
                cb      = is_single ? 1 : b.column_block,
                rb      = is_single ? 1 : a.row_block;
      const int team    = device::thread_index() / lanes,
                lane    = device::thread_index() % lanes,
                readers = 1 << log2_readers, reader = lane & (readers - 1),
                mine = lane >> log2_readers, at_a_time = lanes >> log2_readers;
      const std::int64_t item = global_thread<threads>() / lanes;
      const bool takes_part   = item < static_cast<std::int64_t>(a.n_rows) * rb;
      const int row           = takes_part ? static_cast<int>(item / rb) : 0,
                i             = takes_part ? static_cast<int>(item % rb) : 0;
      const std::int64_t begin = takes_part ? row_start[row] : 0;
      const int n =
        takes_part ? static_cast<int>(row_start[row + 1] - begin) : 0;
      const int n_a             = takes_part ? a.length(row) : 0;
      const int *const of_a     = takes_part ? a.columns_of(row) : nullptr;
      const double *const a_row = takes_part ? a.values_of(row, i) : nullptr;
      double *const to =
        values + (begin * rb + static_cast<std::int64_t>(i) * n) * cb;
      const bool on_chip = n * cb <= most;
      double *const c    = on_chip ? sums[team] : to;
      Places place_of{
        {tables[team], slots}, places[team], columns + begin, n, n <= most};
      place_of.table.shrink(n);
      place_of.table.clear(lane, lanes);
      for (int k = lane; k < n * cb; k += lanes)
        c[k] = 0;
      device::warp_synchronize();
      for (int k = lane; k < n && place_of.has_table; k += lanes)
        places[team][place_of.table.insert(columns[begin + k])] =
          static_cast<std::uint16_t>(k);
      device::warp_synchronize();
      const int no_longer = 0x7fffffff;
      const int n_steps =
        no_longer -
        static_cast<int>(device::warp_minimum(static_cast<unsigned int>(
          no_longer - (n_a + at_a_time - 1) / at_a_time)));
      for (int step = 0; step < n_steps; ++step)
        {
          const int k = step * at_a_time + mine;
          int n_b = 0, n_terms = 0, place = 0;
          const int *of_b     = nullptr;
          const double *b_row = nullptr;
          double product      = 0;
          if (k < n_a)
            {
              const std::int64_t first = b.row_start[of_a[k]];
              n_b                      = b.length(of_a[k]);
              n_terms                  = n_b * cb;
              of_b                     = b.columns + first;
              b_row                    = b.values + first * kb * cb;
            }
          if (reader < n_terms)
            {
              place   = place_of(of_b[reader / cb]) * cb + reader % cb;
              product = rounded_product(a_row[k * kb], b_row[reader]);
            }
          for (int turn = 0; turn < at_a_time; ++turn)
            {
              if (turn == mine)
                for (int term = reader; term < n_terms; term += readers)
                  {
                    if (term != reader)
                      {
                        place   = place_of(of_b[term / cb]) * cb + term % cb;
                        product = rounded_product(a_row[k * kb], b_row[term]);
                      }
                    double sum = c[place] + product;
                    for (int q = 1; q < kb; ++q)
                      sum += rounded_product(a_row[k * kb + q],
                                             b_row[q * n_terms + term]);
                    c[place] = sum;
                  }
              device::warp_synchronize();
            }
        }
      for (int k = lane; k < n * cb && on_chip; k += lanes)
        to[k] = c[k];
    }
  } // namespace


  template <class Size>
  void
  collect_rows(const RowsToCollect &work)
  {
    launch(collect_kernel<Size>,
           shape_of_threads<threads>(std::int64_t(work.product.a.n_rows) *
                                     Size::lanes),
           {}, work);
  }


  void
  collect_listed_rows(const RowsToCollect &work, const std::int64_t n)
  {
    launch(collect_listed_kernel,
           shape_of_threads<threads>(n * LargeTeam::lanes), {}, work, n);
  }


  template <class Size>
  void
  multiply_rows(const RowsView &a, const RowsView &b, const int log2_readers,
                SparseRows &C)
  {
    const bool is_single = a.row_block * a.column_block * b.column_block == 1;
    launch(is_single ? multiply_kernel<Size, true>
                     : multiply_kernel<Size, false>,
           shape_of_threads<threads>(std::int64_t(a.n_rows) * a.row_block *
                                     Size::lanes),
           {}, a, b, C.row_start.data(), C.columns.data(), C.values.data(),
           log2_readers);
  }


  template void
  collect_rows<SmallTeam>(const RowsToCollect &);
  template void
  collect_rows<LargeTeam>(const RowsToCollect &);
  template void
  multiply_rows<SmallTeam>(const RowsView &, const RowsView &, int,
                           SparseRows &);
  template void
  multiply_rows<LargeTeam>(const RowsView &, const RowsView &, int,
                           SparseRows &);
  TESSERA_FOR_EACH(BoundOfProductRow)
  TESSERA_FOR_EACH(OneOnEmptyDiagonal)
} // namespace tessera
