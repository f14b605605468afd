#include <tessera/base/parallel_vector.h>
#include <tessera/fem/fields/coefficients.h>

#include <algorithm>

// Makes coefficients of others.
namespace tessera
{
  Coefficient
  with_reaction(
    const Coefficient &k,
    const std::vector<std::pair<const Coefficient *, double>> &reactions,
    const Space &space)
  {
    using Kind = Coefficient::Kind;
    Kind kind  = k.kind;
    for (const auto &[c, factor] : reactions)
      kind = std::max(kind, c->kind);
    // A number k is the tensor k 1, of which forms have the upper half.
    const int dim      = space.dim();
    const bool expands = k.n_components == 1;
    const int n_k      = expands ? dim * (dim + 1) / 2 : k.n_components;
    const int n_points = space.points_per_cell(), n = n_k + 1,
              points = kind == Kind::per_quadrature_point ? n_points : 1;
    const std::ptrdiff_t cells = kind == Kind::uniform ? 1 : space.n_cells();
    Coefficient result{kind, n, parallel_vector<double>(cells * points * n)};
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t cell = 0; cell < cells; ++cell)
      for (int q = 0; q < points; ++q)
        {
          double *const to = &result.values[(cell * points + q) * n];
          if (expands)
            for (int i = 0, entry = 0; i < dim; entry += dim - i, ++i)
              to[entry] = *values_at(k, cell, q, n_points);
          else
            std::copy_n(values_at(k, cell, q, n_points), n_k, to);
          to[n_k] = 0;
          for (const auto &[c, factor] : reactions)
            to[n_k] += factor * *values_at(*c, cell, q, n_points);
        }
    return result;
  }


  template <int dim>
  Coefficient
  weighted(const Coefficient &c, const Space &space,
           const std::function<double(const dealii::Point<dim> &)> &weight)
  {
    const auto points  = quadrature_points(space);
    const int n_points = space.points_per_cell(), n = c.n_components;
    const std::ptrdiff_t cells = space.n_cells();
    Coefficient result{Coefficient::Kind::per_quadrature_point, n,
                       parallel_vector<double>(cells * n_points * n)};
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t cell = 0; cell < cells; ++cell)
      for (int q = 0; q < n_points; ++q)
        {
          const std::ptrdiff_t i = cell * n_points + q;
          dealii::Point<dim> p;
          std::copy_n(&points[i * dim], dim, p.begin_raw());
          const double w           = weight(p);
          const double *const from = values_at(c, cell, q, n_points);
          for (int k = 0; k < n; ++k)
            result.values[i * n + k] = w * from[k];
        }
    return result;
  }


  template Coefficient
  weighted<2>(const Coefficient &, const Space &,
              const std::function<double(const dealii::Point<2> &)> &);
  template Coefficient
  weighted<3>(const Coefficient &, const Space &,
              const std::function<double(const dealii::Point<3> &)> &);
} // namespace tessera
