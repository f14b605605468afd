#include "oracle.h"

#include <tessera/space/generator.h>
#include <tessera/space/geometry.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/reference_cell.h>
#include <tessera/space/reference_element.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tessera::benchmarks
{
  namespace
  {
    /// Dense tables of an element: gradients of its n functions and of the
    /// functions of its vertices at the quadrature points.
    template <class E>
    struct Tables
    {
      double gradients[E::n_points][E::n][E::dim];
      std::vector<double> corners; ///< [n_points][n_vertices][dim]
      std::vector<double> weights;

      Tables()
      {
        const QuadratureRule rule = cell_rule(E::cell_type, E::degree);
        const auto element        = reference_element<E, double>();
        corners                   = vertex_gradients(E::cell_type, rule.points);
        weights                   = rule.weights;
        for (int q = 0; q < E::n_points; ++q)
          for (int i = 0; i < E::n; ++i)
            for (int d = 0; d < E::dim; ++d)
              gradients[q][i][d] = gradient(element, i, q, d);
      }

    private:
      static double
      gradient(const ReferenceElement<E, double> &element, int i, int q,
               const int direction)
      {
        if constexpr (E::simplex)
          return element.gradients[i][q][direction];
        else
          {
            double product = 1;
            for (int d = 0; d < E::dim; ++d, i /= E::n1, q /= E::n1)
              product *= d == direction
                           ? element.gradients[i % E::n1][q % E::n1]
                           : element.values[i % E::n1][q % E::n1];
            return product;
          }
      }
    };

    /// dx_i / dxi_k of a cell at point q.
    template <class E>
    void
    set_jacobian(const Tables<E> &tables, const Connectivity &mesh,
                 const int cell, const int q, double (&j)[E::dim][E::dim])
    {
      const int *corner =
        &mesh.cell_vertices[std::size_t(E::n_vertices) * cell];
      for (int i = 0; i < E::dim; ++i)
        for (int k = 0; k < E::dim; ++k)
          {
            // Differences, or small cells far from the origin lose digits.
            const double *x = &mesh.vertices[i];
            j[i][k]         = 0;
            for (int v = 1; v < E::n_vertices; ++v)
              j[i][k] += (x[std::size_t(E::dim) * corner[v]] -
                          x[std::size_t(E::dim) * corner[0]]) *
                         tables.corners[(q * E::n_vertices + v) * E::dim + k];
          }
    }

    /// matrix: [n][n], of one cell.
    template <class E>
    void
    cell_matrix(const Tables<E> &tables, const Connectivity &mesh,
                const int cell, const double *conductivity, double *matrix)
    {
      constexpr int n = E::n, dim = E::dim;
      std::fill(matrix, matrix + n * n, 0.);
      for (int q = 0; q < E::n_points; ++q)
        {
          double j[dim][dim], c[dim][dim];
          set_jacobian(tables, mesh, cell, q, j);
          cofactors(j, c);
          const double det = determinant(j, c);
          double g[n][dim], flux[n][dim];
          for (int i = 0; i < n; ++i)
            {
              for (int a = 0; a < dim; ++a)
                {
                  g[i][a] = 0;
                  for (int b = 0; b < dim; ++b)
                    g[i][a] += c[a][b] * tables.gradients[q][i][b] / det;
                }
              for (int a = 0; a < dim; ++a)
                {
                  flux[i][a] = 0;
                  for (int b = 0; b < dim; ++b)
                    flux[i][a] += det * tables.weights[q] *
                                  conductivity[symmetric_entry(dim, a, b)] *
                                  g[i][b];
                }
            }
          for (int i = 0; i < n; ++i)
            for (int l = 0; l < n; ++l)
              for (int a = 0; a < dim; ++a)
                matrix[i * n + l] += g[i][a] * flux[l][a];
        }
    }

    template <class E>
    void
    apply(const Connectivity &mesh, Oracle &oracle)
    {
      constexpr int n = E::n;
      const Tables<E> tables;
      const Coefficient k = conductivity(E::dim);
      double *y           = oracle.y.data();
      double *scale       = oracle.scale.data();
#pragma omp parallel
      {
        std::vector<double> matrix(n * n);
#pragma omp for schedule(static)
        for (int cell = 0; cell < mesh.n_cells(); ++cell)
          {
            cell_matrix<E>(tables, mesh, cell, k.values.data(), matrix.data());
            const int *dofs = mesh.cell_dofs.data() + std::ptrdiff_t(cell) * n;
            for (int i = 0; i < n; ++i)
              {
                if (mesh.constrained[dofs[i]])
                  continue;
                double sum = 0, sum_of_sizes = 0;
                for (int l = 0; l < n; ++l)
                  {
                    const double product =
                      matrix[i * n + l] * oracle.x[dofs[l]];
                    sum += product;
                    sum_of_sizes += std::abs(product);
                  }
#pragma omp atomic
                y[dofs[i]] += sum;
#pragma omp atomic
                scale[dofs[i]] += sum_of_sizes;
              }
          }
      }
    }
  } // namespace

  Coefficient
  conductivity(const int dim)
  {
    if (dim == 3)
      return Coefficient::tensor(1.3, 0.2, -0.1, 0.8, 0.15, 1.1);
    return Coefficient::tensor(1.3, 0.2, 0.8);
  }

  Oracle
  make_oracle(const Connectivity &mesh, const std::uint64_t seed)
  {
    Oracle oracle;
    oracle.x.resize(mesh.n_dofs);
    oracle.y.resize(mesh.n_dofs);
    oracle.scale.resize(mesh.n_dofs);
    std::mt19937 generator(static_cast<std::mt19937::result_type>(seed));
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (int i = 0; i < mesh.n_dofs; ++i)
      {
        const float value = distribution(generator);
        oracle.x[i]       = mesh.constrained[i] ? 0 : value;
      }
    on_element(mesh.cell_type, mesh.degree,
               [&](auto element) { apply<decltype(element)>(mesh, oracle); });
    return oracle;
  }

  void
  round_vertices(Connectivity &mesh)
  {
    for (double &x : mesh.vertices)
      x = static_cast<float>(x);
  }

  template <class Number>
  double
  error(const Oracle &oracle, const std::vector<Number> &y,
        const std::vector<int> &mesh_dof, const int n_free)
  {
    const double eps = std::numeric_limits<Number>::epsilon();
    double largest   = 0;
    for (int k = 0; k < n_free; ++k)
      {
        const int i        = mesh_dof[k];
        const double ratio = std::abs(static_cast<double>(y[k]) - oracle.y[i]) /
                             (eps * oracle.scale[i]);
        if (!(ratio <= largest))
          largest = std::isfinite(ratio)
                      ? ratio
                      : std::numeric_limits<double>::infinity();
      }
    return largest;
  }

  template <class Number>
  std::vector<Number>
  local_x(const Oracle &oracle, const std::vector<int> &mesh_dof,
          const int n_free, const int size)
  {
    std::vector<Number> x(size);
    for (int k = 0; k < n_free; ++k)
      x[k] = static_cast<Number>(oracle.x[mesh_dof[k]]);
    return x;
  }

  int
  boxes_a_direction(const CellType type, const double n_dofs, const int degree)
  {
    const double side =
      dimension(type) == 2 ? std::sqrt(n_dofs) : std::cbrt(n_dofs);
    return std::max(2, static_cast<int>(std::lround((side + 1) / degree)));
  }

  Connectivity
  make_mesh(const CellType type, const double n_dofs, const int degree,
            const std::uint64_t seed, const int tile_x, const int tile_y)
  {
    GeneratedMesh parameters;
    parameters.cell_type = type;
    parameters.degree    = degree;
    parameters.n_x       = boxes_a_direction(type, n_dofs, degree);
    parameters.n_y       = parameters.n_x;
    parameters.n_z       = parameters.n_x;
    parameters.seed      = seed;
    parameters.tile_x    = tile_x;
    parameters.tile_y    = tile_y;
    Connectivity mesh    = generate(parameters);
    round_vertices(mesh);
    return mesh;
  }

  template <class Number>
  double
  asymmetry(const std::vector<Number> &a, const std::vector<Number> &Ma,
            const std::vector<Number> &b, const std::vector<Number> &Mb,
            const int n)
  {
    double difference = 0, scale = 0;
    for (int i = 0; i < n; ++i)
      {
        difference += double(a[i]) * Mb[i] - double(b[i]) * Ma[i];
        scale += std::abs(double(a[i]) * Mb[i]);
      }
    return std::abs(difference) /
           (std::numeric_limits<Number>::epsilon() * scale);
  }

  template double
  error(const Oracle &, const std::vector<double> &, const std::vector<int> &,
        int);
  template double
  error(const Oracle &, const std::vector<float> &, const std::vector<int> &,
        int);
  template double
  asymmetry(const std::vector<double> &, const std::vector<double> &,
            const std::vector<double> &, const std::vector<double> &, int);
  template double
  asymmetry(const std::vector<float> &, const std::vector<float> &,
            const std::vector<float> &, const std::vector<float> &, int);
  template std::vector<double>
  local_x(const Oracle &, const std::vector<int> &, int, int);
  template std::vector<float>
  local_x(const Oracle &, const std::vector<int> &, int, int);
} // namespace tessera::benchmarks
