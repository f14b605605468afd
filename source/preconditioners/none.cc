#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/none.h>

#include <algorithm>

namespace tessera
{
  template <class Number>
  None<Number>::None(const Operator<Number> &A) : ones(A.make_vector())
  {
    std::vector<Number> values(ones.size(), Number(0));
    std::fill_n(values.begin(), ones.n_owned(), Number(1));
    ones.copy_from(values);
  }

  template <class Number>
  void
  None<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                      const Stream stream) const
  {
    const std::size_t bytes = sizeof(Number) * ones.n_owned();
    if (ones.backend() == Backend::host)
      std::copy_n(r.data(), ones.n_owned(), z.data());
    else
      runtime::copy_async(z.data(), r.data(), bytes,
                          runtime::Copy::device_to_device, stream);
  }

  /// Counts r and z once each, as `apply` moves them.
  template <class Number>
  Traffic
  None<Number>::traffic() const
  {
    const std::uint64_t vector = sizeof(Number) * ones.n_owned();
    return {2 * vector, vector};
  }

  template class None<double>;
  template class None<float>;


  namespace
  {
    PreconditionerDescriptor
    describe_none()
    {
      PreconditionerDescriptor d{
        "none", "M = 1: conjugate gradients without preconditioning",
        "RegulyGiles2015, section 5.1"};
      d.is_diagonal = true;
      d.made_by(
        [](auto number, const auto &A, const PreconditionerProblem &, Stream) {
          return std::make_unique<None<decltype(number)>>(A);
        });
      d.memory = [](const PreconditionerCounts &n) {
        return PreconditionerMemory{n.vectors(1)};
      };
      d.moved = [](const PreconditionerCounts &n) { return n.vectors(2); };
      return d;
    }

    const Registration<PreconditionerDescriptor> none_registration(
      describe_none);
  } // namespace
} // namespace tessera
