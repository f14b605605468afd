#pragma once

#include <tessera/forms/coefficient.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// A coefficient as kernels read it. The kind is data, not a type: a kernel
  /// takes uniform values from its arguments and others from memory.
  template <class Number>
  struct CoefficientView
  {
    static constexpr int max_components = 3;

    Coefficient::Kind kind;
    Number uniform[max_components];
    /// per cell: [n_batches][n_components][lanes];
    /// per point: [n_batches][n_points][n_components][lanes]
    const Number *values;
  };

  /// A `Coefficient` in the memory of a backend.
  template <class Number>
  class CoefficientData
  {
  public:
    /// Throws std::length_error where the number of values does not fit.
    CoefficientData(const Coefficient &coefficient, const CellData<Number> &);

    CoefficientView<Number>
    view() const
    {
      return {kind, {uniform[0], uniform[1], uniform[2]}, values.data()};
    }

    std::size_t
    bytes() const
    {
      return values.bytes();
    }

  private:
    Coefficient::Kind kind;
    Number uniform[CoefficientView<Number>::max_components] = {};
    Array<Number> values;
  };
} // namespace tessera
