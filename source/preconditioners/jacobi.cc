#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/jacobi.h>

#include "jacobi.cuh"

namespace tessera
{
  template <class Number>
  Jacobi<Number>::Jacobi(const Operator<Number> &A, const Stream stream)
    : DiagonalPreconditioner<Number>(A.make_vector())
  {
    A.diagonal(this->inverse, stream);
    for_each(A.backend(), A.n_owned(), Inversion<Number>{this->inverse.data()},
             stream);
  }

  template <class Number>
  void
  DiagonalPreconditioner<Number>::apply(Vector<Number> &z,
                                        const Vector<Number> &r,
                                        const Stream stream) const
  {
    for_each(inverse.backend(), inverse.n_owned(),
             Scaling<Number>{z.data(), inverse.data(), r.data()}, stream);
  }

  template <class Number>
  Traffic
  DiagonalPreconditioner<Number>::traffic() const
  {
    const std::uint64_t vector = sizeof(Number) * inverse.n_owned();
    return {3 * vector, vector};
  }

  template class DiagonalPreconditioner<double>;
  template class DiagonalPreconditioner<float>;
  template class Jacobi<double>;
  template class Jacobi<float>;


  namespace
  {
    PreconditionerDescriptor
    describe_jacobi()
    {
      PreconditionerDescriptor d{"jacobi", "M = diag(A)",
                                 "RegulyGiles2015, section 11"};
      d.is_diagonal      = true;
      d.is_diagonal_of_A = true;
      d.made_by([](auto number, const auto &A, const PreconditionerProblem &,
                   const Stream stream) {
        return std::make_unique<Jacobi<decltype(number)>>(A, stream);
      });
      d.memory = [](const PreconditionerCounts &n) {
        return PreconditionerMemory{n.vectors(1)};
      };
      d.moved = [](const PreconditionerCounts &n) { return n.vectors(3); };
      return d;
    }

    const Registration<PreconditionerDescriptor> jacobi_registration(
      describe_jacobi);
  } // namespace
} // namespace tessera
