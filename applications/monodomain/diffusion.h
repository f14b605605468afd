#pragma once

#include "wall_fibres.h"
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/coefficients.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

/// The section `Diffusion`: the tensor D = d_iso I + d_ani n n^T + d_tra s s^T
/// of fibres with the direction n (WongKuhlDarve2015, equation 3) in sheets,
/// whose direction across the fibres is s.
template <int dim>
class Diffusion
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError if an expression cannot be parsed, and what
  /// WallFibres throws.
  explicit Diffusion(const tessera::Parameters &parameters);

  /// Returns D, a tensor of the kind that its parts need. Fibres that are not
  /// of unit length are normalised, which a note on standard error says. Where
  /// D is anisotropic somewhere, adds the mean directions in each cell to the
  /// fields of the case. Throws ParameterError for fibres of length 0 where
  /// d_ani is not 0, for sheets without a direction across the fibre where
  /// d_tra is not 0, for a tensor that is not positive definite, and what
  /// MaterialExpression throws; MeshError for a mesh without fibres if they
  /// should come from its file; and what `WallFibres::directions` throws. All
  /// processes call it together.
  tessera::Coefficient
  tensor(tessera::Discretization<dim> &d) const;

private:
  /// Returns n, or s if `of_sheets`, with three components, not normalised.
  tessera::Coefficient
  directions(const tessera::Discretization<dim> &d,
             const std::vector<std::array<double, 6>> &of_walls,
             bool of_sheets) const;

  /// D on the cells of a process, n as it is there, and the unit vector of s
  /// across n, or 0 where d_tra is 0.
  struct OfCells
  {
    tessera::Coefficient D, n, s;
    /// Lengths of the fibres where D is anisotropic; `longest` is 0 if it is so
    /// nowhere.
    double shortest, longest;
    double transverse; ///< the largest |d_tra|
  };

  OfCells
  on_cells(const tessera::Discretization<dim> &d,
           const std::vector<std::array<double, 6>> &of_walls) const;

  const tessera::MaterialExpression<dim> isotropic, anisotropic, transverse,
    fibre, sheet;
  const std::string rule;
  std::optional<tessera::WallFibres<dim>> walls; ///< of that rule
};
