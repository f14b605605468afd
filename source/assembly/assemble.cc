#include <tessera/assembly/assemble.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include "assembly_launches.h"

namespace tessera
{
  namespace
  {
    const std::vector<std::string> strategy_names = {
#define TESSERA_STRATEGY(name, sentence, paper) #name,
#include <tessera/assembly/strategies.def>
#undef TESSERA_STRATEGY
    };
  } // namespace

  std::string
  to_string(const Strategy strategy)
  {
    return strategy_names[static_cast<int>(strategy)];
  }

  Strategy
  strategy_from_string(const std::string &name)
  {
    return static_cast<Strategy>(
      index_of_name(name, strategy_names, "assembly strategy"));
  }

  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const CellData<Number> &cells,
                const CoefficientView<Number> &kappa, const Strategy strategy,
                const Conflict conflict, const Stream stream)
  {
    check_conflict(conflict, cells.backend(), "assembly into shared entries");
    for_each_launch(cells, kappa, conflict,
                    [&](const auto target, auto e, const auto &in) {
                      assemble_rows_on<decltype(e), Number>(target, in, sink,
                                                            strategy, stream);
                    });
  }

  template <class Number>
  void
  assemble_local(Number *values, const bool upper,
                 const CellData<Number> &cells,
                 const CoefficientView<Number> &kappa, const Strategy strategy,
                 const Stream stream)
  {
    // Every entry has one writer: atomics are named for a parallel loop and
    // never used.
    for_each_launch(cells, kappa, Conflict::atomics,
                    [&](const auto target, auto e, const auto &in) {
                      assemble_local_on<decltype(e), Number>(
                        target, in, values, upper, strategy, stream);
                    });
  }

  template <class Number>
  void
  assemble_diagonal(Vector<Number> &d, const CellData<Number> &cells,
                    const CoefficientView<Number> &kappa,
                    const Conflict conflict, const Stream stream)
  {
    check_conflict(conflict, cells.backend(), "assembly into shared entries");
    for_each_launch(
      cells, kappa, conflict, [&](const auto target, auto e, const auto &in) {
        assemble_diagonal_on<decltype(e), Number>(target, in, d.data(), stream);
      });
  }

#define INSTANTIATE(Number)                                                    \
  template void assemble_rows<Number>(                                         \
    const SlotSink<Number> &, const CellData<Number> &,                        \
    const CoefficientView<Number> &, Strategy, Conflict, Stream);              \
  template void assemble_local<Number>(                                        \
    Number *, bool, const CellData<Number> &, const CoefficientView<Number> &, \
    Strategy, Stream);                                                         \
  template void assemble_diagonal<Number>(                                     \
    Vector<Number> &, const CellData<Number> &,                                \
    const CoefficientView<Number> &, Conflict, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
