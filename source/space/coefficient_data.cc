#include <tessera/space/coefficient_data.h>

#include <stdexcept>

namespace tessera
{
  template <class Number>
  CoefficientData<Number>::CoefficientData(const Coefficient &coefficient,
                                           const CellData<Number> &cells)
  {
    const Coefficient::Kind kind = coefficient.kind;
    const std::size_t n_cells    = cells.space().n_cells();
    const int n_points           = cells.space().points_per_cell();
    int entries                  = coefficient.n_components;
    std::size_t expected         = entries;
    if (kind == Coefficient::Kind::per_quadrature_point)
      entries *= n_points;
    if (kind != Coefficient::Kind::uniform)
      expected = n_cells * entries;
    if (coefficient.values.size() != expected || coefficient.n_components < 1 ||
        coefficient.n_components > CoefficientView<Number>::max_components)
      throw std::length_error("CoefficientData: the number of values is wrong");

    if (kind == Coefficient::Kind::uniform)
      for (int c = 0; c < coefficient.n_components; ++c)
        uniform[c] = static_cast<Number>(coefficient.values[c]);
    else
      {
        values    = cells.pack(coefficient.values, entries);
        n_entries = entries;
        point_stride =
          kind == Coefficient::Kind::per_cell ? 0 : coefficient.n_components;
      }
  }

  template class CoefficientData<double>;
  template class CoefficientData<float>;
} // namespace tessera
