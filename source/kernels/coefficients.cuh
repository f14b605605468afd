#pragma once

#include <tessera/forms/flux_form.h>
#include <tessera/space/coefficient_data.h>

// A form of a tensor can be given a number instead. If that is uniform, it is
// stored as a tensor; else the number itself is in memory, and kernels make a
// tensor of it where they read it.
namespace tessera
{
  /// The traits of FluxForm, which are false for other forms.
  template <class F, bool is_flux = F::is_flux>
  struct FluxTraits
  {
    static constexpr bool takes_number    = false;
    static constexpr bool scales_gradient = false;
  };

  template <class F>
  struct FluxTraits<F, true>
  {
    static constexpr bool takes_number    = F::takes_number;
    static constexpr bool scales_gradient = F::scales_gradient;
  };

  /// True if there is one number at every point, or in every cell.
  template <class Number>
  TESSERA_HOST_DEVICE bool
  is_number(const CoefficientView<Number> &view)
  {
    return !view.is_uniform() &&
           (view.point_stride == 1 || view.n_entries == 1);
  }

  /// True if a multiple of the unit tensor is the coefficient everywhere.
  template <class Number>
  TESSERA_HOST bool
  is_uniform_number(const CoefficientView<Number> &view, const int dim)
  {
    bool result = view.is_uniform();
    for (int a = 0; a < dim; ++a)
      for (int b = a; b < dim; ++b)
        result = result && view.uniform[symmetric_entry(dim, a, b)] ==
                             (a == b ? view.uniform[0] : Number(0));
    return result;
  }

  /// Sets k to the coefficient of a form at point q of a cell. If `view` has
  /// numbers, k is that number times the unit tensor.
  template <class F, class Cells, class Number>
  TESSERA_HOST_DEVICE void
  read_coefficient(const Cells &cell, const CoefficientView<Number> &view,
                   const int q, typename Cells::Value (&k)[F::n_coefficients])
  {
    if constexpr (FluxTraits<F>::takes_number)
      if (is_number(view))
        {
          typename Cells::Value number[1];
          cell.template coefficient_known<false>(view, q, number);
          TESSERA_UNROLL
          for (int a = 0; a < F::dim; ++a)
            TESSERA_UNROLL
          for (int b = a; b < F::dim; ++b)
            k[symmetric_entry(F::dim, a, b)] =
              a == b ? number[0] : typename Cells::Value(Number(0));
          return;
        }
    cell.coefficient(view, q, k);
  }

  /// Asks for what a batch has of a coefficient that is not uniform, so that it
  /// comes to the L2 cache while the cell reads its nodes. Every lane asks for
  /// whole lines of memory.
  template <class Cell, class Number>
  TESSERA_HOST_DEVICE void
  prefetch_coefficient([[maybe_unused]] const Cell &cell,
                       [[maybe_unused]] const CoefficientView<Number> &view)
  {
#ifdef __CUDA_ARCH__
    constexpr int line = 128;
    const int bytes    = Cell::lanes * view.n_entries * int(sizeof(Number));
    const auto *const batch =
      reinterpret_cast<const char *>(view.values) + cell.batch * bytes;
    for (int place = cell.lane * line; place < bytes;
         place += Cell::lanes * line)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(batch + place));
#endif
  }

  /// The form F of a number k: flux(k, g) = k g.
  template <class F>
  struct OfNumber : FluxForm<OfNumber<F>, F::dim>, ScalarFlux
  {
    static constexpr int n_coefficients   = 1;
    static constexpr bool scales_gradient = true;
  };
} // namespace tessera
