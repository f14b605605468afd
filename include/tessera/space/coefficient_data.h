#pragma once

#include <tessera/base/attributes.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/coefficient.h>

#include <algorithm>
#include <iterator>

namespace tessera
{
  /// A coefficient as kernels read it. The kind is data, not a type: a kernel
  /// takes uniform values from its arguments and others from memory.
  template <class Number>
  struct CoefficientView
  {
    static constexpr int max_components = 9;

    Number uniform[max_components];
    /// [n_batches][n_entries][lanes], null if uniform: component c of point q
    /// is entry q point_stride + c. The stride is 0 if all points of a cell
    /// have the same value.
    const Number *values;
    int n_entries;
    int point_stride;

    TESSERA_HOST_DEVICE bool
    is_uniform() const
    {
      return values == nullptr;
    }
  };

  /// A `Coefficient` in the memory of a backend.
  template <class Number>
  class CoefficientData
  {
  public:
    /// Throws std::length_error if the number of values does not fit.
    CoefficientData(const Coefficient &coefficient, const CellData<Number> &);

    CoefficientView<Number>
    view() const
    {
      CoefficientView<Number> view = {{},
                                      shared_values != nullptr ? shared_values
                                                               : values.data(),
                                      n_entries,
                                      point_stride};
      std::copy(std::begin(uniform), std::end(uniform), view.uniform);
      return view;
    }

    std::size_t
    bytes() const;

  private:
    void
    take(const std::shared_ptr<const PackedCoefficient> &packed);

    Number uniform[CoefficientView<Number>::max_components] = {};
    Array<Number> values;
    /// Used instead of `values`: the values of the coefficient in double.
    std::shared_ptr<const PackedCoefficient> shared;
    const Number *shared_values = nullptr;
    int n_entries               = 0;
    int point_stride            = 0;
  };
} // namespace tessera
