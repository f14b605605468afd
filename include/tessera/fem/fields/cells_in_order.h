#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera
{
  /// A share of the nodes.
  struct NodesOfThread
  {
    std::uint64_t thread, n_threads;

    /// True in one of the threads.
    bool
    operator()(const std::size_t node) const
    {
      const auto mixed = static_cast<std::uint32_t>(node / 32) * 2654435761u;
      return mixed * n_threads >> 32 == thread;
    }
  };

  /// Calls add(c, item, is_mine) for one cell after another, in all threads at
  /// the same time. Each thread adds at the nodes for which `is_mine`, a
  /// NodesOfThread, is true, so that sums do not depend on the number of
  /// threads. All threads have computed the items of several cells before.
  /// Every thread makes its own function compute(c, item), which overwrites an
  /// item; at first items are copies of `item`.
  template <class Item, class MakeCompute, class Add>
  void
  add_items_in_order(const std::ptrdiff_t n_cells, const Item &item,
                     const MakeCompute &make_compute, const Add &add)
  {
    const auto n_at_once = std::min<std::ptrdiff_t>(1024, n_cells);
    std::vector<Item> items(n_at_once, item);
#pragma omp parallel
    {
      auto compute = make_compute();
      const NodesOfThread is_mine{std::uint64_t(omp_get_thread_num()),
                                  std::uint64_t(omp_get_num_threads())};
      for (std::ptrdiff_t first = 0; first < n_cells; first += n_at_once)
        {
          const auto end = std::min(first + n_at_once, n_cells);
#pragma omp for schedule(static)
          for (std::ptrdiff_t c = first; c < end; ++c)
            compute(c, items[c - first]);
          for (std::ptrdiff_t c = first; c < end; ++c)
            add(c, items[c - first], is_mine);
#pragma omp barrier
        }
    }
  }

  /// Does this for `n_values` numbers of a cell: calls compute(c, values) and
  /// add(c, values, is_mine).
  template <class MakeCompute, class Add>
  void
  add_in_order(const std::ptrdiff_t n_cells, const std::size_t n_values,
               const MakeCompute &make_compute, const Add &add)
  {
    using Values = std::vector<double>;
    add_items_in_order(
      n_cells, Values(n_values),
      [&]() {
        return [compute = make_compute()](const std::ptrdiff_t c,
                                          Values &values) mutable {
          compute(c, values.data());
        };
      },
      [&](const std::ptrdiff_t c, const Values &values,
          const NodesOfThread &is_mine) { add(c, values.data(), is_mine); });
  }
} // namespace tessera
