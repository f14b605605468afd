#include "our_solver.h"

#include <tessera/base/error.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/solvers/defect_correction.h>

using namespace tessera;

namespace
{
  const std::string defect_correction = "defect_correction";

  template <class Number>
  std::string
  method_of(const std::string &name, const Operator<Number> &A,
            const Preconditioner<Number> &M)
  {
    return name == "auto" ? choose_cg_method(A, M) : name;
  }

  template <class Number>
  void
  wait_for(const Operator<Number> &A)
  {
    if (A.backend() == Backend::cuda)
      runtime::synchronize({});
  }

  /// Returns the bytes of an iteration with a solver, a product and M.
  template <class Number>
  double
  bytes_of(const CG<Number> &cg, const double product,
           const Preconditioner<Number> &M)
  {
    return product + cg.vector_bytes() +
           (M.inverse_diagonal() == nullptr ? M.traffic().compulsory : 0);
  }

  template <class Number>
  class OurSolver : public benchmarks::Solver<Number>
  {
  public:
    OurSolver(const Operator<Number> &A, const double product_bytes,
              std::unique_ptr<const Preconditioner<Number>> preconditioner,
              const std::string &method)
      : M(std::move(preconditioner)), chosen(method_of(method, A, *M)),
        cg(A, *M, chosen), bytes(bytes_of(cg, product_bytes, *M))
    {
      wait_for(A);
    }

    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b,
          const CGControl &control) override
    {
      x.zero();
      return cg.solve(x, b, control);
    }

    std::string
    method() const override
    {
      return chosen;
    }

    RecordValues
    parameters() const override
    {
      return M->parameters();
    }

    double
    iteration_bytes() const override
    {
      return bytes;
    }

  private:
    std::unique_ptr<const Preconditioner<Number>> M;
    std::string chosen;
    CG<Number> cg;
    double bytes;
  };

  /// Its iterations are those of the corrections in float; residuals in double
  /// are few and not among its bytes.
  class CorrectionSolver : public benchmarks::Solver<double>
  {
  public:
    CorrectionSolver(const Operator<double> &A,
                     std::unique_ptr<const Operator<float>> of_float,
                     const double product_bytes,
                     std::unique_ptr<const Preconditioner<float>> of_M)
      : A_float(std::move(of_float)), M(std::move(of_M)),
        correction(A, *A_float, *M),
        bytes(bytes_of(CG<float>(*A_float, *M), product_bytes, *M))
    {
      wait_for(A);
    }

    CGResult
    solve(Vector<double> &x, const Vector<double> &b,
          const CGControl &control) override
    {
      x.zero();
      return correction.solve(x, b, control);
    }

    std::string
    method() const override
    {
      return defect_correction;
    }

    RecordValues
    parameters() const override
    {
      return M->parameters();
    }

    double
    iteration_bytes() const override
    {
      return bytes;
    }

  private:
    std::unique_ptr<const Operator<float>> A_float;
    std::unique_ptr<const Preconditioner<float>> M;
    DefectCorrection correction;
    double bytes;
  };

  template <class Number>
  std::unique_ptr<const Preconditioner<Number>>
  preconditioner_of(const Operator<Number> &A, const SolverChoice &choice)
  {
    return make_preconditioner<Number>(choice.preconditioner, A,
                                       choice.problem);
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
                const SolverChoice &choice)
{
  if (choice.method == defect_correction)
    throw ParameterError("The method " + defect_correction +
                         " corrects in float what is solved for in double: it "
                         "needs the number mixed.");
  return std::make_unique<OurSolver<Number>>(
    A, product_bytes, preconditioner_of(A, choice), choice.method);
}


std::unique_ptr<benchmarks::Solver<double>>
make_mixed_solver(const Operator<double> &A, const double product_bytes,
                  std::unique_ptr<const Operator<float>> A_float,
                  const double float_product_bytes, const SolverChoice &choice)
{
  auto M = preconditioner_of(*A_float, choice);
  if (choice.method == defect_correction)
    return std::make_unique<CorrectionSolver>(
      A, std::move(A_float), float_product_bytes, std::move(M));
  return std::make_unique<OurSolver<double>>(
    A, product_bytes,
    std::make_unique<MixedPrecision>(std::move(A_float), std::move(M)),
    choice.method);
}


template std::unique_ptr<benchmarks::Solver<double>>
make_our_solver(const Operator<double> &, double, const SolverChoice &);
template std::unique_ptr<benchmarks::Solver<float>>
make_our_solver(const Operator<float> &, double, const SolverChoice &);
