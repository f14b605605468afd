#include "all_models.h"

#include "membrane_kernels.h"

#include <cstddef>

namespace tessera
{
  /// A batch of nodes at a time, a node in each lane. The last batch is filled
  /// up with its first node, whose result is stored once.
  template <class Model, CellWay way, class Number, class Target,
            IfHost<Target>>
  void
  advance_membrane(Target, const MembraneView<Number> &cells)
  {
    constexpr int lanes        = Target::template lanes<Number>;
    using T                    = Simd<Number, lanes>;
    constexpr int n_parameters = Model::n_parameters;
    constexpr bool tabulated = way != CellWay::exact && Model::n_tabulated > 0;
    const std::ptrdiff_t n_batches = (cells.n_nodes + lanes - 1) / lanes;
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t batch = 0; batch < n_batches; ++batch)
      {
        const std::ptrdiff_t first = batch * lanes;
        const int n                = cells.n_nodes - first < lanes
                                       ? static_cast<int>(cells.n_nodes - first)
                                       : lanes;
        const auto load            = [&](const Number *from, T &to) {
          if (n == lanes)
            to = T::load(from + first);
          else
            for (int lane = 0; lane < lanes; ++lane)
              to.set(lane, from[first + (lane < n ? lane : 0)]);
        };
        const auto store = [&](const T &from, Number *to) {
          if (n == lanes)
            from.store(to + first);
          else
            for (int lane = 0; lane < n; ++lane)
              to[first + lane] = from[lane];
        };

        T y[Model::n_states], p[n_parameters], stimulus(Number(0));
        load(cells.potential, y[0]);
        for_each_state<Model, way>(
          cells,
          [&](const int k, const std::uint32_t *from) {
            for (int lane = 0; lane < lanes; ++lane)
              y[k].set(lane,
                       NarrowGate::value(from[first + (lane < n ? lane : 0)]));
          },
          [&](const int k, const Number *from) { load(from, y[k]); });
        if (cells.stimulus != nullptr)
          load(cells.stimulus, stimulus);
        const auto region = [&](const int lane) {
          return cells.regions[first + (lane < n ? lane : 0)];
        };
        bool same = true;
        for (int lane = 1; lane < lanes; ++lane)
          same = same && region(lane) == region(0);
        for (int k = 0; k < n_parameters; ++k)
          {
            p[k] = T(cells.parameters[region(0) * n_parameters + k]);
            for (int lane = 1; lane < lanes && !same; ++lane)
              p[k].set(lane, cells.parameters[region(lane) * n_parameters + k]);
          }

        CellTables<T> tables;
        for (int lane = 0; lane < lanes && tabulated; ++lane)
          {
            const std::int64_t first = region(lane) * TableLayout<Model>::size;
            tables.half.table[lane]  = cells.half + first;
            tables.whole.table[lane] = cells.whole + first;
          }
        tables.half.same = tables.whole.same = same;
        advance_cell<Model, tabulated>(y, p, stimulus, T(cells.step),
                                       cells.n_steps, cells.order, tables);

        store(y[0], cells.potential);
        for_each_state<Model, way>(
          cells,
          [&](const int k, std::uint32_t *to) {
            for (int lane = 0; lane < n; ++lane)
              to[first + lane] = NarrowGate::bits(y[k][lane]);
          },
          [&](const int k, Number *to) { store(y[k], to); });
      }
  }


#define TESSERA_CELL_MODEL(name, sentence, source, Class)       \
  template void advance_membrane<Class, CellWay::exact>(        \
    TESSERA_ISA, const MembraneView<double> &);                 \
  template void advance_membrane<Class, CellWay::by_tables>(    \
    TESSERA_ISA, const MembraneView<double> &);                 \
  template void advance_membrane<Class, CellWay::narrow_gates>( \
    TESSERA_ISA, const MembraneView<double> &);
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
} // namespace tessera
