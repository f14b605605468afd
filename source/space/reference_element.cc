#include <tessera/space/interpolation_tables.h>
#include <tessera/space/quadrature.h>
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
      const InterpolationTables tables =
        lagrange_tables(E::cell_type, nodes, points);
      for (int q = 0; q < n; ++q)
        {
          element.weights[q] = static_cast<Number>(weights[q]);
          element.points[q]  = static_cast<Number>(points[q]);
          for (int i = 0; i < n; ++i)
            {
              element.values[i][q] =
                static_cast<Number>(tables.values[i * n + q]);
              element.gradients[i][q] =
                static_cast<Number>(tables.gradients[i * n + q]);
            }
        }
    }

    template <class E, class Number>
    void
    fill(ReferenceElement<E, Number, true> &element)
    {
      constexpr int n = E::n, nq = E::n_points;
      const QuadratureRule rule = has_few_points<E>
                                    ? gradient_rule(E::cell_type, E::degree)
                                    : cell_rule(E::cell_type, E::degree);
      const InterpolationTables tables =
        simplex_tables(E::cell_type, E::degree, rule.points);
      for (int q = 0; q < nq; ++q)
        {
          element.weights[q] = static_cast<Number>(rule.weights[q]);
          for (int i = 0; i < n; ++i)
            {
              element.values[i][q] =
                static_cast<Number>(tables.values[i * nq + q]);
              for (int d = 0; d < E::dim; ++d)
                element.gradients[i][q][d] =
                  static_cast<Number>(tables.gradients[(d * n + i) * nq + q]);
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

#define INSTANTIATE(E, Number)                                         \
  template ReferenceElement<E, Number> reference_element<E, Number>(); \
  template ReferenceElement<FewPoints<E>, Number>                      \
  reference_element<FewPoints<E>, Number>();
#include <tessera/space/instantiate.inc>
} // namespace tessera
