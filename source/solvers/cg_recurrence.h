#pragma once

#include <tessera/matrix/row_matrix.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include "cg_state.h"

namespace tessera
{
  /// Base class of the ways to compute conjugate gradients. They share the
  /// state, the sums and the memory of these.
  template <class Number>
  class CGRecurrence
  {
  public:
    CGRecurrence(const Operator<Number> &A,
                 const Preconditioner<Number> &preconditioner);
    virtual ~CGRecurrence() = default;

    /// Computes the residual of x and sets the state.
    virtual void
    start(const Vector<Number> &x, const Number *b, const CGStart &start,
          Stream stream) = 0;

    /// Runs `n` iterations.
    virtual void
    iterate(Number *x, int n, Stream stream) = 0;

    virtual void
    finish(Number *, Stream)
    {}

    /// Returns how many iterations shall pass between two looks of the host
    /// after `done` iterations, where `asked` suits kernels of a few
    /// microseconds and about `left` more iterations are expected. A
    /// preconditioner with kernels of its own is worth fewer of them at the
    /// start, where nothing is known yet, and towards the end, since iterations
    /// after convergence are wasted. On the host such a preconditioner takes
    /// much longer than a look.
    int
    between_looks(const int asked, const int done, const double left) const
    {
      const bool diagonal = preconditioner.inverse_diagonal() != nullptr;
      if (A.backend() == Backend::host && !diagonal)
        return 1;
      const int n =
        diagonal || (done >= asked && left >= 2. * asked) ? asked : asked / 8;
      return n < 1 ? 1 : n > cg_history / 2 ? cg_history / 2 : n;
    }

    virtual std::uint64_t
    vector_bytes() const = 0;

    /// Computes |b - A x|^2 into sums[sum_r_r], |D^-1 (b - A x)|^2 into
    /// sums[sum_r_scaled] and |x|^2 into sums[sum_r_z]; only q is overwritten.
    void
    true_residual(const Vector<Number> &x, const Number *b, Stream stream);

    /// Returns how D^-1 is computed.
    CGScaling<Number>
    scaling() const;

    Array<CGState> state;
    Array<double> sums;
    Array<double> history; ///< [cg_history]

  protected:
    /// Runs a pass whose sums are stored from `first` on.
    template <class Work>
    void
    run(const Work &work, Stream stream, int first = 0);

    /// Computes |b|^2 and |D^-1 b|^2, over all parts.
    void
    sum_right_hand_side(const Number *b, Stream stream);

    /// Sets r to a vector divided by the mean of its entries over all parts.
    /// Returns the mean.
    double
    normalize_into_r(const Vector<Number> &x);

    const Operator<Number> &A;
    const Preconditioner<Number> &preconditioner;
    std::shared_ptr<const Communicator> communicator;
    Vector<Number> r, p, q;
    /// The diagonal of A for D, or null if M is the same.
    const std::unique_ptr<const Jacobi<Number>> jacobi;

  private:
    double mean_of_inverse; ///< of the diagonal
    int n_blocks;
    Array<double> partial;
    Array<unsigned int> counter;
  };

  /// Runs a pass of a recurrence.
  template <class Number>
  template <class Work>
  void
  CGRecurrence<Number>::run(const Work &work, const Stream stream,
                            const int first)
  {
    pass_over(A.backend(), A.n_owned(), work,
              {partial.data(), counter.data(), sums.data() + first, n_blocks},
              stream);
  }
} // namespace tessera
