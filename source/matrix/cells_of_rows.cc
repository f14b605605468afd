#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/cells_of_rows.h>

#include <algorithm>

#include "cells_of_rows_kernels.h"

namespace tessera
{
  namespace
  {
    /// Throws MeshError if the number of an entry does not fit into 32 bits.
    void
    check_entries(const Space &space)
    {
      if (space.cell_dofs.size() > 4294967295u)
        throw MeshError("The mesh has " +
                        std::to_string(space.cell_dofs.size()) +
                        " nodes of cells; matrices and vectors can be made of "
                        "up to 4294967295.");
    }

    void
    count_on_host(const Space &cells, const int n_rows, const int weight,
                  int *const count)
    {
      const auto n_entries =
        static_cast<std::ptrdiff_t>(cells.cell_dofs.size());
#pragma omp parallel for schedule(static)
      for (std::ptrdiff_t k = 0; k < n_entries; ++k)
        if (cells.cell_dofs[k] < n_rows)
          {
#pragma omp atomic
            count[cells.cell_dofs[k]] += weight;
          }
    }

    template <class Number>
    NodesOfCells
    nodes_of(const CellData<Number> &cells, const int n_rows)
    {
      return {cells.view(Conflict::atomics).dofs, cells.space().n_cells(),
              cells.space().dofs_per_cell(), n_rows};
    }

    template <class Number>
    CellsOfRows
    list_on_device(const CellData<Number> &cells, const int n_rows,
                   const bool sorted)
    {
      const NodesOfCells in = nodes_of(cells, n_rows);
      Array<unsigned int> count(Backend::cuda, in.n_rows);
      int *const as_int = reinterpret_cast<int *>(count.data());
      count_cells_of_rows(in, 1, as_int);
      CellsOfRows result;
      result.most = algorithms::maximum(as_int, in.n_rows);
      result.start =
        Array<std::int64_t>(Backend::cuda, std::size_t(in.n_rows) + 1);
      algorithms::exclusive_scan(as_int, result.start.data(), in.n_rows);
      std::int64_t n = 0;
      runtime::copy(&n, result.start.data() + in.n_rows, sizeof(n),
                    runtime::Copy::device_to_host);
      result.entries = Array<unsigned int>(Backend::cuda, n);
      count.zero();
      write_cells_of_rows(in, result.start.data(), result.entries.data(),
                          count.data());
      if (sorted)
        for_each_on_device(
          in.n_rows, SortCells{result.start.data(), result.entries.data()}, {});
      runtime::synchronize({});
      return result;
    }
  } // namespace


  CellsOfRows
  list_cells_of_rows(const Space &space, const int n_rows)
  {
    check_entries(space);
    const auto n_entries = static_cast<std::ptrdiff_t>(space.cell_dofs.size());
    Array<int> n_cells_of_row(Backend::host, n_rows);
    int *const count = n_cells_of_row.data();
    count_on_host(space, n_rows, 1, count);
    CellsOfRows result;
    result.start = Array<std::int64_t>(Backend::host, std::size_t(n_rows) + 1);
    std::int64_t *const start = result.start.data();
    result.most = algorithms::maximum(Backend::host, count, n_rows);
    algorithms::exclusive_scan(Backend::host, count, start, n_rows);
    result.entries = Array<unsigned int>(Backend::host, start[n_rows]);
    unsigned int *const entries = result.entries.data();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t k = 0; k < n_entries; ++k)
      if (const int row = space.cell_dofs[k]; row < n_rows)
        {
          int left;
#pragma omp atomic capture
          left                       = --count[row];
          entries[start[row] + left] = static_cast<unsigned int>(k);
        }
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      std::sort(entries + start[row], entries + start[row + 1]);
    return result;
  }


  template <class Number>
  CellsOfRows
  list_cells_of_rows(const CellData<Number> &cells, const int n_rows,
                     const bool sorted)
  {
    if (cells.backend() == Backend::host)
      return list_cells_of_rows(cells.space(), n_rows);
    check_entries(cells.space());
    return list_on_device(cells, n_rows, sorted);
  }


  template <class Number>
  void
  count_cells_of_rows(const CellData<Number> &cells, const int weight,
                      Array<std::int32_t> &count)
  {
    const int n_rows = static_cast<int>(count.size());
    if (cells.space().n_cells() == 0)
      return;
    if (cells.backend() == Backend::host)
      count_on_host(cells.space(), n_rows, weight, count.data());
    else
      count_cells_of_rows(nodes_of(cells, n_rows), weight, count.data());
  }


#define INSTANTIATE(Number)                                              \
  template CellsOfRows list_cells_of_rows(const CellData<Number> &, int, \
                                          bool);                         \
  template void count_cells_of_rows(const CellData<Number> &, int,       \
                                    Array<std::int32_t> &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
