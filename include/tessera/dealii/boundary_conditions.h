#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/expression.h>
#include <tessera/dealii/mesh.h>
#include <tessera/space/boundary_faces.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/affine_constraints.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// Section `Boundary conditions`: subsections `Dirichlet 1` to `8` (u = g),
  /// `Neumann 1` to `8` ((kappa grad u) . n = g) and `Robin 1` to `8`
  /// ((kappa grad u) . n + alpha u = g), each on some boundaries, and what
  /// holds on the remaining ones. Where Dirichlet boundaries meet, the first
  /// one gives the value.
  template <int dim>
  class BoundaryConditions
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError where an expression does not parse.
    explicit BoundaryConditions(const Parameters &parameters);

    /// Throws MeshError where a boundary that is named does not exist or is
    /// claimed twice, one that exists is neither covered nor declared natural,
    /// or nothing fixes the value of u; ParameterError where an alpha is
    /// negative at the centre of a face.
    void
    check(const Mesh<dim> &mesh) const;

    /// Ids of the boundaries that fix the value of u: those of Dirichlet, and
    /// of Robin with alpha > 0 at the centre of a face. Throws as `check` does.
    std::set<dealii::types::boundary_id>
    fixed_boundaries(const Mesh<dim> &mesh) const;

    /// Ids of the Dirichlet boundaries. Throws as `check` does, but for what
    /// fixes the value.
    std::set<dealii::types::boundary_id>
    dirichlet_boundaries(const Mesh<dim> &mesh) const;

    /// The constraints u_i = g(x_i), closed. Throws ParameterError with the
    /// place where g is not finite, and what `check` throws.
    dealii::AffineConstraints<double>
    constraints(const Mesh<dim> &mesh, const dealii::Mapping<dim> &mapping,
                const dealii::DoFHandler<dim> &dof_handler) const;

    /// The faces of Neumann and Robin boundaries, in the order of cells; rules
    /// are those of `cell_rule`. Throws ParameterError with the place where g
    /// or alpha is not finite or alpha is negative, and what `check` throws.
    BoundaryFaces
    faces(const Mesh<dim> &mesh, const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler) const;

  private:
    enum class Kind
    {
      dirichlet,
      neumann,
      robin
    };

    struct Condition
    {
      Kind kind;
      std::string section;
      std::vector<std::string> boundaries; ///< ids or names
      Expression<dim> value;               ///< g
      std::optional<Expression<dim>> alpha;
    };

    /// The condition on each boundary that has one. Throws MeshError as `check`
    /// does, but for the value of u.
    std::map<dealii::types::boundary_id, const Condition *>
    conditions_of(const Mesh<dim> &mesh) const;

    /// `fixed_boundaries`, of conditions that are known: to find out goes over
    /// all cells.
    std::set<dealii::types::boundary_id>
    fixed_by(const Mesh<dim> &mesh,
             const std::map<dealii::types::boundary_id, const Condition *>
               &where) const;

    std::vector<Condition> conditions;
    bool remaining_natural;
  };
} // namespace tessera
