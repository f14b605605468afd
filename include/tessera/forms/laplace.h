#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/symmetric.h>

namespace tessera
{
  /// A form is a pointwise map from the gradient of u and the coefficient at a
  /// quadrature point to the flux that is tested with the gradient of phi_i.
  /// Matrix entries, products and diagonals derive from it. The oracle of the
  /// tests does not: it computes them in another way.
  ///
  /// Here a(u, v) = int (K grad u) . grad v with a symmetric tensor K, stored
  /// as `symmetric_entry` says.
  template <int dim>
  struct Laplace
  {
    static constexpr bool symmetric     = true;
    static constexpr int n_components   = 1;
    static constexpr int n_coefficients = n_symmetric(dim);

    template <class T>
    TESSERA_HOST_DEVICE static void
    flux(const T (&k)[n_coefficients], const T (&gradient)[dim], T (&f)[dim])
    {
      TESSERA_UNROLL
      for (int a = 0; a < dim; ++a)
        {
          f[a] = k[symmetric_entry(dim, a, 0)] * gradient[0];
          TESSERA_UNROLL
          for (int b = 1; b < dim; ++b)
            f[a] += k[symmetric_entry(dim, a, b)] * gradient[b];
        }
    }
  };
} // namespace tessera
