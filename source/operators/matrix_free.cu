#include <tessera/base/launch.h>
#include <tessera/forms/laplace.h>

#include "matrix_free.cuh"
#include "matrix_free_kernels.h"
#include "matrix_free_stages.cuh"
#include "quadrilateral_flux.h"
#include "tuning.h"
#include <tessera/space/device_scatter.cuh>
#include <tessera/space/hexahedron_team.cuh>

namespace tessera
{
  namespace
  {
    constexpr int cells_per_block = CellData<double>::device_threads;

    /// The tables that the kernel below asks for.
    template <class E, class Number>
    using Tables =
      std::conditional_t<tuning::matrix_free_stages<E>,
                         ParityElement<E, Number>, ReferenceElement<E, Number>>;

    /// y += A x, one thread a cell at a time; RegulyGiles2015, section 3.4,
    /// with sum factorisation. Bytes a cell: 4 n for dofs and 4 for each vertex
    /// if p > 1, or those of CellEntities; coordinates (or stored Jacobians), x
    /// and y (read and written; inner nodes written alone unless they are added
    /// to). Blocks are full.
    template <class Cell, class E, bool stored, bool uniform, class Number>
    TESSERA_KERNEL(tuning::matrix_free_threads<E>,
                   (tuning::matrix_free_blocks<E, stored, uniform, Number>))
    void matrix_free(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     TESSERA_ARGUMENT(CoefficientView<Number>) coefficient,
                     TESSERA_ARGUMENT(Tables<E, Number>) element)
    {
      using Form                = Laplace<E::dim>;
      constexpr int threads     = tuning::matrix_free_threads<E>;
      constexpr bool staged     = tuning::matrix_free_stages<E>;
      constexpr bool one_metric = uniform && !stored;
      constexpr int on_chip     = staged ? E::n * threads : 1;
      TESSERA_SHARED Number stage[2][on_chip];
      using Stage = SharedValues<threads, Number>;

      Number product = Number(0);
      TESSERA_ROLLED
      for (int first = 0; first < cells_per_block; first += threads)
        {
          const Cell cell(cell_of_block(apply.cells, apply.blocks,
                                        first + device::thread_index()),
                          apply.cells);
          const auto k_at = [&](const int q, Number(&k)[Form::n_coefficients]) {
            cell.template coefficient_known<uniform>(coefficient, q, k);
          };
          Number r[E::n];
          if constexpr (staged)
            {
              Stage values{stage[0], device::thread_index()};
              Stage derivatives{stage[1], device::thread_index()};
              gather<E>(cell, apply.x, values);
              with_geometry<E, stored>(
                cell, apply.cells, [&](const auto &geometry) {
                  device::wait_for_copies();
                  stage_columns<E>(element, values, derivatives);
                  values.again();
                  const auto flux =
                    quadrilateral_flux<Form, one_metric>(geometry, k_at);
                  product += stage_lines(element, flux, values, derivatives);
                });
              sum_columns<E>(element, values, derivatives, r);
            }
          else
            {
              RegisterValues<E::n, Number> u;
              gather<E>(cell, apply.x, u);
              with_geometry<E, stored>(
                cell, apply.cells, [&](const auto &geometry) {
                  cell_product<Form, E>(element, geometry, k_at, u, r);
                });
              product += energy(u, r);
            }
          scatter<E>(cell, apply, r);
        }
      sum_energy<threads>(apply, product);
    }

    /// y += A x on hexahedra, (p+1)^2 threads a cell. Bytes a cell as above.
    template <class E, bool stored, class Number>
    TESSERA_KERNEL(TeamShape<E>::threads,
                   (tuning::team_blocks<E, stored, Number>))
    void matrix_free_team(TESSERA_ARGUMENT(CellApply<Number>) apply,
                          TESSERA_ARGUMENT(CoefficientView<Number>) coefficient,
                          TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      using Form      = Laplace<3>;
      constexpr int n = E::n1;
      TESSERA_SHARED TeamMemory<E, Number> memory;
      const TeamMember<E, stored, Number> member(memory, element);
      Number product = Number(0);
      member.for_each_cell(
        apply.cells, apply.blocks, [&](const DeviceCell<Number> &cell) {
          Number u[n], r[n], gradient[n][3], density = Number(0);
          TESSERA_UNROLL
          for (int i2 = 0; i2 < n; ++i2)
            u[i2] = read_only(
              apply.x + cell.load(apply.cells.dofs, E::n, member.node(i2)));
          member.gradients(u, gradient);
          member.with_jacobians(cell, apply.cells, [&](const auto &jacobian) {
            TESSERA_UNROLL
            for (int q2 = 0; q2 < n; ++q2)
              {
                Number j[3][3], k[Form::n_coefficients], f[3];
                jacobian(q2, j);
                cell.coefficient(coefficient, member.node(q2), k);
                reference_flux<Form>(j, k, member.weight(q2), gradient[q2], f);
                TESSERA_UNROLL
                for (int d = 0; d < 3; ++d)
                  {
                    density += gradient[q2][d] * f[d];
                    gradient[q2][d] = f[d];
                  }
                device::warp_barrier();
              }
          });
          member.test_by_gradients(gradient, r);
          if (member.active)
            product += density;
          scatter_each<E, n>(
            cell, apply, member.active,
            [&](const int i2) { return member.node(i2); },
            [&](const int i2) { return r[i2]; });
        });
      sum_energy<TeamShape<E>::threads>(apply, product);
    }

    /// One thread a cell of this kind.
    template <class Cell, class E, bool stored, class Number>
    void
    launch_cells(const CellApply<Number> &apply,
                 const CoefficientView<Number> &coefficient,
                 const ReferenceElement<E, Number> &element,
                 const Stream stream)
    {
      launch(coefficient.is_uniform()
               ? matrix_free<Cell, E, stored, true, Number>
               : matrix_free<Cell, E, stored, false, Number>,
             {apply.blocks.n_blocks, tuning::matrix_free_threads<E>}, stream,
             apply, coefficient, Tables<E, Number>(element));
    }

    template <class E, bool stored, class Number>
    void
    launch_matrix_free(const CellApply<Number> &apply,
                       const CoefficientView<Number> &coefficient,
                       const Stream stream)
    {
      const auto element = reference_element<E, Number>();
      if constexpr (E::cell_type == CellType::hexahedron)
        launch(matrix_free_team<E, stored, Number>,
               {apply.blocks.n_blocks, TeamShape<E>::threads}, stream, apply,
               coefficient, element);
      else
        {
          if constexpr (tuning::matrix_free_stages<E>)
            if (apply.cells.entities.indices != nullptr)
              {
                launch_cells<EntityCell<E, Number>, E, stored>(
                  apply, coefficient, element, stream);
                return;
              }
          launch_cells<IndexedCell<E, Number>, E, stored>(apply, coefficient,
                                                          element, stream);
        }
    }
  } // namespace

  template <class E, class Number>
  void
  apply_matrix_free(Cuda, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient,
                    const Stream stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      launch_matrix_free<E, decltype(stored)::value>(apply, coefficient,
                                                     stream);
    });
  }

#define INSTANTIATE(E, Number)                \
  template void apply_matrix_free<E, Number>( \
    Cuda, const CellApply<Number> &, const CoefficientView<Number> &, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
