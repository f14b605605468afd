#include <tessera/base/error.h>
#include <tessera/operators/cell_operator.h>
#include <tessera/space/part_tail.h>

#include "hanging_diagonal.h"

namespace tessera
{
  template <class Number>
  CellOperator<Number>::CellOperator(
    std::shared_ptr<const CellData<Number>> cells_in, const Conflict conflict,
    std::shared_ptr<const Tail<Number>> tail_in,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary_in,
    const int n_components, const int n_blocks_of_cells)
    : cells(std::move(cells_in)), conflict(conflict),
      tail(tail_of(*cells, std::move(tail_in))),
      boundary(std::move(boundary_in)), n_components(n_components),
      n_blocks_of_cells(n_blocks_of_cells > 0 ? n_blocks_of_cells
                                              : cells->n_blocks()),
      n_blocks(this->n_blocks_of_cells +
               (boundary ? boundary->faces().n_blocks() : 0)),
      kept(cells->fixed().make_kept()),
      partial(cells->backend(), GridSum::n_partials(n_blocks)),
      counter(cells->backend(), 1)
  {
    check_conflict(conflict, cells->backend(),
                   "an operator that adds cell by cell");
    if (boundary && boundary->n_components() != n_components)
      throw ParameterError("Boundary faces have matrices of forms with " +
                           std::to_string(boundary->n_components()) +
                           " components, not with " +
                           std::to_string(n_components) + '.');
    cells->shared_entries(); // before a graph is captured
    for (const CellRange range :
         {CellRange::all, CellRange::interior, CellRange::boundary,
          CellRange::first_half, CellRange::second_half})
      {
        launches[static_cast<int>(range)] = cells->launches(conflict, range);
        if (boundary)
          face_launches[static_cast<int>(range)] =
            boundary->faces().launches(conflict, range);
      }
  }

  template <class Number>
  void
  CellOperator<Number>::vmult(Vector<Number> &y, const Vector<Number> &x,
                              const Epilogue<Number> &epilogue,
                              const Stream stream) const
  {
    const bool add   = epilogue.kind == Epilogue<Number>::Kind::add;
    const bool dot   = epilogue.kind == Epilogue<Number>::Kind::dot;
    const bool all   = stores_all_nodes();
    const bool store = !add && (all || stores_inner_nodes());

    // Kernels that store all of y take all cells at once.
    const bool overlap = tail->overlaps() && !all;
    const GridSum sum{partial.data(), counter.data(),
                      dot ? epilogue.result : nullptr, n_blocks};

    cells->fixed().hide(x, y, add, kept, stream);
    tail->begin_import(x, stream);
    if (add && !tail->ignores_tails())
      y.zero_tail(stream);
    if (store && !all)
      cells->shared_entries().zero(y, stream);
    else if (!add && !all)
      y.zero(stream);
    if (overlap)
      apply(y, x, !store, sum, CellRange::first_half, stream);
    tail->finish_import(x, stream);
    cells->fixed().clear_ghosts(x, stream);
    apply(y, x, !store, sum, overlap ? CellRange::boundary : CellRange::all,
          stream);
    cells->fixed().clear_ghosts(y, stream);
    tail->begin_export(y, stream);
    if (overlap)
      apply(y, x, !store, sum, CellRange::second_half, stream);
    if (dot && backend() == Backend::cuda)
      finish_sum(sum, stream,
                 cells->fixed().size() == 0 ? epilogue.pending : nullptr);
    else if (dot)
      finish_sums_on_host(sum);
    tail->finish_export(y, stream);
    cells->fixed().show(x, y, kept, dot ? epilogue.result : nullptr, stream);
  }

  template <class Number>
  void
  CellOperator<Number>::apply_add(Vector<Number> &y, const Vector<Number> &x,
                                  const CellRange range,
                                  const Stream stream) const
  {
    apply(y, x, true, {nullptr, nullptr, nullptr, 0}, range, stream);
  }

  template <class Number>
  void
  CellOperator<Number>::launch_range(CellApply<Number> apply,
                                     const CellRange range,
                                     const Stream stream) const
  {
    for (const BlockList &list : launches[static_cast<int>(range)])
      {
        apply.blocks = list;
        launch_apply(apply, stream);
      }
  }

  template <class Number>
  void
  CellOperator<Number>::apply(Vector<Number> &y, const Vector<Number> &x,
                              const bool add, const GridSum &sum,
                              const CellRange range, const Stream stream) const
  {
    launch_range({cells->view(conflict),
                  cells->batches_per_block(),
                  {},
                  conflict,
                  x.data(),
                  y.data(),
                  add,
                  sum},
                 range, stream);
    for (const BlockList &list : face_launches[static_cast<int>(range)])
      boundary->apply({boundary->faces().view(conflict),
                       boundary->faces().batches_per_block(), list, conflict,
                       x.data(), y.data(), true, sum},
                      Number(1), n_blocks_of_cells, stream);
  }

  template <class Number>
  void
  CellOperator<Number>::finish_diagonal(Vector<Number> &d,
                                        const Stream stream) const
  {
    if (boundary)
      boundary->add_diagonal(d, conflict, stream);
    if (cells->space().n_hanging > 0)
      {
        if (!probes)
          probes = std::make_shared<const HangingProbes<Number>>(*cells);
        probes->complete(
          d,
          [&](Vector<Number> &y, const Vector<Number> &x) {
            apply_add(y, x, CellRange::boundary, stream);
          },
          stream);
      }
    cells->fixed().clear_ghosts(d, stream);
    tail->export_diagonal(d, stream);
    cells->fixed().set(d, Number(1), stream);
  }

  template <class Number>
  Traffic
  CellOperator<Number>::with_boundary(Traffic of_cells) const
  {
    of_cells.stored += cells->shared_entries().bytes();
    if (boundary)
      {
        of_cells.compulsory += boundary->compulsory_bytes();
        of_cells.stored += boundary->bytes();
      }
    return of_cells;
  }

  template class CellOperator<double>;
  template class CellOperator<float>;
} // namespace tessera
