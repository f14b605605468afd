#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>
#include <tessera/space/hexahedron_team.cuh>

#include "load_vector.cuh"
#include "load_vector_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// Reads the source at a point of a cell. In cells that fill up a block it
    /// is zero, since threads of these add to one entry and do not take turns.
    template <class Cell, class Number>
    TESSERA_DEVICE void
    read_source(const Cell &cell, const CellView<Number> &cells,
                const CoefficientView<Number> &source, const int q,
                Number (&f)[1])
    {
      cell.coefficient(source, q, f);
      if (cell.is_padding(cells))
        f[0] = Number(0);
    }

    /// b += load, or the load of cells, one thread a cell.
    template <class E, bool stored, class Number>
    TESSERA_KERNEL(threads, 2)
    void load(TESSERA_ARGUMENT(CellApply<Number>) apply,
              TESSERA_ARGUMENT(CoefficientView<Number>) source,
              TESSERA_ARGUMENT(ReferenceElement<E, Number>) element,
              const Route route)
    {
      const IndexedCell<E, Number> cell(
        cell_of_thread(apply.cells, apply.blocks), apply.cells);
      Number r[E::n];
      with_geometry<E, stored>(cell, apply.cells, [&](const auto &geometry) {
        cell_load(
          element, geometry,
          [&](const int q, Number(&f)[1]) {
            read_source(cell, apply.cells, source, q, f);
          },
          r);
      });
      if (route == Route::gather)
        {
          TESSERA_UNROLL
          for (int i = 0; i < E::n; ++i)
            cell.store(apply.y, E::n, i, r[i]);
        }
      else
        scatter<E>(cell, apply, r);
    }

    /// The same on hexahedra, (p+1)^2 threads a cell.
    template <class E, bool stored, class Number>
    TESSERA_KERNEL(TeamShape<E>::threads, 1)
    void load_team(TESSERA_ARGUMENT(CellApply<Number>) apply,
                   TESSERA_ARGUMENT(CoefficientView<Number>) source,
                   TESSERA_ARGUMENT(ReferenceElement<E, Number>) element,
                   const Route route)
    {
      constexpr int n = E::n1;
      TESSERA_SHARED TeamMemory<E, Number> memory;
      const TeamMember<E, stored, Number> member(memory, element);
      member.for_each_cell(
        apply.cells, apply.blocks, [&](const DeviceCell<Number> &cell) {
          Number r[n];
          struct
          {
            Number value[1];
          } weighted[n];
          member.with_jacobians(cell, apply.cells, [&](const auto &jacobian) {
            TESSERA_UNROLL
            for (int q0 = 0; q0 < n; ++q0)
              {
                Number j[3][3], f[1];
                jacobian(q0, j);
                read_source(cell, apply.cells, source, member.point(q0), f);
                weighted[q0].value[0] =
                  member.weight(q0) * determinant(j) * f[0];
              }
          });
          member.template integrate<true, false>(weighted, 0, r);
          if (route != Route::gather)
            return scatter_each<E, n>(
              cell, apply, member.active,
              [&](const int i2) { return member.node(i2); },
              [&](const int i2) { return r[i2]; });
          if (member.active)
            {
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                cell.store(apply.y, E::n, member.node(i2), r[i2]);
            }
        });
    }

    template <class E, bool stored, class Number>
    void
    launch_load(const CellApply<Number> &apply,
                const CoefficientView<Number> &source, const Route route,
                const Stream stream)
    {
      const auto element = reference_element<E, Number>();
      if constexpr (E::cell_type == CellType::hexahedron)
        launch(load_team<E, stored, Number>,
               {apply.blocks.n_blocks, TeamShape<E>::threads}, stream, apply,
               source, element, route);
      else
        launch(load<E, stored, Number>, {apply.blocks.n_blocks, threads},
               stream, apply, source, element, route);
    }
  } // namespace

  template <class E, class Number>
  void
  add_load_on(Cuda, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, const Route route,
              const Stream stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      launch_load<E, decltype(stored)::value>(apply, source, route, stream);
    });
  }

#define INSTANTIATE(E, Number)                                                 \
  template void add_load_on<E, Number>(Cuda, const CellApply<Number> &,        \
                                       const CoefficientView<Number> &, Route, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
