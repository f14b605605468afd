#pragma once

#include <tessera/dealii/coefficients.h>

/// The section `Diffusion`: the tensor D = d_iso I + d_ani n n^T of fibres with
/// the direction n (WongKuhlDarve2015, equation 3).
template <int dim>
class Diffusion
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError if an expression cannot be parsed.
  explicit Diffusion(const tessera::Parameters &parameters);

  /// Returns D, a tensor of the kind that its parts need. Fibres that are not
  /// of unit length are normalised, which a note on standard error says. Throws
  /// ParameterError for fibres of length 0 where d_ani is not 0, for a tensor
  /// that is not positive definite, and what MaterialExpression throws.
  tessera::Coefficient
  tensor(const tessera::Mesh<dim> &mesh, const tessera::Space &space) const;

private:
  const tessera::MaterialExpression<dim> isotropic, anisotropic, fibre;
};

/// Returns the coefficient (factor D, c) of `reaction_diffusion`.
tessera::Coefficient
with_reaction(const tessera::Coefficient &D, double factor, double c);
