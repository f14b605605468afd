#include "all_models.h"
#include <tessera/base/global_thread.cuh>

#include "membrane_kernels.h"

namespace tessera
{
  namespace
  {
    /// Blocks on a multiprocessor: with 4 and 5, gates in double and narrow
    /// ones take 95 and 88 or 100 and 85 us for a million cells of
    /// ten_tusscher_panfilov (H200, 2026-11-30).
    constexpr int cell_threads = 128;
    template <class Model, CellWay way>
    constexpr int cell_blocks =
      way == CellWay::exact || Model::n_states > 24 ? 2
      : way == CellWay::by_tables                   ? 4
                                                    : 5;
  } // namespace

  /// A kernel has steps of one order: the other order would need registers,
  /// too.
  template <class Model, CellWay way, int order, class Number>
  TESSERA_KERNEL(cell_threads, cell_blocks<Model, way>)
  void advance_cells(TESSERA_ARGUMENT(MembraneView<Number>) cells)
  {
    const std::int64_t i = global_thread<cell_threads>();
    if (i >= cells.n_nodes)
      return;
    constexpr bool tabulated = way != CellWay::exact && Model::n_tabulated > 0;
    const int region         = cells.regions[i];
    Number y[Model::n_states], p[Model::n_parameters];
    y[0] = cells.potential[i];
    for_each_state<Model, way>(
      cells,
      [&](const int k, const std::uint32_t *from) {
        y[k] = NarrowGate::value(from[i]);
      },
      [&](const int k, const Number *from) { y[k] = from[i]; });
    const Number stimulus =
      cells.stimulus == nullptr ? Number(0) : cells.stimulus[i];
    CellTables<Number> tables;
    if constexpr (tabulated)
      {
        const std::int64_t first = region * TableLayout<Model>::size;
        tables = {{cells.half + first}, {cells.whole + first}};
      }
    else
      {
        TESSERA_UNROLL_BY(64)
        for (int k = 0; k < Model::n_parameters; ++k)
          p[k] = read_only(cells.parameters + region * Model::n_parameters + k);
      }
    advance_cell<Model, tabulated>(y, p, stimulus, cells.step, cells.n_steps,
                                   order, tables);
    cells.potential[i] = y[0];
    for_each_state<Model, way>(
      cells,
      [&](const int k, std::uint32_t *to) { to[i] = NarrowGate::bits(y[k]); },
      [&](const int k, Number *to) { to[i] = y[k]; });
  }


  template <class Model, CellWay way, class Number>
  void
  advance_membrane(Cuda, const MembraneView<Number> &cells, const Stream stream)
  {
    launch(cells.order == 2 ? advance_cells<Model, way, 2, Number>
                            : advance_cells<Model, way, 1, Number>,
           shape_of_threads<cell_threads>(cells.n_nodes), stream, cells);
  }


#define TESSERA_CELL_MODEL(name, sentence, source, Class)       \
  template void advance_membrane<Class, CellWay::exact>(        \
    Cuda, const MembraneView<double> &, Stream);                \
  template void advance_membrane<Class, CellWay::by_tables>(    \
    Cuda, const MembraneView<double> &, Stream);                \
  template void advance_membrane<Class, CellWay::narrow_gates>( \
    Cuda, const MembraneView<double> &, Stream);
#include "cell_models.def"
#undef TESSERA_CELL_MODEL
} // namespace tessera
