#include "oracle.h"

#include <tessera/base/random.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/space/element.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference.h"

namespace tessera::benchmarks
{
  namespace
  {
    /// Dense tables of an element: values and gradients of its n functions, and
    /// gradients of its vertices' functions, at the quadrature points. They
    /// come from the tests and are written independently of the kernels'.
    template <class E>
    struct Tables
    {
      double values[E::n_points][E::n];
      double gradients[E::n_points][E::n][E::dim];
      double corners[E::n_points][E::n_vertices][E::dim];
      std::vector<double> weights;

      Tables()
      {
        const test::ReferenceCell cell(E::cell_type, E::degree);
        const test::ReferenceCell linear(E::cell_type, 1);
        weights = cell.weights;
        for (int q = 0; q < E::n_points; ++q)
          {
            const test::Position &x = cell.points[q];
            for (int i = 0; i < E::n; ++i)
              {
                values[q][i] = cell.value(i, x);
                std::copy_n(cell.gradient(i, x).data(), E::dim,
                            gradients[q][i]);
              }
            for (int v = 0; v < E::n_vertices; ++v)
              std::copy_n(linear.gradient(v, x).data(), E::dim, corners[q][v]);
          }
      }
    };

    /// Sets g to the inverse of the transposed of j and returns the
    /// determinant.
    template <int dim>
    double
    invert(const double (&j)[dim][dim], double (&g)[dim][dim])
    {
      double det = 0;
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          {
            const int i1 = (i + 1) % dim, k1 = (k + 1) % dim;
            const int i2 = (i + 2) % dim, k2 = (k + 2) % dim;
            g[i][k] = dim == 2 ? (i == k ? 1 : -1) * j[i1][k1]
                               : j[i1][k1] * j[i2][k2] - j[i1][k2] * j[i2][k1];
            det += i == 0 ? j[0][k] * g[0][k] : 0;
          }
      for (auto &row : g)
        for (double &entry : row)
          entry /= det;
      return det;
    }

    /// Sets j to dx_i / dxi_k of a cell at point q.
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
            // Differences keep the digits of small cells far from the origin.
            const double *x = &mesh.vertices[i];
            j[i][k]         = 0;
            for (int v = 1; v < E::n_vertices; ++v)
              j[i][k] += (x[std::size_t(E::dim) * corner[v]] -
                          x[std::size_t(E::dim) * corner[0]]) *
                         tables.corners[q][v][k];
          }
    }

    /// The matrix of one cell, [n b][n b] with components fastest, and the load
    /// of each component. For elasticity `products` are the integrals of
    /// d_s phi_i d_t phi_l, [dim (s)][dim (t)][n][n].
    template <class E>
    struct CellSums
    {
      std::vector<double> matrix, products;
      double load[E::n], load_scale[E::n];
    };

    /// Sets the matrix of elasticity: the entry of (phi_l e_c, phi_i e_a) is
    ///   lambda P_ac + mu (P_ca + delta_ac trace P), P the products of i and l.
    template <class E>
    void
    add_elasticity(const Coefficient &k, CellSums<E> &of_cell)
    {
      constexpr int n = E::n, dim = E::dim;
      const double lambda = k.values[1], mu = k.values.back();
      for (int i = 0; i < n; ++i)
        for (int l = 0; l < n; ++l)
          {
            const auto P = [&](const int s, const int t) {
              return of_cell.products[((s * dim + t) * n + i) * n + l];
            };
            for (int a = 0; a < dim; ++a)
              for (int c = 0; c < dim; ++c)
                {
                  double entry = lambda * P(a, c) + mu * P(c, a);
                  for (int s = 0; s < dim && a == c; ++s)
                    entry += mu * P(s, s);
                  of_cell.matrix[(i * dim + a) * n * dim + l * dim + c] = entry;
                }
          }
    }

    template <class E>
    void
    integrate(const Tables<E> &tables, const Connectivity &mesh, const int cell,
              const Coefficient &k, CellSums<E> &of_cell)
    {
      constexpr int n = E::n, dim = E::dim;
      const int b     = mesh.n_components;
      const auto k_at = [&](const int q, const int a, const int s) {
        const std::size_t place = k.kind == Coefficient::Kind::uniform ? 0
                                  : k.kind == Coefficient::Kind::per_cell
                                    ? cell
                                    : std::size_t(cell) * E::n_points + q;
        if (k.n_components == 1)
          return a == s ? k.values[place] : 0.;
        return k.values[place * k.n_components + symmetric_entry(dim, a, s)];
      };
      of_cell.matrix.assign(n * b * n * b, 0.);
      of_cell.products.assign(b == 1 ? 0 : n * n * dim * dim, 0.);
      std::fill_n(of_cell.load, n, 0.);
      std::fill_n(of_cell.load_scale, n, 0.);
      for (int q = 0; q < E::n_points; ++q)
        {
          double j[dim][dim], inverse[dim][dim];
          set_jacobian(tables, mesh, cell, q, j);
          const double det = invert(j, inverse);
          double g[dim][n], flux[dim][n];
          for (int i = 0; i < n; ++i)
            {
              const double f_phi =
                load_density * det * tables.weights[q] * tables.values[q][i];
              of_cell.load[i] += f_phi;
              of_cell.load_scale[i] += std::abs(f_phi);
              for (int a = 0; a < dim; ++a)
                {
                  g[a][i] = 0;
                  for (int s = 0; s < dim; ++s)
                    g[a][i] += inverse[a][s] * tables.gradients[q][i][s];
                }
              for (int a = 0; a < dim; ++a)
                {
                  flux[a][i] = b == 1 ? 0 : det * tables.weights[q] * g[a][i];
                  for (int s = 0; s < dim && b == 1; ++s)
                    flux[a][i] +=
                      det * tables.weights[q] * k_at(q, a, s) * g[s][i];
                }
            }
          // Loops over l are vectorized. One component needs the upper half.
          for (int i = 0; i < n && b == 1; ++i)
            for (int l = i; l < n; ++l)
              {
                double sum = g[0][i] * flux[0][l];
                for (int s = 1; s < dim; ++s)
                  sum += g[s][i] * flux[s][l];
                of_cell.matrix[i * n + l] += sum;
              }
          for (int row = 0; row < dim * dim * n && b > 1; ++row)
            for (int l = 0; l < n; ++l)
              of_cell.products[row * n + l] +=
                g[row / n / dim][row % n] * flux[row / n % dim][l];
        }
      if (b > 1)
        add_elasticity(k, of_cell);
    }

    template <class E>
    void
    apply(const Connectivity &mesh, Oracle &oracle)
    {
      constexpr int n = E::n;
      const int b     = mesh.n_components;
      const Tables<E> tables;
      std::vector<int> cells(mesh.n_cells());
      std::iota(cells.begin(), cells.end(), 0);
      const Coefficient k =
        b == 1 ? conductivity(oracle.variation, E::dim, E::n_points, cells)
               : stiffness(E::dim);
      const auto add = [](std::vector<double> &to, const int i,
                          const double value) {
#pragma omp atomic
        to[i] += value;
      };
#pragma omp parallel
      {
        CellSums<E> of_cell;
#pragma omp for schedule(static)
        for (int cell = 0; cell < mesh.n_cells(); ++cell)
          {
            integrate<E>(tables, mesh, cell, k, of_cell);
            const int *dofs  = mesh.cell_dofs.data() + std::ptrdiff_t(cell) * n;
            const auto entry = [&](const int i) {
              return dofs[i / b] * b + i % b;
            };
            for (int i = 0; i < n * b; ++i)
              {
                if (mesh.constrained[entry(i)])
                  continue;
                double sum = 0, sum_of_sizes = 0;
                for (int l = 0; l < n * b; ++l)
                  {
                    const int at = b == 1 && l < i ? l * n + i : i * n * b + l;
                    const double product =
                      of_cell.matrix[at] * oracle.x[entry(l)];
                    sum += product;
                    sum_of_sizes += std::abs(product);
                  }
                add(oracle.y.values, entry(i), sum);
                add(oracle.y.scale, entry(i), sum_of_sizes);
                add(oracle.load.values, entry(i), of_cell.load[i / b]);
                add(oracle.load.scale, entry(i), of_cell.load_scale[i / b]);
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

  const std::vector<std::string> &
  variation_names()
  {
    static const std::vector<std::string> names = {"uniform", "number", "cell",
                                                   "point", "tensor"};
    return names;
  }

  Coefficient
  conductivity(const Variation variation, const int dim, const int n_points,
               const std::vector<int> &mesh_cell)
  {
    const Coefficient uniform = conductivity(dim);
    if (variation <= Variation::number)
      return variation == Variation::uniform ? uniform
                                             : Coefficient::scalar(1.3);
    const bool in_cells  = variation == Variation::cell;
    const bool is_tensor = variation == Variation::tensor;
    const int n          = in_cells ? 1 : n_points;
    const int n_k        = is_tensor ? uniform.n_components : 1;
    Coefficient k{in_cells ? Coefficient::Kind::per_cell
                           : Coefficient::Kind::per_quadrature_point,
                  n_k, std::vector<double>(mesh_cell.size() * n * n_k)};
#pragma omp parallel for
    for (std::size_t c = 0; c < mesh_cell.size(); ++c)
      for (int i = 0; i < n * n_k; ++i)
        {
          // a hash of cell and component, of which ten bits are used
          std::uint32_t bits = mesh_cell[c] * 2654435761u + i * 40503u;
          bits ^= bits >> 15;
          bits *= 2246822519u;
          const double part = (bits >> 22) / 1024.;
          k.values[c * n * n_k + i] =
            is_tensor ? uniform.values[i % n_k] * (1 + part / 8) : 1 + part;
        }
    return k;
  }

  Coefficient
  stiffness(const int dim)
  {
    return isotropic_stiffness(dim, 1.3, 0.28, Plane::stress);
  }

  Form
  form_of(const Space &space, const Variation variation)
  {
    return space.n_components == 1
             ? laplace(conductivity(variation, space.dim(),
                                    space.points_per_cell(), space.mesh_cell))
             : elasticity(stiffness(space.dim()));
  }

  Oracle
  make_oracle(const Connectivity &mesh, const std::uint64_t seed,
              const Variation variation, const std::int64_t first_node)
  {
    Oracle oracle;
    oracle.variation = variation;
    const int n      = mesh.n_dofs * mesh.n_components;
    oracle.x.resize(n);
    for (Sums *sums : {&oracle.y, &oracle.load})
      {
        sums->values.resize(n);
        sums->scale.resize(n);
      }
    const std::uint64_t before = first_node * mesh.n_components;
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      if (!mesh.constrained[i])
        oracle.x[i] = double(mix(mix(seed) ^ (before + i)) >> 40) * 0x1p-23 - 1;
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
  error(const Sums &reference, const std::vector<Number> &y,
        const std::vector<int> &of_mesh, const int n_free)
  {
    const double eps = std::numeric_limits<Number>::epsilon();
    double largest   = 0;
    for (int k = 0; k < n_free; ++k)
      {
        const int i = of_mesh[k];
        const double ratio =
          std::abs(static_cast<double>(y[k]) - reference.values[i]) /
          (eps * reference.scale[i]);
        if (!(ratio <= largest))
          largest = std::isfinite(ratio)
                      ? ratio
                      : std::numeric_limits<double>::infinity();
      }
    return largest;
  }

  template <class Number>
  std::vector<Number>
  local_x(const Oracle &oracle, const std::vector<int> &of_mesh,
          const int n_free, const int size)
  {
    std::vector<Number> x(size);
    for (int k = 0; k < n_free; ++k)
      x[k] = static_cast<Number>(oracle.x[of_mesh[k]]);
    return x;
  }

  template <class Number>
  Asymmetry
  asymmetry(const std::vector<Number> &a, const std::vector<Number> &Ma,
            const std::vector<Number> &b, const std::vector<Number> &Mb,
            const int n)
  {
    Asymmetry result;
    for (int i = 0; i < n; ++i)
      {
        result.difference += double(a[i]) * Mb[i] - double(b[i]) * Ma[i];
        result.scale += std::abs(double(a[i]) * Mb[i]);
      }
    return result;
  }

  template double
  error(const Sums &, const std::vector<double> &, const std::vector<int> &,
        int);
  template double
  error(const Sums &, const std::vector<float> &, const std::vector<int> &,
        int);
  template Asymmetry
  asymmetry(const std::vector<double> &, const std::vector<double> &,
            const std::vector<double> &, const std::vector<double> &, int);
  template Asymmetry
  asymmetry(const std::vector<float> &, const std::vector<float> &,
            const std::vector<float> &, const std::vector<float> &, int);
  template std::vector<double>
  local_x(const Oracle &, const std::vector<int> &, int, int);
  template std::vector<float>
  local_x(const Oracle &, const std::vector<int> &, int, int);
} // namespace tessera::benchmarks
