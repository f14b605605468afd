#include "our_solver.h"

#include <tessera/operators/models.h>
#include <tessera/preconditioners/factory.h>

using namespace tessera;

namespace
{
  template <class Number>
  class OurSolver : public benchmarks::Solver<Number>
  {
  public:
    OurSolver(const Operator<Number> &A, const double product_bytes,
              const SolverChoice &choice)
      : M(make_preconditioner<Number>(choice.preconditioner, A)), cg(A, *M),
        bytes(product_bytes + models::cg_vectors(sizeof(Number)) * A.n_owned() +
              (M->inverse_diagonal() == nullptr ? M->traffic().compulsory : 0))
    {
      if (A.backend() == Backend::cuda)
        runtime::synchronize({});
    }

    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b,
          const CGControl &control) override
    {
      x.zero();
      return cg.solve(x, b, control);
    }

    double
    iteration_bytes() const override
    {
      return bytes;
    }

  private:
    std::unique_ptr<Preconditioner<Number>> M;
    CG<Number> cg;
    double bytes;
  };
} // namespace


template <class Number>
std::unique_ptr<benchmarks::Solver<Number>>
make_our_solver(const Operator<Number> &A, const double product_bytes,
                const SolverChoice &choice)
{
  return std::make_unique<OurSolver<Number>>(A, product_bytes, choice);
}


template std::unique_ptr<benchmarks::Solver<double>>
make_our_solver(const Operator<double> &, double, const SolverChoice &);
template std::unique_ptr<benchmarks::Solver<float>>
make_our_solver(const Operator<float> &, double, const SolverChoice &);
