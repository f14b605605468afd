#include <tessera/preconditioners/jacobi.h>

#include "jacobi_kernels.h"

namespace tessera
{
  template <class Number>
  Jacobi<Number>::Jacobi(const Operator<Number> &A, const Stream stream)
    : inverse(A.make_vector())
  {
    A.diagonal(inverse, stream);
    on_target(A.backend(), [&](const auto target) {
      invert_entries<Number>(target, inverse.data(), A.n_owned(), stream);
    });
  }

  template <class Number>
  void
  Jacobi<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                        const Stream stream) const
  {
    on_target(inverse.backend(), [&](const auto target) {
      scale_entries<Number>(target, z.data(), inverse.data(), r.data(),
                            inverse.n_owned(), stream);
    });
  }

  /// Counts r, z and M^-1 once each.
  template <class Number>
  Traffic
  Jacobi<Number>::traffic() const
  {
    const std::uint64_t vector = sizeof(Number) * inverse.n_owned();
    return {3 * vector, vector};
  }

  template class Jacobi<double>;
  template class Jacobi<float>;
} // namespace tessera
