#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/expression.h>
#include <tessera/dealii/mesh.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/affine_constraints.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Section `Boundary conditions`: subsections `Dirichlet 1` to
  /// `Dirichlet 8`, each u = g on some boundaries, and what holds on the
  /// remaining ones. Where two meet, the first one gives the value.
  class BoundaryConditions
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError where an expression does not parse.
    explicit BoundaryConditions(const Parameters &parameters);

    /// Throws MeshError where a boundary that is named does not exist, one
    /// that exists is neither covered nor declared natural, or there is no
    /// Dirichlet boundary at all.
    void
    check(const Mesh &mesh) const;

    /// The constraints u_i = g(x_i), closed. Throws ParameterError where g is
    /// not finite, and what `check` throws.
    dealii::AffineConstraints<double>
    constraints(const Mesh &mesh,
                const dealii::DoFHandler<2> &dof_handler) const;

  private:
    struct Dirichlet
    {
      std::string section;
      std::vector<std::string> boundaries; ///< ids or names
      Expression value;
    };

    std::vector<Dirichlet> dirichlet;
    bool remaining_natural;
  };
} // namespace tessera
