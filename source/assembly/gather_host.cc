#include <vector>

#include "gather.cuh"

namespace tessera
{
  namespace
  {
    template <class E, int lanes, class Slot, class Number>
    TESSERA_HOST void
    gather_all(const GatherRows<Number> &in, const Slot *slots)
    {
#pragma omp parallel
      {
        std::vector<Number> sums;
#pragma omp for schedule(static)
        for (int row = 0; row < in.sink.n_rows; ++row)
          {
            sums.clear();
            for_each_contribution<E, lanes>(
              in, slots, row, [&](const int slot, const Number value) {
                if (static_cast<std::size_t>(slot) >= sums.size())
                  sums.resize(slot + 1, Number(0));
                sums[slot] += value;
              });
            for (std::size_t k = 0; k < sums.size(); ++k)
              in.sink.values[in.sink.rows.position(row, static_cast<int>(k))] =
                sums[k];
          }
      }
    }
  } // namespace


  template <class E, class Number, class Target, IfHost<Target>>
  void
  gather_rows(Target, const GatherRows<Number> &rows, Stream)
  {
    constexpr int lanes = Target::template lanes<Number>;
    if (rows.sink.slots_8 != nullptr)
      gather_all<E, lanes>(rows, rows.sink.slots_8);
    else
      gather_all<E, lanes>(rows, rows.sink.slots_16);
  }


#define INSTANTIATE(E, Number)                      \
  template void gather_rows<E, Number>(TESSERA_ISA, \
                                       const GatherRows<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
