#include <tessera/space/quadrature.h>
#include <tessera/space/reference_element.h>

namespace tessera
{
  template <int degree, class Number>
  ReferenceElement<degree, Number>
  reference_element()
  {
    constexpr int n                   = degree + 1;
    const std::vector<double> nodes   = gauss_lobatto_points(n);
    const std::vector<double> points  = gauss_points(n);
    const std::vector<double> weights = gauss_weights(n);

    ReferenceElement<degree, Number> element;
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
                      product *= (points[q] - nodes[k]) / (nodes[i] - nodes[k]);
                  value *= (points[q] - nodes[j]) / (nodes[i] - nodes[j]);
                  gradient += product;
                }
            element.values[i][q]    = static_cast<Number>(value);
            element.gradients[i][q] = static_cast<Number>(gradient);
          }
      }
    return element;
  }

#define INSTANTIATE(degree, Number) \
  template ReferenceElement<degree, Number> reference_element<degree, Number>();
#include <tessera/base/instantiate.inc>
} // namespace tessera
