#include "mesh_tools.h"
#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/active_cells.h>

#include <algorithm>
#include <atomic>
#include <numeric>

namespace tessera
{
  namespace
  {
    using Parents = std::vector<std::atomic<int>>;

    /// Returns the root of the tree of i and shortens the path to it. A parent
    /// is never larger than its child, so threads may do this at the same time.
    int
    root(Parents &parent, int i)
    {
      while (true)
        {
          int above           = parent[i];
          const int above_two = parent[above];
          if (above == above_two)
            return above;
          parent[i].compare_exchange_weak(above, above_two);
          i = above_two;
        }
    }

    void
    unite(Parents &parent, int i, int j)
    {
      do
        {
          i = root(parent, i);
          j = root(parent, j);
          if (i < j)
            std::swap(i, j);
      } while (i != j && !parent[i].compare_exchange_strong(i, j));
    }


    /// Returns trees of one thing each.
    Parents
    single_trees(const std::size_t n)
    {
      Parents parent(n);
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < n; ++i)
        parent[i] = static_cast<int>(i);
      return parent;
    }


    /// Returns the numbers of the trees of all things, counted in the order of
    /// their first things, which are the roots.
    std::vector<int>
    numbers_of_trees(Parents &parent)
    {
      std::vector<int> numbers(parent.size());
      int n = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        {
          const int first = root(parent, static_cast<int>(i));
          numbers[i]      = first == static_cast<int>(i) ? n++ : numbers[first];
        }
      return numbers;
    }


    /// Finds where bodies share vertices, and what is connected by them.
    template <int dim>
    void
    find_joints(const CoarsestCells<dim> &coarsest,
                const std::vector<int> &of_coarsest, Bodies<dim> &bodies)
    {
      std::vector<int> first(coarsest.n_vertices, -1);
      std::map<int, std::vector<int>> shared; // by vertex
      for (std::size_t i = 0; i < coarsest.corners.size(); ++i)
        {
          const int body   = of_coarsest[i / coarsest.n_corners],
                    vertex = coarsest.corners[i];
          if (int &known = first[vertex]; known < 0)
            known = body;
          else if (known != body)
            {
              auto &all = shared[vertex];
              all.insert(all.end(), {known, body});
            }
        }
      Parents parent = single_trees(bodies.part.size());
      for (auto &[vertex, all] : shared)
        {
          std::sort(all.begin(), all.end());
          all.erase(std::unique(all.begin(), all.end()), all.end());
          for (const int body : all)
            unite(parent, all[0], body);
          bodies.joints.emplace_back(coarsest.vertex(vertex), std::move(all));
        }
      bodies.part = numbers_of_trees(parent);
    }
  } // namespace


  template <int dim>
  CoarsestCells<dim>::CoarsestCells(const Mesh<dim> &mesh)
  {
    const auto [triangulation, arrays] = mesh.coarser();
    const std::size_t n_cells =
      arrays != nullptr ? arrays->n_cells() : triangulation.n_active_cells();
    n_parts = mesh.n_cells() / std::max<std::size_t>(1, n_cells);
    coarsest_of.resize(n_cells);
    if (arrays != nullptr)
      {
        type       = arrays->cell_type;
        corners    = arrays->corners.to_vector();
        vertices   = arrays->vertices.data();
        n_vertices = arrays->n_vertices();
        std::iota(coarsest_of.begin(), coarsest_of.end(), 0);
      }
    else if (n_cells > 0)
      {
        type       = cell_type_of(triangulation);
        n_vertices = triangulation.n_vertices();
        vertices   = triangulation.get_vertices()[0].begin_raw();
        for (const auto &cell : triangulation.cell_iterators_on_level(0))
          for (const unsigned int v : cell->vertex_indices())
            corners.push_back(static_cast<int>(cell->vertex_index(v)));
        using Cell = typename dealii::Triangulation<dim>::cell_iterator;
        for_active_cells(triangulation, [this]() {
          return [this](const Cell &part) {
            Cell cell = part;
            while (cell->level() > 0)
              cell = cell->parent();
            coarsest_of[part->active_cell_index()] = cell->index();
          };
        });
      }
    n_corners = tessera::n_vertices(type);
  }


  template <int dim>
  std::vector<int>
  CoarsestCells<dim>::of_cells(const std::vector<int> &values) const
  {
    auto result = parallel_vector<int>(coarsest_of.size() * n_parts);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < result.size(); ++c)
      result[c] = values[coarsest_of[c / n_parts]];
    return result;
  }


  namespace
  {
    /// Finds the bodies that the coarsest cells form; there must be a cell.
    /// Leaves `of_cell` of the result empty.
    template <int dim>
    Bodies<dim>
    bodies_of_coarsest(const CoarsestCells<dim> &coarsest,
                       std::vector<int> &of_coarsest)
    {
      Parents parent   = single_trees(coarsest.size());
      const auto faces = mesh_tools::sorted_faces(
        coarsest.type, coarsest.size(), static_cast<int>(coarsest.n_vertices),
        [&](const std::size_t cell) {
          return &coarsest.corners[cell * coarsest.n_corners];
        });
#pragma omp parallel for schedule(static)
      for (std::size_t f = 1; f < faces.size(); ++f)
        if (faces[f - 1].key == faces[f].key)
          unite(parent, faces[f - 1].cell, faces[f].cell);
      of_coarsest = numbers_of_trees(parent);
      Bodies<dim> bodies;
      bodies.part.resize(
        1 + *std::max_element(of_coarsest.begin(), of_coarsest.end()));
      if (bodies.part.size() > 1)
        find_joints(coarsest, of_coarsest, bodies);
      return bodies;
    }
  } // namespace


  template <int dim>
  Bodies<dim>
  find_bodies(const Mesh<dim> &mesh)
  {
    if (!mesh.bodies.of_cell.empty())
      return mesh.bodies;
    const CoarsestCells<dim> coarsest(mesh);
    if (coarsest.size() == 0)
      return {};
    std::vector<int> of_coarsest;
    Bodies<dim> bodies = bodies_of_coarsest(coarsest, of_coarsest);
    bodies.of_cell     = coarsest.of_cells(of_coarsest);
    return bodies;
  }


  template <int dim>
  std::vector<int>
  mesh_tools::coarser_parts(const Mesh<dim> &mesh)
  {
    if (!mesh.bodies.of_cell.empty())
      {
        std::vector<int> parts = mesh.bodies.of_cell;
        for (int &part : parts)
          part = mesh.bodies.part[part];
        return parts;
      }
    // No faces need be sorted to find what has common vertices.
    CoarsestCells<dim> coarsest(mesh);
    const std::size_t n = coarsest.n_corners, n_cells = coarsest.size();
    Parents parent = single_trees(n_cells + coarsest.n_vertices);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < coarsest.corners.size(); ++i)
      unite(parent, static_cast<int>(i / n),
            static_cast<int>(n_cells + coarsest.corners[i]));
    coarsest.n_parts = 1;
    return coarsest.of_cells(numbers_of_trees(parent));
  }


  template <int dim>
  std::vector<int>
  connected_parts(const Mesh<dim> &mesh)
  {
    const auto parts          = mesh_tools::coarser_parts(mesh);
    const std::size_t n_cells = mesh.n_cells();
    auto result               = parallel_vector<int>(n_cells);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      result[c] = parts[c / (n_cells / parts.size())];
    return result;
  }


#define INSTANTIATE(dim)                                                  \
  template struct CoarsestCells<dim>;                                     \
  template Bodies<dim> find_bodies(const Mesh<dim> &);                    \
  template std::vector<int> mesh_tools::coarser_parts(const Mesh<dim> &); \
  template std::vector<int> connected_parts(const Mesh<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
