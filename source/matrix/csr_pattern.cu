#include <tessera/base/for_each.cuh>

#include "csr_pattern_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// The columns of a row as the cells around it list them, with repetitions.
    /// A warp searches them and keeps the first 32 n_held in registers.
    template <int n_held>
    class Candidates
    {
    public:
      static constexpr unsigned int none = 0xffffffffu;

      TESSERA_DEVICE
      Candidates(const PatternCells &in, const int row, const int lane)
        : in(in), begin(in.start[row]),
          n(static_cast<int>(in.start[row + 1] - in.start[row]) * in.n),
          lane(lane)
      {
        TESSERA_UNROLL
        for (int k = 0; k < n_held; ++k)
          held[k] = column(32 * k + lane);
      }

      /// Returns, in all lanes, the smallest column that is at least `bound`.
      TESSERA_DEVICE unsigned int
      next(const unsigned int bound) const
      {
        unsigned int smallest = none;
        TESSERA_UNROLL
        for (int k = 0; k < n_held; ++k)
          consider(held[k], bound, smallest);
        for (int m = 32 * n_held + lane; m < n; m += 32)
          consider(column(m), bound, smallest);
        return device::warp_minimum(smallest);
      }

    private:
      const PatternCells &in;
      std::int64_t begin;
      int n, lane;
      unsigned int held[n_held];

      TESSERA_DEVICE unsigned int
      column(const int m) const
      {
        if (m >= n)
          return none;
        const unsigned int cell = in.entries[begin + m / in.n] / in.n;
        const std::int64_t at =
          (std::int64_t(cell / 32) * in.n + m % in.n) * 32 + cell % 32;
        const int dof = read_only(in.dofs + at);
        return dof < in.n_rows ? static_cast<unsigned int>(dof) : none;
      }

      TESSERA_DEVICE static void
      consider(const unsigned int column, const unsigned int bound,
               unsigned int &smallest)
      {
        if (column >= bound && column < smallest)
          smallest = column;
      }
    };

    /// Calls `work(k, column)` for the columns of a row in ascending order, and
    /// returns the number of columns.
    template <class RowCandidates, class Work>
    TESSERA_DEVICE int
    for_each_column(const RowCandidates &candidates, const Work &work)
    {
      int k = 0;
      for (unsigned int column                   = candidates.next(0);
           column != RowCandidates::none; column = candidates.next(column + 1))
        work(k++, static_cast<int>(column));
      return k;
    }

    /// Counts the different columns of rows, with one warp per row.
    template <int n_held>
    TESSERA_KERNEL(threads, 1)
    void count_columns_kernel(TESSERA_ARGUMENT(PatternCells) in, int *lengths)
    {
      const std::int64_t row = global_thread<threads>() / 32;
      if (row >= in.n_rows)
        return;
      const int lane = device::thread_index() % 32;
      const Candidates<n_held> candidates(in, static_cast<int>(row), lane);
      const int n_columns = for_each_column(candidates, [](int, int) {});
      if (lane == 0)
        lengths[row] = n_columns;
    }

    template <int n_held>
    TESSERA_KERNEL(threads, 1)
    void write_columns_kernel(TESSERA_ARGUMENT(PatternCells) in,
                              const std::int64_t *row_start, int *columns)
    {
      const std::int64_t row = global_thread<threads>() / 32;
      if (row >= in.n_rows)
        return;
      const int lane = device::thread_index() % 32;
      int *const to  = columns + row_start[row];
      for_each_column(Candidates<n_held>(in, static_cast<int>(row), lane),
                      [&](const int k, const int column) {
                        if (k % 32 == lane)
                          to[k] = column;
                      });
    }
  } // namespace


  TESSERA_FOR_EACH(RowLength)
  TESSERA_FOR_EACH(Narrowing)
  TESSERA_FOR_EACH(RowsOfBlocks)


  void
  count_columns(const PatternCells &cells, int *lengths)
  {
    launch(cells.most_candidates <= 128   ? count_columns_kernel<4>
           : cells.most_candidates <= 256 ? count_columns_kernel<8>
                                          : count_columns_kernel<32>,
           shape_of_threads<threads>(32ll * cells.n_rows), {}, cells, lengths);
  }


  void
  write_columns(const PatternCells &cells, const std::int64_t *row_start,
                int *columns)
  {
    launch(cells.most_candidates <= 128   ? write_columns_kernel<4>
           : cells.most_candidates <= 256 ? write_columns_kernel<8>
                                          : write_columns_kernel<32>,
           shape_of_threads<threads>(32ll * cells.n_rows), {}, cells, row_start,
           columns);
  }
} // namespace tessera
