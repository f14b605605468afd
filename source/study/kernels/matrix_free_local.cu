#include <tessera/base/launch.h>

#include "../../kernels/device_emit.cuh"
#include "strategy_launches.h"
#include "this_form.h"
#include <tessera/space/device_scatter.cuh>

namespace tessera
{
  namespace
  {
    /// Multiplies by u what a strategy emits, one thread a cell: the product of
    /// a row goes to y with its last entries. Vectors and indices are read
    /// where they are: the L1 cache has them.
    template <class E, int n_components, class Number>
    struct RowProduct
    {
      static constexpr bool upper = false;
      const CellApply<Number> &apply;
      DeviceCell<Number> cell;
      Number &energy;
      Number sum;

      TESSERA_DEVICE Number
      u(const int i) const
      {
        return cell.template value_at_node<E::n, n_components>(
          apply.cells, apply.x, i % E::n, i / E::n);
      }

      TESSERA_DEVICE void
      begin_row(int)
      {
        sum = Number(0);
      }

      template <int W>
      TESSERA_DEVICE void
      put(const int i, const int j0, const Number (&values)[W], bool = true)
      {
        TESSERA_UNROLL
        for (int k = 0; k < W; ++k)
          sum += values[k] * u(j0 + k);
        if (j0 + W < n_components * E::n)
          return;
        energy += u(i) * sum;
        scatter_each<E, 1, n_components>(
          cell, apply, true, [i](int) { return i % E::n; },
          [this](int) { return sum; }, i / E::n);
      }
    };

    /// The same for (p+1)^2 threads a cell, each with the nodes of a line: by
    /// columns, which a symmetric matrix has as rows, so that nothing is summed
    /// up over threads. Values go to y at the end.
    template <class E, int n_components, class Number>
    struct ColumnProduct
    {
      const CellApply<Number> &apply;
      DeviceCell<Number> cell;
      bool active;
      int line; ///< its first node
      Number sums[n_components][E::n1];
      Number u_i;

      TESSERA_DEVICE
      ColumnProduct(const CellApply<Number> &apply,
                    const DeviceCell<Number> &cell, const bool active)
        : apply(apply), cell(cell), active(active), line(0), u_i(0)
      {
        TESSERA_UNROLL
        for (int c = 0; c < n_components; ++c)
          TESSERA_UNROLL
        for (int k = 0; k < E::n1; ++k)
          sums[c][k] = Number(0);
      }

      TESSERA_DEVICE Number
      u(const int node, const int component) const
      {
        return cell.template value_at_node<E::n, n_components>(
          apply.cells, apply.x, node, component);
      }

      TESSERA_DEVICE void
      begin_row(const int i)
      {
        u_i = u(i % E::n, i / E::n);
      }

      template <int W, int stride>
      TESSERA_DEVICE void
      put(int, const int j0, const Number (&values)[W], bool = true)
      {
        line = j0 % E::n;
        TESSERA_UNROLL
        for (int c = 0; c < n_components; ++c)
          if (c == j0 / E::n)
            {
              TESSERA_UNROLL
              for (int k = 0; k < W; ++k)
                sums[c][k] += values[k] * u_i;
            }
      }

      TESSERA_DEVICE int
      node(const int k) const
      {
        return line + k * E::n1 * E::n1;
      }

      /// Returns its part of x_e . r_e.
      TESSERA_DEVICE Number
      finish()
      {
        Number energy = Number(0);
        TESSERA_UNROLL
        for (int c = 0; c < n_components; ++c)
          {
            TESSERA_UNROLL
            for (int k = 0; k < E::n1; ++k)
              energy += u(node(k), c) * sums[c][k];
            scatter_each<E, E::n1, n_components>(
              cell, apply, active, [this](const int k) { return node(k); },
              [this, c](const int k) { return sums[c][k]; }, c);
          }
        return active ? energy : Number(0);
      }
    };

    /// y += A x. Bytes a cell: the ones of matrix_free, and indices and x again
    /// for every row, from caches.
    template <Strategy strategy, class F, class E, bool stored, class Number>
    TESSERA_KERNEL(emit_threads<E>, 1)
    void matrix_free_local(TESSERA_ARGUMENT(AssemblyCells<Number>) in,
                           TESSERA_ARGUMENT(CellApply<Number>) apply,
                           TESSERA_ARGUMENT(ReferenceElement<E, Number>)
                             element)
    {
      Number energy = Number(0);
      if constexpr (E::cell_type == CellType::hexahedron)
        emit_block<strategy, F, E, stored>(
          in, element,
          [&](const DeviceCell<Number> &cell, const bool active) {
            return ColumnProduct<E, F::n_components, Number>(apply, cell,
                                                             active);
          },
          [&](auto &product) { energy += product.finish(); });
      else
        emit_block<strategy, F, E, stored>(
          in, element, [&](const DeviceCell<Number> &cell, bool) {
            return RowProduct<E, F::n_components, Number>{apply, cell, energy,
                                                          Number(0)};
          });
      sum_energy<emit_threads<E>>(apply, energy);
    }
  } // namespace

  template <class F, class E, class Number>
  void
  apply_local_on(Cuda, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, const Strategy strategy,
                 const Stream stream)
  {
    const AssemblyCells<Number> cells{apply.cells, apply.batches_per_block,
                                      apply.blocks, apply.conflict, fields};
    on_geometry(apply.cells, [&](const auto stored) {
      on_strategy(strategy, [&](const auto chosen) {
        launch(matrix_free_local<decltype(chosen)::value, F, E,
                                 decltype(stored)::value, Number>,
               {apply.blocks.n_blocks, emit_threads<E>}, stream, cells, apply,
               reference_element<E, Number>());
      });
    });
  }

#define INSTANTIATE(E, Number)                                             \
  template void apply_local_on<ThisForm<E::dim>, E, Number>(               \
    Cuda, const CellApply<Number> &, const FieldsView<Number> &, Strategy, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
