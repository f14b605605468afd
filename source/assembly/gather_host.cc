#include <tessera/space/on_components.h>

#include "gather.cuh"
#include "row_in_place.h"

namespace tessera
{
  namespace
  {
    template <class E, int n_components, int lanes, class Slot, class Number>
    TESSERA_HOST void
    gather_all(const GatherRows<Number> &in, const Slot *slots)
    {
      using Part = PartOfRow<E, n_components, lanes, 1, Slot, Number>;
#pragma omp parallel for schedule(static)
      for (int row = 0; row < n_components * in.sink.n_rows; ++row)
        {
          RowInPlace<Number> sums{in.sink, row};
          const int node = row / n_components;
          for (auto k = in.start[node]; k < in.start[node + 1]; ++k)
            for (int part = 0; part < Part::n_parts; ++part)
              {
                Part of_cell;
                of_cell.load(in, slots, row, in.entries[k], part, 0);
                of_cell.add_to(sums, part, 0);
              }
        }
    }
  } // namespace


  template <class E, class Number, class Target, IfHost<Target>>
  void
  gather_rows(Target, const GatherRows<Number> &rows, Stream)
  {
    constexpr int lanes = Target::template lanes<Number>;
    on_components<E>(rows.n_components, [&](const auto n) {
      if (rows.sink.slots_8 != nullptr)
        gather_all<E, decltype(n)::value, lanes>(rows, rows.sink.slots_8);
      else
        gather_all<E, decltype(n)::value, lanes>(rows, rows.sink.slots_16);
    });
  }


#define INSTANTIATE(E, Number)                      \
  template void gather_rows<E, Number>(TESSERA_ISA, \
                                       const GatherRows<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
