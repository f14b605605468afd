#include <tessera/base/vector_operations.h>

#include "cg_recurrence.h"
#include "classical_cg.cuh"

namespace tessera
{
  template <class Number>
  CGRecurrence<Number>::CGRecurrence(
    const Operator<Number> &A, const Preconditioner<Number> &preconditioner)
    : state(A.backend(), 1), sums(A.backend(), n_cg_sums),
      history(A.backend(), cg_history), A(A), preconditioner(preconditioner),
      communicator(A.parts().communicator()), r(A.make_vector()),
      p(A.make_vector()), q(A.make_vector()),
      jacobi(dynamic_cast<const Jacobi<Number> *>(&preconditioner) == nullptr
               ? std::make_unique<const Jacobi<Number>>(A)
               : nullptr),
      n_blocks(pass_blocks(A.backend(), A.n_owned())),
      partial(A.backend(), std::size_t(n_cg_sums) * n_blocks),
      counter(A.backend(), 1)
  {
    mean_of_inverse =
      normalize_into_r(*(jacobi ? *jacobi : preconditioner).inverse_diagonal());
    r.zero();
  }

  template <class Number>
  double
  CGRecurrence<Number>::normalize_into_r(const Vector<Number> &x)
  {
    const VectorOperations<Number> on(A.backend(), A.n_owned(), *communicator);
    on.combine(Number(1), x, Number(0), r);
    return on.normalize(r);
  }

  template <class Number>
  CGScaling<Number>
  CGRecurrence<Number>::scaling() const
  {
    return {(jacobi ? *jacobi : preconditioner).inverse_diagonal()->data(),
            1 / mean_of_inverse};
  }

  template <class Number>
  void
  CGRecurrence<Number>::sum_right_hand_side(const Number *const b,
                                            const Stream stream)
  {
    CGRightHandSide<Number> work{};
    work.b       = b;
    work.scaling = scaling();
    run(work, stream, sum_b_b);
    communicator->sum(sums.data() + sum_b_b, n_cg_sums - sum_b_b, stream);
  }

  template <class Number>
  void
  CGRecurrence<Number>::true_residual(const Vector<Number> &x,
                                      const Number *const b,
                                      const Stream stream)
  {
    A.vmult(q, x, Epilogue<Number>::store(), stream);
    CGTrueResidual<Number> work{};
    work.b        = b;
    work.q        = q.data();
    work.scaling  = scaling();
    work.solution = x.data();
    run(work, stream);
    communicator->sum(sums.data(), sum_r_scaled + 1, stream);
  }

  namespace
  {
    /// With Jacobi's preconditioner, an iteration moves 10 numbers per degree
    /// of freedom in addition to the operator: the first part reads r, q and
    /// M^-1 and writes r; the second part reads x, r, M^-1 and p and writes x
    /// and p. With others the first part reads D^-1, too.
    template <class Number>
    class ClassicalCG : public CGRecurrence<Number>
    {
    public:
      ClassicalCG(const Operator<Number> &A,
                  const Preconditioner<Number> &preconditioner)
        : CGRecurrence<Number>(A, preconditioner)
      {
        if (preconditioner.inverse_diagonal() == nullptr)
          z = A.make_vector();
      }

      void
      start(const Vector<Number> &x, const Number *const b,
            const CGStart &start, const Stream stream) override
      {
        // The kernels of the start do not touch x.
        const CGData<Number> data = this->data(nullptr, b);
        this->A.vmult(this->q, x, Epilogue<Number>::store(), stream);
        this->run(CGResidual<Number>{data}, stream);
        precondition_and_sum(data, stream);
        this->sum_right_hand_side(b, stream);
        this->run(CGBegin<Number>{data, start}, stream);
      }

      void
      iterate(Number *const x, const int n, const Stream stream) override
      {
        const CGData<Number> data = this->data(x, nullptr);
        for (int i = 0; i < n; ++i)
          {
            double *const p_q = this->sums.data() + sum_p_q;
            this->A.vmult(this->q, this->p, Epilogue<Number>::dot(p_q), stream);
            this->communicator->sum(p_q, 1, stream);
            this->run(CGUpdate<Number>{data}, stream);
            precondition_and_sum(data, stream);
            this->run(CGAdvance<Number>{data}, stream);
          }
      }

      std::uint64_t
      vector_bytes() const override
      {
        // The same if M is not diagonal: r.z then reads r and z once more, and
        // p = z + beta p reads z instead of r and M^-1.
        return (this->jacobi ? 11 : 10) * sizeof(Number) * this->A.n_owned();
      }

    private:
      /// Returns the arguments of the kernels. `b` is needed only at the start.
      CGData<Number>
      data(Number *const x, const Number *const b)
      {
        const Vector<Number> *diagonal =
          this->preconditioner.inverse_diagonal();
        return {{},
                x,
                this->r.data(),
                this->p.data(),
                this->q.data(),
                b,
                diagonal != nullptr ? diagonal->data() : nullptr,
                z.data(),
                this->scaling(),
                this->state.data(),
                this->history.data(),
                this->sums.data()};
      }

      /// Must be called after r has changed. Computes z and r.z if M is not
      /// diagonal, and sums the scalars over all parts.
      void
      precondition_and_sum(const CGData<Number> &data, const Stream stream)
      {
        if (data.weight == nullptr)
          {
            this->preconditioner.apply(z, this->r, stream);
            this->run(CGDot<Number>{data}, stream);
          }
        this->communicator->sum(this->sums.data(), sum_r_scaled + 1, stream);
      }

      Vector<Number> z; ///< used only if M is not diagonal
    };

    template <class Number>
    std::unique_ptr<CGRecurrence<Number>>
    make_classical_cg(const Operator<Number> &A,
                      const Preconditioner<Number> &preconditioner)
    {
      return std::make_unique<ClassicalCG<Number>>(A, preconditioner);
    }

    CGMethodDescriptor
    describe_classical()
    {
      CGMethodDescriptor d{
        "classical",
        "two passes over vectors beside each product, two sums in turn",
        "RegulyGiles2015, section 5.1"};
      d.made_by(
        [](const auto &A, const auto &M) { return make_classical_cg(A, M); },
        // What works with everything suits if nothing else does.
        [](const auto &, const auto &) { return 1; });
      return d;
    }

    const Registration<CGMethodDescriptor> classical_registration(
      describe_classical);
  } // namespace

  template class CGRecurrence<double>;
  template class CGRecurrence<float>;
} // namespace tessera
