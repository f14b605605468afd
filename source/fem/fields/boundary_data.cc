#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/boundary_conditions.h>

#include <algorithm>

// The values and loads that boundary conditions have on the faces and nodes of
// a mesh.
namespace tessera
{
  namespace
  {
    using BoundaryId = dealii::types::boundary_id;

    template <int dim>
    void
    append(std::vector<double> &list, const dealii::Point<dim> &p)
    {
      list.insert(list.end(), p.begin_raw(), p.end_raw());
    }
  } // namespace


  template <int dim>
  std::set<BoundaryId>
  BoundaryConditions<dim>::fixed_by(const Mesh<dim> &mesh,
                                    const Where &where) const
  {
    std::set<BoundaryId> fixed, robin;
    for (const auto &[id, conditions_of_id] : where)
      for (const Condition *const condition : conditions_of_id)
        if (condition->kind == Kind::dirichlet)
          fixed.insert(id);
        else if (condition->kind == Kind::robin)
          robin.insert(id);

    std::map<BoundaryId, std::vector<double>> points;
    const auto arrays   = mesh.arrays();
    const auto &corners = mesh_tools::faces_of(arrays->cell_type);
    for (std::size_t i = 0; i < arrays->boundary.size(); ++i)
      if (const MeshFace &face = arrays->boundary.data()[i];
          robin.count(face.id) > 0)
        append(points[face.id], mesh_tools::mean_of<dim>(*arrays, face.cell,
                                                         corners[face.face]));
    for (const auto &[id, centres] : points)
      {
        const auto at_them =
          where.at(id).front()->alpha->evaluate_not_negative(centres);
        if (*std::max_element(at_them.begin(), at_them.end()) > 0.)
          fixed.insert(id);
      }
    return fixed;
  }


  template <int dim>
  template <class Visit>
  void
  BoundaryConditions<dim>::for_held(const Mesh<dim> &mesh, const Where &where,
                                    const CellNodes<dim> &cells,
                                    const Visit &visit) const
  {
    const auto nodes =
      face_nodes<dim - 1>(is_simplex(cells.cell_type()), cells.degree());
    FaceTrace<dim> trace(cells, nodes);
    const int n = cells.n_components();
    std::vector<bool> is_held(cells.n_dofs(), false);
    const auto hold = [&](const std::size_t k, const int node,
                          const dealii::Point<dim> &p) {
      for (int c = 0; c < n; ++c)
        if (const std::size_t dof = cells.dof(node, c);
            conditions[k].held[c] && !is_held[dof])
          {
            is_held[dof] = true;
            visit(k, dof, c, p);
          }
    };
    const auto hold_nodes = [&](const std::size_t k, const auto &selected) {
      for (const auto &node : selected)
        hold(k, node.number, node.point);
    };
    for (std::size_t k = 0; k < conditions.size(); ++k)
      {
        std::set<BoundaryId> ids;
        for (const auto &[id, acting] : where)
          if (conditions[k].kind == Kind::dirichlet &&
              std::count(acting.begin(), acting.end(), &conditions[k]) > 0)
            ids.insert(id);
        for (const MeshFace &face : cells.boundary_faces(ids))
          {
            trace.reinit(face);
            for (std::size_t i = 0; i < nodes.size(); ++i)
              hold(k, trace.nodes()[i], trace.point(i));
          }
        if (conditions[k].nodes && !conditions[k].nodes->empty())
          hold_nodes(k, conditions[k].nodes->find(mesh, cells));
        for (const NodeSet *const set : node_sets(conditions[k], mesh))
          hold_nodes(k, nodes_of_set<dim>(*set, mesh, cells));
      }
  }


  template <int dim>
  std::vector<const NodeSet *>
  BoundaryConditions<dim>::node_sets(const Condition &condition,
                                     const Mesh<dim> &mesh) const
  {
    std::vector<const NodeSet *> result;
    if (condition.kind != Kind::dirichlet || mesh.node_sets.empty())
      return result;
    const NamedIds existing = NamedIds::boundaries(mesh);
    for (const auto &name : condition.boundaries)
      if (is_node_set(condition, name, existing, mesh))
        result.push_back(find_name(mesh.node_sets, name));
    return result;
  }


  template <int dim>
  bool
  BoundaryConditions<dim>::holds_nodes(const Mesh<dim> &mesh) const
  {
    return std::any_of(
      conditions.begin(), conditions.end(), [&](const Condition &condition) {
        return (condition.nodes && !condition.nodes->empty()) ||
               !node_sets(condition, mesh).empty();
      });
  }


  template <int dim>
  void
  BoundaryConditions<dim>::check_nodes(const Mesh<dim> &mesh,
                                       const CellNodes<dim> &cells) const
  {
    for (const Condition &condition : conditions)
      {
        if (condition.nodes)
          condition.nodes->check(mesh, cells);
        for (const NodeSet *const set : node_sets(condition, mesh))
          {
            std::vector<double> n(1, static_cast<double>(set->vertices.size()));
            sum_up(cells.division(), n);
            if (n[0] == 0)
              throw MeshError("A set of nodes of '" + condition.section +
                              "/Boundaries' has no node of a cell of the " +
                              mesh.source + '.');
          }
      }
  }


  template <int dim>
  dealii::AffineConstraints<double>
  BoundaryConditions<dim>::constraints(const Mesh<dim> &mesh,
                                       const CellNodes<dim> &cells,
                                       const bool must_fix) const
  {
    const Where where = conditions_of(mesh);
    if (must_fix)
      check_fixed(mesh, fixed_by(mesh, where));
    struct Held
    {
      std::vector<std::pair<dealii::types::global_dof_index, int>> dofs;
      std::vector<double> points;
    };
    std::vector<Held> held(conditions.size());
    for_held(mesh, where, cells,
             [&](const std::size_t k, const auto dof, const int component,
                 const dealii::Point<dim> &p) {
               held[k].dofs.emplace_back(dof, component);
               append(held[k].points, p);
             });
    dealii::AffineConstraints<double> result;
    for (std::size_t k = 0; k < conditions.size(); ++k)
      {
        const int m  = conditions[k].value.n_components();
        const auto g = conditions[k].value.evaluate(held[k].points);
        for (std::size_t i = 0; i < held[k].dofs.size(); ++i)
          {
            const auto &[dof, component] = held[k].dofs[i];
            result.add_line(dof);
            result.set_inhomogeneity(dof, g[i * m + (m > 1 ? component : 0)]);
          }
      }
    result.close();
    return result;
  }


  template <int dim>
  std::vector<std::string>
  BoundaryConditions<dim>::holders(const Mesh<dim> &mesh,
                                   const CellNodes<dim> &cells,
                                   std::vector<int> &holder) const
  {
    std::vector<std::string> names;
    std::vector<int> number(conditions.size(), -1);
    for (std::size_t k = 0; k < conditions.size(); ++k)
      if (conditions[k].kind == Kind::dirichlet)
        {
          number[k]           = static_cast<int>(names.size());
          const auto &section = conditions[k].section;
          names.push_back(section.substr(section.find('/') + 1));
        }
    holder.assign(cells.n_dofs(), -1);
    for_held(mesh, conditions_of(mesh), cells,
             [&](const std::size_t k, const auto dof, const int,
                 const dealii::Point<dim> &) { holder[dof] = number[k]; });
    return names;
  }


  template <int dim>
  BoundaryFaces
  BoundaryConditions<dim>::faces(
    const Mesh<dim> &mesh, const CellNodes<dim> &cells,
    const std::function<double(const dealii::Point<dim> &)> &weight) const
  {
    const Where where   = conditions_of(mesh);
    const std::size_t n = cells.n_components();
    BoundaryFaces result;
    result.face_type    = face_type(cells.cell_type());
    result.degree       = cells.degree();
    result.n_components = static_cast<int>(n);
    const auto rule = cell_quadrature<dim - 1>(result.face_type, result.degree);
    FaceTrace<dim> trace(cells, rule.get_points());

    // Faces have the order of cells; all faces of a condition are evaluated
    // together afterwards.
    std::set<BoundaryId> ids;
    for (const auto &[id, acting] : where)
      for (const Condition *const condition : acting)
        if (condition->kind != Kind::dirichlet)
          ids.insert(id);
    struct Entries
    {
      std::vector<std::size_t> places; ///< numbers of points on all faces
      std::vector<double> points;      ///< [n][dim]
    };
    std::map<const Condition *, Entries> entries;
    std::vector<double> dS;                      // [n_faces][nq]
    std::vector<dealii::Tensor<1, dim>> normals; // [n_faces][nq], of vectors
    for (const MeshFace &face : cells.boundary_faces(ids))
      {
        trace.reinit(face);
        result.boundary_ids.push_back(face.id);
        result.cells.push_back(face.cell);
        result.dofs.insert(result.dofs.end(), trace.nodes().begin(),
                           trace.nodes().end());
        for (unsigned int q = 0; q < rule.size(); ++q)
          {
            const auto point = trace.point(q);
            for (const Condition *const condition : where.at(face.id))
              if (condition->kind != Kind::dirichlet)
                {
                  entries[condition].places.push_back(dS.size());
                  append(entries[condition].points, point);
                }
            dS.push_back(trace.measure(q) * rule.weight(q) *
                         (weight ? weight(point) : 1.));
            if (kinds.vector_valued)
              normals.push_back(trace.normal(q));
          }
      }
    result.load.assign(dS.size() * n, 0.);
    for (const auto &[condition, of] : entries)
      {
        const auto alpha    = condition->alpha
                                ? coefficients(*condition, of.points)
                                : std::vector<double>();
        const std::size_t s = n * (n + 1) / 2;
        if (condition->kind != Kind::robin_tensor)
          {
            const auto g = condition->value.evaluate(of.points);
            for (std::size_t i = 0; i < of.places.size(); ++i)
              for (std::size_t c = 0; c < n; ++c)
                result.load[of.places[i] * n + c] +=
                  dS[of.places[i]] * (condition->kind == Kind::pressure
                                        ? -g[i] * normals[of.places[i]][c]
                                        : g[i * n + c]);
          }
        if (std::all_of(alpha.begin(), alpha.end(),
                        [](const double a) { return a == 0.; }))
          continue;
        result.mass.resize(dS.size() * s, 0.);
        for (std::size_t k = 0; k < alpha.size(); ++k)
          result.mass[of.places[k / s] * s + k % s] =
            alpha[k] * dS[of.places[k / s]];
      }
    return result;
  }


#define INSTANTIATE(dim)                                                       \
  template std::set<BoundaryId> BoundaryConditions<dim>::fixed_by(             \
    const Mesh<dim> &, const Where &) const;                                   \
  template dealii::AffineConstraints<double>                                   \
  BoundaryConditions<dim>::constraints(const Mesh<dim> &,                      \
                                       const CellNodes<dim> &, bool) const;    \
  template std::vector<const NodeSet *> BoundaryConditions<dim>::node_sets(    \
    const Condition &, const Mesh<dim> &) const;                               \
  template bool BoundaryConditions<dim>::holds_nodes(const Mesh<dim> &) const; \
  template void BoundaryConditions<dim>::check_nodes(                          \
    const Mesh<dim> &, const CellNodes<dim> &) const;                          \
  template std::vector<std::string> BoundaryConditions<dim>::holders(          \
    const Mesh<dim> &, const CellNodes<dim> &, std::vector<int> &) const;      \
  template BoundaryFaces BoundaryConditions<dim>::faces(                       \
    const Mesh<dim> &, const CellNodes<dim> &,                                 \
    const std::function<double(const dealii::Point<dim> &)> &) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
