#include "lattice_transfer.h"

#include <utility>

namespace tessera
{
  template <class Number>
  LatticeTransfer<Number>::LatticeTransfer(
    const Space &finer, const Space &coarser,
    std::shared_ptr<const LatticeMap> map_in)
    : map(std::move(map_in)), n_components(finer.n_components),
      n_finer(finer.n_owned * n_components),
      n_coarser((coarser.n_owned + coarser.n_ghosts) * n_components),
      values(map->lattice.backend(),
             std::vector<Number>(map->values.begin(), map->values.end())),
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
    for_each(b.backend(), n_coarser,
             RestrictLattice<Number>{view(), map->places.start.data(),
                                     map->places.items.data(), r.data(),
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
                (3 * std::uint64_t(n_finer) + 2 * std::uint64_t(n_coarser)),
            map->lattice.bytes() + map->nodes->bytes() + values.bytes() +
              is_fixed.bytes() + lists};
  }


  template class LatticeTransfer<double>;
  template class LatticeTransfer<float>;
} // namespace tessera
