#include "classical_cg.cuh"
#include "cg_recurrence.h"

namespace tessera
{
  template <class Number>
  CGRecurrence<Number>::CGRecurrence(
    const Operator<Number> &A, const Preconditioner<Number> &preconditioner,
    std::shared_ptr<const Communicator> communicator)
    : state(A.backend(), 1), sums(A.backend(), n_cg_sums),
      history(A.backend(), cg_history), A(A), preconditioner(preconditioner),
      communicator(communicator ? std::move(communicator)
                                : std::make_shared<Communicator>()),
      r(A.make_vector()), p(A.make_vector()), q(A.make_vector()),
      n_blocks(pass_blocks(A.backend(), A.n_owned())),
      partial(A.backend(), std::size_t(n_cg_sums) * n_blocks),
      counters(A.backend(), n_cg_sums)
  {}

  template <class Number>
  void
  CGRecurrence<Number>::true_residual(const Vector<Number> &x,
                                      const Number *const b,
                                      const Stream stream)
  {
    A.vmult(q, x, Epilogue<Number>::store(), stream);
    CGTrueResidual<Number> work{};
    work.b = b;
    work.q = q.data();
    run(work, stream);
    communicator->sum(sums.data(), sum_r_r + 1, stream);
  }

  namespace
  {
    /// With a diagonal preconditioner, an iteration moves 10 numbers per degree
    /// of freedom in addition to the operator: the first part reads r, q and
    /// M^-1 and writes r; the second part reads x, r, M^-1 and p and writes x
    /// and p.
    template <class Number>
    class ClassicalCG : public CGRecurrence<Number>
    {
    public:
      ClassicalCG(const Operator<Number> &A,
                  const Preconditioner<Number> &preconditioner,
                  std::shared_ptr<const Communicator> communicator)
        : CGRecurrence<Number>(A, preconditioner, std::move(communicator))
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
        precondition_and_sum(data, sum_b_b + 1, stream);
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
            precondition_and_sum(data, sum_r_r + 1, stream);
            this->run(CGAdvance<Number>{data}, stream);
          }
      }

      std::uint64_t
      vector_bytes() const override
      {
        // The same if M is not diagonal: r.z then reads r and z once more, and
        // p = z + beta p reads z instead of r and M^-1.
        return 10 * sizeof(Number) * this->A.n_owned();
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
                this->state.data(),
                this->history.data(),
                this->sums.data()};
      }

      /// Must be called after r has changed. Computes z and r.z if M is not
      /// diagonal, and sums the scalars over all parts.
      void
      precondition_and_sum(const CGData<Number> &data, const int n_sums,
                           const Stream stream)
      {
        if (data.weight == nullptr)
          {
            this->preconditioner.apply(z, this->r, stream);
            this->run(CGDot<Number>{data}, stream);
          }
        this->communicator->sum(this->sums.data(), n_sums, stream);
      }

      Vector<Number> z; ///< used only if M is not diagonal
    };
  } // namespace

  template <class Number>
  std::unique_ptr<CGRecurrence<Number>>
  make_classical_cg(const Operator<Number> &A,
                    const Preconditioner<Number> &preconditioner,
                    std::shared_ptr<const Communicator> communicator)
  {
    return std::make_unique<ClassicalCG<Number>>(A, preconditioner,
                                                 std::move(communicator));
  }

#define INSTANTIATE(Number)                                                 \
  template class CGRecurrence<Number>;                                      \
  template std::unique_ptr<CGRecurrence<Number>> make_classical_cg<Number>( \
    const Operator<Number> &, const Preconditioner<Number> &,               \
    std::shared_ptr<const Communicator>);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
