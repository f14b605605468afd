#include "active_cells.h"

#include <tessera/base/error.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/face_trace.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/named_ids.h>

#include <algorithm>
#include <sstream>

namespace tessera
{
  namespace
  {
    const std::string root     = "Boundary conditions/";
    const std::string kinds[]  = {"Dirichlet", "Neumann", "Robin"};
    const std::string values[] = {
      "u, a formula of x, y and z", "(kappa grad u) . n, a formula of x, y, z",
      "g of (kappa grad u) . n + alpha u = g, a formula of x, y and z"};
    constexpr int n_conditions = 8;
    using BoundaryId           = dealii::types::boundary_id;

    std::string
    section_name(const int kind, const int i)
    {
      return root + kinds[kind] + ' ' + std::to_string(i);
    }

    /// Throws ParameterError if a value is negative; `points` has [n][dim].
    template <int dim>
    void
    check_not_negative(const Expression<dim> &alpha,
                       const std::vector<double> &values,
                       const std::vector<double> &points)
    {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] < 0.)
          {
            std::ostringstream text;
            text << "The value " << values[i] << " of '" << alpha.entry()
                 << "' is negative"
                 << (alpha.varies() ? " at " + place<dim>(&points[dim * i])
                                    : "")
                 << "; legal are values of at least 0.";
            throw ParameterError(text.str());
          }
    }

    /// Calls visit(cell, face number) for all faces of the boundaries in `ids`.
    template <class Cells, class Visit>
    void
    for_faces(const Cells &cells, const std::set<BoundaryId> &ids,
              const Visit &visit)
    {
      if (ids.empty())
        return;
      for (const auto &cell : boundary_cells(cells))
        for (const unsigned int f : cell->face_indices())
          if (cell->face(f)->at_boundary() &&
              ids.count(cell->face(f)->boundary_id()) > 0)
            visit(cell, f);
    }

    template <int dim>
    void
    append(std::vector<double> &list, const dealii::Point<dim> &p)
    {
      for (int d = 0; d < dim; ++d)
        list.push_back(p[d]);
    }
  } // namespace


  template <int dim>
  void
  BoundaryConditions<dim>::declare(Parameters &parameters)
  {
    const dealii::Patterns::Anything any;
    parameters.declare(root + "Remaining boundaries", "error",
                       dealii::Patterns::Selection("error|natural"),
                       "what holds where no subsection says it; natural: "
                       "(kappa grad u) . n = 0");
    for (int kind = 0; kind < 3; ++kind)
      for (int i = 1; i <= n_conditions; ++i)
        {
          const std::string section = section_name(kind, i);
          parameters.declare(section + "/Boundaries", "", any,
                             "ids or physical names, separated by commas; "
                             "empty: this subsection is not used");
          parameters.declare(section + "/Function expression", "0", any,
                             values[kind]);
          if (kind == static_cast<int>(Kind::robin))
            parameters.declare(section + "/Coefficient expression", "1", any,
                               "alpha >= 0, a formula of x, y and z");
        }
  }


  template <int dim>
  BoundaryConditions<dim>::BoundaryConditions(const Parameters &parameters)
    : remaining_natural(parameters.get(root + "Remaining boundaries") ==
                        "natural")
  {
    for (int kind = 0; kind < 3; ++kind)
      for (int i = 1; i <= n_conditions; ++i)
        {
          const std::string section = section_name(kind, i);
          Condition condition{
            static_cast<Kind>(kind),
            section,
            parameters.get_list(section + "/Boundaries"),
            Expression<dim>(parameters, section + "/Function expression"),
            {}};
          if (condition.kind == Kind::robin)
            condition.alpha.emplace(parameters,
                                    section + "/Coefficient expression");
          if (!condition.boundaries.empty())
            conditions.push_back(std::move(condition));
        }
  }


  template <int dim>
  std::map<BoundaryId, const typename BoundaryConditions<dim>::Condition *>
  BoundaryConditions<dim>::conditions_of(const Mesh<dim> &mesh) const
  {
    const NamedIds existing = NamedIds::boundaries(mesh);
    std::map<BoundaryId, const Condition *> result;
    for (const auto &condition : conditions)
      for (const auto &boundary : condition.boundaries)
        for (const auto id :
             existing.find(boundary, condition.section + "/Boundaries"))
          {
            const auto [other, is_new] = result.emplace(id, &condition);
            if (!is_new && other->second != &condition)
              throw MeshError(existing.describe(boundary, id) +
                              " is claimed by '" + other->second->section +
                              "' and by '" + condition.section +
                              "'; leave it to one of them.");
          }
    if (remaining_natural)
      return result;
    for (const BoundaryId id : existing.ids())
      if (result.count(id) == 0)
        throw MeshError("The boundary " + std::to_string(id) + " of the " +
                        mesh.source + ", which has " + mesh.list_boundaries() +
                        ", is not covered by a subsection 'Dirichlet', "
                        "'Neumann' or 'Robin'; cover it or set '" +
                        root + "Remaining boundaries' to natural.");
    return result;
  }


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::fixed_boundaries(const Mesh<dim> &mesh) const
  {
    return fixed_by(mesh, conditions_of(mesh));
  }


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::fixed_by(
    const Mesh<dim> &mesh,
    const std::map<BoundaryId, const Condition *> &where) const
  {
    std::set<BoundaryId> fixed, robin;
    for (const auto &[id, condition] : where)
      if (condition->kind == Kind::dirichlet)
        fixed.insert(id);
      else if (condition->kind == Kind::robin)
        robin.insert(id);

    std::map<BoundaryId, std::vector<double>> points;
    for_faces(mesh.triangulation, robin,
              [&points](const auto &cell, const unsigned int f) {
                append(points[cell->face(f)->boundary_id()],
                       cell->face(f)->center());
              });
    for (const auto &[id, centres] : points)
      {
        const auto &alpha  = *where.at(id)->alpha;
        const auto at_them = alpha.evaluate(centres);
        check_not_negative(alpha, at_them, centres);
        if (*std::max_element(at_them.begin(), at_them.end()) > 0.)
          fixed.insert(id);
      }
    if (fixed.empty())
      throw MeshError(
        "There is no Dirichlet boundary and no Robin boundary "
        "with a positive coefficient, so that the problem is "
        "singular; the " +
        mesh.source + " has " + mesh.list_boundaries() + '.');
    return fixed;
  }


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::dirichlet_boundaries(const Mesh<dim> &mesh) const
  {
    std::set<BoundaryId> result;
    for (const auto &[id, condition] : conditions_of(mesh))
      if (condition->kind == Kind::dirichlet)
        result.insert(id);
    return result;
  }


  template <int dim>
  void
  BoundaryConditions<dim>::check(const Mesh<dim> &mesh) const
  {
    fixed_boundaries(mesh);
  }


  template <int dim>
  dealii::AffineConstraints<double>
  BoundaryConditions<dim>::constraints(
    const Mesh<dim> &mesh, const dealii::Mapping<dim> &mapping,
    const dealii::DoFHandler<dim> &dof_handler) const
  {
    const auto where = conditions_of(mesh);
    fixed_by(mesh, where);
    const auto &fe = dof_handler.get_fe();
    FaceTrace<dim> trace(mapping, fe,
                         face_nodes<dim - 1>(fe.reference_cell().is_simplex(),
                                             static_cast<int>(fe.degree)));
    dealii::AffineConstraints<double> result;
    for (const auto &condition : conditions)
      {
        std::set<BoundaryId> ids;
        for (const auto &[id, of] : where)
          if (of == &condition && condition.kind == Kind::dirichlet)
            ids.insert(id);
        if (ids.empty())
          continue;
        std::vector<dealii::types::global_dof_index> dofs;
        std::vector<double> points;
        for_faces(dof_handler, ids,
                  [&](const auto &cell, const unsigned int f) {
                    trace.reinit(cell, f);
                    for (std::size_t i = 0; i < trace.dofs().size(); ++i)
                      if (!result.is_constrained(trace.dofs()[i]))
                        {
                          result.add_line(trace.dofs()[i]);
                          dofs.push_back(trace.dofs()[i]);
                          append(points, trace.points()[i]);
                        }
                  });
        const auto g = condition.value.evaluate(points);
        for (std::size_t i = 0; i < dofs.size(); ++i)
          result.set_inhomogeneity(dofs[i], g[i]);
      }
    result.close();
    return result;
  }


  template <int dim>
  BoundaryFaces
  BoundaryConditions<dim>::faces(
    const Mesh<dim> &mesh, const dealii::Mapping<dim> &mapping,
    const dealii::DoFHandler<dim> &dof_handler) const
  {
    const auto where = conditions_of(mesh);
    const auto &fe   = dof_handler.get_fe();
    BoundaryFaces result;
    result.face_type = face_type(cell_type_of(dof_handler.get_triangulation()));
    result.degree    = static_cast<int>(fe.degree);
    const auto rule = cell_quadrature<dim - 1>(result.face_type, result.degree);
    FaceTrace<dim> trace(mapping, fe, rule.get_points());

    // Faces have the order of cells; all faces of a condition are evaluated
    // together afterwards.
    std::set<BoundaryId> ids;
    for (const auto &[id, condition] : where)
      if (condition->kind != Kind::dirichlet)
        ids.insert(id);
    struct Entries
    {
      std::vector<std::size_t> places; ///< indices into load and mass
      std::vector<double> points;      ///< [n][dim]
    };
    std::map<const Condition *, Entries> entries;
    for_faces(dof_handler, ids, [&](const auto &cell, const unsigned int f) {
      trace.reinit(cell, f);
      result.boundary_ids.push_back(cell->face(f)->boundary_id());
      result.dofs.insert(result.dofs.end(), trace.dofs().begin(),
                         trace.dofs().end());
      auto &[places, points] = entries[where.at(cell->face(f)->boundary_id())];
      for (unsigned int q = 0; q < rule.size(); ++q)
        {
          places.push_back(result.load.size());
          append(points, trace.points()[q]);
          result.load.push_back(trace.measure(q) * rule.weight(q));
        }
    });
    const std::vector<double> dS = result.load;
    for (const auto &[condition, of] : entries)
      {
        const auto g = condition->value.evaluate(of.points);
        for (std::size_t i = 0; i < g.size(); ++i)
          result.load[of.places[i]] = g[i] * dS[of.places[i]];
        if (!condition->alpha)
          continue;
        const auto alpha = condition->alpha->evaluate(of.points);
        check_not_negative(*condition->alpha, alpha, of.points);
        if (std::all_of(alpha.begin(), alpha.end(),
                        [](const double a) { return a == 0.; }))
          continue;
        result.mass.resize(dS.size(), 0.);
        for (std::size_t i = 0; i < alpha.size(); ++i)
          result.mass[of.places[i]] = alpha[i] * dS[of.places[i]];
      }
    return result;
  }


  template class BoundaryConditions<2>;
  template class BoundaryConditions<3>;
} // namespace tessera
