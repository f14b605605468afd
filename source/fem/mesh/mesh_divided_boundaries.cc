#include "mesh_tools.h"

#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/input/selection.h>

#include <cmath>

// Boundaries that formulas choose.
namespace tessera
{
  namespace
  {
    /// Returns the formulas of entries `Boundaries`, each with the first entry
    /// that has it.
    std::map<std::string, std::string>
    formulas_of_boundaries(const Parameters &parameters)
    {
      const std::string ending = "/Boundaries";
      std::map<std::string, std::string> result;
      for (const auto &[path, value] : parameters.values())
        if (path.size() > ending.size() &&
            path.compare(path.size() - ending.size(), ending.size(), ending) ==
              0)
          for (const std::string &name : read_selection(parameters, path))
            if (is_formula(name))
              result.emplace(name, path);
      return result;
    }

    template <int dim>
    void
    undo_division(Mesh<dim> &mesh)
    {
      if (mesh.part_of.empty())
        return;
      for (const auto &cell : boundary_cells(mesh.triangulation()))
        for (const auto &face : cell->face_iterators())
          if (is_of_boundary(face))
            if (const auto whole = mesh.part_of.find(face->boundary_id());
                whole != mesh.part_of.end())
              face->set_boundary_id(whole->second);
      for (auto name = mesh.boundary_names.begin();
           name != mesh.boundary_names.end();)
        {
          for (const auto &[part, whole] : mesh.part_of)
            name->second.erase(part);
          name = is_formula(name->first) ? mesh.boundary_names.erase(name)
                                         : std::next(name);
        }
      mesh.part_of.clear();
    }

    /// Calls visit(face, the formulas that hold at all of its vertices) for the
    /// faces of the boundary at which some do.
    template <int dim, class Visit>
    void
    for_chosen_faces(const Mesh<dim> &mesh,
                     const std::vector<std::vector<char>> &holds,
                     const Visit &visit)
    {
      for (const auto &cell : boundary_cells(mesh.triangulation()))
        for (const auto &face : cell->face_iterators())
          {
            if (!is_of_boundary(face))
              continue;
            std::set<std::size_t> chosen;
            for (std::size_t k = 0; k < holds.size(); ++k)
              {
                bool all = true;
                for (const unsigned int v : face->vertex_indices())
                  all = all && holds[k][face->vertex_index(v)] != 0;
                if (all)
                  chosen.insert(k);
              }
            if (!chosen.empty())
              visit(face, chosen);
          }
    }
  } // namespace


  bool
  divides_boundaries(const Parameters &parameters)
  {
    return !formulas_of_boundaries(parameters).empty();
  }


  template <int dim>
  void
  divide_boundaries(Mesh<dim> &mesh, const Parameters &parameters)
  {
    undo_division(mesh);
    const auto formulas = formulas_of_boundaries(parameters);
    if (formulas.empty())
      return;
    auto &triangulation = mesh.triangulation();
    std::vector<char> at_boundary(triangulation.n_vertices(), 0);
    for (const auto &cell : boundary_cells(triangulation))
      for (const auto &face : cell->face_iterators())
        if (is_of_boundary(face))
          for (const unsigned int v : face->vertex_indices())
            at_boundary[face->vertex_index(v)] = 1;
    std::vector<double> points; // [n][dim]
    for (unsigned int v = 0; v < at_boundary.size(); ++v)
      if (at_boundary[v] != 0)
        points.insert(points.end(), triangulation.get_vertices()[v].begin_raw(),
                      triangulation.get_vertices()[v].end_raw());
    std::vector<std::string> names;
    std::vector<std::vector<char>> holds; // [n_formulas][n_vertices]
    for (const auto &[name, path] : formulas)
      {
        const auto values =
          formula_of<dim>(parameters, path, name).evaluate(points);
        const double *value = values.data();
        names.push_back(name);
        holds.emplace_back(at_boundary.size(), 0);
        for (unsigned int v = 0; v < at_boundary.size(); ++v)
          if (at_boundary[v] != 0)
            holds.back()[v] = *value++ != 0.;
      }

    using Part = std::pair<unsigned int, std::set<std::size_t>>;
    std::map<Part, unsigned int> parts;
    for_chosen_faces(mesh, holds, [&](const auto &face, const auto &chosen) {
      parts[{face->boundary_id(), chosen}] = 0;
    });
    unsigned int next = 0;
    for (const unsigned int id : boundary_ids(triangulation))
      next = std::max(next, id + 1);
    for (const auto &[name, ids] : mesh.boundary_names)
      for (const unsigned int id : ids)
        next = std::max(next, id + 1);
    for (auto &[part, id] : parts)
      id = next++;
    for_chosen_faces(mesh, holds, [&](const auto &face, const auto &chosen) {
      face->set_boundary_id(parts.at({face->boundary_id(), chosen}));
    });
    for (const auto &[part, id] : parts)
      {
        mesh.part_of[id] = part.first;
        for (auto &[name, ids] : mesh.boundary_names)
          if (ids.count(part.first) > 0)
            ids.insert(id);
      }
    for (const auto &[part, id] : parts)
      for (const std::size_t k : part.second)
        mesh.boundary_names[names[k]].insert(id);
  }


#define INSTANTIATE(dim) \
  template void divide_boundaries(Mesh<dim> &, const Parameters &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
