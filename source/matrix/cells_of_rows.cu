#include <tessera/base/for_each.cuh>

#include "cells_of_rows_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Calls `work(row, entry)` with one thread for each node of each cell;
    /// consecutive lanes have consecutive cells.
    template <class Work>
    TESSERA_DEVICE void
    for_each_node(const NodesOfCells &in, const Work &work)
    {
      const std::int64_t k    = global_thread<threads>();
      const std::int64_t cell = k / 32 / in.n * 32 + k % 32;
      if (cell >= in.n_cells)
        return;
      const int i   = static_cast<int>(k / 32 % in.n);
      const int row = in.dofs[k]; // [batch][i][lane]
      if (row < in.n_rows)
        work(row, static_cast<unsigned int>(cell * in.n + i));
    }

    Shape
    shape(const NodesOfCells &cells)
    {
      return shape_of_threads<threads>((cells.n_cells + 31) / 32 * 32ll *
                                       cells.n);
    }

    TESSERA_KERNEL(threads, 1)
    void
    count_cells(TESSERA_ARGUMENT(NodesOfCells) in, const int weight, int *count)
    {
      for_each_node(in, [&](const int row, unsigned int) {
        device::atomic_add(count + row, weight);
      });
    }

    TESSERA_KERNEL(threads, 1)
    void
    write_cells(TESSERA_ARGUMENT(NodesOfCells) in, const std::int64_t *start,
                unsigned int *entries, unsigned int *count)
    {
      for_each_node(in, [&](const int row, const unsigned int entry) {
        entries[start[row] + device::atomic_increment(count + row)] = entry;
      });
    }
  } // namespace


  void
  count_cells_of_rows(const NodesOfCells &cells, const int weight, int *count)
  {
    launch(count_cells, shape(cells), {}, cells, weight, count);
  }


  void
  write_cells_of_rows(const NodesOfCells &cells, const std::int64_t *start,
                      unsigned int *entries, unsigned int *count)
  {
    launch(write_cells, shape(cells), {}, cells, start, entries, count);
  }


  TESSERA_FOR_EACH(SortCells)
} // namespace tessera
