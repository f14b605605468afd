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

  class FormOracle
  {
  public:
    const Space &space;
    const int n_components;
    Oracle mesh;
    Integrand integrand;
    /// The form is linearised here, [n_local][n_components]; may be empty.
    std::vector<double> solution;

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
      mesh.for_each_point(cell, [&](const int q, const double jxw,
                                    const double(&inverse)[3][3]) {
        std::vector<FunctionAt> shape(n * n_components);
        for (int i = 0; i < n; ++i)
          {
            const double value = mesh.element.value(i, mesh.element.points[q]);
            const Position g = mesh.element.gradient(i, mesh.element.points[q]);
            for (int c = 0; c < n_components; ++c)
              {
                FunctionAt &f = shape[i * n_components + c];
                f.value[c]    = value;
                for (int a = 0; a < dim; ++a)
                  for (int b = 0; b < dim; ++b)
                    f.gradient[c][a] += inverse[b][a] * g[b];
              }
          }
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

    const int *
    dofs(const int cell) const
    {
      return &space.cell_dofs[std::size_t(cell) * mesh.element.n];
    }

    /// y = A x on owned entries, and scale_i, the sum of the magnitudes of all
    /// products behind y_i, which bounds what rounding may do. If `x` is empty,
    /// y becomes the diagonal.
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
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              {
                if (x.empty() && i != j)
                  continue;
                const double a = jxw * integrand(point, shape[j], shape[i]) *
                                 (x.empty() ? 1 : x[index(cell, j)]);
                y[index(cell, i)] += a;
                scale[index(cell, i)] += std::abs(a);
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
