#pragma once

#include "cg_recurrence.h"
#include "single_reduction_cg.cuh"

namespace tessera
{
  /// Beside the product an iteration moves 7 numbers per entry and M^-1, which
  /// is kept in float: a diagonal that is rounded is as good a preconditioner.
  template <class Number>
  class SingleReductionCG : public CGRecurrence<Number>
  {
  public:
    /// Throws ParameterError if the preconditioner is not diagonal.
    SingleReductionCG(const Operator<Number> &A,
                      const Preconditioner<Number> &preconditioner);

    void
    start(const Vector<Number> &x, const Number *b, const CGStart &start,
          Stream stream) override;

    void
    iterate(Number *x, int n, Stream stream) override;

    void
    finish(Number *x, Stream stream) override;

    std::uint64_t
    vector_bytes() const override;

  protected:
    SingleReductionData<Number>
    data(Number *x, const Number *b);

  private:
    Vector<Number> s;
    Array<float> weight; ///< M^-1 / factor
    double factor;
    Array<double> own_sums; ///< of this part
  };
} // namespace tessera
