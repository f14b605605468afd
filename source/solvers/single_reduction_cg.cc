#include <tessera/base/error.h>

#include "single_reduction_cg.h"

namespace tessera
{
  namespace
  {
    template <class Number>
    const Vector<Number> &
    diagonal_of(const Preconditioner<Number> &preconditioner)
    {
      const Vector<Number> *diagonal = preconditioner.inverse_diagonal();
      if (diagonal == nullptr)
        throw ParameterError(
          "Conjugate gradients of one reduction need a diagonal "
          "preconditioner in the number type of the solve, which " +
          preconditioner.name() + " is not; classical is for any.");
      return *diagonal;
    }

    /// Copies values between arrays on one backend.
    void
    copy(Array<double> &to, const Array<double> &from, const Stream stream)
    {
      if (to.backend() == Backend::host)
        std::copy_n(from.data(), from.size(), to.data());
      else
        runtime::copy_async(to.data(), from.data(), from.bytes(),
                            runtime::Copy::device_to_device, stream);
    }
  } // namespace

  template <class Number>
  SingleReductionCG<Number>::SingleReductionCG(
    const Operator<Number> &A, const Preconditioner<Number> &preconditioner)
    : CGRecurrence<Number>(A, preconditioner), s(A.make_vector()),
      weight(A.backend(), A.n_owned()), own_sums(A.backend(), n_cg_sums)
  {
    factor = this->normalize_into_r(diagonal_of(preconditioner));
    for_each(A.backend(), A.n_owned(),
             Rounding<Number>{weight.data(), this->r.data()});
    this->r.zero();
  }

  template <class Number>
  SingleReductionData<Number>
  SingleReductionCG<Number>::data(Number *const x, const Number *const b)
  {
    return {{},
            x,
            this->p.data(),
            s.data(),
            this->r.data(), // u
            this->q.data(),
            b,
            weight.data(),
            this->jacobi ? this->scaling() : CGScaling<Number>{nullptr, 1},
            this->state.data(),
            this->history.data(),
            this->sums.data()};
  }

  /// The sums that the first iteration adds up over the parts are each part's
  /// own, so that they are kept beside the first state's.
  template <class Number>
  void
  SingleReductionCG<Number>::start(const Vector<Number> &x,
                                   const Number *const b, const CGStart &start,
                                   const Stream stream)
  {
    const SingleReductionData<Number> data = this->data(nullptr, b);
    CGStart scaled                         = start;
    if (start.preconditioned)
      scaled.absolute_squared /= factor;
    this->A.vmult(this->q, x, Epilogue<Number>::store(), stream);
    this->run(SingleReductionResidual<Number>{data}, stream);
    if (this->A.parts().are_several())
      copy(own_sums, this->sums, stream);
    this->communicator->sum(this->sums.data(), sum_r_scaled + 1, stream);
    this->sum_right_hand_side(b, stream);
    this->run(SingleReductionBegin<Number>{data, scaled}, stream);
    if (this->A.parts().are_several())
      copy(this->sums, own_sums, stream);
  }

  template <class Number>
  void
  SingleReductionCG<Number>::iterate(Number *const x, const int n,
                                     const Stream stream)
  {
    const SingleReductionData<Number> data = this->data(x, nullptr);
    for (int i = 0; i < n; ++i)
      {
        double *const u_w = this->sums.data() + sum_p_q;
        GridSum product   = {nullptr, nullptr, u_w, 0};
        this->A.vmult(this->q, this->r,
                      Epilogue<Number>::dot(u_w, this->A.parts().are_several()
                                                   ? nullptr
                                                   : &product),
                      stream);
        this->communicator->sum(this->sums.data(), sum_p_q + 1, stream);
        this->run(SingleReductionAdvance<Number>{data, product}, stream);
      }
  }

  template <class Number>
  void
  SingleReductionCG<Number>::finish(Number *const x, const Stream stream)
  {
    this->run(SingleReductionFinish<Number>{this->data(x, nullptr)}, stream);
  }

  template <class Number>
  std::uint64_t
  SingleReductionCG<Number>::vector_bytes() const
  {
    // u, s and w: 5 numbers; x and p: 4 every second time; D^-1.
    return ((this->jacobi ? 8 : 7) * sizeof(Number) + sizeof(float)) *
           std::uint64_t(this->A.n_owned());
  }

  template class SingleReductionCG<double>;
  template class SingleReductionCG<float>;

  namespace
  {
    template <class Number>
    std::unique_ptr<CGRecurrence<Number>>
    make_single_reduction_cg(const Operator<Number> &A,
                             const Preconditioner<Number> &preconditioner)
    {
      return std::make_unique<SingleReductionCG<Number>>(A, preconditioner);
    }

    CGMethodDescriptor
    describe_single_reduction()
    {
      CGMethodDescriptor d{
        "single_reduction",
        "one pass over vectors beside each product, sums added up together; x "
        "moves every second iteration; for diagonal preconditioners",
        ""};
      d.needs_diagonal = true;
      d.made_by([](const auto &A,
                   const auto &M) { return make_single_reduction_cg(A, M); },
                // On the host the classical one is faster.
                [](const auto &A, const auto &) {
                  return A.backend() == Backend::cuda ? 2 : 0;
                });
      return d;
    }

    const Registration<CGMethodDescriptor> single_reduction_registration(
      describe_single_reduction);
  } // namespace
} // namespace tessera
