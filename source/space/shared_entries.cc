#include <tessera/space/element.h>
#include <tessera/space/shared_entries.h>

#include "shared_entries_kernels.h"

namespace tessera
{
  SharedEntries::SharedEntries(const Space &space)
  {
    std::vector<char> shared(space.n_local(), 1);
    const int n = space.dofs_per_cell();
    on_element(space.cell_type, space.degree, [&](auto e) {
#pragma omp parallel for
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for (int i = 0; i < n; ++i)
          if (is_cell_interior<decltype(e)>(i))
            shared[space.cell_dofs[std::size_t(n) * cell + i]] = 0;
    });
    std::vector<int> found;
    std::int64_t n_shared = 0;
    for (int i = 0; i < space.n_local();)
      {
        const int first = i;
        while (i < space.n_local() && shared[i] != 0)
          ++i;
        if (i > first)
          found.insert(found.end(), {first, i});
        n_shared += i - first;
        while (i < space.n_local() && shared[i] == 0)
          ++i;
      }
    // A warp clears a range: those of a few entries would take longer than all.
    const auto n_ranges = static_cast<std::int64_t>(found.size()) / 2;
    if (n_shared >= 32 * n_ranges && n_shared < 0.9 * space.n_local())
      ranges = Array<int>(Backend::cuda, found);
  }


  template <class Number>
  void
  SharedEntries::clear(Vector<Number> &y, const Stream stream) const
  {
    if (ranges.size() == 0)
      y.zero(stream);
    else
      clear_ranges(y.data(), ranges.data(), static_cast<int>(ranges.size() / 2),
                   stream);
  }


  template void
  SharedEntries::clear(Vector<double> &, Stream) const;
  template void
  SharedEntries::clear(Vector<float> &, Stream) const;
} // namespace tessera
