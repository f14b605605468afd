#include <tessera/base/error.h>
#include <tessera/dealii/boundary_conditions.h>

#include <deal.II/numerics/vector_tools_boundary.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tessera
{
  namespace
  {
    const std::string root    = "Boundary conditions/";
    constexpr int n_dirichlet = 8;
    using BoundaryId          = dealii::types::boundary_id;

    std::string
    section_name(const int i)
    {
      return root + "Dirichlet " + std::to_string(i);
    }

    /// The id that an entry of `Boundaries` stands for.
    BoundaryId
    resolve(const std::string &boundary, const std::string &section,
            const Mesh &mesh)
    {
      const auto ids   = mesh.triangulation.get_boundary_ids();
      const auto named = mesh.boundary_names.find(boundary);
      for (const BoundaryId id : ids)
        if (std::to_string(id) == boundary ||
            (named != mesh.boundary_names.end() && named->second == id))
          return id;
      throw MeshError("The boundary '" + boundary + "' of '" + section +
                      "/Boundaries' does not exist; the " + mesh.source +
                      " has " + mesh.list_boundaries() + '.');
    }
  } // namespace


  void
  BoundaryConditions::declare(Parameters &parameters)
  {
    namespace Patterns = dealii::Patterns;
    parameters.declare(root + "Remaining boundaries", "error",
                       Patterns::Selection("error|natural"),
                       "what holds where no subsection says it; natural: "
                       "(kappa grad u) . n = 0");
    for (int i = 1; i <= n_dirichlet; ++i)
      {
        parameters.declare(section_name(i) + "/Boundaries", "",
                           Patterns::Anything(),
                           "ids or physical names, separated by commas; empty: "
                           "this subsection is not used");
        parameters.declare(section_name(i) + "/Function expression", "0",
                           Patterns::Anything(),
                           "boundary value, a formula of x and y");
      }
  }


  BoundaryConditions::BoundaryConditions(const Parameters &parameters)
    : remaining_natural(parameters.get(root + "Remaining boundaries") ==
                        "natural")
  {
    for (int i = 1; i <= n_dirichlet; ++i)
      {
        const std::string section = section_name(i);
        const auto boundaries = parameters.get_list(section + "/Boundaries");
        const Expression value(parameters, section + "/Function expression");
        if (!boundaries.empty())
          dirichlet.push_back({section, boundaries, value});
      }
  }


  void
  BoundaryConditions::check(const Mesh &mesh) const
  {
    std::map<BoundaryId, std::string> covered;
    for (const auto &condition : dirichlet)
      for (const auto &boundary : condition.boundaries)
        {
          const auto [other, is_new] = covered.emplace(
            resolve(boundary, condition.section, mesh), condition.section);
          if (!is_new && other->second != condition.section)
            throw MeshError("The boundary '" + boundary + "' is claimed by '" +
                            other->second + "' and by '" + condition.section +
                            "'; leave it to one of them.");
        }
    if (covered.empty())
      throw MeshError(
        "There is no Dirichlet boundary, so that the problem "
        "is singular; '" +
        section_name(1) + "/Boundaries' and the following are empty, and the " +
        mesh.source + " has " + mesh.list_boundaries() + '.');
    if (remaining_natural)
      return;
    for (const BoundaryId id : mesh.triangulation.get_boundary_ids())
      if (covered.count(id) == 0)
        throw MeshError("The boundary " + std::to_string(id) + " of the " +
                        mesh.source + ", which has " + mesh.list_boundaries() +
                        ", is not covered by '" + root +
                        "Dirichlet 1' to '8'; cover it or set '" + root +
                        "Remaining boundaries' to natural.");
  }


  dealii::AffineConstraints<double>
  BoundaryConditions::constraints(
    const Mesh &mesh, const dealii::DoFHandler<2> &dof_handler) const
  {
    check(mesh);
    dealii::AffineConstraints<double> result;
    for (const auto &condition : dirichlet)
      {
        const auto value = condition.value.function();
        for (const auto &boundary : condition.boundaries)
          dealii::VectorTools::interpolate_boundary_values(
            dof_handler, resolve(boundary, condition.section, mesh), *value,
            result);
        for (const auto &line : result.get_lines())
          if (!std::isfinite(line.inhomogeneity))
            throw ParameterError(
              "The expression of '" + condition.value.entry() +
              "' is not a finite number everywhere on " + "its boundaries.");
      }
    result.close();
    return result;
  }
} // namespace tessera
