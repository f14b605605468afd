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
                      const int levels)
  {
    const int n = mesh.corners_per_cell(), dim = mesh.dim();
    const bool simplex = is_simplex(mesh.cell_type);
    std::vector<char> is_in(mesh.n_vertices(), 0);
    for (const unsigned int v : set.vertices)
      is_in[v] = 1;
    NodeSet result = set;
    sort_set(result);
    for (int below = levels - 1; below >= 0; --below)
      {
        // Corner a of a cell is corner a of its child a.
        const auto corner = [&](std::size_t cell, const int a) {
          for (int level = 0; level < below; ++level)
            cell = (cell << dim) + a;
          return static_cast<unsigned int>(mesh.corners.data()[cell * n + a]);
        };
        const std::ptrdiff_t n_cells = mesh.n_cells() >> dim * (below + 1);
        // Two vertices of an edge, face or cell, and its middle.
        std::vector<std::array<unsigned int, 3>> found;
#pragma omp parallel
        {
          std::vector<std::array<unsigned int, 3>> own;
          std::array<unsigned int, 8> corners{};
#pragma omp for schedule(static) nowait
          for (std::ptrdiff_t c = 0; c < n_cells; ++c)
            {
              const std::size_t first = static_cast<std::size_t>(c) << dim;
              for (int a = 0; a < n; ++a)
                corners[a] = corner(first + a, a);
              for (int b = 1; b < n; ++b)
                for (int a = 0; a < b; ++a)
                  {
                    if (is_in[corners[a]] == 0 || is_in[corners[b]] == 0)
                      continue;
                    const bool is_edge =
                      simplex || ((a ^ b) & ((a ^ b) - 1)) == 0;
                    bool belongs = set.fills || is_edge;
                    for (int v = 0; v < n && set.fills && !is_edge; ++v)
                      belongs = belongs && (((v ^ a) & ~(a ^ b)) != 0 ||
                                            is_in[corners[v]] != 0);
                    if (!set.fills && is_edge)
                      belongs = std::binary_search(
                        result.edges.begin(), result.edges.end(),
                        sorted_edge(corners[a], corners[b]));
                    // The middle is corner b of child a.
                    if (belongs)
                      own.push_back(
                        {{corners[a], corners[b], corner(first + a, b)}});
                  }
            }
#pragma omp critical(tessera_divided_set)
          found.insert(found.end(), own.begin(), own.end());
        }
        for (const auto &[a, b, middle] : found)
          {
            is_in[middle] = 1;
            result.vertices.push_back(middle);
            if (!set.fills)
              result.edges.insert(result.edges.end(),
                                  {{{a, middle}}, {{b, middle}}});
          }
        sort_set(result);
      }
    return result;
  }


  template <int dim>
  int
  mesh_tools::levels_of_sets(const Mesh<dim> &mesh)
  {
    const auto [triangulation, arrays] = mesh.coarser();
    if (!mesh.is_coarser() || triangulation.n_levels() > 1)
      return -1;
    std::int64_t n_parts =
      mesh.n_cells() /
      (arrays ? arrays->n_cells() : triangulation.n_active_cells());
    int levels = 0;
    for (; n_parts >> dim << dim == n_parts; n_parts >>= dim)
      ++levels;
    return n_parts == 1 ? levels : 0; // sets follow simplices of other cells
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
  template int mesh_tools::levels_of_sets(const Mesh<dim> &);      \
  template void mesh_tools::make_active(NodeSets &,                \
                                        const dealii::Triangulation<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
