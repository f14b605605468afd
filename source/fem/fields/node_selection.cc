#include <tessera/base/error.h>
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/fields/node_selection.h>

#include <deal.II/fe/fe_values.h>

#include <strings.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <set>

namespace tessera
{
  namespace
  {
    template <int dim>
    using NodesByDof = std::map<dealii::types::global_dof_index,
                                typename NodeSelection<dim>::Node>;

    /// The nodes of the cells of a mesh.
    template <int dim>
    class NodesOfCells
    {
    public:
      NodesOfCells(const dealii::Mapping<dim> &mapping,
                   const dealii::DoFHandler<dim> &dof_handler)
        : dof_handler(dof_handler), fe(dof_handler.get_fe()),
          base(fe.base_element(0)),
          values(mapping, fe,
                 dealii::Quadrature<dim>(base.get_unit_support_points()),
                 dealii::update_quadrature_points),
          dofs(fe.n_dofs_per_cell())
      {}

      /// Calls visit(cell, number of the node in the cell, first degree of
      /// freedom) for the nodes of cells with is_wanted(cell).
      template <class IsWanted, class Visit>
      void
      for_nodes(const IsWanted &is_wanted, const Visit &visit)
      {
        for (const auto &cell :
             active_cells(dof_handler, [&](const auto &cell) {
               return is_known(cell) && is_wanted(cell);
             }))
          {
            cell->get_dof_indices(dofs);
            is_placed = false;
            for (unsigned int i = 0; i < base.n_dofs_per_cell(); ++i)
              visit(cell, i, dofs[fe.component_to_system_index(0, i)]);
          }
      }

      /// Returns the node with this number of the cell that is visited.
      template <class Cell>
      typename NodeSelection<dim>::Node
      node(const Cell &cell, const unsigned int i)
      {
        typename NodeSelection<dim>::Node result;
        for (unsigned int c = 0; c < fe.n_components(); ++c)
          result.dofs.push_back(dofs[fe.component_to_system_index(c, i)]);
        if (!is_placed)
          values.reinit(cell);
        is_placed    = true;
        result.point = values.quadrature_point(i);
        place_exactly(cell, vertices_around(cell, i), result.point);
        return result;
      }

      /// Returns the vertices of the vertex, edge, face or cell that a node of
      /// a cell lies in.
      template <class Cell>
      std::vector<unsigned int>
      vertices_around(const Cell &cell, const unsigned int i) const
      {
        const auto vertices_of = [](const auto &object) {
          std::vector<unsigned int> result;
          for (const unsigned int v : object->vertex_indices())
            result.push_back(object->vertex_index(v));
          return result;
        };
        if (i < base.get_first_line_index())
          return {cell->vertex_index(i / base.n_dofs_per_vertex())};
        if (i < base.get_first_quad_index())
          return vertices_of(cell->line((i - base.get_first_line_index()) /
                                        base.n_dofs_per_line()));
        if constexpr (dim == 3)
          if (i < base.get_first_hex_index())
            return vertices_of(cell->face((i - base.get_first_quad_index()) /
                                          base.n_dofs_per_quad()));
        return vertices_of(cell);
      }

      /// Returns true if there is an edge at the boundary both vertices of
      /// which are selected but not all nodes between them.
      bool
      leaves_edges(const std::vector<char> &is_selected)
      {
        std::vector<char> is_held(dof_handler.get_triangulation().n_vertices());
        const auto all = [](const auto &) { return true; };
        for_nodes(all, [&](const auto &cell, const unsigned int i,
                           const dealii::types::global_dof_index dof) {
          if (i < base.get_first_line_index())
            is_held[vertices_around(cell, i)[0]] = is_selected[dof];
        });
        bool leaves = false;
        for_nodes(all, [&](const auto &cell, const unsigned int i,
                           const dealii::types::global_dof_index dof) {
          if (i < base.get_first_line_index() ||
              i >= base.get_first_quad_index() || is_selected[dof] != 0)
            return;
          const unsigned int line =
            (i - base.get_first_line_index()) / base.n_dofs_per_line();
          if (!cell->line(line)->at_boundary())
            return;
          const auto ends = vertices_around(cell, i);
          leaves = leaves || (is_held[ends[0]] != 0 && is_held[ends[1]] != 0);
        });
        return leaves;
      }

    private:
      /// Gives a point the coordinates that all vertices around it have in
      /// common, from which it may differ by rounding.
      template <class Cell>
      void
      place_exactly(const Cell &cell, const std::vector<unsigned int> &around,
                    dealii::Point<dim> &point) const
      {
        const auto &vertices = cell->get_triangulation().get_vertices();
        for (int d = 0; d < dim; ++d)
          {
            const double x = vertices[around[0]][d];
            double largest = 0;
            for (const unsigned int v : cell->vertex_indices())
              largest = std::max(largest, std::abs(cell->vertex(v)[d]));
            if (std::abs(point[d] - x) <=
                  64 * std::numeric_limits<double>::epsilon() * largest &&
                std::all_of(
                  around.begin(), around.end(),
                  [&](const unsigned int v) { return vertices[v][d] == x; }))
              point[d] = x;
          }
      }

      const dealii::DoFHandler<dim> &dof_handler;
      const dealii::FiniteElement<dim> &fe, &base;
      dealii::FEValues<dim> values;
      std::vector<dealii::types::global_dof_index> dofs; ///< of the cell
      bool is_placed = false; ///< `values` are those of the cell
    };

    /// Returns the nodes that do not hang.
    template <int dim>
    std::vector<typename NodeSelection<dim>::Node>
    free_nodes(const NodesByDof<dim> &nodes,
               const dealii::DoFHandler<dim> &dof_handler)
    {
      dealii::AffineConstraints<double> hanging;
      if (!nodes.empty() && dof_handler.get_triangulation().has_hanging_nodes())
        hanging = hanging_constraints(dof_handler);
      std::vector<typename NodeSelection<dim>::Node> result;
      for (const auto &[dof, node] : nodes)
        if (!hanging.is_constrained(dof))
          result.push_back(node);
      return result;
    }
  } // namespace


  template <int dim>
  NodeSelection<dim>::NodeSelection(const Parameters &parameters,
                                    const std::string &path)
    : path(path), names(read_selection(parameters, path))
  {
    for (const std::string &name : names)
      if (is_formula(name))
        formulas.push_back(formula_of<dim>(parameters, path, name));
  }


  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  NodeSelection<dim>::find(const Mesh<dim> &mesh,
                           const dealii::Mapping<dim> &mapping,
                           const dealii::DoFHandler<dim> &dof_handler) const
  {
    if (names.size() == 1)
      return find_name(names[0], mesh, mapping, dof_handler);
    NodesByDof<dim> all;
    for (const std::string &name : names)
      for (const Node &node : find_name(name, mesh, mapping, dof_handler))
        all.emplace(node.dofs[0], node);
    std::vector<Node> result;
    for (const auto &[dof, node] : all)
      result.push_back(node);
    return result;
  }


  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  NodeSelection<dim>::find_name(
    const std::string &name, const Mesh<dim> &mesh,
    const dealii::Mapping<dim> &mapping,
    const dealii::DoFHandler<dim> &dof_handler) const
  {
    if (!is_formula(name))
      {
        const NodeSet *const set = find_node_set(mesh, name);
        if (set != nullptr)
          return nodes_of_set(*set, mapping, dof_handler);
        std::string list;
        for (const auto &[known, of_name] : mesh.node_sets)
          list += (list.empty() ? "'" : ", '") + known + "'";
        throw MeshError(
          "The set of nodes '" + name + "' of '" + path +
          "' does not exist; the " + mesh.source + " has " +
          (list.empty() ? "no sets of nodes; 'where' and a formula of x, y and "
                          "z select nodes of every mesh"
                        : list) +
          '.');
      }
    NodesOfCells<dim> of_cells(mapping, dof_handler);
    std::vector<char> is_seen(dof_handler.n_dofs(), 0);
    std::vector<Node> all;
    std::vector<double> points;
    of_cells.for_nodes([](const auto &) { return true; },
                       [&](const auto &cell, const unsigned int i,
                           const dealii::types::global_dof_index dof) {
                         if (is_seen[dof] != 0)
                           return;
                         is_seen[dof] = 1;
                         all.push_back(of_cells.node(cell, i));
                         const auto &x = all.back().point;
                         points.insert(points.end(), x.begin_raw(),
                                       x.end_raw());
                       });
    const auto holds = formulas[0].evaluate(points);
    NodesByDof<dim> nodes;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (holds[k] != 0.)
        nodes.emplace(all[k].dofs[0], std::move(all[k]));
    return free_nodes<dim>(nodes, dof_handler);
  }


  template <int dim>
  void
  NodeSelection<dim>::check(const Mesh<dim> &mesh,
                            const dealii::Mapping<dim> &mapping,
                            const dealii::DoFHandler<dim> &dof_handler,
                            const Division *const division) const
  {
    if (names.empty())
      return;
    std::vector<double> n(names.size() + 1, 0.); // and whether edges are left
    const auto count = [&]() {
      std::vector<char> is_selected(dof_handler.n_dofs(), 0);
      for (std::size_t k = 0; k < names.size(); ++k)
        {
          const auto found = find_name(names[k], mesh, mapping, dof_handler);
          n[k]             = static_cast<double>(found.size());
          for (const Node &node : found)
            is_selected[node.dofs[0]] = 1;
        }
      if (!formulas.empty() &&
          NodesOfCells<dim>(mapping, dof_handler).leaves_edges(is_selected))
        n.back() = 1;
    };
    division == nullptr ? count() : division->processes().collectively(count);
    sum_up(division, n);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (n[k] == 0)
        throw MeshError(is_formula(names[k])
                          ? "The formula '" + names[k] + "' of '" + path +
                              "' holds at no node of the " + mesh.source + '.'
                          : "The set of nodes '" + names[k] + "' of '" + path +
                              "' has no node of a cell of the " + mesh.source +
                              '.');
    static std::set<std::string> said; // where
    if (n.back() > 0 && said.insert(path + names[0]).second &&
        (division == nullptr || division->writes()))
      std::cerr << "note: the formula '" << names[0] << "' of '" << path
                << "' holds at both ends of edges, but not at nodes between "
                   "them, which are not selected. If they belong to a curve, "
                   "they are beside it, because cells are straight."
                << std::endl;
  }


  template <int dim>
  const NodeSet *
  find_node_set(const Mesh<dim> &mesh, const std::string &name)
  {
    if (const auto exact = mesh.node_sets.find(name);
        exact != mesh.node_sets.end())
      return &exact->second;
    const NodeSet *found = nullptr;
    for (const auto &[known, set] : mesh.node_sets)
      if (strcasecmp(known.c_str(), name.c_str()) == 0)
        {
          if (found != nullptr)
            return nullptr;
          found = &set;
        }
    return found;
  }


  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  nodes_of_set(const NodeSet &set, const dealii::Mapping<dim> &mapping,
               const dealii::DoFHandler<dim> &dof_handler)
  {
    const auto &triangulation = dof_handler.get_triangulation();
    const NodeSet active      = active_part(triangulation, set);
    std::vector<char> is_in(triangulation.n_vertices(), 0);
    for (const unsigned int v : active.vertices)
      is_in[v] = 1;
    const auto belongs = [&](std::vector<unsigned int> vertices) {
      if (std::any_of(vertices.begin(), vertices.end(),
                      [&](const unsigned int v) { return is_in[v] == 0; }))
        return false;
      if (active.fills || vertices.size() == 1)
        return true;
      std::sort(vertices.begin(), vertices.end());
      return vertices.size() == 2 &&
             std::binary_search(
               active.edges.begin(), active.edges.end(),
               std::array<unsigned int, 2>{{vertices[0], vertices[1]}});
    };
    NodesOfCells<dim> of_cells(mapping, dof_handler);
    NodesByDof<dim> nodes;
    of_cells.for_nodes(
      [&](const auto &cell) {
        const auto corners = cell->vertex_indices();
        return std::any_of(corners.begin(), corners.end(),
                           [&](const unsigned int v) {
                             return is_in[cell->vertex_index(v)] != 0;
                           });
      },
      [&](const auto &cell, const unsigned int i,
          const dealii::types::global_dof_index dof) {
        if (nodes.count(dof) == 0 && belongs(of_cells.vertices_around(cell, i)))
          nodes.emplace(dof, of_cells.node(cell, i));
      });
    return free_nodes<dim>(nodes, dof_handler);
  }


#define INSTANTIATE(dim)                                                \
  template class NodeSelection<dim>;                                    \
  template const NodeSet *find_node_set(const Mesh<dim> &,              \
                                        const std::string &);           \
  template std::vector<typename NodeSelection<dim>::Node> nodes_of_set( \
    const NodeSet &, const dealii::Mapping<dim> &,                      \
    const dealii::DoFHandler<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
