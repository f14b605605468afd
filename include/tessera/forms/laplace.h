#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// A form is a pointwise map: from the gradient of u at a quadrature point
  /// and the coefficient there to the flux that is tested with the gradient of
  /// phi_i. Matrix entries, application, diagonal and the oracle of the tests
  /// all derive from it.
  ///
  /// Here a(u, v) = int (K grad u) . grad v, K = ((k0, k1), (k1, k2)).
  struct Laplace
  {
    static constexpr bool symmetric     = true;
    static constexpr int n_components   = 1;
    static constexpr int n_coefficients = 3;

    template <class T>
    TESSERA_HOST_DEVICE static void
    flux(const T (&k)[3], const T g0, const T g1, T &f0, T &f1)
    {
      f0 = k[0] * g0 + k[1] * g1;
      f1 = k[1] * g0 + k[2] * g1;
    }
  };
} // namespace tessera
