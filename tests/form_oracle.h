#pragma once

#include "oracle.h"

#include <array>
#include <functional>

// Any bilinear form by a double loop over the shape functions of a cell, in
// physical coordinates and with nothing of the kernels or of forms.
namespace tessera::test
{
  /// A function with n components at a point: values and physical gradients.
  struct FunctionAt
  {
    std::array<double, 3> value                   = {};
    std::array<std::array<double, 3>, 3> gradient = {};
    /// The divergence, projected on the cell (space/cell_projection.h).
    double projected = 0;
  };

  /// The data of a point: component c of the coefficient is k(c); `solution` is
  /// the current one, `state` what the point keeps.
  struct PointAt
  {
    std::function<double(int)> k;
    FunctionAt solution;
    int cell, q;
  };

  /// a(u, v) at a point, by the text book.
  using Integrand = std::function<double(const PointAt &, const FunctionAt &u,
                                         const FunctionAt &v)>;

  /// sigma(u) : eps(v) of an isotropic body, by Lame's parameters: the stress
  /// is lambda tr(eps) I + 2 mu eps.
  inline double
  elastic_energy(const int dim, const double young, const double poisson,
                 const FunctionAt &u, const FunctionAt &v)
  {
    const double mu     = young / (2 * (1 + poisson));
    const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    double sum = 0, of_u = 0, of_v = 0;
    for (int a = 0; a < dim; ++a)
      {
        of_u += u.gradient[a][a];
        of_v += v.gradient[a][a];
        for (int b = 0; b < dim; ++b)
          sum += mu * (u.gradient[a][b] + u.gradient[b][a]) * v.gradient[a][b];
      }
    return sum + lambda * of_u * of_v;
  }

  /// The magnitudes of a function's values and derivatives.
  inline FunctionAt
  magnitudes(FunctionAt f)
  {
    for (double &value : f.value)
      value = std::abs(value);
    for (auto &row : f.gradient)
      for (double &value : row)
        value = std::abs(value);
    f.projected = std::abs(f.projected);
    return f;
  }

  class FormOracle
  {
  public:
    const Space &space;
    const int n_components;
    Oracle mesh;
    Integrand integrand;
    /// The form is linearised here, [n_local][n_components]; may be empty.
    std::vector<double> solution;
    bool projects = false; ///< FunctionAt::projected is set

    FormOracle(const Space &space, const int n_components,
               const Coefficient &coefficient, Integrand integrand)
      : space(space), n_components(n_components), mesh(space, coefficient),
        integrand(std::move(integrand))
    {}

    /// Calls work(point, w det J, shape functions [n_nodes n_components]), with
    /// component c of node i at i n_components + c.
    template <class Work>
    void
    for_each_point(const int cell, const Work &work) const
    {
      const int n = mesh.element.n, dim = space.dim();
      std::vector<std::vector<double>> projected;
      if (projects)
        projected = projected_divergences(cell);
      mesh.for_each_point(
        cell, [&](const int q, const double jxw, const double(&inverse)[3][3]) {
          std::vector<FunctionAt> shape = shape_functions(q, inverse);
          for (std::size_t i = 0; projects && i < shape.size(); ++i)
            shape[i].projected = projected[q][i];
          PointAt point = {
            [&](const int c) { return mesh.coefficient(cell, q, c); },
            {},
            cell,
            q};
          if (!solution.empty())
            for (int i = 0; i < n * n_components; ++i)
              {
                const double u =
                  solution[std::size_t(dofs(cell)[i / n_components]) *
                             n_components +
                           i % n_components];
                for (int c = 0; c < n_components; ++c)
                  {
                    point.solution.value[c] += u * shape[i].value[c];
                    for (int a = 0; a < dim; ++a)
                      point.solution.gradient[c][a] +=
                        u * shape[i].gradient[c][a];
                  }
              }
          work(point, jxw, shape);
        });
    }

    std::vector<FunctionAt>
    shape_functions(const int q, const double (&inverse)[3][3]) const
    {
      const int n = mesh.element.n, dim = space.dim();
      std::vector<FunctionAt> shape(n * n_components);
      for (int i = 0; i < n; ++i)
        {
          const double value = mesh.element.value(i, mesh.element.points[q]);
          const Position g   = mesh.element.gradient(i, mesh.element.points[q]);
          for (int c = 0; c < n_components; ++c)
            {
              FunctionAt &f = shape[i * n_components + c];
              f.value[c]    = value;
              for (int a = 0; a < dim; ++a)
                for (int b = 0; b < dim; ++b)
                  f.gradient[c][a] += inverse[b][a] * g[b];
            }
        }
      return shape;
    }

    /// Returns the projections of the divergences of all shape functions,
    /// [nq][n_nodes dim], by Gram and Schmidt's method.
    std::vector<std::vector<double>>
    projected_divergences(const int cell) const
    {
      const int dim = space.dim();
      const bool linear =
        space.degree == 1 || is_simplex(space.cell_type); // psi = 1 alone
      std::vector<double> dx;
      std::vector<std::vector<double>> divergence, basis(linear ? 1 : dim + 1);
      mesh.for_each_point(
        cell, [&](const int q, const double jxw, const double(&inverse)[3][3]) {
          dx.push_back(jxw);
          divergence.emplace_back();
          for (const FunctionAt &f : shape_functions(q, inverse))
            divergence.back().push_back(f.gradient[0][0] + f.gradient[1][1] +
                                        f.gradient[2][2]);
          for (std::size_t k = 0; k < basis.size(); ++k)
            basis[k].push_back(k == 0 ? 1. : mesh.element.points[q][k - 1]);
        });
      const std::size_t nq = dx.size(), n = divergence[0].size();
      std::vector<std::vector<double>> result(nq, std::vector<double>(n, 0.));
      for (std::size_t k = 0; k < basis.size(); ++k)
        {
          const auto product = [&](const auto &f, const auto &g) {
            double sum = 0;
            for (std::size_t q = 0; q < nq; ++q)
              sum += dx[q] * f(q) * g(q);
            return sum;
          };
          const auto at = [&](const std::size_t l) {
            return [&basis, l](const std::size_t q) { return basis[l][q]; };
          };
          for (std::size_t l = 0; l < k; ++l)
            {
              const double factor = product(at(k), at(l));
              for (std::size_t q = 0; q < nq; ++q)
                basis[k][q] -= factor * basis[l][q];
            }
          const double norm = std::sqrt(product(at(k), at(k)));
          for (double &value : basis[k])
            value /= norm;
          for (std::size_t i = 0; i < n; ++i)
            {
              const double factor = product(
                at(k), [&](const std::size_t q) { return divergence[q][i]; });
              for (std::size_t q = 0; q < nq; ++q)
                result[q][i] += factor * basis[k][q];
            }
        }
      return result;
    }

    const int *
    dofs(const int cell) const
    {
      return &space.cell_dofs[std::size_t(cell) * mesh.element.n];
    }

    /// y = A x on owned entries, and scale_i, the sum of the magnitudes of all
    /// terms behind y_i, which bounds what rounding may do: terms of the form
    /// at a point may cancel, too. If `x` is empty, y becomes the diagonal.
    void
    vmult(const std::vector<double> &x, std::vector<double> &y,
          std::vector<double> &scale) const
    {
      const int n = mesh.element.n * n_components;
      y.assign(std::size_t(space.n_local()) * n_components, 0);
      scale = y;
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for_each_point(cell, [&](const PointAt &point, const double jxw,
                                 const std::vector<FunctionAt> &shape) {
          PointAt positive  = point;
          positive.k        = [&](const int c) { return std::abs(point.k(c)); };
          positive.solution = magnitudes(point.solution);
          std::vector<FunctionAt> sizes;
          for (const FunctionAt &f : shape)
            sizes.push_back(magnitudes(f));
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              {
                if (x.empty() && i != j)
                  continue;
                const double factor = jxw * (x.empty() ? 1 : x[index(cell, j)]);
                const double a      = integrand(point, shape[j], shape[i]);
                const double terms =
                  std::abs(integrand(positive, sizes[j], sizes[i]));
                y[index(cell, i)] += factor * a;
                scale[index(cell, i)] +=
                  std::abs(factor) * std::max(std::abs(a), terms);
              }
        });
      y.resize(std::size_t(space.n_owned) * n_components);
      scale.resize(y.size());
    }

    std::size_t
    index(const int cell, const int i) const
    {
      return std::size_t(dofs(cell)[i / n_components]) * n_components +
             i % n_components;
    }
  };
} // namespace tessera::test
