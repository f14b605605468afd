#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/node_selection.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>
#include <set>

namespace tessera
{
  namespace
  {
    /// The vertices around the nodes of cells.
    template <int dim>
    class NodesOfCells
    {
    public:
      explicit NodesOfCells(const CellNodes<dim> &cells)
        : cells(cells), n_corners(cells.mesh().corners_per_cell())
      {
        const auto type = cells.element().reference_cell();
        for (const auto &point : cells.unit_nodes())
          {
            around.emplace_back();
            for (int v = 0; v < n_corners; ++v)
              if (std::abs(type.d_linear_shape_function(point, v)) > 1e-10)
                around.back().push_back(v);
          }
      }

      /// Sets `vertices` to the vertices of the vertex, edge, face or cell that
      /// a node of a cell lies in.
      void
      vertices_around(const std::size_t cell, const int i,
                      std::vector<int> &vertices) const
      {
        vertices.clear();
        for (const int v : around[i])
          vertices.push_back(corners(cell)[v]);
      }

      /// Calls visit(node, cell, number of the node in the cell) for all nodes
      /// of known cells, with the first cell of each, by all threads. Each
      /// makes a `visit` of its own by make_visit().
      template <class MakeVisit>
      void
      for_nodes(const MakeVisit &make_visit) const
      {
        const int n = cells.nodes_per_cell();
        std::vector<int> first(cells.n_nodes(), -1);
        for (int cell = cells.n_cells() - 1; cell >= 0; --cell)
          for (int i = 0; i < n && cells.is_known(cell); ++i)
            first[cells.nodes(cell)[i]] = cell;
#pragma omp parallel
        {
          auto visit = make_visit();
#pragma omp for schedule(static)
          for (int cell = 0; cell < cells.n_cells(); ++cell)
            for (int i = 0; i < n; ++i)
              if (const int node = cells.nodes(cell)[i]; first[node] == cell)
                visit(node, cell, i);
        }
      }

      /// Returns what is selected of the nodes of known cells.
      std::vector<typename NodeSelection<dim>::Node>
      nodes(const std::vector<char> &is_selected) const
      {
        using Node = typename NodeSelection<dim>::Node;
        std::vector<Node> result;
        dealii::AffineConstraints<double> hanging;
        if (const auto *const dofs = cells.with_hanging_nodes())
          hanging = hanging_constraints(*dofs);
        for_nodes([&]() {
          return [&, values = CellValues<dim>(cells, cells.unit_nodes()),
                  vertices = std::vector<int>()](const int node, const int cell,
                                                 const int i) mutable {
            if (is_selected[node] == 0 ||
                hanging.is_constrained(cells.dof(node, 0)))
              return;
            values.reinit(cell);
            dealii::Point<dim> point = values.point(i);
            vertices_around(cell, i, vertices);
            place_exactly(cell, vertices, point);
#pragma omp critical(tessera_node_selection)
            result.push_back({node, point});
          };
        });
        std::sort(
          result.begin(), result.end(),
          [](const Node &a, const Node &b) { return a.number < b.number; });
        return result;
      }

      /// Returns true if there is an edge at the boundary both vertices of
      /// which are selected but not all nodes between them.
      bool
      leaves_edges(const std::vector<char> &is_selected) const
      {
        std::vector<int> of_corner(n_corners); // numbers of nodes in a cell
        for (std::size_t i = 0; i < around.size(); ++i)
          if (around[i].size() == 1)
            of_corner[around[i][0]] = static_cast<int>(i);
        const FaceTrace<dim> trace(cells, {});
        for (const MeshFace &face : cells.boundary_faces(cells.boundary_ids()))
          for (const int i : trace.places(face.face))
            {
              const int *const nodes = cells.nodes(face.cell);
              const auto is_held     = [&](const int v) {
                return is_selected[nodes[of_corner[v]]] != 0;
              };
              if (around[i].size() == 2 && is_selected[nodes[i]] == 0 &&
                  is_held(around[i][0]) && is_held(around[i][1]))
                return true;
            }
        return false;
      }

    private:
      const int *
      corners(const std::size_t cell) const
      {
        return cells.mesh().corners.data() + cell * n_corners;
      }

      /// Gives a point the coordinates that all vertices around it have in
      /// common, from which it may differ by rounding.
      void
      place_exactly(const std::size_t cell, const std::vector<int> &vertices,
                    dealii::Point<dim> &point) const
      {
        const auto x = [&](const int vertex, const int d) {
          return cells.mesh().vertices.data()[std::size_t(vertex) * dim + d];
        };
        for (int d = 0; d < dim; ++d)
          {
            const double first = x(vertices[0], d);
            double largest     = 0;
            for (int v = 0; v < n_corners; ++v)
              largest = std::max(largest, std::abs(x(corners(cell)[v], d)));
            if (std::abs(point[d] - first) <=
                  64 * std::numeric_limits<double>::epsilon() * largest &&
                std::all_of(vertices.begin(), vertices.end(),
                            [&](const int v) { return x(v, d) == first; }))
              point[d] = first;
          }
      }

      const CellNodes<dim> &cells;
      const int n_corners;
      std::vector<std::vector<int>> around; ///< corners around a cell's nodes
    };
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
                           const CellNodes<dim> &cells) const
  {
    if (names.size() == 1)
      return find_name(names[0], mesh, cells);
    std::map<int, Node> all;
    for (const std::string &name : names)
      for (const Node &node : find_name(name, mesh, cells))
        all.emplace(node.number, node);
    std::vector<Node> result;
    for (const auto &[number, node] : all)
      result.push_back(node);
    return result;
  }


  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  NodeSelection<dim>::find_name(const std::string &name, const Mesh<dim> &mesh,
                                const CellNodes<dim> &cells) const
  {
    if (!is_formula(name))
      {
        const NodeSet *const set = tessera::find_name(mesh.node_sets, name);
        if (set != nullptr)
          return nodes_of_set(*set, mesh, cells);
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
    const NodesOfCells<dim> of_cells(cells);
    std::vector<char> is_selected(cells.n_nodes(), 1);
    const auto all = of_cells.nodes(is_selected);
    std::vector<double> points;
    for (const Node &node : all)
      points.insert(points.end(), node.point.begin_raw(), node.point.end_raw());
    const auto holds = formulas[0].evaluate(points);
    std::vector<Node> result;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (holds[k] != 0.)
        result.push_back(all[k]);
    return result;
  }


  template <int dim>
  void
  NodeSelection<dim>::check(const Mesh<dim> &mesh,
                            const CellNodes<dim> &cells) const
  {
    if (names.empty())
      return;
    const Division &division = cells.division();
    std::vector<double> n(names.size() + 1, 0.); // and whether edges are left
    division.processes().collectively([&]() {
      std::vector<char> is_selected(cells.n_nodes(), 0);
      for (std::size_t k = 0; k < names.size(); ++k)
        {
          const auto found = find_name(names[k], mesh, cells);
          n[k]             = static_cast<double>(found.size());
          for (const Node &node : found)
            is_selected[node.number] = 1;
        }
      if (!formulas.empty() &&
          NodesOfCells<dim>(cells).leaves_edges(is_selected))
        n.back() = 1;
    });
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
        division.writes())
      std::cerr << "note: the formula '" << names[0] << "' of '" << path
                << "' holds at both ends of edges, but not at nodes between "
                   "them, which are not selected. If they belong to a curve, "
                   "they are beside it, because cells are straight."
                << std::endl;
  }


  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  nodes_of_set(const NodeSet &set, const Mesh<dim> &mesh,
               const CellNodes<dim> &cells)
  {
    const MeshArrays &arrays     = cells.mesh();
    const int levels             = mesh_tools::levels_of_sets(mesh);
    const auto *const of_deal_ii = levels < 0 ? &mesh.triangulation() : nullptr;
    const NodeSet active         = of_deal_ii
                                     ? active_part(*of_deal_ii, set)
                                     : mesh_tools::divided(set, arrays, levels);
    std::vector<char> is_in(
      of_deal_ii ? of_deal_ii->n_vertices() : arrays.n_vertices(), 0);
    for (const unsigned int v : active.vertices)
      is_in[v] = 1;
    // The vertices of arrays have other numbers than deal.II's.
    std::vector<unsigned int> number(arrays.n_vertices());
    std::iota(number.begin(), number.end(), 0u);
    if (of_deal_ii)
      for_active_cells(*of_deal_ii, [&]() {
        return [&](const auto &cell) {
          const int *const corners =
            arrays.corners.data() +
            std::size_t(cell->active_cell_index()) * arrays.corners_per_cell();
          for (const unsigned int v : cell->vertex_indices())
            {
              const unsigned int vertex = cell->vertex_index(v);
#pragma omp atomic write
              number[corners[v]] = vertex;
            }
        };
      });
    const auto belongs = [&](std::vector<int> &vertices) {
      for (int &v : vertices)
        if (v = static_cast<int>(number[v]); is_in[v] == 0)
          return false;
      if (active.fills || vertices.size() == 1)
        return true;
      std::sort(vertices.begin(), vertices.end());
      return vertices.size() == 2 &&
             std::binary_search(active.edges.begin(), active.edges.end(),
                                std::array<unsigned int, 2>{
                                  {static_cast<unsigned int>(vertices[0]),
                                   static_cast<unsigned int>(vertices[1])}});
    };
    const NodesOfCells<dim> of_cells(cells);
    std::vector<char> is_selected(cells.n_nodes(), 0);
    of_cells.for_nodes([&]() {
      return [&, vertices = std::vector<int>()](const int node, const int cell,
                                                const int i) mutable {
        of_cells.vertices_around(cell, i, vertices);
        if (belongs(vertices))
          is_selected[node] = 1;
      };
    });
    return of_cells.nodes(is_selected);
  }


#define INSTANTIATE(dim)                                                \
  template class NodeSelection<dim>;                                    \
  template std::vector<typename NodeSelection<dim>::Node> nodes_of_set( \
    const NodeSet &, const Mesh<dim> &, const CellNodes<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
