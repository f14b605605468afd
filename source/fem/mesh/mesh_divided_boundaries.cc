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

    /// Calls visit(id) for every face of the boundary, always in the same
    /// order; it may change the id.
    template <int dim, class Visit>
    void
    for_boundary(Mesh<dim> &mesh, const Visit &visit)
    {
      mesh.change_arrays([&](MeshArrays &arrays) {
        for (std::size_t f = 0; f < arrays.boundary.size(); ++f)
          visit(arrays.boundary.data()[f].id);
      });
    }

    template <int dim>
    void
    undo_division(Mesh<dim> &mesh)
    {
      if (mesh.part_of.empty())
        return;
      for_boundary(mesh, [&](unsigned int &id) {
        if (const auto whole = mesh.part_of.find(id);
            whole != mesh.part_of.end())
          id = whole->second;
      });
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
    std::vector<double> points;    // corners of all faces, [n][dim]
    std::vector<std::size_t> ends; // of the corners of each face
    const auto arrays = mesh.arrays();
    const auto &faces = mesh_tools::faces_of(arrays->cell_type);
    std::vector<dealii::Point<dim>> corners;
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      {
        const MeshFace &face = arrays->boundary.data()[f];
        mesh_tools::corners_of(*arrays, face.cell, corners);
        for (const int v : faces[face.face])
          points.insert(points.end(), corners[v].begin_raw(),
                        corners[v].end_raw());
        ends.push_back(points.size() / dim);
      }
    std::vector<std::string> names;
    std::vector<std::set<std::size_t>> chosen(ends.size()); // formulas of faces
    for (const auto &[name, path] : formulas)
      {
        const auto values =
          formula_of<dim>(parameters, path, name).evaluate(points);
        for (std::size_t f = 0, i = 0; f < ends.size(); i = ends[f++])
          if (std::count(values.begin() + i, values.begin() + ends[f], 0.) == 0)
            chosen[f].insert(names.size());
        names.push_back(name);
      }

    using Part = std::pair<unsigned int, std::set<std::size_t>>;
    std::map<Part, unsigned int> parts;
    unsigned int next = 0;
    for (std::size_t f = 0; f < chosen.size(); ++f)
      {
        const unsigned int id = arrays->boundary.data()[f].id;
        if (!chosen[f].empty())
          parts[{id, chosen[f]}] = 0;
        next = std::max(next, id + 1);
      }
    for (const auto &[name, ids] : mesh.boundary_names)
      for (const unsigned int id : ids)
        next = std::max(next, id + 1);
    for (auto &[part, id] : parts)
      id = next++;
    std::size_t f = 0;
    for_boundary(mesh, [&](unsigned int &id) {
      if (!chosen[f].empty())
        id = parts.at({id, chosen[f]});
      ++f;
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
