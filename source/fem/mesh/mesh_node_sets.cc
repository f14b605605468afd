#include "mesh_tools.h"

#include <deal.II/grid/tria_accessor.h>

namespace tessera
{
  namespace
  {
    using NodeEdge = std::array<unsigned int, 2>;

    NodeEdge
    sorted_edge(const unsigned int a, const unsigned int b)
    {
      return {{std::min(a, b), std::max(a, b)}};
    }

    void
    sort_set(NodeSet &set)
    {
      for (auto &[a, b] : set.edges)
        if (a > b)
          std::swap(a, b);
      std::sort(set.edges.begin(), set.edges.end());
      set.edges.erase(std::unique(set.edges.begin(), set.edges.end()),
                      set.edges.end());
      std::sort(set.vertices.begin(), set.vertices.end());
      set.vertices.erase(std::unique(set.vertices.begin(), set.vertices.end()),
                         set.vertices.end());
    }

    /// Returns the vertex in the middle of an edge that is divided.
    template <class Line>
    unsigned int
    middle_of(const Line &line)
    {
      const auto half = line->child(0);
      const auto v    = half->vertex_index(0);
      return v == line->vertex_index(0) || v == line->vertex_index(1)
               ? half->vertex_index(1)
               : v;
    }

    /// Marks the vertices and edges that an edge of a set was divided into.
    template <class Line>
    void
    mark_parts(const Line &line, std::vector<char> &is_in,
               std::vector<NodeEdge> &edges)
    {
      edges.push_back(
        sorted_edge(line->vertex_index(0), line->vertex_index(1)));
      for (const unsigned int v : {0u, 1u})
        is_in[line->vertex_index(v)] = 1;
      if (line->has_children())
        for (const unsigned int c : {0u, 1u})
          mark_parts(line->child(c), is_in, edges);
    }

    template <class Object>
    bool
    all_in(const Object &object, const std::vector<char> &is_in)
    {
      for (const unsigned int v : object->vertex_indices())
        if (is_in[object->vertex_index(v)] == 0)
          return false;
      return true;
    }

    /// Marks the middles of edges, faces and cells whose vertices are marked,
    /// from coarse cells to fine ones.
    template <int dim>
    void
    fill_set(const dealii::Triangulation<dim> &triangulation,
             std::vector<char> &is_in)
    {
      for (const auto &cell : triangulation.cell_iterators())
        {
          for (unsigned int l = 0; l < cell->n_lines(); ++l)
            if (const auto line = cell->line(l);
                line->has_children() && is_in[line->vertex_index(0)] != 0 &&
                is_in[line->vertex_index(1)] != 0)
              is_in[middle_of(line)] = 1;
          if (!cell->reference_cell().is_hyper_cube())
            continue;
          if constexpr (dim == 3)
            for (const auto &face : cell->face_iterators())
              if (face->has_children() && all_in(face, is_in))
                is_in[face->child(0)->vertex_index(3)] = 1;
          if (cell->has_children() && all_in(cell, is_in))
            is_in[cell->child(0)->vertex_index((1 << dim) - 1)] = 1;
        }
    }
  } // namespace


  template <int dim>
  NodeSet
  active_part(const dealii::Triangulation<dim> &triangulation,
              const NodeSet &set)
  {
    std::vector<char> is_in(triangulation.n_vertices(), 0);
    for (const unsigned int v : set.vertices)
      is_in[v] = 1;
    NodeSet result;
    result.fills = set.fills;
    if (set.fills)
      fill_set(triangulation, is_in);
    else if (!set.edges.empty())
      {
        std::vector<NodeEdge> wanted;
        for (const auto &[a, b] : set.edges)
          wanted.push_back(sorted_edge(a, b));
        std::sort(wanted.begin(), wanted.end());
        for (const auto &cell : triangulation.cell_iterators_on_level(0))
          for (unsigned int l = 0; l < cell->n_lines(); ++l)
            if (const auto line = cell->line(l); std::binary_search(
                  wanted.begin(), wanted.end(),
                  sorted_edge(line->vertex_index(0), line->vertex_index(1))))
              mark_parts(line, is_in, result.edges);
      }
    for (unsigned int v = 0; v < is_in.size(); ++v)
      if (is_in[v] != 0)
        result.vertices.push_back(v);
    sort_set(result);
    return result;
  }


  void
  mesh_tools::renumber(NodeSet &set, const std::vector<int> &index)
  {
    NodeSet result;
    result.fills = set.fills;
    for (const unsigned int v : set.vertices)
      if (index[v] >= 0)
        result.vertices.push_back(index[v]);
    for (const auto &[a, b] : set.edges)
      if (index[a] >= 0 && index[b] >= 0)
        result.edges.push_back(sorted_edge(index[a], index[b]));
    sort_set(result);
    set = std::move(result);
  }


  template <int dim>
  void
  mesh_tools::make_active(NodeSets &sets,
                          const dealii::Triangulation<dim> &triangulation)
  {
    if (triangulation.n_levels() == 1 || sets.empty())
      return;
    const std::vector<bool> &used = triangulation.get_used_vertices();
    std::vector<int> index(used.size(), -1);
    int next = 0;
    for (std::size_t v = 0; v < used.size(); ++v)
      if (used[v])
        index[v] = next++;
    for (auto &[name, set] : sets)
      {
        set = active_part(triangulation, set);
        renumber(set, index);
      }
  }


  NodeSet
  mesh_tools::divided(const NodeSet &set, const MeshArrays &mesh,
                      const MeshArrays &finer)
  {
    const int n = mesh.corners_per_cell(), n_cells = mesh.n_cells();
    const bool simplex = is_simplex(mesh.cell_type);
    std::vector<char> is_in(mesh.n_vertices(), 0);
    for (const unsigned int v : set.vertices)
      is_in[v] = 1;
    NodeSet result{set.vertices, {}, set.fills};
    for (int c = 0; c < n_cells; ++c)
      for (int b = 1; b < n; ++b)
        for (int a = 0; a < b; ++a)
          {
            // The middle between corners a and b is corner b of child a.
            const int *const corners = mesh.corners.data() + std::size_t(c) * n;
            if (is_in[corners[a]] == 0 || is_in[corners[b]] == 0)
              continue;
            const unsigned int middle =
              finer.corners
                .data()[((std::size_t(c) << mesh.dim()) + a) * n + b];
            if (set.fills)
              {
                bool all = true; // corners of the edge, face or cell
                for (int v = 0; v < n && !simplex; ++v)
                  all = all &&
                        (((v ^ a) & ~(a ^ b)) != 0 || is_in[corners[v]] != 0);
                if (all)
                  result.vertices.push_back(middle);
                continue;
              }
            const NodeEdge edge = sorted_edge(corners[a], corners[b]);
            if ((simplex || ((a ^ b) & ((a ^ b) - 1)) == 0) &&
                std::binary_search(set.edges.begin(), set.edges.end(), edge))
              {
                result.vertices.push_back(middle);
                result.edges.push_back({{edge[0], middle}});
                result.edges.push_back({{edge[1], middle}});
              }
          }
    sort_set(result);
    return result;
  }


  NodeSets
  mesh_tools::node_sets_of(const MeshFile &file, const int dim,
                           const std::vector<int> &index)
  {
    NodeSets result;
    const auto add = [&](const std::string &name, NodeSet set) {
      renumber(set, index);
      result.emplace(name, std::move(set));
    };
    const auto name_of_group = [&](const int d, const int id) {
      for (const auto &[name, number] : file.names[d])
        if (number == id)
          return name;
      return (d == 0 ? "point " : "curve ") + std::to_string(id);
    };
    for (const auto &[name, vertices] : file.node_sets)
      add(name, {{vertices.begin(), vertices.end()}, {}, true});
    for (const auto &[id, vertices] : file.points)
      add(name_of_group(0, id), {{vertices.begin(), vertices.end()}, {}});
    std::map<int, NodeSet> curves;
    for (std::size_t e = 0; e < file.elements.size(); ++e)
      if (const auto &element = file.elements[e]; dimension(element.type) == 1)
        {
          const auto further = file.further_groups.find(e);
          std::set<int> groups;
          if (further != file.further_groups.end())
            groups = further->second;
          groups.insert(element.id);
          const auto a = static_cast<unsigned int>(element.vertices[0]),
                     b = static_cast<unsigned int>(element.vertices[1]);
          for (const int group : groups)
            {
              NodeSet &curve = curves[group];
              curve.vertices.insert(curve.vertices.end(), {a, b});
              curve.edges.push_back({{a, b}});
            }
        }
    curves.erase(0);
    for (auto &[id, curve] : curves)
      if (const std::string name = name_of_group(1, id);
          dim == 3 || file.names[1].count(name) > 0)
        add(name, std::move(curve));
    return result;
  }


#define INSTANTIATE(dim)                                           \
  template NodeSet active_part(const dealii::Triangulation<dim> &, \
                               const NodeSet &);                   \
  template void mesh_tools::make_active(NodeSets &,                \
                                        const dealii::Triangulation<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
