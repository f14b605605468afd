#include <tessera/base/launch.h>
#include <tessera/forms/laplace.h>

#include "matrix_free.cuh"
#include "matrix_free_kernels.h"
#include "tuning.h"
#include <tessera/space/device_scatter.cuh>

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// y += A x, one thread a cell; RegulyGiles2015, section 3.4, with sum
    /// factorisation. Bytes a cell: 4 n for dofs, 16 for vertices if p > 1,
    /// coordinates, x and y (read and written). Blocks are full.
    template <int degree, bool uniform, class Number>
    TESSERA_KERNEL(threads,
                   (tuning::matrix_free_blocks<degree, uniform, Number>))
    void matrix_free(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     TESSERA_ARGUMENT(CoefficientView<Number>) coefficient,
                     TESSERA_ARGUMENT(ReferenceElement<degree, Number>) element)
    {
      constexpr int n1 = degree + 1;
      const auto cell  = cell_of_thread(apply.cells, apply.blocks);

      constexpr bool shared = tuning::matrix_free_shares<degree, Number>;
      TESSERA_SHARED Number on_chip[shared ? n1 * n1 * threads : 1];
      std::conditional_t<shared, SharedValues<threads, Number>,
                         RegisterValues<n1 * n1, Number>>
        u;
      if constexpr (shared)
        u = {on_chip, device::thread_index()};

      Number r[n1 * n1], vertices[4][2];
      gather<n1>(cell, apply.cells, apply.x, u);
      cell.vertices(apply.cells, vertices);
      if constexpr (shared)
        device::wait_for_copies();
      cell_product<Laplace, degree>(
        element, BilinearGeometry<Number>(vertices),
        [&](const int q, Number(&k)[Laplace::n_coefficients]) {
          cell.template coefficient_known<uniform>(coefficient, q, k);
        },
        u, r);
      const Number product = energy(u.again(), r);
      scatter<n1>(cell, apply, r);
      sum_energy(apply, product);
    }
  } // namespace

  template <int degree, class Number>
  void
  apply_matrix_free(Cuda, const CellApply<Number> &apply,
                    const CoefficientView<Number> &coefficient,
                    const Stream stream)
  {
    launch(coefficient.is_uniform() ? matrix_free<degree, true, Number>
                                    : matrix_free<degree, false, Number>,
           {apply.blocks.n_blocks, threads}, stream, apply, coefficient,
           reference_element<degree, Number>());
  }

#define INSTANTIATE(degree, Number)                \
  template void apply_matrix_free<degree, Number>( \
    Cuda, const CellApply<Number> &, const CoefficientView<Number> &, Stream);
#include <tessera/base/instantiate.inc>
} // namespace tessera
