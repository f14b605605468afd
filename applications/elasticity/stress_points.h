#pragma once

#include "stresses.h"
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/space/cell_projection.h>

#include <deal.II/base/quadrature.h>

#include <deal.II/lac/full_matrix.h>

#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

/// Strains and stresses at single points, from which `stresses.cc`,
/// `nodal_stresses.cc` and `derived_stresses.cc` compute what is asked for.
namespace tessera::stress_points
{
  /// Returns the place of entry (a, b) in SymmetricComponents.
  constexpr int
  component(const int a, const int b)
  {
    return a == b ? a : 2 + a + b;
  }

  /// Returns the matrix that computes values at other points from those at the
  /// points of a rule, by the polynomial of this degree that fits them best.
  template <int dim>
  dealii::FullMatrix<double>
  fit(const dealii::Quadrature<dim> &rule,
      const std::vector<dealii::Point<dim>> &points, const int degree)
  {
    std::vector<std::array<int, 3>> exponents;
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; i + j + k <= (dim == 3 ? degree : i + j); ++k)
          exponents.push_back({i, j, k});
    const auto monomials = [&](const std::vector<dealii::Point<dim>> &at) {
      dealii::FullMatrix<double> values(at.size(), exponents.size());
      for (std::size_t q = 0; q < at.size(); ++q)
        for (std::size_t m = 0; m < exponents.size(); ++m)
          {
            values(q, m) = 1.;
            for (int d = 0; d < dim; ++d)
              values(q, m) *= std::pow(at[q][d], exponents[m][d]);
          }
      return values;
    };
    const auto at_rule = monomials(rule.get_points());
    auto weighted      = at_rule;
    for (std::size_t q = 0; q < rule.size(); ++q)
      for (std::size_t m = 0; m < exponents.size(); ++m)
        weighted(q, m) *= rule.weight(q);
    dealii::FullMatrix<double> normal(exponents.size()),
      from_rule(exponents.size(), rule.size()),
      result(points.size(), rule.size());
    weighted.Tmmult(normal, at_rule);
    normal.gauss_jordan();
    normal.mTmult(from_rule, weighted);
    monomials(points).mmult(result, from_rule);
    return result;
  }

  /// The cells of a problem's space, checked and in the order of the mesh.
  template <int dim>
  struct Cells
  {
    std::vector<int> cells;
    std::vector<int> place; ///< in the space, [n_cells]
    dealii::Quadrature<dim> rule;

    explicit Cells(const StressProblem<dim> &problem)
    {
      const auto &mesh_cell = problem.space.mesh_cell;
      const int n_cells     = problem.cells.n_cells();
      std::vector<int> place_of(n_cells, -1);
      for (std::size_t i = 0; i < mesh_cell.size(); ++i)
        if (mesh_cell[i] < n_cells)
          place_of[mesh_cell[i]] = static_cast<int>(i);
      for (int cell = 0; cell < n_cells; ++cell)
        if (place_of[cell] >= 0)
          {
            cells.push_back(cell);
            place.push_back(place_of[cell]);
          }
      if (problem.cells.n_components() != dim ||
          problem.stiffness.n_components != Stiffness<dim>::n_entries ||
          (dim == 2 && problem.across.n_components != 5) ||
          (problem.expansion && problem.expansion->n_components != 3))
        throw std::length_error("StressProblem: wrong number of components");
      if (problem.u.size() != problem.cells.n_dofs() ||
          mesh_cell.size() != cells.size())
        throw std::length_error("StressProblem: u or space of other cells");
      rule =
        cell_quadrature<dim>(problem.space.cell_type, problem.cells.degree());
    }

    std::ptrdiff_t
    size() const
    {
      return static_cast<std::ptrdiff_t>(cells.size());
    }

    /// Throws std::length_error if they are a part of a mesh that one process
    /// has.
    void
    check_whole(const StressProblem<dim> &problem) const
    {
      if (problem.cells.division().n_processes() == 1 &&
          size() != problem.cells.n_cells())
        throw std::length_error("StressProblem: a space of some cells");
    }
  };

  /// Returns the values at point q of a cell of the space or, with weights of
  /// its nq points, the sum over these.
  template <std::size_t n>
  std::array<double, n>
  fitted_values_at(const Coefficient &c, const std::size_t cell, const int q,
                   const int nq, const double *const weights)
  {
    const bool sums =
      c.kind == Coefficient::Kind::per_quadrature_point && weights != nullptr;
    std::array<double, n> result{};
    for (int k = sums ? 0 : q; k < (sums ? nq : q + 1); ++k)
      {
        const double *const values = values_at(c, cell, k, nq);
        for (std::size_t i = 0; i < n; ++i)
          result[i] += (sums ? weights[k] : 1.) * values[i];
      }
    return result;
  }

  /// The functions of space/cell_projection.h at points, [n][m].
  template <int dim>
  std::vector<double>
  functions_at(const StressProblem<dim> &problem,
               const std::vector<dealii::Point<dim>> &points)
  {
    std::vector<double> coordinates;
    for (const auto &point : points)
      coordinates.insert(coordinates.end(), point.begin_raw(), point.end_raw());
    return projected_functions(problem.space.cell_type, problem.cells.degree(),
                               coordinates);
  }

  /// Strain and stress at the quadrature points of a cell or at any other
  /// points of it. Every thread has one.
  template <int dim>
  struct PointStresses
  {
    /// At the points of the rule.
    PointStresses(const StressProblem<dim> &problem, const Cells<dim> &cells)
      : values(problem.cells, cells.rule.get_points()),
        n(problem.cells.nodes_per_cell()), u(n * dim), problem(problem),
        cells(cells)
    {
      if (problem.b_bar)
        at_points = of_rule = functions_at(problem, cells.rule.get_points());
    }

    /// At points of the reference cell.
    PointStresses(const StressProblem<dim> &problem, const Cells<dim> &cells,
                  const std::vector<dealii::Point<dim>> &points)
      : values(problem.cells, points), n(problem.cells.nodes_per_cell()),
        u(n * dim), problem(problem), cells(cells),
        fitted(fit(cells.rule, points, problem.cells.degree() - 1))
    {
      if (!problem.b_bar)
        return;
      of_rule   = functions_at(problem, cells.rule.get_points());
      at_points = functions_at(problem, points);
      on_rule.emplace(problem.cells, cells.rule.get_points());
    }

    /// Goes to a cell.
    void
    reinit(const std::ptrdiff_t c)
    {
      const std::size_t cell = cells.cells[c];
      values.reinit(cell);
      for (unsigned int i = 0; i < n; ++i)
        for (int a = 0; a < dim; ++a)
          u[i * dim + a] = problem.u[problem.cells.dof(values.nodes()[i], a)];
      place = cells.place[c];
      if (problem.b_bar)
        project_strains(cell);
    }

    /// Returns the volume that belongs to point q of the rule.
    double
    dx(const unsigned int q) const
    {
      return determinant(values.jacobian(q)) * cells.rule.weight(q);
    }

    /// True if strain and stress are the same at all points of a cell.
    bool
    is_constant() const
    {
      const auto differs = [](const Coefficient *const c) {
        return c && c->kind == Coefficient::Kind::per_quadrature_point;
      };
      return is_simplex(problem.space.cell_type) &&
             problem.cells.degree() == 1 &&
             problem.cells.map_element().degree == 1 && !problem.b_bar &&
             !differs(&problem.stiffness) && !differs(&problem.across) &&
             !differs(problem.expansion);
    }

    /// Computes strain and stress at point q, after those before it.
    void
    evaluate(const unsigned int q)
    {
      if (q > 0 && is_constant())
        return;
      constexpr int n_c = Stiffness<dim>::n_entries;
      const int at = static_cast<int>(q), nq = cells.rule.size();
      const double *const weights = fitted.empty() ? nullptr : &fitted(q, 0);
      const auto entries =
        fitted_values_at<n_c>(problem.stiffness, place, at, nq, weights);
      dealii::Tensor<2, dim> of_reference; // derivatives in the cell's
      for (const auto &shape : values.shapes(q))
        for (int a = 0; a < dim; ++a)
          of_reference[a] += u[shape.node * dim + a] * shape.gradient;
      const auto derivatives = of_reference * invert(values.jacobian(q));
      double gradient[dim][dim], forces[dim][dim];
      for (int a = 0; a < dim; ++a)
        for (int d = 0; d < dim; ++d)
          gradient[a][d] = derivatives[a][d];
      std::array<double, 3> expansion{};
      if (problem.expansion)
        expansion =
          fitted_values_at<3>(*problem.expansion, place, at, nq, weights);
      for (int a = 0; a < dim; ++a)
        gradient[a][a] -= expansion[a];
      if (problem.b_bar)
        {
          double rest[n_c], change = value_at(volume, q);
          Stiffness<dim>::split(entries.data(), rest, of_pressure);
          for (int a = 0; a < dim; ++a)
            change -= gradient[a][a];
          for (int a = 0; a < dim; ++a)
            gradient[a][a] += change * of_pressure[a];
        }
      Stiffness<dim>::apply(entries.data(), gradient, forces);
      for (int a = 0; a < dim; ++a)
        for (int d = a; d < dim; ++d)
          {
            elastic[component(a, d)] = 0.5 * (gradient[a][d] + gradient[d][a]);
            stress[component(a, d)]  = forces[a][d];
          }
      if (dim == 2)
        {
          const auto z =
            fitted_values_at<5>(problem.across, place, at, nq, weights);
          elastic[2] = !(z[2] > 0)     ? z[3] * elastic[0] + z[4] * elastic[1]
                       : problem.b_bar ? value_at(across, q)
                                       : -expansion[2];
          stress[0] += z[0] * elastic[2];
          stress[1] += z[1] * elastic[2];
          stress[2] = z[0] * elastic[0] + z[1] * elastic[1] + z[2] * elastic[2];
        }
      strain = elastic;
      for (int i = 0; i < 3; ++i)
        strain[i] += expansion[i];
    }

    /// Adds to the stresses at all points of the rule what makes them the
    /// forces of `elasticity_b_bar`, which tests with projected volume strains:
    /// of a stress, b : stress is what does work on them. `of_pressures` are
    /// the numbers b at the points.
    void
    project_stresses(std::vector<SymmetricComponents> &stresses,
                     const std::vector<std::array<double, dim>> &of_pressures)
    {
      std::vector<double> working(stresses.size(), 0.);
      for (std::size_t q = 0; q < stresses.size(); ++q)
        for (int a = 0; a < dim; ++a)
          working[q] += of_pressures[q][a] * stresses[q][a];
      const auto factors = projection_of(working, volumes_of(values));
      for (std::size_t q = 0; q < stresses.size(); ++q)
        for (int a = 0; a < dim; ++a)
          stresses[q][a] += value_at(factors, q) - working[q];
    }

    CellValues<dim> values;
    const unsigned int n; ///< nodes of a cell
    /// The results of `evaluate`.
    SymmetricComponents strain{}, elastic{}, stress{};
    double of_pressure[dim] = {}; ///< b of `Stiffness::split`, for b_bar
    std::vector<double> u;        ///< at the nodes of the cell, [n][dim]

  private:
    /// Returns the volumes of the points of the rule.
    std::vector<double>
    volumes_of(const CellValues<dim> &rule) const
    {
      std::vector<double> result;
      for (std::size_t q = 0; q < cells.rule.size(); ++q)
        result.push_back(determinant(rule.jacobian(q)) * cells.rule.weight(q));
      return result;
    }

    /// Returns the factors of the projection of a function from its values at
    /// the points of the rule, whose volumes are dx.
    std::vector<double>
    projection_of(const std::vector<double> &f,
                  const std::vector<double> &dx) const
    {
      const auto inverse  = inverse_gram(of_rule, dx);
      const std::size_t m = of_rule.size() / dx.size();
      std::vector<double> factors(m, 0.);
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l)
          for (std::size_t q = 0; q < dx.size(); ++q)
            factors[k] +=
              inverse[k * m + l] * dx[q] * of_rule[q * m + l] * f[q];
      return factors;
    }

    /// Returns the function with these factors at point q.
    double
    value_at(const std::vector<double> &factors, const std::size_t q) const
    {
      double value = 0;
      for (std::size_t k = 0; k < factors.size(); ++k)
        value += factors[k] * at_points[q * factors.size() + k];
      return value;
    }

    /// Projects the elastic volume strain and, for plane strain, the elastic
    /// strain across the plane.
    void
    project_strains(const std::size_t cell)
    {
      if (on_rule)
        on_rule->reinit(cell);
      const CellValues<dim> &rule = on_rule ? *on_rule : values;
      const std::size_t nq        = cells.rule.size();
      std::vector<double> traces(nq, 0.), thickness(nq, 0.);
      for (std::size_t q = 0; q < nq; ++q)
        {
          const auto inverse = invert(rule.jacobian(q));
          for (const auto &shape : rule.shapes(q))
            {
              const auto phi = shape.gradient * inverse;
              for (int a = 0; a < dim; ++a)
                traces[q] += u[shape.node * dim + a] * phi[a];
            }
          if (problem.expansion == nullptr)
            continue;
          const double *const e =
            values_at(*problem.expansion, place, static_cast<int>(q),
                      static_cast<int>(nq));
          for (int a = 0; a < dim; ++a)
            traces[q] -= e[a];
          thickness[q] = -e[2];
        }
      const auto dx = volumes_of(rule);
      volume        = projection_of(traces, dx);
      across        = projection_of(thickness, dx);
    }

    const StressProblem<dim> &problem;
    const Cells<dim> &cells;
    /// The matrix that computes coefficients at the points from those at the
    /// points of the rule, by the polynomial of the degree of strains that fits
    /// them best, [n][n of the rule]; empty at the rule's own points.
    dealii::FullMatrix<double> fitted;
    std::size_t place = 0; ///< of the cell in the space
    /// For b_bar: the functions psi at the points of the rule and at those
    /// where stresses are computed, the rule if that is not `values`, and
    /// the factors of strains.
    std::vector<double> of_rule, at_points;
    std::optional<CellValues<dim>> on_rule;
    std::vector<double> volume, across;
  };
} // namespace tessera::stress_points
