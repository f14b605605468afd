#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/fem/fields/named_ids.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    const std::string conditions_path = "Boundary conditions/";
    constexpr int n_conditions        = 8;
    using BoundaryId                  = dealii::types::boundary_id;

    std::string
    value_entry(const BoundaryKinds::Entry &entry)
    {
      return '/' +
             (entry.at_rest.empty() ? "Function expression" : entry.at_rest);
    }

    std::string
    condition_section(const std::string &kind, const int i)
    {
      return conditions_path + kind + ' ' + std::to_string(i);
    }
  } // namespace


  const BoundaryKinds &
  BoundaryKinds::scalar()
  {
    static const BoundaryKinds kinds = {
      false,
      {{Kind::dirichlet, "Dirichlet", "u, a formula of x, y and z"},
       {Kind::neumann, "Neumann", "(kappa grad u) . n, a formula of x, y, z"},
       {Kind::robin, "Robin",
        "g of (kappa grad u) . n + alpha u = g, a formula of x, y and z"}},
      "(kappa grad u) . n = 0"};
    return kinds;
  }


  template <int dim>
  void
  BoundaryConditions<dim>::declare(Parameters &parameters,
                                   const BoundaryKinds &kinds)
  {
    const Patterns::Anything any;
    parameters.declare(conditions_path + "Remaining boundaries", "error",
                       Patterns::Selection("error|natural"),
                       "what holds where no subsection says it; natural: " +
                         kinds.natural);
    for (const auto &entry : kinds.entries)
      for (int i = 1; i <= n_conditions; ++i)
        {
          const auto kind           = entry.kind;
          const std::string section = condition_section(entry.name, i);
          parameters.declare_any_number(conditions_path + entry.name);
          parameters.declare(section + "/Boundaries", "", any,
                             "ids or physical names, separated by commas, or "
                             "'where' and a formula of x, y and z that holds "
                             "at all corners of a face; empty: none");
          if (kind == Kind::dirichlet)
            parameters.declare(section + "/Nodes", "", any,
                               "nodes that are held, too: names of sets, "
                               "points or curves of the mesh file, separated "
                               "by commas, or 'where' and a formula of x, y "
                               "and z that holds at a node; empty: none");
          parameters.declare(section + value_entry(entry), "0", any,
                             entry.sentence);
          if (kind == Kind::robin_tensor)
            parameters.declare(section + '/' + entry.coefficient, "1", any,
                               entry.coefficient_sentence);
          if (kind == Kind::robin)
            parameters.declare(section + "/Coefficient expression", "1", any,
                               "alpha >= 0, a formula of x, y and z");
          if (kind == Kind::dirichlet && kinds.vector_valued)
            parameters.declare(
              section + "/Components", "all",
              Patterns::List(Patterns::Selection("all|x|y|z"), 1, 3),
              "components that are held, separated by commas");
        }
  }


  template <int dim>
  BoundaryConditions<dim>::BoundaryConditions(const Parameters &parameters,
                                              const BoundaryKinds &kinds)
    : kinds(kinds),
      remaining_natural(
        parameters.get(conditions_path + "Remaining boundaries") == "natural")
  {
    const int n = kinds.vector_valued ? dim : 1;
    for (const auto &entry : kinds.entries)
      for (const int i : parameters.numbers(conditions_path + entry.name))
        {
          const auto kind           = entry.kind;
          const std::string section = condition_section(entry.name, i);
          const auto boundaries =
            read_selection(parameters, section + "/Boundaries");
          std::optional<NodeSelection<dim>> nodes;
          if (kind == Kind::dirichlet)
            nodes.emplace(parameters, section + "/Nodes");
          const bool is_used =
            !boundaries.empty() || (nodes.has_value() && !nodes->empty());
          // A condition that is not used may have a default that does not fit.
          if (n > 1 && !is_used)
            continue;
          Condition condition{
            kind,
            section,
            boundaries,
            std::move(nodes),
            Expression<dim>(
              parameters, section + value_entry(entry),
              kind == Kind::pressure ? std::vector<int>{1}
              : (kind == Kind::dirichlet || kind == Kind::robin_tensor) && n > 1
                ? std::vector<int>{1, n}
                : std::vector<int>{n}),
            {},
            {}};
          if (kind == Kind::robin_tensor)
            condition.alpha.emplace(parameters,
                                    section + '/' + entry.coefficient,
                                    std::vector<int>{1, dim, n_symmetric(dim)});
          if (kind == Kind::robin)
            condition.alpha.emplace(parameters,
                                    section + "/Coefficient expression");
          if (condition.alpha)
            condition.alpha->check_no_time();
          if (kind == Kind::dirichlet)
            condition.held = read_components(parameters, section);
          if (is_used)
            conditions.push_back(std::move(condition));
        }
  }


  template <int dim>
  std::vector<bool>
  BoundaryConditions<dim>::read_components(const Parameters &parameters,
                                           const std::string &section) const
  {
    if (!kinds.vector_valued)
      return {true};
    std::vector<bool> held(dim, false);
    for (const auto &name : parameters.get_list(section + "/Components"))
      if (name == "all")
        held.assign(dim, true);
      else if (const int c = name[0] - 'x'; c < dim)
        held[c] = true;
      else
        throw ParameterError("'" + section + "/Components' holds " + name +
                             ", but in two dimensions there are x and y.");
    return held;
  }


  template <int dim>
  bool
  BoundaryConditions<dim>::exclude(const Condition &a, const Condition &b) const
  {
    const bool both_hold = !a.held.empty() && !b.held.empty();
    if (!both_hold && a.held.empty() && b.held.empty())
      return !kinds.vector_valued || a.kind == b.kind;
    for (int c = 0; c < (kinds.vector_valued ? dim : 1); ++c)
      if (both_hold && a.held[c] && b.held[c])
        return true;
      else if (!both_hold && !(a.held.empty() ? b : a).held[c])
        return false; // a component is left to the load
    return !both_hold;
  }


  template <int dim>
  void
  BoundaryConditions<dim>::add_to(Where &where, const Condition &condition,
                                  const bool by_formula,
                                  const NamedIds &existing,
                                  const Mesh<dim> &mesh) const
  {
    const std::string entry = condition.section + "/Boundaries";
    for (const auto &boundary : condition.boundaries)
      {
        if (is_formula(boundary) != by_formula ||
            is_node_set(condition, boundary, existing, mesh))
          continue;
        bool is_somewhere = false;
        for (const auto id : existing.find(boundary, entry))
          {
            auto &others = where[id];
            // Formulas go before ids and names.
            const Condition *other = nullptr;
            for (const Condition *const candidate : others)
              if (candidate != &condition && exclude(*candidate, condition))
                other = candidate;
            if (other != nullptr && !by_formula &&
                is_formula(other->boundaries[0]))
              continue;
            if (other != nullptr)
              throw MeshError(existing.describe(boundary, id) +
                              " is claimed by '" + other->section +
                              "' and by '" + condition.section +
                              "'; leave it to one of them.");
            is_somewhere = true;
            if (others.empty() || others.back() != &condition)
              others.push_back(&condition);
          }
        if (!is_somewhere)
          throw MeshError("All faces of the boundary '" + boundary + "' of '" +
                          entry + "' belong to formulas in other subsections.");
      }
  }


  template <int dim>
  bool
  BoundaryConditions<dim>::is_node_set(const Condition &condition,
                                       const std::string &name,
                                       const NamedIds &existing,
                                       const Mesh<dim> &mesh) const
  {
    if (is_formula(name) || existing.has(name) ||
        find_name(mesh.node_sets, name) == nullptr)
      return false;
    if (condition.kind != Kind::dirichlet)
      throw MeshError("'" + name + "' of '" + condition.section +
                      "/Boundaries' is a set of nodes, which has no area; "
                      "legal are boundaries, of which the " +
                      mesh.source + " has " + mesh.list_boundaries() +
                      ", or 'where' and a formula of x, y and z.");
    return true;
  }


  template <int dim>
  typename BoundaryConditions<dim>::Where
  BoundaryConditions<dim>::conditions_of(const Mesh<dim> &mesh) const
  {
    const NamedIds existing = NamedIds::boundaries(mesh);
    Where result;
    for (const bool by_formula : {true, false})
      for (const auto &condition : conditions)
        add_to(result, condition, by_formula, existing, mesh);
    if (remaining_natural)
      return result;
    for (const BoundaryId id : existing.ids())
      if (result.count(id) == 0)
        {
          std::string names;
          for (std::size_t k = 0; k < kinds.entries.size(); ++k)
            names += (k == 0                         ? "'"
                      : k + 1 < kinds.entries.size() ? ", '"
                                                     : " or '") +
                     kinds.entries[k].name + "'";
          throw MeshError("The boundary " + std::to_string(id) + " of the " +
                          mesh.source + ", which has " +
                          mesh.list_boundaries() +
                          ", is not covered by a subsection " + names +
                          "; cover it or set '" + conditions_path +
                          "Remaining boundaries' to natural.");
        }
    return result;
  }


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::fixed_boundaries(const Mesh<dim> &mesh,
                                            const Division &division) const
  {
    std::set<BoundaryId> fixed;
    std::vector<BoundaryId> ids; // the same in all processes
    division.processes().collectively([&]() {
      const Where where = conditions_of(mesh);
      fixed             = fixed_by(mesh, where);
      for (const auto &[id, conditions_of_id] : where)
        ids.push_back(id);
    });
    std::vector<double> n_processes;
    for (const BoundaryId id : ids)
      n_processes.push_back(static_cast<double>(fixed.count(id)));
    sum_up(division, n_processes);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (n_processes[i] > 0)
        fixed.insert(ids[i]);
    check_fixed(mesh, fixed);
    return fixed;
  }


  template <int dim>
  void
  BoundaryConditions<dim>::check_fixed(const Mesh<dim> &mesh,
                                       const std::set<BoundaryId> &fixed) const
  {
    if (fixed.empty() && !kinds.vector_valued && !holds_nodes(mesh))
      throw MeshError(
        "There is no Dirichlet boundary and no Robin boundary "
        "with a positive coefficient, so that the problem is "
        "singular; the " +
        mesh.source + " has " + mesh.list_boundaries() + '.');
  }


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::dirichlet_boundaries(const Mesh<dim> &mesh) const
  {
    std::set<BoundaryId> result;
    for (const auto &[id, conditions_of_id] : conditions_of(mesh))
      for (const Condition *const condition : conditions_of_id)
        if (condition->kind == Kind::dirichlet)
          result.insert(id);
    return result;
  }


  template <int dim>
  bool
  BoundaryConditions<dim>::varies_in_time() const
  {
    return std::any_of(conditions.begin(), conditions.end(),
                       [](const Condition &condition) {
                         return condition.value.varies_in_time();
                       });
  }


  template <int dim>
  void
  BoundaryConditions<dim>::set_time(const double t, const double t_of_loads)
  {
    for (Condition &condition : conditions)
      condition.value.set_time(condition.kind == Kind::dirichlet ? t
                                                                 : t_of_loads);
  }


  template <int dim>
  void
  BoundaryConditions<dim>::check(const Mesh<dim> &mesh) const
  {
    fixed_boundaries(mesh);
  }


  template class BoundaryConditions<2>;
  template class BoundaryConditions<3>;
} // namespace tessera
