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
  /// The section `Boundary conditions` of a parameter file. It has the
  /// subsections `Dirichlet 1` to `8` (u = g), `Neumann 1` to `8`
  /// ((kappa grad u) . n = g) and `Robin 1` to `8`
  /// ((kappa grad u) . n + alpha u = g), each for some boundaries, and an entry
  /// for the remaining boundaries. Where Dirichlet boundaries meet, the first
  /// subsection gives the value.
  template <int dim>
  class BoundaryConditions
  {
  public:
    static void
    declare(Parameters &parameters);

    /// Reads the section. Throws ParameterError if an expression cannot be
    /// parsed.
    explicit BoundaryConditions(const Parameters &parameters);

    /// Throws MeshError if a named boundary does not exist or is claimed twice,
    /// if an existing boundary is neither covered nor declared natural, or if
    /// nothing fixes the value of u. Throws ParameterError if alpha is negative
    /// at the centre of a face.
    void
    check(const Mesh<dim> &mesh) const;

    /// Returns the ids of the boundaries that fix the value of u: Dirichlet
    /// boundaries, and Robin boundaries with alpha > 0 at the centre of some
    /// face. Throws what `check` throws.
    std::set<dealii::types::boundary_id>
    fixed_boundaries(const Mesh<dim> &mesh) const;

    /// Returns the ids of the Dirichlet boundaries. Throws what `check` throws,
    /// but does not check that something fixes the value of u.
    std::set<dealii::types::boundary_id>
    dirichlet_boundaries(const Mesh<dim> &mesh) const;

    /// Returns the closed constraints u_i = g(x_i). Throws ParameterError
    /// naming the place if g is not finite, and what `check` throws.
    dealii::AffineConstraints<double>
    constraints(const Mesh<dim> &mesh, const dealii::Mapping<dim> &mapping,
                const dealii::DoFHandler<dim> &dof_handler) const;

    /// Returns the faces of the Neumann and Robin boundaries in the order of
    /// the cells, with the quadrature rule of `cell_rule`. Throws
    /// ParameterError naming the place if g or alpha is not finite or alpha is
    /// negative, and MeshError if the boundaries do not fit the conditions; see
    /// `check`.
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
      Expression<dim> value;               ///< the function g
      std::optional<Expression<dim>> alpha;
    };

    /// Returns the condition on each boundary that has one. Throws the
    /// MeshErrors of `check` except that for the value of u.
    std::map<dealii::types::boundary_id, const Condition *>
    conditions_of(const Mesh<dim> &mesh) const;

    /// Does the work of `fixed_boundaries` for conditions that are already
    /// known, because finding them visits all cells.
    std::set<dealii::types::boundary_id>
    fixed_by(const Mesh<dim> &mesh,
             const std::map<dealii::types::boundary_id, const Condition *>
               &where) const;

    std::vector<Condition> conditions;
    bool remaining_natural;
  };
} // namespace tessera
