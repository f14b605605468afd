#include <tessera/assembly/assemble.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/space/local_entry.h>

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
  assemble_rows(const SlotSink<Number> &sink, const FormData<Number> &form,
                const Strategy strategy, const Conflict conflict,
                const Stream stream)
  {
    const CellData<Number> &cells = form.cells();
    check_conflict(conflict, cells.backend(), "assembly into shared entries");
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      form.kernels().assemble_rows(cells.backend(), cells.space(), in, sink,
                                   strategy, stream);
    });
  }

  template <class Number>
  void
  assemble_local(Number *values, const bool upper, const FormData<Number> &form,
                 const Strategy strategy, const Stream stream)
  {
    assemble_local(values, upper, form, strategy, 0, form.cells().n_blocks(),
                   stream);
  }

  template <class Number>
  void
  assemble_local(Number *values, const bool upper, const FormData<Number> &form,
                 const Strategy strategy, const int first_block,
                 const int n_blocks, const Stream stream)
  {
    if (upper && !form.form().symmetric)
      throw ParameterError("The form " + form.form().name +
                           " is not symmetric: half of its cell matrices says "
                           "nothing of the other.");
    const CellData<Number> &cells = form.cells();
    const int n =
      cells.space().dofs_per_cell() * form.n_components(); // rows of a matrix
    const std::int64_t first_cell =
      std::int64_t(first_block) * cells.batches_per_block() * cells.lanes();
    // Every entry has one writer: atomics are named for a parallel loop and
    // never used.
    form.for_each_launch(Conflict::atomics, [&](AssemblyCells<Number> in) {
      in.blocks = {nullptr, first_block, n_blocks};
      form.kernels().assemble_local(cells.backend(), cells.space(), in,
                                    values -
                                      first_cell * n_local_entries(upper, n),
                                    upper, strategy, stream);
    });
  }

  template <class Number>
  void
  assemble_diagonal(Vector<Number> &d, const FormData<Number> &form,
                    const Conflict conflict, const Stream stream)
  {
    const CellData<Number> &cells = form.cells();
    check_conflict(conflict, cells.backend(), "assembly into shared entries");
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      form.kernels().assemble_diagonal(cells.backend(), cells.space(), in,
                                       d.data(), stream);
    });
  }

#define INSTANTIATE(Number)                                                \
  template void assemble_rows<Number>(const SlotSink<Number> &,            \
                                      const FormData<Number> &, Strategy,  \
                                      Conflict, Stream);                   \
  template void assemble_local<Number>(                                    \
    Number *, bool, const FormData<Number> &, Strategy, Stream);           \
  template void assemble_local<Number>(                                    \
    Number *, bool, const FormData<Number> &, Strategy, int, int, Stream); \
  template void assemble_diagonal<Number>(                                 \
    Vector<Number> &, const FormData<Number> &, Conflict, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
