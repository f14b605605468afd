#include "oracle.h"

#include <tessera/space/generator.h>
#include <tessera/space/reference_element.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tessera::benchmarks
{
  namespace
  {
    /// matrix: [n][n], of one cell with vertices [4][2].
    template <int degree>
    void
    cell_matrix(const ReferenceElement<degree, double> &element,
                const double (&v)[4][2], double *matrix)
    {
      constexpr int n1 = degree + 1, n = n1 * n1;
      const double *k = conductivity;
      std::fill(matrix, matrix + n * n, 0.);
      for (int q1 = 0; q1 < n1; ++q1)
        for (int q0 = 0; q0 < n1; ++q0)
          {
            const double s = element.points[q0], t = element.points[q1];
            double j[2][2]; // dx_i / dxi_j
            for (int i = 0; i < 2; ++i)
              {
                j[i][0] =
                  (1 - t) * (v[1][i] - v[0][i]) + t * (v[3][i] - v[2][i]);
                j[i][1] =
                  (1 - s) * (v[2][i] - v[0][i]) + s * (v[3][i] - v[1][i]);
              }
            const double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
            const double weight =
              det * element.weights[q0] * element.weights[q1];
            double gradient[n][2], flux[n][2];
            for (int i = 0; i < n; ++i)
              {
                const int i0 = i % n1, i1 = i / n1;
                const double g0 =
                  element.gradients[i0][q0] * element.values[i1][q1];
                const double g1 =
                  element.values[i0][q0] * element.gradients[i1][q1];
                gradient[i][0] = (j[1][1] * g0 - j[1][0] * g1) / det;
                gradient[i][1] = (j[0][0] * g1 - j[0][1] * g0) / det;
                flux[i][0] =
                  weight * (k[0] * gradient[i][0] + k[1] * gradient[i][1]);
                flux[i][1] =
                  weight * (k[1] * gradient[i][0] + k[2] * gradient[i][1]);
              }
            for (int i = 0; i < n; ++i)
              for (int l = 0; l < n; ++l)
                matrix[i * n + l] +=
                  gradient[i][0] * flux[l][0] + gradient[i][1] * flux[l][1];
          }
    }

    template <int degree>
    void
    apply(const Connectivity &mesh, Oracle &oracle)
    {
      constexpr int n    = (degree + 1) * (degree + 1);
      const auto element = reference_element<degree, double>();
      double *y          = oracle.y.data();
      double *scale      = oracle.scale.data();
#pragma omp parallel for schedule(static)
      for (int cell = 0; cell < mesh.n_cells(); ++cell)
        {
          double vertices[4][2], matrix[n * n];
          for (int v = 0; v < 4; ++v)
            for (int d = 0; d < 2; ++d)
              vertices[v][d] =
                mesh.vertices[2 * mesh.cell_vertices[4 * cell + v] + d];
          cell_matrix<degree>(element, vertices, matrix);
          const int *dofs = mesh.cell_dofs.data() + std::ptrdiff_t(cell) * n;
          for (int i = 0; i < n; ++i)
            {
              if (mesh.constrained[dofs[i]])
                continue;
              double sum = 0, sum_of_sizes = 0;
              for (int l = 0; l < n; ++l)
                {
                  const double product = matrix[i * n + l] * oracle.x[dofs[l]];
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
  } // namespace

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
    switch (mesh.degree)
      {
        case 1:
          apply<1>(mesh, oracle);
          break;
        case 2:
          apply<2>(mesh, oracle);
          break;
        case 3:
          apply<3>(mesh, oracle);
          break;
        default:
          apply<4>(mesh, oracle);
      }
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

  Connectivity
  make_mesh(const double n_dofs, const int degree, const std::uint64_t seed,
            const int tile_x, const int tile_y)
  {
    GeneratedMesh parameters;
    parameters.degree = degree;
    parameters.n_x    = std::max(
         2, static_cast<int>(std::lround((std::sqrt(n_dofs) + 1) / degree)));
    parameters.n_y    = parameters.n_x;
    parameters.seed   = seed;
    parameters.tile_x = tile_x;
    parameters.tile_y = tile_y;
    Connectivity mesh = generate(parameters);
    round_vertices(mesh);
    return mesh;
  }

  template double
  error(const Oracle &, const std::vector<double> &, const std::vector<int> &,
        int);
  template double
  error(const Oracle &, const std::vector<float> &, const std::vector<int> &,
        int);
  template std::vector<double>
  local_x(const Oracle &, const std::vector<int> &, int, int);
  template std::vector<float>
  local_x(const Oracle &, const std::vector<int> &, int, int);
} // namespace tessera::benchmarks
