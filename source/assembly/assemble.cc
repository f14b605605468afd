#include <tessera/assembly/assemble.h>
#include <tessera/assembly/strategy.h>
#include <tessera/base/error.h>
#include <tessera/space/local_entry.h>

namespace tessera
{
  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const FormData<Number> &form,
                const std::string &strategy, const Conflict conflict,
                const Stream stream)
  {
    const CellData<Number> &cells = form.cells();
    check_conflict(conflict, cells.backend(), "assembly into shared entries");
    const EntryKernels<Number> &kernels =
      entry_kernels<Number>(form.form(), strategy, cells.space());
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      kernels.assemble_rows(cells.backend(), cells.space(), in, sink, stream);
    });
  }

  template <class Number>
  void
  assemble_local(Number *values, const bool upper, const FormData<Number> &form,
                 const std::string &strategy, const Stream stream)
  {
    assemble_local(values, upper, form, strategy, 0, form.cells().n_blocks(),
                   stream);
  }

  template <class Number>
  void
  assemble_local(Number *values, const bool upper, const FormData<Number> &form,
                 const std::string &strategy, const int first_block,
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
    const EntryKernels<Number> &kernels =
      entry_kernels<Number>(form.form(), strategy, cells.space());
    // Every entry has one writer: atomics are named for a parallel loop and
    // never used.
    form.for_each_launch(Conflict::atomics, [&](AssemblyCells<Number> in) {
      in.blocks = {nullptr, first_block, n_blocks};
      kernels.assemble_local(cells.backend(), cells.space(), in,
                             values - first_cell * n_local_entries(upper, n),
                             upper, stream);
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

#define INSTANTIATE(Number)                                                    \
  template void assemble_rows<Number>(const SlotSink<Number> &,                \
                                      const FormData<Number> &,                \
                                      const std::string &, Conflict, Stream);  \
  template void assemble_local<Number>(                                        \
    Number *, bool, const FormData<Number> &, const std::string &, Stream);    \
  template void assemble_local<Number>(Number *, bool,                         \
                                       const FormData<Number> &,               \
                                       const std::string &, int, int, Stream); \
  template void assemble_diagonal<Number>(                                     \
    Vector<Number> &, const FormData<Number> &, Conflict, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
