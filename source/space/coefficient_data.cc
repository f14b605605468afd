#include <tessera/space/coefficient_data.h>
#include <tessera/space/point_evaluator.h>

#include <stdexcept>
#include <type_traits>

#include "../base/convert.cuh"

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
    const auto &packed = coefficient.packed;
    const bool fits =
      packed ? kind == Coefficient::Kind::per_quadrature_point &&
                 packed->values().backend() == cells.backend() &&
                 packed->cells()->lanes() == cells.lanes() &&
                 packed->values().size() ==
                   std::size_t(cells.n_batches()) * entries * cells.lanes()
             : coefficient.values.size() == expected;
    if (!fits || coefficient.n_components < 1 ||
        coefficient.n_components > CoefficientView<Number>::max_components)
      throw std::length_error("CoefficientData: the number of values is wrong");

    if (kind == Coefficient::Kind::uniform)
      for (int c = 0; c < coefficient.n_components; ++c)
        uniform[c] = static_cast<Number>(coefficient.values[c]);
    else
      {
        if (packed)
          take(packed);
        else
          values = cells.pack(coefficient.values, entries);
        n_entries = entries;
        point_stride =
          kind == Coefficient::Kind::per_cell ? 0 : coefficient.n_components;
      }
  }

  template <class Number>
  std::size_t
  CoefficientData<Number>::bytes() const
  {
    return shared ? shared->values().bytes() : values.bytes();
  }

  template <class Number>
  void
  CoefficientData<Number>::take(
    const std::shared_ptr<const PackedCoefficient> &packed)
  {
    const Array<double> &of = packed->values();
    if constexpr (std::is_same_v<Number, double>)
      {
        shared        = packed;
        shared_values = of.data();
      }
    else
      {
        values = Array<Number>(of.backend(), of.size());
        for_each(of.backend(), static_cast<std::int64_t>(of.size()),
                 Conversion<Number, double>{values.data(), of.data(), 1});
      }
  }

  template class CoefficientData<double>;
  template class CoefficientData<float>;
} // namespace tessera
