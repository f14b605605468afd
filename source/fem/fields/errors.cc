#include <tessera/base/error.h>
#include <tessera/fem/fields/errors.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_values.h>

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tessera
{
  namespace
  {
    const std::string exact_entry    = "Exact solution/Function expression";
    const std::string gradient_entry = "Exact solution/Gradient expression";

    template <int dim>
    dealii::Quadrature<dim>
    rule(const dealii::FiniteElement<dim> &fe)
    {
      if (fe.reference_cell().is_simplex())
        return dealii::QWitherdenVincentSimplex<dim>(fe.degree + 3);
      return dealii::QGauss<dim>(fe.degree + 3);
    }

    template <class Parsers>
    const auto &
    of_thread(const Parsers &parsers)
    {
      return *parsers[omp_get_thread_num() % parsers.size()];
    }

    /// Throws ParameterError with the first point at which the solution or its
    /// gradient is not finite.
    template <int dim>
    [[noreturn]] void
    refuse(const dealii::Mapping<dim> &mapping,
           const dealii::DoFHandler<dim> &dof_handler,
           const dealii::Quadrature<dim> &quadrature,
           const dealii::Function<dim> &exact, const Division *const division)
    {
      dealii::FEValues<dim> values(mapping, dof_handler.get_fe(), quadrature,
                                   dealii::update_quadrature_points);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          if (!is_here(division, cell))
            continue;
          values.reinit(cell);
          for (const auto &p : values.get_quadrature_points())
            {
              for (unsigned int c = 0; c < exact.n_components; ++c)
                {
                  if (!std::isfinite(exact.value(p, c)))
                    throw ParameterError("The expression of '" + exact_entry +
                                         "' is not a finite number at " +
                                         place<dim>(&p[0]) + '.');
                  const auto gradient = exact.gradient(p, c);
                  if (!std::all_of(
                        gradient.begin_raw(), gradient.end_raw(),
                        [](const double g) { return std::isfinite(g); }))
                    throw ParameterError("The gradient of '" + exact_entry +
                                         "' is not finite at " +
                                         place<dim>(&p[0]) + "; give it by '" +
                                         gradient_entry + "'.");
                }
            }
        }
      throw ParameterError("The values of '" + exact_entry +
                           "' are too large: their squares are not finite.");
    }
  } // namespace


  template <int dim>
  void
  ExactSolution<dim>::declare(Parameters &parameters)
  {
    parameters.declare(exact_entry, "", Patterns::Anything(),
                       "u, a formula of x, y and z; empty: it is not known");
    parameters.declare(gradient_entry, "", Patterns::Anything(),
                       "du/dx; du/dy, in three dimensions also du/dz; empty: "
                       "differences of fourth order");
  }


  template <int dim>
  std::unique_ptr<ExactSolution<dim>>
  ExactSolution<dim>::read(const Parameters &parameters, const int n_components)
  {
    if (parameters.get(exact_entry).empty())
      {
        if (!parameters.get(gradient_entry).empty())
          throw ParameterError("'" + gradient_entry + "' needs '" +
                               exact_entry + "', which is empty.");
        return {};
      }
    auto exact         = std::make_unique<ExactSolution>(n_components);
    const auto parsers = [](const Expression<dim> &expression) {
      Parsers result(omp_get_max_threads());
      for (auto &parser : result)
        parser = expression.function();
      return result;
    };
    exact->u =
      parsers(Expression<dim>(parameters, exact_entry, {n_components}));
    if (!parameters.get(gradient_entry).empty())
      exact->grad_u = parsers(
        Expression<dim>(parameters, gradient_entry, {n_components * dim}));
    return exact;
  }


  template <int dim>
  double
  ExactSolution<dim>::value(const dealii::Point<dim> &p,
                            const unsigned int component) const
  {
    return of_thread(u).value(p, component);
  }


  template <int dim>
  dealii::Tensor<1, dim>
  ExactSolution<dim>::gradient(const dealii::Point<dim> &p,
                               const unsigned int component) const
  {
    if (grad_u.empty())
      return of_thread(u).gradient(p, component);
    dealii::Tensor<1, dim> result;
    for (int d = 0; d < dim; ++d)
      result[d] = of_thread(grad_u).value(p, component * dim + d);
    return result;
  }


  template <int dim>
  void
  ExactSolution<dim>::set_time(const double t)
  {
    dealii::Function<dim>::set_time(t);
    for (Parsers *const parsers : {&u, &grad_u})
      for (const auto &parser : *parsers)
        parser->set_time(t);
  }


  template <int dim>
  ErrorNorms
  error_norms(const dealii::Mapping<dim> &mapping,
              const dealii::DoFHandler<dim> &dof_handler,
              const dealii::Vector<double> &solution,
              const dealii::Function<dim> &exact,
              const Division *const division)
  {
    // Squares of the four norms have a sum for each block of cells, so that the
    // order of summation does not depend on the threads.
    using Squares                       = std::array<double, 4>;
    constexpr std::ptrdiff_t block_size = 256;
    std::vector<typename dealii::DoFHandler<dim>::active_cell_iterator> cells;
    cells.reserve(dof_handler.get_triangulation().n_active_cells());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (is_here(division, cell))
        cells.push_back(cell);
    const auto n_cells  = static_cast<std::ptrdiff_t>(cells.size());
    const auto n_blocks = (n_cells + block_size - 1) / block_size;
    std::vector<Squares> blocks(n_blocks, Squares{});
    const auto quadrature = rule(dof_handler.get_fe());
#pragma omp parallel
    {
      dealii::FEValues<dim> values(
        mapping, dof_handler.get_fe(), quadrature,
        dealii::update_values | dealii::update_gradients |
          dealii::update_quadrature_points | dealii::update_JxW_values);
      std::vector<double> u(quadrature.size());
      std::vector<dealii::Tensor<1, dim>> grad_u(quadrature.size());
#pragma omp for schedule(static)
      for (std::ptrdiff_t block = 0; block < n_blocks; ++block)
        for (auto c = block * block_size;
             c < std::min(n_cells, (block + 1) * block_size); ++c)
          {
            values.reinit(cells[c]);
            for (unsigned int k = 0; k < exact.n_components; ++k)
              {
                const auto &component =
                  values[dealii::FEValuesExtractors::Scalar(k)];
                component.get_function_values(solution, u);
                component.get_function_gradients(solution, grad_u);
                for (unsigned int q = 0; q < quadrature.size(); ++q)
                  {
                    const auto &p       = values.quadrature_point(q);
                    const double v      = exact.value(p, k);
                    const auto grad_v   = exact.gradient(p, k);
                    const double dx     = values.JxW(q);
                    const double sums[] = {(u[q] - v) * (u[q] - v),
                                           (grad_u[q] - grad_v).norm_square(),
                                           v * v, grad_v.norm_square()};
                    for (int i = 0; i < 4; ++i)
                      blocks[block][i] += sums[i] * dx;
                  }
              }
          }
    }
    Squares sum{};
    for (const auto &block : blocks)
      for (int i = 0; i < 4; ++i)
        sum[i] += block[i];
    const auto check = [&]() {
      if (!std::isfinite(sum[2]) || !std::isfinite(sum[3]))
        refuse(mapping, dof_handler, quadrature, exact, division);
    };
    if (division == nullptr)
      check();
    else
      {
        division->processes().collectively(check);
        std::vector<double> of_all(sum.begin(), sum.end());
        sum_up(division, of_all);
        std::copy(of_all.begin(), of_all.end(), sum.begin());
      }
    return {std::sqrt(sum[0]), std::sqrt(sum[1]), std::sqrt(sum[2]),
            std::sqrt(sum[3])};
  }


  double
  convergence_rate(const double error_before, const double error,
                   const unsigned int n_cells_before,
                   const unsigned int n_cells, const int dim)
  {
    return dim * std::log(error_before / error) /
           std::log(static_cast<double>(n_cells) / n_cells_before);
  }


  bool
  below_resolution(const double error, const double norm,
                   const double n_iterations, const double solver_tolerance,
                   const double epsilon)
  {
    // Conjugate gradients take about sqrt(condition) iterations, and a residual
    // of relative size tol leaves an error of about sqrt(condition) tol. The
    // error of the gradient on the plate with a hole, an unstructured mesh, is
    // 0.3 (degree 1) to 0.25 (degree 4) times iterations tol for tolerances of
    // 1e-6 and 1e-10. Rounding in float leaves 2 to 3 times iterations epsilon.
    return error <=
           norm * n_iterations * std::max(solver_tolerance, 10. * epsilon);
  }


  template class ExactSolution<2>;
  template class ExactSolution<3>;
  template ErrorNorms
  error_norms(const dealii::Mapping<2> &, const dealii::DoFHandler<2> &,
              const dealii::Vector<double> &, const dealii::Function<2> &,
              const Division *);
  template ErrorNorms
  error_norms(const dealii::Mapping<3> &, const dealii::DoFHandler<3> &,
              const dealii::Vector<double> &, const dealii::Function<3> &,
              const Division *);
} // namespace tessera
