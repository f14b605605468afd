#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/l1_jacobi.h>

#include "jacobi.cuh"
#include "l1_jacobi.cuh"

namespace tessera
{
  template <class Number>
  L1Jacobi<Number>::L1Jacobi(const Operator<Number> &A, const Stream stream)
    : DiagonalPreconditioner<Number>(A.make_vector())
  {
    const RowMatrix<Number> &rows = rows_for(name(), A);
    const bool is_part            = A.parts().are_several();
    // Of a part these are the owned rows and the rows of its ghosts.
    for_each(A.backend(), is_part ? rows.n_rows() : A.n_owned(),
             SumOfMagnitudes<Number>{rows.entries(), this->inverse.data()},
             stream);
    if (is_part)
      A.parts().ghosts()->export_add(this->inverse, stream);
    for_each(A.backend(), A.n_owned(), Inversion<Number>{this->inverse.data()},
             stream);
  }

  template class L1Jacobi<double>;
  template class L1Jacobi<float>;


  namespace
  {
    PreconditionerDescriptor
    describe_l1_jacobi()
    {
      PreconditionerDescriptor d{
        "l1_jacobi",
        "M is diagonal with the sums of the magnitudes of each row of A: safe "
        "wherever A is positive definite",
        "Baker, Falgout, Kolev and Yang 2011"};
      d.works_with.operators     = &OperatorDescriptor::stores_rows;
      d.works_with.needs         = "needs the entries of a matrix";
      d.works_with.hanging_nodes = false;
      d.is_diagonal              = true;
      d.made_by([](auto number, const auto &A, const PreconditionerProblem &,
                   const Stream stream) {
        return std::make_unique<L1Jacobi<decltype(number)>>(A, stream);
      });
      d.memory = [](const PreconditionerCounts &n) {
        return PreconditionerMemory{n.vectors(1)};
      };
      d.moved = [](const PreconditionerCounts &n) { return n.vectors(3); };
      return d;
    }

    const Registration<PreconditionerDescriptor> l1_jacobi_registration(
      describe_l1_jacobi);
  } // namespace
} // namespace tessera
