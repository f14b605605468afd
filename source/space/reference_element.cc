#include <tessera/space/quadrature.h>
#include <tessera/space/reference_cell.h>
#include <tessera/space/reference_element.h>

namespace tessera
{
  namespace
  {
    /// Uses Gauss-Lobatto nodes and Gauss points in each direction.
    template <class E, class Number>
    void
    fill(ReferenceElement<E, Number, false> &element)
    {
      constexpr int n                   = E::n1;
      const std::vector<double> nodes   = gauss_lobatto_points(n);
      const std::vector<double> points  = gauss_points(n);
      const std::vector<double> weights = gauss_weights(n);
      for (int q = 0; q < n; ++q)
        {
          element.weights[q] = static_cast<Number>(weights[q]);
          element.points[q]  = static_cast<Number>(points[q]);
          for (int i = 0; i < n; ++i)
            {
              double value = 1, gradient = 0;
              for (int j = 0; j < n; ++j)
                if (j != i)
                  {
                    double product = 1 / (nodes[i] - nodes[j]);
                    for (int k = 0; k < n; ++k)
                      if (k != i && k != j)
                        product *=
                          (points[q] - nodes[k]) / (nodes[i] - nodes[k]);
                    value *= (points[q] - nodes[j]) / (nodes[i] - nodes[j]);
                    gradient += product;
                  }
              element.values[i][q]    = static_cast<Number>(value);
              element.gradients[i][q] = static_cast<Number>(gradient);
            }
        }
    }

    /// With barycentric coordinates l_v, the functions are l_v or l_v (2 l_v -
    /// 1) at vertices and 4 l_a l_b on the edge ab.
    template <class E, class Number>
    void
    fill(ReferenceElement<E, Number, true> &element)
    {
      constexpr int dim = E::dim, nv = dim + 1;
      constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                   {0, 3}, {1, 3}, {2, 3}};
      const QuadratureRule rule = cell_rule(E::cell_type, E::degree);
      const auto values         = vertex_functions(E::cell_type, rule.points);
      const auto slopes         = vertex_gradients(E::cell_type, rule.points);
      for (int q = 0; q < E::n_points; ++q)
        {
          element.weights[q] = static_cast<Number>(rule.weights[q]);
          const double *l    = &values[q * nv];
          const auto dl      = [&](const int v, const int d) {
            return slopes[(q * nv + v) * dim + d];
          };
          const bool linear = E::degree == 1;
          for (int i = 0; i < E::n; ++i)
            {
              const int a = i < nv ? i : edges[i - nv][0];
              const int b = i < nv ? i : edges[i - nv][1];
              element.values[i][q] =
                static_cast<Number>(linear   ? l[i]
                                    : i < nv ? l[i] * (2 * l[i] - 1)
                                             : 4 * l[a] * l[b]);
              for (int d = 0; d < dim; ++d)
                element.gradients[i][q][d] = static_cast<Number>(
                  linear   ? dl(i, d)
                  : i < nv ? (4 * l[i] - 1) * dl(i, d)
                           : 4 * (dl(a, d) * l[b] + l[a] * dl(b, d)));
            }
        }
    }
  } // namespace

  bool
  has_kernels(const CellType type, const int degree)
  {
    return internal::is_instantiated(type, degree);
  }

  template <class E, class Number>
  ReferenceElement<E, Number>
  reference_element()
  {
    ReferenceElement<E, Number> element;
    fill(element);
    return element;
  }

#define INSTANTIATE(E, Number) \
  template ReferenceElement<E, Number> reference_element<E, Number>();
#include <tessera/space/instantiate.inc>
} // namespace tessera
