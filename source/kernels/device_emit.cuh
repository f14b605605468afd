#pragma once

#include <tessera/space/device_cells.cuh>

#include "hexahedron_strategies.cuh"
#include "launches.h"
#include "strategies.cuh"

namespace tessera
{
  /// Threads of a block that assembles.
  template <class E>
  constexpr int emit_threads =
    E::cell_type == CellType::hexahedron ? TeamShape<E>::threads
                                         : CellData<double>::device_threads;

  /// Stride of the shared scratch memory that keeps the last number of a point:
  /// for quadrilaterals of degree 4 in double, 3 x 25 numbers are more than the
  /// registers of a thread. Blocks of 256 threads have no room for it.
  template <Strategy strategy, class E, class Number, int threads>
  constexpr int point_scratch =
    strategy == Strategy::keeps_points &&E::dim == 2 && E::degree == 4 &&
        sizeof(Number) == 8 && threads *E::n * sizeof(Number) <= 48 * 1024
      ? threads
      : 0;

  template <class Number>
  struct EmittedCell
  {
    DeviceCell<Number> cell;
    bool active;
  };

  /// The cell of a thread. Batches are filled up for CellData's blocks, and so
  /// for parts of them; in larger blocks a thread beyond the last cell has that
  /// one, and is not active.
  template <int threads, class Number>
  TESSERA_DEVICE EmittedCell<Number>
  emitted_cell(const AssemblyCells<Number> &in)
  {
    const int place = in.blocks.first + device::block_index();
    const int block =
      in.blocks.blocks != nullptr ? in.blocks.blocks[place] : place;
    const std::int64_t mine =
      static_cast<std::int64_t>(block) * threads + device::thread_index();
    if constexpr (CellData<Number>::device_threads % threads == 0)
      return {DeviceCell<Number>(in.cells, mine), true};
    else
      {
        const int last = in.cells.n_cells - 1;
        return {DeviceCell<Number>(in.cells, mine < last ? mine : last),
                mine <= last};
      }
  }

  struct NothingLeft
  {
    template <class Writer>
    TESSERA_DEVICE void
    operator()(Writer &) const
    {}
  };

  /// The matrices of the cells of this block, row by row into the writers of
  /// `make_writer(cell, active)`; threads that are not active write nothing.
  /// `finish(writer)` has a writer that is done.
  template <Strategy strategy, class F, class E, bool stored,
            int threads  = emit_threads<E>, class Number, class MakeWriter,
            class Finish = NothingLeft>
  TESSERA_DEVICE void
  emit_block(const AssemblyCells<Number> &in,
             const ReferenceElement<E, Number> &element,
             const MakeWriter &make_writer, const Finish &finish = {})
  {
    if constexpr (E::cell_type == CellType::hexahedron)
      {
        TESSERA_SHARED TeamMemory<E, Number> memory;
        const TeamMember<E, stored, Number> member(memory, element);
        member.for_each_cell(
          in.cells, in.blocks, [&](const DeviceCell<Number> &cell) {
            auto writer = make_writer(cell, member.active);
            if constexpr (strategy == Strategy::diagonal)
              emit_team_diagonal<F, E>(member, cell, in.cells, in.fields,
                                       writer);
            else if constexpr (strategy == Strategy::by_points)
              emit_team_by_points<F, E>(member, cell, in.cells, in.fields,
                                        writer);
            else
              emit_team<strategy, F, E>(member, cell, in.cells, in.fields,
                                        writer);
            finish(writer);
          });
      }
    else
      {
        constexpr int stride = point_scratch<strategy, E, Number, threads>;
        TESSERA_SHARED Number scratch[stride > 0 ? E::n * stride : 1];
        const auto emitted = emitted_cell<threads>(in);
        const auto &cell   = emitted.cell;
        auto writer        = make_writer(cell, emitted.active);
        with_geometry<E, stored>(cell, in.cells, [&](const auto &geometry) {
          const CellFields<F, E, DeviceCell<Number>, Number> fields_at(
            cell, in.cells, in.fields, element);
          emit_cell_matrix<strategy, F, E, stride, Number>(
            element, geometry, fields_at, writer,
            scratch + (stride > 0 ? device::thread_index() : 0));
        });
        finish(writer);
      }
  }
} // namespace tessera
