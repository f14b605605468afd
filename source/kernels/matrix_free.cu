#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>
#include <tessera/space/hexahedron_team.cuh>

#include "../operators/tuning.h"
#include "form_on_cell.cuh"
#include "launches.h"
#include "matrix_free_blocks.cuh"
#include "matrix_free_planes.cuh"
#include "matrix_free_stages.cuh"
#include "quadrilateral_flux.h"
#include "team_projection.cuh"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    constexpr int cells_per_block = CellData<double>::device_threads;

    /// True for forms and elements whose products go through shared memory in
    /// three passes.
    template <class F, class E>
    constexpr bool is_staged = F::is_flux &&tuning::matrix_free_stages<E>;

    /// The tables that the kernel below asks for.
    template <class F, class E, class Number>
    using Tables = std::conditional_t<is_staged<F, E>, ParityElement<E, Number>,
                                      ReferenceElement<E, Number>>;

    /// True for cells with one more kernel, for a number at every point.
    template <class E, bool stored>
    constexpr bool has_number_kernel =
      !stored && E::cell_type == CellType::quadrilateral;

    /// Blocks that a multiprocessor must hold; not measured for forms of one
    /// component that are no fluxes, nor for forms that project, whose second
    /// sum over the points needs registers.
    template <class F, class E, bool stored, bool uniform, class Number>
    constexpr int matrix_free_blocks =
      FluxTraits<F>::scales_gradient ? tuning::number_blocks<E, Number>
      : F::is_flux ? tuning::matrix_free_blocks<E, stored, uniform, Number>
      : F::n_components > 1 && !F::projects &&
          E::cell_type == CellType::quadrilateral
        ? tuning::vector_blocks[E::degree]
        : 1;

    /// The same for the teams of hexahedra; not measured for forms of one
    /// component with gradients, nor for forms that read a solution or a state.
    template <class F, class E>
    constexpr int matrix_free_team_blocks =
      F::projects || F::reads_solution || F::n_state > 0 ? 1
      : F::n_components > 1 ? tuning::vector_team_blocks[E::degree]
      : F::uses_gradients   ? tuning::team_blocks[E::degree]
                            : tuning::value_team_blocks[E::degree];

    /// True if x . A x has a share of this cell: one that fills up a batch has
    /// a solution of zero, for which the form need not be finite.
    template <class F, Quantity quantity, class Number>
    TESSERA_DEVICE bool
    has_share(const DeviceCell<Number> &cell, const CellApply<Number> &apply)
    {
      return quantity == Quantity::product &&
             !(F::reads_solution && cell.is_padding(apply.cells));
    }

    /// Adds r to y at the nodes of a cell with one thread.
    template <class F, class E, class Cell, class Number>
    TESSERA_DEVICE void
    scatter_form(const Cell &cell, const CellApply<Number> &apply,
                 const Number (&r)[F::n_components * E::n])
    {
      if constexpr (F::n_components == 1)
        scatter<E>(cell, apply, r);
      else
        {
          TESSERA_UNROLL
          for (int c = 0; c < F::n_components; ++c)
            scatter_each<E, E::n, F::n_components, E::n>(
              static_cast<const DeviceCell<Number> &>(cell), apply, true,
              [](const int i) { return i; },
              [&](const int i) { return r[c * E::n + i]; }, c);
        }
    }

    /// y += A x on cells of the plane, one thread a cell at a time;
    /// RegulyGiles2015, section 3.4, with sum factorisation. Bytes a cell: 4 n
    /// for dofs and 4 for each vertex if p > 1, or the bytes of CellEntities;
    /// coordinates (or stored Jacobians), x and y (read and written; inner
    /// nodes written alone unless they are added to). Blocks are full.
    template <class F, Quantity quantity, class Cell, class E, bool stored,
              bool uniform, class Number>
    TESSERA_KERNEL(tuning::matrix_free_threads<E>,
                   (matrix_free_blocks<F, E, stored, uniform, Number>))
    void matrix_free(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     TESSERA_ARGUMENT(FieldsView<Number>) fields_view,
                     TESSERA_ARGUMENT(Tables<F, E, Number>) element)
    {
      constexpr int threads = tuning::matrix_free_threads<E>;
      constexpr bool staged = is_staged<F, E>;
      constexpr int on_chip = staged ? E::n * threads : 1;
      TESSERA_SHARED Number stage[2][on_chip];
      using Stage = SharedValues<threads, Number>;

      Number product = Number(0);
      TESSERA_ROLLED
      for (int first = 0; first < cells_per_block; first += threads)
        {
          const Cell cell(cell_of_block(apply.cells, apply.blocks,
                                        first + device::thread_index()),
                          apply.cells);
          if constexpr (F::is_flux && !uniform &&
                        E::cell_type == CellType::quadrilateral)
            prefetch_coefficient(cell, fields_view.coefficient);
          // Only fluxes have special kernels for a uniform coefficient, and
          // some of them for numbers.
          const auto k_at = [&](const int q, Number(&k)[F::n_coefficients]) {
            if constexpr (F::is_flux &&
                          (uniform || has_number_kernel<E, stored>))
              cell.template coefficient_known<uniform>(fields_view.coefficient,
                                                       q, k);
            else
              read_coefficient<F>(cell, fields_view.coefficient, q, k);
          };
          Number r[F::n_components * E::n];
          if constexpr (staged)
            {
              Stage values{stage[0], device::thread_index()};
              Stage derivatives{stage[1], device::thread_index()};
              gather<E>(cell, apply.x, values);
              with_geometry<E, stored>(
                cell, apply.cells, [&](const auto &geometry) {
                  device::wait_for_copies();
                  stage_columns<E>(element, values, derivatives);
                  values.reread();
                  const auto flux =
                    quadrilateral_flux<F, !stored, uniform>(geometry, k_at);
                  product += stage_lines(element, flux, values, derivatives);
                });
              sum_columns<E>(element, values, derivatives, r);
            }
          else
            {
              using Work = PointWork<F, quantity>;
              RegisterValues<Work::n_in * E::n, Number> u;
              gather_form<F, E, Work::n_in>(cell, apply, fields_view, u);
              form_on_cell<F, quantity, E, stored>(
                cell, apply.cells, fields_view, element, k_at, u, r);
              if (has_share<F, quantity>(cell, apply))
                product += energy(u, r);
            }
          if constexpr (quantity != Quantity::state)
            scatter_form<F, E>(cell, apply, r);
        }
      sum_energy<threads>(apply, product);
    }

    /// y += A x on hexahedra, (p+1)^2 threads a cell. Bytes a cell as above.
    template <class F, Quantity quantity, class E, bool stored, class Number>
    TESSERA_KERNEL(TeamShape<E>::threads, (matrix_free_team_blocks<F, E>))
    void matrix_free_team(TESSERA_ARGUMENT(CellApply<Number>) apply,
                          TESSERA_ARGUMENT(FieldsView<Number>) fields_view,
                          TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Work      = PointWork<F, quantity>;
      using Uses      = typename Work::Uses;
      constexpr int n = E::n1, n_components = F::n_components;
      TESSERA_SHARED TeamMemory<E, Number> memory;
      const TeamMember<E, stored, Number> member(memory, element);
      Number product = Number(0);
      member.for_each_cell(
        apply.cells, apply.blocks, [&](const DeviceCell<Number> &cell) {
          Number r[n], density = Number(0);
          PointValues<Work::n_in, 3, Number> in[n];
          TESSERA_UNROLL
          for (int c = 0; c < Work::n_in; ++c)
            {
              const Number *const from =
                c < n_components ? apply.x : fields_view.solution;
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                r[i2] = cell.template value_at_node<E::n, n_components>(
                  apply.cells, from, member.node(i2), c % n_components);
              member.template evaluate<Uses::values, Uses::gradients>(r, c, in);
            }
          member.with_jacobians(cell, apply.cells, [&](const auto &jacobian) {
            const auto read = [&](const int q0, Number(&j)[3][3],
                                  Fields<F, Number> &fields) {
              jacobian(q0, j);
              const int q = member.point(q0);
              read_coefficient<F>(cell, fields_view.coefficient, q,
                                  fields.coefficient);
              read_state<E>(cell, fields_view, q, fields);
            };
            const TeamProjection<F, E, Number> projection(
              member, cell, fields_view, read, in);
            TESSERA_UNROLL
            for (int q0 = 0; q0 < n; ++q0)
              {
                Number j[3][3];
                Fields<F, Number> fields;
                PointValues<n_components, 3, Number> out;
                const int q = member.point(q0);
                read(q0, j, fields);
                projection.read(member.element, q, fields);
                Work::at_point(j, member.weight(q0), fields, in[q0], out,
                               [&](const int s, const Number value) {
                                 if (member.active)
                                   store_state<F, E>(cell, fields_view, q, s,
                                                     value);
                               });
                TESSERA_UNROLL
                for (int c = 0; c < n_components; ++c)
                  {
                    if constexpr (Uses::gradients)
                      {
                        TESSERA_UNROLL
                        for (int d = 0; d < 3; ++d)
                          {
                            density +=
                              in[q0].gradient[c][d] * out.gradient[c][d];
                            in[q0].gradient[c][d] = out.gradient[c][d];
                          }
                      }
                    if constexpr (Uses::values)
                      {
                        density += in[q0].value[c] * out.value[c];
                        in[q0].value[c] = out.value[c];
                      }
                  }
                device::warp_barrier();
              }
          });
          if constexpr (quantity != Quantity::state)
            {
              if (member.active && has_share<F, quantity>(cell, apply))
                product += density;
              TESSERA_UNROLL
              for (int c = 0; c < n_components; ++c)
                {
                  member.template integrate<Uses::values, Uses::gradients>(
                    in, c, r);
                  scatter_each<E, n, n_components>(
                    cell, apply, member.active,
                    [&](const int i2) { return member.node(i2); },
                    [&](const int i2) { return r[i2]; }, c);
                }
            }
        });
      sum_energy<TeamShape<E>::threads>(apply, product);
    }

    /// One thread a cell of this kind.
    template <class F, Quantity quantity, class Cell, class E, bool stored,
              class Number>
    void
    launch_cells(const CellApply<Number> &apply,
                 const FieldsView<Number> &fields,
                 const ReferenceElement<E, Number> &element,
                 const Stream stream)
    {
      constexpr bool uniform =
        F::is_flux && !FluxTraits<F>::scales_gradient && !E::simplex;
      if constexpr (FluxTraits<F>::takes_number && has_number_kernel<E, stored>)
        if (is_number(fields.coefficient))
          {
            launch_cells<OfNumber<F>, quantity, Cell, E, stored>(
              apply, fields, element, stream);
            return;
          }
      launch(uniform && fields.coefficient.is_uniform()
               ? matrix_free<F, quantity, Cell, E, stored, uniform, Number>
               : matrix_free<F, quantity, Cell, E, stored, false, Number>,
             {apply.blocks.n_blocks, tuning::matrix_free_threads<E>}, stream,
             apply, fields, Tables<F, E, Number>(element));
    }

    template <class F, Quantity quantity, class E, bool stored, class Number>
    void
    launch_matrix_free(const CellApply<Number> &apply,
                       const FieldsView<Number> &fields, const Stream stream)
    {
      const auto element = reference_element<E, Number>();
      if constexpr (E::simplex)
        on_points<F, quantity, E>(
          apply.cells, fields.coefficient, [&](const auto points) {
            using P = std::decay_t<decltype(points)>;
            if constexpr (E::cell_type == CellType::tetrahedron)
              launch_blocks<F, quantity, P, stored>(apply, fields, stream);
            else
              launch_cells<F, quantity, IndexedCell<E, Number>, P, stored>(
                apply, fields, reference_element<P, Number>(), stream);
          });
      else if constexpr (E::cell_type == CellType::hexahedron && has_planes<F>)
        launch_planes<F, E, stored>(apply, fields.coefficient, stream);
      else if constexpr (E::cell_type == CellType::hexahedron)
        launch(matrix_free_team<F, quantity, E, stored, Number>,
               {apply.blocks.n_blocks, TeamShape<E>::threads}, stream, apply,
               fields, element);
      else
        {
          if constexpr (is_staged<F, E>)
            if (apply.cells.entities.indices != nullptr)
              {
                launch_cells<F, quantity, EntityCell<E, Number>, E, stored>(
                  apply, fields, element, stream);
                return;
              }
          launch_cells<F, quantity, IndexedCell<E, Number>, E, stored>(
            apply, fields, element, stream);
        }
    }
  } // namespace

  template <class F, class E, class Number>
  void
  apply_on(Cuda, const CellApply<Number> &apply,
           const FieldsView<Number> &fields, const Quantity quantity,
           const Stream stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      on_quantity<F>(quantity, [&](const auto chosen) {
        launch_matrix_free<F, decltype(chosen)::value, E,
                           decltype(stored)::value>(apply, fields, stream);
      });
    });
  }

#define INSTANTIATE(E, Number)                                             \
  template void apply_on<ThisForm<E::dim>, E, Number>(                     \
    Cuda, const CellApply<Number> &, const FieldsView<Number> &, Quantity, \
    Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
