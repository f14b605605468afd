#include "../mesh/mesh_tools.h"
#include "flux_regions.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/base/sorted_positions.h>
#include <tessera/fem/distributed/face_trace.h>

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

// The nodes of surfaces, by sorting what their faces have.
namespace tessera::internal::flux
{
  namespace
  {
    using Keys = std::vector<std::uint64_t>;

    /// A surface of a region.
    using Kind = std::pair<unsigned int, Surface>;

    template <int dim>
    std::vector<Kind>
    kinds_of(const Regions<dim> &regions)
    {
      std::vector<Kind> kinds;
      for (const auto &[cell, face, surface] : regions.faces)
        if (const Kind kind(regions.of(cell), surface);
            kinds.empty() || kinds.back() != kind)
          kinds.push_back(kind);
      if (!regions.are_materials)
        for (int k = 0; k < regions.problem.n_holders; ++k)
          kinds.emplace_back(0, surface_of_holder(k));
      std::sort(kinds.begin(), kinds.end());
      kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
      return kinds;
    }

    /// Sorts and removes copies.
    void
    make_unique(Keys &keys)
    {
      const auto order = algorithms::sorted_positions(keys);
      auto sorted      = parallel_vector<std::uint64_t>(keys.size());
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < order.size(); ++i)
        sorted[i] = keys[order[i]];
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
      keys = std::move(sorted);
    }

    /// Returns the nodes of all faces as keys: node * number of kinds + kind,
    /// so that they are ordered by node, region and surface.
    template <int dim>
    Keys
    keys_of_faces(const Regions<dim> &regions, const std::vector<Kind> &kinds)
    {
      const auto &faces = regions.faces;
      if (faces.empty())
        return {};
      FaceTrace<dim> first(regions.problem.cells, {});
      first.reinit(faces[0].cell, faces[0].face);
      const std::size_t n = first.nodes().size(); // of every face
      auto keys           = parallel_vector<std::uint64_t>(faces.size() * n);
#pragma omp parallel
      {
        FaceTrace<dim> trace(regions.problem.cells, {});
#pragma omp for schedule(static)
        for (std::size_t f = 0; f < faces.size(); ++f)
          {
            const auto &[cell, face, surface] = faces[f];
            const auto kind =
              std::lower_bound(kinds.begin(), kinds.end(),
                               Kind(regions.of(cell), surface)) -
              kinds.begin();
            trace.reinit(cell, face);
            for (std::size_t i = 0; i < n; ++i)
              keys[f * n + i] =
                std::uint64_t(trace.nodes()[i]) * kinds.size() + kind;
          }
      }
      make_unique(keys);
      return keys;
    }

    /// Calls visit(key) for the keys of a node.
    template <class Visit>
    void
    for_keys_of(const Keys &keys, const std::uint64_t node,
                const std::size_t n_kinds, const Visit &visit)
    {
      for (auto key =
             std::lower_bound(keys.begin(), keys.end(), node * n_kinds);
           key != keys.end() && *key < (node + 1) * n_kinds; ++key)
        visit(*key);
    }

    /// Adds the nodes that conditions hold elsewhere.
    template <int dim>
    void
    add_held_nodes(Keys &keys, const Regions<dim> &regions,
                   const std::vector<Kind> &kinds)
    {
      const auto &holder = regions.problem.holder;
      Keys held;
      for (std::size_t dof = 0; dof < holder.size(); ++dof)
        {
          if (holder[dof] < 0 || regions.are_materials)
            continue;
          bool is_there = false;
          for_keys_of(keys, dof, kinds.size(),
                      [&](std::uint64_t) { is_there = true; });
          if (!is_there)
            held.push_back(
              dof * kinds.size() +
              (std::lower_bound(kinds.begin(), kinds.end(),
                                Kind(0, surface_of_holder(holder[dof]))) -
               kinds.begin()));
        }
      keys.insert(keys.end(), held.begin(), held.end());
      if (!held.empty())
        make_unique(keys);
    }

    /// Gives the nodes that others hang on the surfaces of these.
    void
    add_sources(Keys &keys, const dealii::AffineConstraints<double> &hanging,
                const std::size_t n_kinds)
    {
      Keys added;
      for (const auto &line : hanging.get_lines())
        for_keys_of(keys, line.index, n_kinds, [&](const std::uint64_t key) {
          for (const auto &[source, weight] : line.entries)
            added.push_back(source * n_kinds + key % n_kinds);
        });
      keys.insert(keys.end(), added.begin(), added.end());
      if (!added.empty())
        make_unique(keys);
    }

    /// Returns the nodes that hang, in ascending order, of every region that
    /// has cells of this process at them.
    template <int dim>
    std::vector<Node>
    hanging_nodes(const Regions<dim> &regions,
                  const dealii::AffineConstraints<double> &hanging)
    {
      std::vector<Node> nodes;
      if (hanging.n_constraints() == 0)
        return nodes;
      const CellNodes<dim> &cells = regions.problem.cells;
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        for (int i = 0; i < cells.nodes_per_cell() && cells.is_own(cell); ++i)
          if (const int node = cells.nodes(cell)[i];
              hanging.is_constrained(node))
            nodes.push_back({std::size_t(node), regions.of(cell)});
      std::sort(nodes.begin(), nodes.end());
      const auto is_same = [](const Node &a, const Node &b) {
        return !(a < b) && !(b < a);
      };
      nodes.erase(std::unique(nodes.begin(), nodes.end(), is_same),
                  nodes.end());
      return nodes;
    }
  } // namespace


  Nodes::Nodes(std::vector<Node> nodes, std::vector<SurfacePart> of_nodes,
               const std::size_t n_dofs)
    : all(std::move(nodes)), parts(std::move(of_nodes)),
      first(parallel_vector<int>(n_dofs, -1))
  {
    find_first();
  }


  void
  Nodes::find_first()
  {
#pragma omp parallel for schedule(static)
    for (std::size_t dof = 0; dof < first.size(); ++dof)
      first[dof] = -1;
    for (std::size_t i = all.size(); i-- > 0;)
      first[all[i].dof] = static_cast<int>(i);
  }


  template <int dim>
  Nodes
  nodes_of_surfaces(const Regions<dim> &regions,
                    const dealii::AffineConstraints<double> &hanging)
  {
    const std::vector<Kind> kinds = kinds_of(regions);
    Keys keys                     = keys_of_faces(regions, kinds);
    add_held_nodes(keys, regions, kinds);
    add_sources(keys, hanging, kinds.size());

    const std::vector<Node> that_hang = hanging_nodes(regions, hanging);
    std::vector<Node> nodes;
    std::vector<SurfacePart> parts;
    parts.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size();)
      {
        Node node{keys[k] / kinds.size(), kinds[keys[k] % kinds.size()].first};
        const std::size_t n_before = parts.size();
        for (; k < keys.size() && keys[k] / kinds.size() == node.dof &&
               kinds[keys[k] % kinds.size()].first == node.region;
             ++k)
          parts.push_back({kinds[keys[k] % kinds.size()].second});
        const Surface last = parts.back().surface;
        if (!regions.are_materials ||
            (last.first && last.second > node.region) ||
            std::binary_search(that_hang.begin(), that_hang.end(), node))
          {
            node.parts =
              SurfaceParts(&parts[n_before], parts.size() - n_before);
            nodes.push_back(node);
          }
        else
          parts.resize(n_before);
      }
    std::vector<Node> all; // equal ones once, and then the ones with parts
    all.reserve(nodes.size() + that_hang.size());
    std::set_union(nodes.begin(), nodes.end(), that_hang.begin(),
                   that_hang.end(), std::back_inserter(all));
    return {std::move(all), std::move(parts), regions.problem.u.size()};
  }


  template <int dim>
  std::vector<int>
  cells_around_surfaces(const Regions<dim> &regions)
  {
    const MeshArrays &mesh   = regions.problem.cells.mesh();
    const std::size_t n      = mesh.corners_per_cell();
    const int *const corners = mesh.corners.data();
    const auto &of_faces     = mesh_tools::faces_of(mesh.cell_type);
    auto is_there            = parallel_vector<char>(mesh.n_vertices(), 0);
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < regions.faces.size(); ++f)
      for (const int v : of_faces[regions.faces[f].face])
        {
          char &flag = is_there[corners[regions.faces[f].cell * n + v]];
#pragma omp atomic write
          flag = 1;
        }
    // Each thread has the cells of one range, so that the result is sorted.
    std::vector<std::vector<int>> of_threads(omp_get_max_threads());
#pragma omp parallel
    {
      std::vector<int> &cells = of_threads[omp_get_thread_num()];
#pragma omp for schedule(static)
      for (int cell = 0; cell < mesh.n_cells(); ++cell)
        if (std::any_of(corners + cell * n, corners + (cell + 1) * n,
                        [&](const int v) { return is_there[v] != 0; }))
          cells.push_back(cell);
    }
    std::vector<int> cells;
    for (const std::vector<int> &of_thread : of_threads)
      cells.insert(cells.end(), of_thread.begin(), of_thread.end());
    return cells;
  }


#define INSTANTIATE(dim)                                                       \
  template Nodes nodes_of_surfaces(const Regions<dim> &,                       \
                                   const dealii::AffineConstraints<double> &); \
  template std::vector<int> cells_around_surfaces(const Regions<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera::internal::flux
