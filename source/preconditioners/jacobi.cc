#include <tessera/preconditioners/jacobi.h>

#include "jacobi.cuh"

namespace tessera
{
  template <class Number>
  Jacobi<Number>::Jacobi(const Operator<Number> &A, const Stream stream)
    : inverse(A.make_vector())
  {
    A.diagonal(inverse, stream);
    for_each(A.backend(), A.n_owned(), Inversion<Number>{inverse.data()},
             stream);
  }

  template <class Number>
  void
  Jacobi<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                        const Stream stream) const
  {
    for_each(inverse.backend(), inverse.n_owned(),
             Scaling<Number>{z.data(), inverse.data(), r.data()}, stream);
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
