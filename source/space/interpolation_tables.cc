#include <tessera/space/interpolation_tables.h>
#include <tessera/space/reference_cell.h>

namespace tessera
{
  InterpolationTables
  lagrange_tables(const CellType type, const std::vector<double> &nodes,
                  const std::vector<double> &points)
  {
    const std::size_t n = nodes.size(), m = points.size();
    InterpolationTables t{type, static_cast<int>(n), static_cast<int>(m),
                          std::vector<double>(n * m),
                          std::vector<double>(n * m)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t q = 0; q < m; ++q)
        {
          double value = 1, gradient = 0;
          for (std::size_t j = 0; j < n; ++j)
            if (j != i)
              {
                double product = 1 / (nodes[i] - nodes[j]);
                for (std::size_t k = 0; k < n; ++k)
                  if (k != i && k != j)
                    product *= (points[q] - nodes[k]) / (nodes[i] - nodes[k]);
                value *= (points[q] - nodes[j]) / (nodes[i] - nodes[j]);
                gradient += product;
              }
          t.values[i * m + q]    = value;
          t.gradients[i * m + q] = gradient;
        }
    return t;
  }


  InterpolationTables
  simplex_tables(const CellType type, const int degree,
                 const std::vector<double> &points)
  {
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                 {0, 3}, {1, 3}, {2, 3}};
    const int dim = dimension(type), nv = dim + 1, n = n_nodes(type, degree);
    const int m       = static_cast<int>(points.size()) / dim;
    const auto values = vertex_functions(type, points),
               slopes = vertex_gradients(type, points);
    InterpolationTables t{type, n, m, std::vector<double>(n * m),
                          std::vector<double>(dim * n * m)};
    for (int q = 0; q < m; ++q)
      for (int i = 0; i < n; ++i)
        {
          const double *const l = &values[q * nv];
          const int a           = i < nv ? i : edges[i - nv][0];
          const int b           = i < nv ? i : edges[i - nv][1];
          t.values[i * m + q]   = degree == 1 ? l[i]
                                  : i < nv    ? l[i] * (2 * l[i] - 1)
                                              : 4 * l[a] * l[b];
          for (int d = 0; d < dim; ++d)
            {
              const double da = slopes[(q * nv + a) * dim + d],
                           db = slopes[(q * nv + b) * dim + d];
              t.gradients[(d * n + i) * m + q] =
                degree == 1 ? da
                : i < nv    ? (4 * l[i] - 1) * da
                            : 4 * (da * l[b] + l[a] * db);
            }
        }
    return t;
  }
} // namespace tessera
