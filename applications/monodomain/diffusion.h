#pragma once

#include <tessera/dealii/coefficients.h>
#include <tessera/dealii/discretization.h>
#include <tessera/dealii/wall_fibres.h>

#include <optional>
#include <string>

/// The section `Diffusion`: the tensor D = d_iso I + d_ani n n^T of fibres with
/// the direction n (WongKuhlDarve2015, equation 3).
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
  /// D is anisotropic somewhere, adds the mean direction in each cell to the
  /// fields of the case. Throws ParameterError for fibres of length 0 where
  /// d_ani is not 0, for a tensor that is not positive definite, and what
  /// MaterialExpression throws; MeshError for a mesh without fibres if they
  /// should come from its file, and what WallFibres throws.
  tessera::Coefficient
  tensor(tessera::Discretization<dim> &d) const;

private:
  /// Returns n with three components, not normalised.
  tessera::Coefficient
  directions(const tessera::Discretization<dim> &d) const;

  /// D on the cells of a process, and n as it is there.
  struct OfCells
  {
    tessera::Coefficient D, n;
    /// Lengths of the fibres where D is anisotropic; `longest` is 0 if it is so
    /// nowhere.
    double shortest, longest;
  };

  OfCells
  on_cells(const tessera::Discretization<dim> &d) const;

  const tessera::MaterialExpression<dim> isotropic, anisotropic, fibre;
  const std::string rule;
  std::optional<tessera::WallFibres<dim>> walls; ///< of that rule
};
