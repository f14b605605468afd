#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera
{
  /// Calls add(c, values) for one cell after the other, so that sums do not
  /// depend on the number of threads. All threads have computed the `values`,
  /// [n_values], of several cells before. Every thread makes a function
  /// compute(c, values) of its own.
  template <class MakeCompute, class Add>
  void
  add_in_order(const std::ptrdiff_t n_cells, const std::size_t n_values,
               const MakeCompute &make_compute, const Add &add)
  {
    const auto n_at_once = std::min<std::ptrdiff_t>(1024, n_cells);
    std::vector<double> values(n_at_once * n_values);
#pragma omp parallel
    {
      auto compute = make_compute();
      for (std::ptrdiff_t first = 0; first < n_cells; first += n_at_once)
        {
          const auto end = std::min(first + n_at_once, n_cells);
#pragma omp for schedule(static)
          for (std::ptrdiff_t c = first; c < end; ++c)
            compute(c, &values[(c - first) * n_values]);
#pragma omp single
          for (std::ptrdiff_t c = first; c < end; ++c)
            add(c, &values[(c - first) * n_values]);
        }
    }
  }
} // namespace tessera
