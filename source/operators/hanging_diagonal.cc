#include "hanging_diagonal.h"

#include "../space/constraints.cuh"
#include "hanging_diagonal.cuh"

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// The sources of a diagonal and their colours. Only nodes that hanging
    /// ones follow from, and these themselves, are numbered.
    class ColoredSources
    {
    public:
      explicit ColoredSources(const Space &space)
      {
        const int n                 = space.n_components;
        const LinearConstraints &of = space.hanging;
        for (const std::vector<int> *const entries : {&of.entry, &of.source})
          for (const int entry : *entries)
            nodes.push_back(entry / n);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        find_sources(space);
        color_them(space);
      }

      /// Returns the colour of a node from which others follow. No two nodes of
      /// a colour meet in a cell, by themselves or by what follows from them.
      int
      color(const int node) const
      {
        return colors[number(node)];
      }

    private:
      /// Returns the number of a node, or -1.
      int
      number(const int node) const
      {
        const auto found = std::lower_bound(nodes.begin(), nodes.end(), node);
        return found == nodes.end() || *found != node
                 ? -1
                 : static_cast<int>(found - nodes.begin());
      }

      /// The sources of a hanging node are the nodes that it follows from;
      /// other nodes are their own.
      void
      find_sources(const Space &space)
      {
        const int n                 = space.n_components;
        const LinearConstraints &of = space.hanging;
        sources.resize(nodes.size());
        for (int k = 0; k < of.size(); ++k)
          for (std::int64_t m = of.start[k]; m < of.start[k + 1]; ++m)
            {
              const int from = number(of.source[m] / n);
              sources[number(of.entry[k] / n)].push_back(from);
              sources[from] = {from};
            }
      }

      /// Cells with hanging nodes are behind the interior ones. What sources
      /// share in other cells is the same in both products, and cancels.
      void
      color_them(const Space &space)
      {
        const int n = space.dofs_per_cell();
        std::vector<std::vector<int>> meetings; // the sources of a cell
        std::vector<std::vector<int>> meetings_of(nodes.size());
        for (int cell = space.n_interior_cells; cell < space.n_cells(); ++cell)
          {
            std::vector<int> met;
            for (int i = 0; i < n; ++i)
              if (const int node =
                    number(space.cell_dofs[std::size_t(cell) * n + i]);
                  node >= 0)
                met.insert(met.end(), sources[node].begin(),
                           sources[node].end());
            std::sort(met.begin(), met.end());
            met.erase(std::unique(met.begin(), met.end()), met.end());
            for (const int node : met)
              meetings_of[node].push_back(static_cast<int>(meetings.size()));
            if (!met.empty())
              meetings.push_back(std::move(met));
          }
        colors.resize(nodes.size(), -1);
        for (std::size_t node = 0; node < nodes.size(); ++node)
          {
            std::vector<int> taken;
            for (const int meeting : meetings_of[node])
              for (const int other : meetings[meeting])
                taken.push_back(colors[other]);
            std::sort(taken.begin(), taken.end());
            int free = 0;
            for (const int c : taken)
              free += c == free;
            if (!meetings_of[node].empty())
              colors[node] = free;
          }
      }

      std::vector<int> nodes;                ///< increasing
      std::vector<std::vector<int>> sources; ///< numbers of nodes
      std::vector<int> colors;
    };
  } // namespace


  template <class Number>
  HangingRows<Number>::HangingRows(const Space &space, const Backend backend)
  {
    const LinearConstraints of_sources = transposed(space.hanging);
    source                             = Array<int>(backend, of_sources.entry);
    start = Array<std::int64_t>(backend, of_sources.start);
    entry = Array<int>(backend, of_sources.source);
    weight =
      Array<Number>(backend, std::vector<Number>(of_sources.weight.begin(),
                                                 of_sources.weight.end()));
  }


  template <class Number>
  void
  HangingRows<Number>::set_diagonal(Vector<Number> &d,
                                    const RowEntries<const Number> &rows,
                                    const Stream stream) const
  {
    for_each(d.backend(), static_cast<std::int64_t>(source.size()),
             DiagonalOfSource<Number>{rows, source.data(), start.data(),
                                      entry.data(), weight.data(), d.data()},
             stream);
  }


  template <class Number>
  HangingProbes<Number>::HangingProbes(const CellData<Number> &cells)
    : hanging(cells.tail()), n_hanging(cells.space().hanging.size()),
      x(cells.make_vector()), y(cells.make_vector())
  {
    const Space &space = cells.space();
    const int n        = space.n_components;
    const ColoredSources sources(space);
    const auto product = [&](const int i) {
      return sources.color(i / n) * n + i % n;
    };
    std::vector<int> order = transposed(space.hanging).entry;
    std::stable_sort(order.begin(), order.end(), [&](const int a, const int b) {
      return product(a) < product(b);
    });
    for (std::size_t k = 0; k < order.size(); ++k)
      if (k == 0 || product(order[k]) != product(order[k - 1]))
        start.push_back(static_cast<int>(k));
    start.push_back(static_cast<int>(order.size()));
    order.insert(order.end(), space.hanging.entry.begin(),
                 space.hanging.entry.end());
    entries = Array<int>(cells.backend(), order);
  }


  template <class Number>
  void
  HangingProbes<Number>::complete(Vector<Number> &d, const Product &add_product,
                                  const Stream stream) const
  {
    const int *const all  = entries.data();
    const int *const tail = all + start.back();
    const auto set = [&](Vector<Number> &to, const int *const list, const int n,
                         const Number value) {
      for_each(d.backend(), n, Setting<Number>{list, to.data(), value}, stream);
    };
    for (std::size_t p = 0; p + 1 < start.size(); ++p)
      {
        const int *const list = all + start[p];
        const int n           = start[p + 1] - start[p];
        const auto add        = [&](const Number factor) {
          for_each(d.backend(), n,
                          AdditionOfEntries<Number>{list, y.data(), factor, d.data()},
                          stream);
        };
        set(x, list, n, Number(1));
        set(y, all, start.back() + n_hanging, Number(0));
        add_product(y, x); // B_ii, as x is 1 at i alone
        add(Number(-1));
        hanging->import(x, stream);
        set(y, all, start.back() + n_hanging, Number(0));
        add_product(y, x);
        hanging->export_add(y, stream);
        add(Number(1));
        set(x, list, n, Number(0));
        set(x, tail, n_hanging, Number(0));
      }
  }

  template class HangingRows<double>;
  template class HangingRows<float>;
  template class HangingProbes<double>;
  template class HangingProbes<float>;
} // namespace tessera
