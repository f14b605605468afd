#pragma once

#include <stdexcept>
#include <vector>

namespace tessera
{
  /// Data of a form at the quadrature points, only as fine as it varies.
  /// Values of a symmetric tensor in two dimensions are (k00, k01, k11).
  struct Coefficient
  {
    enum class Kind
    {
      uniform,             ///< values: [n_components]
      per_cell,            ///< values: [n_cells][n_components]
      per_quadrature_point ///< values: [n_cells][(p+1)^2][n_components]
    };

    Kind kind                  = Kind::uniform;
    int n_components           = 1;
    std::vector<double> values = {1.};

    static Coefficient
    scalar(const double value)
    {
      return {Kind::uniform, 1, {value}};
    }

    /// The symmetric tensor ((k00, k01), (k01, k11)).
    static Coefficient
    tensor(const double k00, const double k01, const double k11)
    {
      return {Kind::uniform, 3, {k00, k01, k11}};
    }

    /// A scalar k as the tensor ((k, 0), (0, k)); a tensor as it is. Throws
    /// std::length_error for another number of components.
    Coefficient
    as_tensor() const
    {
      if (n_components == 3)
        return *this;
      if (n_components != 1)
        throw std::length_error("Coefficient: one or three components");
      Coefficient tensor{kind, 3, {}};
      tensor.values.reserve(3 * values.size());
      for (const double k : values)
        tensor.values.insert(tensor.values.end(), {k, 0., k});
      return tensor;
    }
  };
} // namespace tessera
