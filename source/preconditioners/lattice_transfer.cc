#include "lattice_transfer.h"

#include <algorithm>
#include <utility>

namespace tessera
{
  namespace
  {
    /// The nodes of the largest lattice, 5 in a direction.
    constexpr int max_lattice = 125, max_nodes = 27;
    constexpr int lanes = LatticeMap::lanes;

    /// The host works on the cells of a batch at a time, a cell in a lane: what
    /// ProlongateLattice does.
    template <class Number>
    void
    prolongate_batch(const LatticeCells<Number> &cells,
                     const std::int64_t batch, const int c,
                     const Number *const coarse, Number *const x)
    {
      Number of_nodes[max_nodes][lanes];
      const int *const nodes = cells.nodes + batch * cells.n_nodes * lanes;
      const int *const lattice =
        cells.lattice + batch * cells.n_lattice * lanes;
      for (int k = 0; k < cells.n_nodes; ++k)
        for (int lane = 0; lane < lanes; ++lane)
          of_nodes[k][lane] =
            coarse[std::int64_t(nodes[k * lanes + lane]) * cells.n_components +
                   c];
      for (int t = 0; t < cells.n_lattice; ++t)
        {
          Number sum[lanes] = {};
          for (int k = 0; k < cells.n_nodes; ++k)
            if (const Number value = cells.values[k * cells.n_lattice + t];
                value != 0)
              for (int lane = 0; lane < lanes; ++lane)
                sum[lane] += value * of_nodes[k][lane];
          for (int lane = 0; lane < lanes; ++lane)
            if (const auto entry = cells.entry(lattice[t * lanes + lane], c);
                entry >= 0)
              x[entry] += sum[lane];
        }
    }

    /// What RestrictCell does.
    template <class Number>
    void
    restrict_batch(const LatticeCells<Number> &cells, const std::int64_t batch,
                   const int c, const Number *const r, Number *const of_cells)
    {
      Number of_lattice[max_lattice][lanes];
      const int *const lattice =
        cells.lattice + batch * cells.n_lattice * lanes;
      for (int t = 0; t < cells.n_lattice; ++t)
        for (int lane = 0; lane < lanes; ++lane)
          {
            const auto entry    = cells.entry(lattice[t * lanes + lane], c);
            of_lattice[t][lane] = entry >= 0 ? r[entry] : Number(0);
          }
      for (int k = 0; k < cells.n_nodes; ++k)
        {
          Number sum[lanes] = {};
          for (int t = 0; t < cells.n_lattice; ++t)
            if (const Number value = cells.values[k * cells.n_lattice + t];
                value != 0)
              for (int lane = 0; lane < lanes; ++lane)
                sum[lane] += value * of_lattice[t][lane];
          std::copy_n(sum, lanes,
                      of_cells +
                        ((batch * cells.n_nodes + k) * cells.n_components + c) *
                          lanes);
        }
    }

    template <class Number, class Work>
    void
    for_batches(const LatticeCells<Number> &cells, const std::size_t n_places,
                const Work &work)
    {
      const auto n =
        static_cast<std::int64_t>(n_places) / cells.n_lattice / lanes;
#pragma omp parallel for schedule(static) if (std::int64_t(n_places) > \
                                              entries_of_one_thread)
      for (std::int64_t batch = 0; batch < n; ++batch)
        for (int c = 0; c < cells.n_components; ++c)
          work(batch, c);
    }
  } // namespace


  template <class Number>
  LatticeTransfer<Number>::LatticeTransfer(
    const Space &finer, const Space &coarser,
    std::shared_ptr<const LatticeMap> map_in)
    : map(std::move(map_in)), n_components(finer.n_components),
      n_finer(finer.n_owned * n_components),
      n_coarser((coarser.n_owned + coarser.n_ghosts) * n_components),
      values(map->lattice.backend(),
             std::vector<Number>(map->values.begin(), map->values.end())),
      of_cells(map->lattice.backend(), map->nodes->size() * n_components),
      fixed(coarser, map->lattice.backend())
  {
    if (finer.fixed.empty())
      return;
    std::vector<unsigned char> given(n_finer, 0);
    for (const int entry : finer.fixed)
      if (entry < n_finer)
        given[entry] = 1;
    is_fixed = Array<unsigned char>(map->lattice.backend(), given);
  }


  template <class Number>
  LatticeCells<Number>
  LatticeTransfer<Number>::view() const
  {
    return {map->n_lattice,
            map->n_nodes,
            n_components,
            map->lattice.data(),
            map->nodes->data(),
            values.data(),
            is_fixed.size() > 0 ? is_fixed.data() : nullptr};
  }


  template <class Number>
  void
  LatticeTransfer<Number>::prolongate(Vector<Number> &x,
                                      const Vector<Number> &coarse,
                                      const Stream stream) const
  {
    if (x.backend() == Backend::host)
      return for_batches(view(), map->lattice.size(),
                         [&, cells = view()](const auto batch, const int c) {
                           prolongate_batch(cells, batch, c, coarse.data(),
                                            x.data());
                         });
    for_each(x.backend(), static_cast<std::int64_t>(map->lattice.size()),
             ProlongateLattice<Number>{view(), coarse.data(), x.data()},
             stream);
  }


  template <class Number>
  void
  LatticeTransfer<Number>::restrict_to(Vector<Number> &b,
                                       const Vector<Number> &r,
                                       const Stream stream) const
  {
    if (n_coarser == 0) // in a part
      return;
    if (b.backend() == Backend::host)
      for_batches(view(), map->lattice.size(),
                  [&, cells = view()](const auto batch, const int c) {
                    restrict_batch(cells, batch, c, r.data(), of_cells.data());
                  });
    else
      for_each(b.backend(), static_cast<std::int64_t>(of_cells.size()),
               RestrictCell<Number>{view(), r.data(), of_cells.data()}, stream);
    for_each(b.backend(), n_coarser,
             SumOfCells<Number>{n_components, map->places.start.data(),
                                map->places.items.data(), of_cells.data(),
                                b.data()},
             stream);
    fixed.set(b, Number(0), stream);
    fixed.clear_ghosts(b, stream);
  }


  template <class Number>
  Traffic
  LatticeTransfer<Number>::traffic() const
  {
    const std::uint64_t lists =
      map->places.start.bytes() + map->places.items.bytes();
    return {2 * map->lattice.bytes() + map->nodes->bytes() + lists +
              sizeof(Number) *
                (3 * std::uint64_t(n_finer) + 2 * std::uint64_t(n_coarser)) +
              2 * of_cells.bytes(),
            map->lattice.bytes() + map->nodes->bytes() + values.bytes() +
              of_cells.bytes() + is_fixed.bytes() + lists};
  }


  template class LatticeTransfer<double>;
  template class LatticeTransfer<float>;
} // namespace tessera
