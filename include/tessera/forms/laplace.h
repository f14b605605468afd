#pragma once

#include <tessera/forms/flux_form.h>

namespace tessera
{
  /// a(u, v) = int (K grad u) . grad v, the weak form of -div(K grad u). K is a
  /// number or a symmetric tensor whose entries are ordered by
  /// `symmetric_entry` (RegulyGiles2015, section 3).
  template <int dim>
  struct Laplace : FluxForm<Laplace<dim>, dim>
  {
    static constexpr int n_coefficients = n_symmetric(dim);
    static constexpr bool takes_number  = true;

    /// A number at every point or cell stays one number, which saves two thirds
    /// of a tensor's memory in two dimensions and five sixths in three.
    static Coefficient
    complete(const Coefficient &k)
    {
      return k.kind != Coefficient::Kind::uniform && k.n_components == 1
               ? k
               : k.as_tensor(dim);
    }

    template <class T>
    TESSERA_HOST_DEVICE static void
    flux(const T (&k)[n_coefficients], const T (&gradient)[dim], T (&f)[dim])
    {
      apply_symmetric(k, gradient, f);
    }
  };

  /// -div(K grad u), with a scalar or a tensor K.
  Form
  laplace(const Coefficient &k = Coefficient::scalar(1.));
} // namespace tessera
