#include "ghost_columns.h"

#include <algorithm>

#include "ghost_columns.cuh"

namespace tessera
{
  namespace
  {
    /// Returns the rows of the nodes of all cells that have a node whose value
    /// arrives, increasing.
    std::vector<int>
    find_rows(const Space &space, const int n_components)
    {
      const std::size_t n  = space.dofs_per_cell();
      const auto has_row   = [&](const int i) { return i < space.n_stored(); };
      const auto is_shared = [&](const int i) {
        return i >= space.n_owned && has_row(i);
      };
      std::vector<int> nodes;
      for (std::size_t cell = space.n_interior_cells;
           cell < std::size_t(space.n_cells()); ++cell)
        if (const auto first = space.cell_dofs.begin() + n * cell;
            std::any_of(first, first + n, is_shared))
          std::copy_if(first, first + n, std::back_inserter(nodes), has_row);
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());

      std::vector<int> rows;
      rows.reserve(nodes.size() * n_components);
      for (const int node : nodes)
        for (int c = 0; c < n_components; ++c)
          rows.push_back(node * n_components + c);
      return rows;
    }
  } // namespace

  template <class Number>
  GhostColumns<Number>::GhostColumns(const Space &space, const int n_components,
                                     const Backend backend)
    : n_shared((space.n_stored() - space.n_owned) * n_components),
      rows(backend, find_rows(space, n_components)),
      added(backend, rows.size()),
      partial(backend, pass_blocks(backend, rows.size())), counter(backend, 1)
  {}

  template <class Number>
  void
  GhostColumns<Number>::hide(const Vector<Number> &x, const Stream stream) const
  {
    if (x.backend() == Backend::host)
      std::fill_n(x.tail(), n_shared, Number(0));
    else if (n_shared > 0)
      runtime::fill_async(x.tail(), 0, sizeof(Number) * n_shared, stream);
  }

  template <class Number>
  void
  GhostColumns<Number>::add(const RowEntries<const Number> &matrix,
                            const Vector<Number> &x, Vector<Number> &y,
                            double *const share, const Stream stream) const
  {
    if (rows.size() > 0)
      pass_over(x.backend(), rows.size(),
                AdditionOfColumns<Number>(matrix, rows.data(), x.n_owned(),
                                          x.data(), y.data(), added.data()),
                {partial.data(), counter.data(), share,
                 pass_blocks(x.backend(), rows.size())},
                stream);
  }

  template class GhostColumns<double>;
  template class GhostColumns<float>;
} // namespace tessera
