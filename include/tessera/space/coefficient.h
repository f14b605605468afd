#pragma once

#include <tessera/base/symmetric.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tessera
{
  class PackedCoefficient;

  /// Data of a form at the quadrature points, only as fine as it varies.
  /// Values of a symmetric tensor are (k00, k01, k11) in two dimensions and
  /// (k00, k01, k02, k11, k12, k22) in three.
  struct Coefficient
  {
    enum class Kind
    {
      uniform,             ///< values: [n_components]
      per_cell,            ///< values: [n_cells][n_components]
      per_quadrature_point ///< values: [n_cells][nq][n_components]
    };

    Kind kind                  = Kind::uniform;
    int n_components           = 1;
    std::vector<double> values = {1.};
    /// The values at quadrature points or in cells, if they are in device
    /// memory; `values` is empty then. point_evaluator.h makes and reads values
    /// at points, coarser_space.h values in cells.
    std::shared_ptr<const PackedCoefficient> packed = nullptr;

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

    static Coefficient
    tensor(const double k00, const double k01, const double k02,
           const double k11, const double k12, const double k22)
    {
      return {Kind::uniform, 6, {k00, k01, k02, k11, k12, k22}};
    }

    /// A scalar k as the tensor k I of `dim` dimensions; a tensor as it is.
    /// Throws std::length_error for another number of components.
    Coefficient
    as_tensor(const int dim) const
    {
      const int n = n_symmetric(dim);
      if (n_components == n)
        return *this;
      if (n_components != 1 || packed)
        throw std::length_error("Coefficient: one component or a tensor");
      Coefficient tensor{kind, n, std::vector<double>(n * values.size(), 0.)};
      for (std::size_t i = 0; i < values.size(); ++i)
        for (int d = 0; d < dim; ++d)
          tensor.values[n * i + symmetric_entry(dim, d, d)] = values[i];
      return tensor;
    }
  };
} // namespace tessera
