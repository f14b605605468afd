#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/expression.h>

#include <deal.II/base/function.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// Section `Exact solution`: u as a formula, and its gradient as a formula
  /// or by differences of fourth order. All threads may call one object.
  template <int dim>
  class ExactSolution : public dealii::Function<dim>
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Null where the section gives none. Throws ParameterError.
    static std::unique_ptr<ExactSolution>
    read(const Parameters &parameters);

    double
    value(const dealii::Point<dim> &p,
          const unsigned int component = 0) const override;

    dealii::Tensor<1, dim>
    gradient(const dealii::Point<dim> &p,
             const unsigned int component = 0) const override;

  private:
    /// One a thread: those that share a parser wait for its lock.
    using Parsers = std::vector<std::unique_ptr<dealii::FunctionParser<dim>>>;
    Parsers u, grad_u;
  };

  /// Norms over the domain of u_h - u and, as their scale, of u; `H1` is that
  /// of the gradient alone.
  struct ErrorNorms
  {
    double L2;
    double H1;
    double L2_of_exact;
    double H1_of_exact;
  };

  /// By Gauss rules of p + 3 points a direction, on simplices by rules of the
  /// same degree 2p + 5; by all threads, the same for any number of them.
  /// Throws ParameterError where u or its gradient is not finite everywhere.
  template <int dim>
  ErrorNorms
  error_norms(const dealii::Mapping<dim> &mapping,
              const dealii::DoFHandler<dim> &dof_handler,
              const dealii::Vector<double> &solution,
              const dealii::Function<dim> &exact);

  /// r where the error falls as h^r and h as n_cells^(-1/dim).
  double
  convergence_rate(double error_before, double error,
                   unsigned int n_cells_before, unsigned int n_cells,
                   int dim = 2);

  /// True for an error that, compared with the norm of the solution, may be due
  /// to the solver's tolerance or to the rounding of numbers with this epsilon
  /// rather than to the mesh: refinement need not reduce it, so that no rate
  /// can be asked of it. `n_iterations` is how many the solver took.
  bool
  below_resolution(double error, double norm, double n_iterations,
                   double solver_tolerance, double epsilon);
} // namespace tessera
