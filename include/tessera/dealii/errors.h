#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/expression.h>

#include <deal.II/base/function.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/vector.h>

#include <memory>
#include <string>

namespace tessera
{
  /// Section `Exact solution`: u as a formula, and its gradient as a formula
  /// or by differences of fourth order.
  class ExactSolution : public dealii::Function<2>
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Null where the section gives none. Throws ParameterError.
    static std::unique_ptr<ExactSolution>
    read(const Parameters &parameters);

    double
    value(const dealii::Point<2> &p,
          const unsigned int component = 0) const override;

    dealii::Tensor<1, 2>
    gradient(const dealii::Point<2> &p,
             const unsigned int component = 0) const override;

  private:
    std::unique_ptr<dealii::FunctionParser<2>> u, grad_u;
  };

  /// Norms of u_h - u over the domain, by Gauss rules of p+3 points a
  /// direction; `H1` is that of the gradient alone.
  struct ErrorNorms
  {
    double L2;
    double H1;
  };

  ErrorNorms
  error_norms(const dealii::DoFHandler<2> &dof_handler,
              const dealii::Vector<double> &solution,
              const dealii::Function<2> &exact);

  /// r where the error falls as h^r and h as n_cells^(-1/2).
  double
  convergence_rate(double error_before, double error,
                   unsigned int n_cells_before, unsigned int n_cells);
} // namespace tessera
