#pragma once

#include <tessera/fem/distributed/division.h>
#include <tessera/fem/input/expression.h>
#include <tessera/space/space.h>

#include <deal.II/base/function.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// The section `Exact solution` of a parameter file: u is given by a formula,
  /// its gradient by a formula or by finite differences of fourth order. With
  /// several components, u has a formula for each and the gradient dim
  /// formulas for each. All threads may use the same object.
  template <int dim>
  class ExactSolution : public dealii::Function<dim>
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Reads the section. Returns null if it does not give u. Throws
    /// ParameterError if an expression cannot be parsed or the gradient is
    /// given without u.
    static std::unique_ptr<ExactSolution>
    read(const Parameters &parameters, int n_components = 1);

    /// Without a formula of the gradient there is none.
    ExactSolution(Expression<dim> u, std::optional<Expression<dim>> gradient);

    double
    value(const dealii::Point<dim> &p,
          const unsigned int component = 0) const override;

    dealii::Tensor<1, dim>
    gradient(const dealii::Point<dim> &p,
             const unsigned int component = 0) const override;

    void
    value_list(const std::vector<dealii::Point<dim>> &points,
               std::vector<double> &values,
               unsigned int component = 0) const override;

    void
    gradient_list(const std::vector<dealii::Point<dim>> &points,
                  std::vector<dealii::Tensor<1, dim>> &gradients,
                  unsigned int component = 0) const override;

    void
    set_time(double t) override;

    /// Evaluates u and its gradient at points in the memory of a backend.
    struct AtPoints
    {
      std::unique_ptr<FormulasAtPoints> u, grad_u;

      /// False if the host has to evaluate them.
      explicit operator bool() const
      {
        return u != nullptr;
      }

      /// Sets the values of a component at all places of a piece.
      void
      evaluate(int component, const PointPiece &piece, double *values) const;

      void
      differentiate(int component, int direction, const PointPiece &piece,
                    double *values) const;
    };

    AtPoints
    at_points(Backend backend) const;

  private:
    Expression<dim> of_u;
    std::optional<Expression<dim>> of_gradient;
    std::unique_ptr<dealii::Function<dim>> u, grad_u; ///< grad_u or null
  };

  /// Norms over the domain of the error u_h - u and, for scaling, of u. `H1` is
  /// the norm of the gradient alone (the seminorm). Squares are summed over
  /// components. `maximum` is the largest |u_h - u| of a component at a point
  /// of the quadrature.
  struct ErrorNorms
  {
    double L2;
    double H1;
    double maximum;
    double L2_of_exact;
    double H1_of_exact;
  };

  /// Computes the norms of the function u of a space, [n_local][n_components]
  /// (`local_values`), with all threads; the result does not depend on their
  /// number. The quadrature is the Gauss rule of p + 3 points per direction, or
  /// on simplices a rule of the same degree 2p + 5. Throws ParameterError if
  /// the exact solution or its gradient is not finite everywhere. If the
  /// problem is divided, each process integrates over its own cells, and all
  /// get the norms. The device of `cells`, if given, computes norms for an
  /// `ExactSolution` whose formulas it can evaluate.
  template <int dim>
  ErrorNorms
  error_norms(const Space &space, const std::vector<double> &u,
              const dealii::Function<dim> &exact, const Division &division = {},
              const std::shared_ptr<const CellData<double>> &cells = nullptr);

  /// Throws what `error_norms` throws for an exact solution.
  template <int dim>
  void
  check_finite(const dealii::Function<dim> &exact, const Space &space,
               const Division &division                             = {},
               const std::shared_ptr<const CellData<double>> &cells = nullptr);

  /// Returns the rate r for which the error falls as h^r, where h is
  /// proportional to n_cells^(-1/dim).
  double
  convergence_rate(double error_before, double error,
                   unsigned int n_cells_before, unsigned int n_cells,
                   int dim = 2);

  /// Returns true if an error may be due to the solver's tolerance or to
  /// rounding rather than to the mesh. Refinement then need not reduce the
  /// error, so no convergence rate can be demanded. `norm` is the norm of the
  /// solution that the error is compared with, `n_iterations` the number of
  /// iterations of the solver, and `epsilon` the machine epsilon of the number
  /// type.
  bool
  below_resolution(double error, double norm, double n_iterations,
                   double solver_tolerance, double epsilon);
} // namespace tessera
