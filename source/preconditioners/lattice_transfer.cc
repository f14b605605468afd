#include "lattice_transfer.h"

#include <tessera/base/parallel_vector.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Converts [n_cells][n] to [n_batches][n][lanes] on a backend; what fills
    /// the last batch is `filling`.
    Array<int>
    interleaved(const std::vector<int> &from, const std::int64_t n_cells,
                const int n, const int filling, const Backend backend)
    {
      constexpr int lanes          = LatticeCells<double>::lanes;
      const std::int64_t n_batches = (n_cells + lanes - 1) / lanes;
      auto to = parallel_vector<int>(n_batches * n * lanes);
#pragma omp parallel for schedule(static)
      for (std::int64_t batch = 0; batch < n_batches; ++batch)
        for (int k = 0; k < n; ++k)
          for (int lane = 0; lane < lanes; ++lane)
            {
              const std::int64_t cell = batch * lanes + lane;
              to[(batch * n + k) * lanes + lane] =
                cell < n_cells ? from[cell * n + k] : filling;
            }
      return Array<int>(backend, to);
    }

    /// Returns the values of the functions of a cell at the nodes of its
    /// lattice, [nodes][lattice].
    template <class Number>
    std::vector<Number>
    values_on_lattice(const CoarserSpace &coarser)
    {
      const int n = coarser.space->degree + 1, m = coarser.n_lattice;
      const int dim    = coarser.space->dim();
      const auto power = [dim](const int k) {
        return dim == 2 ? k * k : k * k * k;
      };
      std::vector<Number> values;
      for (int i = 0; i < power(n); ++i)
        for (int t = 0; t < power(m); ++t)
          {
            double value = 1;
            for (int d = 0, of_i = i, of_t = t; d < dim;
                 ++d, of_i /= n, of_t /= m)
              value *= coarser.embedding[of_t % m * n + of_i % n];
            values.push_back(static_cast<Number>(value));
          }
      return values;
    }
  } // namespace


  template <class Number>
  LatticeTransfer<Number>::LatticeTransfer(const Space &finer,
                                           const CoarserSpace &coarser,
                                           const Backend backend)
    : n_nodes(coarser.space->dofs_per_cell()), n_components(finer.n_components),
      n_finer(finer.n_owned * n_components),
      n_coarser(coarser.space->n_owned * n_components),
      values(backend, values_on_lattice<Number>(coarser)),
      fixed(*coarser.space, backend)
  {
    const Space &space         = *coarser.space;
    const std::int64_t n_cells = space.n_cells();
    n_lattice                  = static_cast<int>(values.size() / n_nodes);
    lattice = interleaved(coarser.lattice, n_cells, n_lattice, -1, backend);
    nodes   = interleaved(space.cell_dofs, n_cells, n_nodes,
                          space.padding_index(), backend);
    if (!finer.fixed.empty())
      {
        std::vector<unsigned char> given(n_finer, 0);
        for (const int entry : finer.fixed)
          given[entry] = 1;
        is_fixed = Array<unsigned char>(backend, given);
      }
    auto owned = parallel_vector<int>(space.cell_dofs.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < owned.size(); ++k)
      owned[k] = std::min(space.cell_dofs[k], space.n_owned);
    const Array<int> groups(backend, owned);
    cells_of_nodes =
      algorithms::group(backend, groups.data(),
                        static_cast<std::int64_t>(owned.size()), space.n_owned);
  }


  template <class Number>
  LatticeCells<Number>
  LatticeTransfer<Number>::view() const
  {
    return {n_lattice,
            n_nodes,
            n_components,
            lattice.data(),
            nodes.data(),
            values.data(),
            is_fixed.size() > 0 ? is_fixed.data() : nullptr};
  }


  template <class Number>
  void
  LatticeTransfer<Number>::prolongate(Vector<Number> &x,
                                      const Vector<Number> &coarse,
                                      const Stream stream) const
  {
    for_each(lattice.backend(), static_cast<std::int64_t>(lattice.size()),
             ProlongateLattice<Number>{view(), coarse.data(), x.data()},
             stream);
  }


  template <class Number>
  void
  LatticeTransfer<Number>::restrict_to(Vector<Number> &b,
                                       const Vector<Number> &r,
                                       const Stream stream) const
  {
    for_each(lattice.backend(), n_coarser,
             RestrictLattice<Number>{view(), cells_of_nodes.start.data(),
                                     cells_of_nodes.items.data(), r.data(),
                                     b.data()},
             stream);
    fixed.set(b, Number(0), stream);
  }


  template <class Number>
  Traffic
  LatticeTransfer<Number>::traffic() const
  {
    const std::uint64_t lists =
      cells_of_nodes.start.bytes() + cells_of_nodes.items.bytes();
    return {2 * lattice.bytes() + nodes.bytes() + lists +
              sizeof(Number) *
                (3 * std::uint64_t(n_finer) + 2 * std::uint64_t(n_coarser)),
            lattice.bytes() + nodes.bytes() + values.bytes() +
              is_fixed.bytes() + lists};
  }


  template class LatticeTransfer<double>;
  template class LatticeTransfer<float>;
} // namespace tessera
