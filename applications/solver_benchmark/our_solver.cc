#include "our_solver.h"

#include <tessera/base/error.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/solvers/defect_correction.h>

#include <functional>

using namespace tessera;

namespace
{
  const std::string defect_correction = "defect_correction";

  /// Solves by a function that owns what it needs.
  template <class Number>
  struct OurSolver : benchmarks::Solver<Number>
  {
    using Work = std::function<CGResult(
      Vector<Number> &, const Vector<Number> &, const CGControl &)>;

    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b,
          const CGControl &control) override
    {
      x.zero();
      return work(x, b, control);
    }

    double
    iteration_bytes() const override
    {
      return bytes;
    }

    Work work;
    double bytes = 0;
  };

  /// Makes a solver, of which an iteration is one of `cg`.
  template <class Number, class NumberOfM>
  std::unique_ptr<benchmarks::Solver<Number>>
  make_solver(const std::string &method, const CG<NumberOfM> &cg,
              const double product_bytes, const Preconditioner<NumberOfM> &M,
              const Backend backend, typename OurSolver<Number>::Work work)
  {
    auto solver        = std::make_unique<OurSolver<Number>>();
    solver->work       = std::move(work);
    solver->method     = method;
    solver->parameters = M.parameters();
    solver->bytes =
      product_bytes + cg.vector_bytes() +
      (M.inverse_diagonal() == nullptr ? M.traffic().compulsory : 0);
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return solver;
  }

  template <class Number>
  std::unique_ptr<benchmarks::Solver<Number>>
  make_cg(const Operator<Number> &A, const double product_bytes,
          const SharedPreconditioner<Number> &M, const std::string &asked_for)
  {
    const std::string method =
      asked_for == "auto" ? choose_cg_method(A, *M) : asked_for;
    const auto cg = std::make_shared<CG<Number>>(A, *M, method);
    return make_solver<Number>(
      method, *cg, product_bytes, *M, A.backend(),
      [M, cg](Vector<Number> &x, const Vector<Number> &b,
              const CGControl &control) { return cg->solve(x, b, control); });
  }
} // namespace


std::vector<std::string>
method_names()
{
  std::vector<std::string> names = cg_method_names();
  names.insert(names.end(), {"auto", defect_correction});
  return names;
}


template <class Number>
std::unique_ptr<benchmarks::Solver<Number>>
make_our_solver(const Operator<Number> &A, const double product_bytes,
                const SharedPreconditioner<Number> &M,
                const std::string &method)
{
  if (method == defect_correction)
    throw ParameterError("The method " + defect_correction +
                         " corrects in float what is solved for in double: it "
                         "needs the number mixed.");
  return make_cg<Number>(A, product_bytes, M, method);
}


std::unique_ptr<benchmarks::Solver<double>>
make_mixed_solver(const Operator<double> &A, const double product_bytes,
                  std::unique_ptr<const Operator<float>> A_float,
                  const double float_product_bytes,
                  std::unique_ptr<const Preconditioner<float>> M,
                  const std::string &method)
{
  if (method != defect_correction)
    return make_cg<double>(
      A, product_bytes,
      std::make_shared<MixedPrecision>(std::move(A_float), std::move(M)),
      method);
  // It counts the iterations of the corrections in float; residuals in double
  // are few and not among its bytes.
  const std::shared_ptr<const Operator<float>> inner(std::move(A_float));
  const std::shared_ptr<const Preconditioner<float>> of_inner(std::move(M));
  const auto correction =
    std::make_shared<DefectCorrection>(A, *inner, *of_inner);
  return make_solver<double>(
    defect_correction, CG<float>(*inner, *of_inner), float_product_bytes,
    *of_inner, A.backend(),
    [inner, of_inner, correction](Vector<double> &x, const Vector<double> &b,
                                  const CGControl &control) {
      return correction->solve(x, b, control);
    });
}


template std::unique_ptr<benchmarks::Solver<double>>
make_our_solver(const Operator<double> &, double,
                const SharedPreconditioner<double> &, const std::string &);
template std::unique_ptr<benchmarks::Solver<float>>
make_our_solver(const Operator<float> &, double,
                const SharedPreconditioner<float> &, const std::string &);
