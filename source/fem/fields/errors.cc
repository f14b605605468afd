#include <tessera/base/error.h>
#include <tessera/base/leave_larger.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/space/cell_evaluator.h>

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace tessera
{
  namespace
  {
    const std::string exact_entry    = "Exact solution/Function expression";
    const std::string gradient_entry = "Exact solution/Gradient expression";

    template <int dim>
    QuadratureRule
    rule_of_errors(const Space &space)
    {
      const int n = space.degree + 3;
      if (!is_simplex(space.cell_type))
        return {gauss_points(n), gauss_weights(n)};
      const dealii::QWitherdenVincentSimplex<dim> of_cell(n);
      QuadratureRule result{{}, of_cell.get_weights()};
      for (const auto &point : of_cell.get_points())
        result.points.insert(result.points.end(), point.begin_raw(),
                             point.end_raw());
      return result;
    }

    template <int dim>
    dealii::Point<dim>
    point_of(const CellEvaluator::Batch &batch, const int q, const int lane)
    {
      dealii::Point<dim> p;
      for (int d = 0; d < dim; ++d)
        p[d] = batch.x(d, q, lane);
      return p;
    }

    /// Throws ParameterError if the solution or its gradient is not finite at a
    /// point.
    template <int dim>
    void
    check_at(const dealii::Function<dim> &exact, const dealii::Point<dim> &p)
    {
      for (unsigned int c = 0; c < exact.n_components; ++c)
        {
          if (!std::isfinite(exact.value(p, c)))
            throw ParameterError("The expression of '" + exact_entry +
                                 "' is not a finite number at " +
                                 place<dim>(&p[0]) + '.');
          const auto gradient = exact.gradient(p, c);
          if (!std::all_of(gradient.begin_raw(), gradient.end_raw(),
                           [](const double g) { return std::isfinite(g); }))
            throw ParameterError("The gradient of '" + exact_entry +
                                 "' is not finite at " + place<dim>(&p[0]) +
                                 "; give it by '" + gradient_entry + "'.");
        }
    }

    /// Throws ParameterError with the first point, in the order of the mesh, at
    /// which the solution or its gradient is not finite.
    template <int dim>
    [[noreturn]] void
    refuse(const CellEvaluator &evaluator, const double *const u,
           const dealii::Function<dim> &exact)
    {
      std::vector<int> cells(evaluator.space().n_cells());
      std::iota(cells.begin(), cells.end(), 0);
      const auto &order = evaluator.space().mesh_cell;
      std::sort(cells.begin(), cells.end(),
                [&](const int a, const int b) { return order[a] < order[b]; });
      auto batch = evaluator.make_batch();
      for (const int cell : cells)
        {
          evaluator.evaluate(u, cell / CellEvaluator::lanes, batch);
          for (int q = 0; q < evaluator.n_points(); ++q)
            check_at(exact,
                     point_of<dim>(batch, q, cell % CellEvaluator::lanes));
        }
      throw ParameterError("The values of '" + exact_entry +
                           "' are too large: their squares are not finite.");
    }

    /// Bits have the order of numbers that are not negative, NaN as the
    /// largest.
    std::uint64_t
    bits_of(const double x)
    {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof(bits));
      return bits;
    }


    /// The sums of e^2, |grad e|^2, v^2 and |grad v|^2 over the cells, where v
    /// is the exact solution and e = u - v, and the largest |e|.
    struct Sums
    {
      std::array<double, 4> squares;
      double maximum;
    };

    template <int dim>
    Sums
    sums_on_host(const CellEvaluator &evaluator, const double *const u,
                 const dealii::Function<dim> &exact)
    {
      const int n_components = evaluator.space().n_components;
      std::uint64_t bits     = 0; // of the maximum
      const auto squares =
        evaluator.sum<4>(u, [&](const CellEvaluator::Batch &batch, auto &sums) {
          // A batch is small: memory of its own would cost as much.
          static thread_local std::vector<dealii::Point<dim>> points;
          static thread_local std::vector<double> values;
          static thread_local std::vector<dealii::Tensor<1, dim>> gradients;
          points.clear();
          for (int lane = 0; lane < batch.n_cells; ++lane)
            for (int q = 0; q < evaluator.n_points(); ++q)
              points.push_back(point_of<dim>(batch, q, lane));
          values.resize(points.size());
          gradients.resize(points.size());
          std::uint64_t of_batch = 0;
          for (int k = 0; k < n_components; ++k)
            {
              exact.value_list(points, values, k);
              exact.gradient_list(points, gradients, k);
              for (std::size_t i = 0; i < points.size(); ++i)
                {
                  const int lane  = static_cast<int>(i) / evaluator.n_points();
                  const int q     = static_cast<int>(i) % evaluator.n_points();
                  const double v  = values[i];
                  const auto &dv  = gradients[i];
                  const double dx = batch.dx(q, lane);
                  const double e  = batch.value(k, q, lane) - v;
                  of_batch        = std::max(of_batch, bits_of(std::abs(e)));
                  double of_gradient = 0;
                  for (int d = 0; d < dim; ++d)
                    {
                      const double de = batch.gradient(k, d, q, lane) - dv[d];
                      of_gradient += de * de;
                    }
                  sums[0] += e * e * dx;
                  sums[1] += of_gradient * dx;
                  sums[2] += v * v * dx;
                  sums[3] += dv.norm_square() * dx;
                }
            }
          leave_larger(bits, of_batch);
        });
      double maximum = 0;
      std::memcpy(&maximum, &bits, sizeof(maximum));
      return {squares, maximum};
    }

    template <int dim>
    Sums
    sums_on_device(const std::shared_ptr<const CellData<double>> &cells,
                   const std::vector<double> &u,
                   const typename ExactSolution<dim>::AtPoints &exact)
    {
      const Space &space = cells->space();
      const PointEvaluator evaluator(cells, rule_of_errors<dim>(space),
                                     space.n_components);
      PointPiece piece      = evaluator.make_piece();
      const Backend backend = cells->backend();
      const Array<double> on_device(backend, u);
      Array<double> of_exact(backend, piece.pitch);
      PointSums sums(backend, 4); // of values, then of gradients
      PointMaximum largest(backend);
      for (int p = 0; p < evaluator.n_pieces(); ++p)
        {
          evaluator.evaluate(on_device.data(), p, piece);
          const auto add = [&](const int k, const double *const a) {
            sums.add_squares(k, piece.n, piece.dx.data(), a, of_exact.data());
          };
          for (int c = 0; c < space.n_components; ++c)
            {
              exact.evaluate(c, piece, of_exact.data());
              const double *const values =
                piece.values.data() + c * piece.pitch;
              add(0, values);
              largest.add(piece.n, values, of_exact.data());
              for (int d = 0; d < dim; ++d)
                {
                  exact.differentiate(c, d, piece, of_exact.data());
                  add(2, piece.gradients.data() + (c * dim + d) * piece.pitch);
                }
            }
        }
      const auto totals = sums.totals();
      return {{totals[0], totals[2], totals[1], totals[3]}, largest.total()};
    }
  } // namespace


  template <int dim>
  ErrorNorms
  error_norms(const Space &space, const std::vector<double> &u,
              const dealii::Function<dim> &exact, const Division &division,
              const std::shared_ptr<const CellData<double>> &cells)
  {
    const CellEvaluator evaluator(space, rule_of_errors<dim>(space),
                                  space.n_components);
    typename ExactSolution<dim>::AtPoints at_points;
    const auto *const formulas =
      dynamic_cast<const ExactSolution<dim> *>(&exact);
    if (cells != nullptr && formulas != nullptr)
      at_points = formulas->at_points(cells->backend());
    std::optional<Sums> of_device;
    if (at_points)
      try
        {
          of_device = sums_on_device<dim>(cells, u, at_points);
        }
      catch (const DeviceError &error)
        {
          std::cerr << "note: the host computes the errors: " << error.what()
                    << std::endl;
        }
    const Sums sums =
      of_device ? *of_device : sums_on_host<dim>(evaluator, u.data(), exact);
    division.processes().collectively([&]() {
      if (!std::isfinite(sums.squares[2]) || !std::isfinite(sums.squares[3]))
        refuse(evaluator, u.data(), exact);
    });
    std::vector<double> of_all(sums.squares.begin(), sums.squares.end());
    sum_up(division, of_all);
    return {std::sqrt(of_all[0]), std::sqrt(of_all[1]),
            division.processes().largest(sums.maximum), std::sqrt(of_all[2]),
            std::sqrt(of_all[3])};
  }


  template <int dim>
  void
  check_finite(const dealii::Function<dim> &exact, const Space &space,
               const Division &division,
               const std::shared_ptr<const CellData<double>> &cells)
  {
    const std::vector<double> zero(std::size_t(space.n_local()) *
                                   space.n_components);
    error_norms(space, zero, exact, division, cells);
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


#define INSTANTIATE(dim)                                                       \
  template ErrorNorms error_norms(                                             \
    const Space &, const std::vector<double> &, const dealii::Function<dim> &, \
    const Division &, const std::shared_ptr<const CellData<double>> &);        \
  template void check_finite(const dealii::Function<dim> &, const Space &,     \
                             const Division &,                                 \
                             const std::shared_ptr<const CellData<double>> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
