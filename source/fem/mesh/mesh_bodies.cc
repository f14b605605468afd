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


    /// Numbers things from 0 in the order in which they come first.
    class FirstNumbers
    {
    public:
      explicit FirstNumbers(const std::size_t n) : numbers(n, -1)
      {}

      int
      operator()(const int thing)
      {
        if (numbers[thing] < 0)
          numbers[thing] = count++;
        return numbers[thing];
      }

    private:
      std::vector<int> numbers;
      int count = 0;
    };


    /// Unites cells with a common face.
    template <int dim>
    void
    unite_neighbors(const dealii::Triangulation<dim> &triangulation,
                    Parents &parent)
    {
      for_active_cells(triangulation, [&parent]() {
        return [&parent](const auto &cell) {
          // Smaller neighbors do the same from the other side.
          for (const unsigned int f : cell->face_indices())
            if (!cell->face(f)->at_boundary())
              if (const auto neighbor = cell->neighbor(f);
                  neighbor->is_active())
                unite(parent, static_cast<int>(cell->active_cell_index()),
                      static_cast<int>(neighbor->active_cell_index()));
        };
      });
    }


    /// Unites cells with a common face.
    void
    unite_neighbors(const MeshArrays &mesh, Parents &parent)
    {
      const auto faces = mesh_tools::sorted_faces(
        mesh.cell_type, mesh.n_cells(), mesh.n_vertices(),
        [corners = mesh.corners.data(), n = mesh.corners_per_cell()](
          const std::size_t cell) { return corners + cell * n; });
#pragma omp parallel for schedule(static)
      for (std::size_t f = 1; f < faces.size(); ++f)
        if (faces[f - 1].key == faces[f].key)
          unite(parent, faces[f - 1].cell, faces[f].cell);
    }


    /// Finds where bodies share vertices, and what is connected by them.
    template <int dim>
    void
    find_joints(const mesh_tools::CoarsestCells<dim> &coarsest,
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
      Parents parent(bodies.part.size());
      for (std::size_t b = 0; b < parent.size(); ++b)
        parent[b] = static_cast<int>(b);
      for (auto &[vertex, all] : shared)
        {
          std::sort(all.begin(), all.end());
          all.erase(std::unique(all.begin(), all.end()), all.end());
          for (const int body : all)
            unite(parent, all[0], body);
          bodies.joints.emplace_back(coarsest.vertex(vertex), std::move(all));
        }
      FirstNumbers number(parent.size());
      for (std::size_t b = 0; b < parent.size(); ++b)
        bodies.part[b] = number(root(parent, static_cast<int>(b)));
    }
  } // namespace


  template <int dim>
  mesh_tools::CoarsestCells<dim>::CoarsestCells(const Mesh<dim> &mesh)
  {
    const auto [triangulation, arrays] = mesh.coarser();
    n_parts                            = mesh.n_cells() /
              std::max<std::size_t>(1, arrays != nullptr
                                         ? arrays->n_cells()
                                         : triangulation.n_active_cells());
    if (arrays != nullptr)
      {
        n_corners  = arrays->corners_per_cell();
        corners    = arrays->corners.to_vector();
        vertices   = arrays->vertices.data();
        n_vertices = arrays->n_vertices();
        first_part.resize(arrays->n_cells());
        std::iota(first_part.begin(), first_part.end(), 0);
        return;
      }
    n_corners  = 0;
    vertices   = nullptr;
    n_vertices = triangulation.n_vertices();
    if (n_vertices == 0)
      return;
    vertices = triangulation.get_vertices()[0].begin_raw();
    for (const auto &cell : triangulation.cell_iterators_on_level(0))
      {
        n_corners = cell->n_vertices();
        for (const unsigned int v : cell->vertex_indices())
          corners.push_back(static_cast<int>(cell->vertex_index(v)));
        auto part = cell;
        while (part->has_children())
          part = part->child(0);
        first_part.push_back(static_cast<int>(part->active_cell_index()));
      }
  }


  namespace
  {
    /// Returns `find_bodies` with the bodies of the cells of `Mesh::coarser`,
    /// which are connected as their parts are.
    template <int dim>
    Bodies<dim>
    coarser_bodies(const Mesh<dim> &mesh)
    {
      if (!mesh.bodies.of_cell.empty())
        return mesh.bodies;
      const auto [triangulation, arrays] = mesh.coarser();
      Parents parent(arrays != nullptr ? arrays->n_cells()
                                       : triangulation.n_active_cells());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < parent.size(); ++c)
        parent[c] = static_cast<int>(c);
      if (arrays != nullptr)
        unite_neighbors(*arrays, parent);
      else
        unite_neighbors(triangulation, parent);

      Bodies<dim> bodies;
      if (parent.empty())
        return bodies;
      const mesh_tools::CoarsestCells<dim> coarsest(mesh);
      FirstNumbers number(parent.size());
      std::vector<int> of_coarsest; // the body of every coarsest cell
      for (const int part : coarsest.first_part)
        of_coarsest.push_back(number(root(parent, part)));
      for (std::size_t c = 0; c < parent.size(); ++c)
        bodies.of_cell.push_back(number(root(parent, static_cast<int>(c))));
      bodies.part.resize(
        1 + *std::max_element(of_coarsest.begin(), of_coarsest.end()));
      if (bodies.part.size() > 1)
        find_joints(coarsest, of_coarsest, bodies);
      return bodies;
    }


    /// Gives each of n cells the number of the coarser cell that it is a part
    /// of.
    std::vector<int>
    inherited(const std::vector<int> &of_coarser, const std::size_t n)
    {
      auto result = parallel_vector<int>(n);
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < n; ++c)
        result[c] = of_coarser[c / (n / of_coarser.size())];
      return result;
    }
  } // namespace


  template <int dim>
  Bodies<dim>
  find_bodies(const Mesh<dim> &mesh)
  {
    Bodies<dim> bodies = coarser_bodies(mesh);
    bodies.of_cell     = inherited(bodies.of_cell, mesh.n_cells());
    return bodies;
  }


  template <int dim>
  std::vector<int>
  mesh_tools::coarser_parts(const Mesh<dim> &mesh)
  {
    Bodies<dim> bodies = coarser_bodies(mesh);
    for (int &body : bodies.of_cell)
      body = bodies.part[body];
    return std::move(bodies.of_cell);
  }


  template <int dim>
  std::vector<int>
  connected_parts(const Mesh<dim> &mesh)
  {
    return inherited(mesh_tools::coarser_parts(mesh), mesh.n_cells());
  }


#define INSTANTIATE(dim)                                                  \
  template struct mesh_tools::CoarsestCells<dim>;                         \
  template Bodies<dim> find_bodies(const Mesh<dim> &);                    \
  template std::vector<int> mesh_tools::coarser_parts(const Mesh<dim> &); \
  template std::vector<int> connected_parts(const Mesh<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
