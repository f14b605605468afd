#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/random.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::mesh_tools
{
  namespace
  {
    /// Uniform in [-1, 1]; depends on the arguments alone.
    double
    uniform(const std::uint64_t seed, const std::uint64_t i)
    {
      const std::uint64_t z =
        seed * 0xd1342543de82ef95ull + i * 0x9e3779b97f4a7c15ull;
      return std::ldexp(static_cast<double>(mix(mix(z)) >> 11), -52) - 1.;
    }

    /// Returns a vector of length one; all directions are equally likely.
    template <int dim>
    dealii::Tensor<1, dim>
    direction(const int seed, const unsigned int vertex)
    {
      dealii::Tensor<1, dim> x;
      for (int i = 0;; ++i)
        {
          for (int d = 0; d < dim; ++d)
            x[d] = uniform(seed, (vertex * 64ull + i) * dim + d);
          const double norm = x.norm();
          if (norm > 0.1 && norm <= 1.)
            return x / norm;
        }
    }

    void
    set_smaller(std::atomic<double> &smallest, const double value)
    {
      double before = smallest.load(std::memory_order_relaxed);
      while (value < before && !smallest.compare_exchange_weak(
                                 before, value, std::memory_order_relaxed))
        ;
    }
  } // namespace


  template <int dim>
  void
  distort(Mesh<dim> &mesh, const double factor, const int seed)
  {
    constexpr int most_halvings = 10;
    const auto &triangulation   = mesh.triangulation;
    const CellType type         = mesh.cell_type();
    const int n_vertices        = static_cast<int>(triangulation.n_vertices());
    const int n_cells  = static_cast<int>(triangulation.n_active_cells());
    const auto &points = triangulation.get_vertices();
    const std::size_t n_corners = tessera::n_vertices(type);

    // These describe the given mesh; `owner` is one of the cells of a vertex.
    std::vector<std::atomic<double>> shortest(n_vertices);
    std::vector<std::atomic<char>> fixed(n_vertices);
    std::vector<std::atomic<int>> owner(n_vertices);
    std::vector<unsigned int> corners(n_cells * n_corners);
    std::vector<double> quality(n_cells);
#pragma omp parallel for schedule(static)
    for (int v = 0; v < n_vertices; ++v)
      {
        shortest[v] = std::numeric_limits<double>::infinity();
        owner[v]    = -1;
      }
    for_active_cells(triangulation, [&]() {
      return [&, of_cell = std::vector<dealii::Point<dim>>(n_corners)](
               const auto &cell) mutable {
        const int c = static_cast<int>(cell->active_cell_index());
        for (std::size_t v = 0; v < n_corners; ++v)
          {
            const unsigned int vertex  = cell->vertex_index(v);
            corners[c * n_corners + v] = vertex;
            of_cell[v]                 = points[vertex];
            owner[vertex].store(c, std::memory_order_relaxed);
          }
        quality[c] = cell_quality<dim>(type, of_cell);
        for (const unsigned int l : cell->line_indices())
          {
            const auto line = cell->line(l);
            for (const unsigned int v : {0, 1})
              set_smaller(shortest[line->vertex_index(v)], line->diameter());
          }
        if (cell->at_boundary())
          for (const auto &face : cell->face_iterators())
            if (face->at_boundary())
              for (const unsigned int v : face->vertex_indices())
                fixed[face->vertex_index(v)] = true;
      };
    });

    // All vertices move at once. Vertices of cells that are spoiled move half
    // as far in the next round, and finally not at all.
    std::vector<unsigned char> halvings(n_vertices, 0);
    std::vector<std::atomic<char>> too_far(n_vertices);
    std::vector<dealii::Point<dim>> moved(points);
    bool fine = false;
    while (!fine)
      {
#pragma omp parallel for schedule(static)
        for (int v = 0; v < n_vertices; ++v)
          if (!fixed[v] && owner[v] >= 0)
            {
              moved[v] = points[v];
              if (halvings[v] <= most_halvings)
                moved[v] += std::ldexp(factor * shortest[v], -halvings[v]) *
                            direction<dim>(seed, v);
            }
        fine = true;
#pragma omp parallel reduction(&& : fine)
        {
          std::vector<dealii::Point<dim>> of_cell(n_corners);
#pragma omp for schedule(static)
          for (int c = 0; c < n_cells; ++c)
            {
              const unsigned int *const vertex = &corners[c * n_corners];
              for (std::size_t v = 0; v < n_corners; ++v)
                of_cell[v] = moved[vertex[v]];
              if (cell_quality<dim>(type, of_cell) > 0.25 * quality[c])
                continue;
              fine = false;
              for (std::size_t v = 0; v < n_corners; ++v)
                too_far[vertex[v]] = true;
            }
        }
        if (!fine)
#pragma omp parallel for schedule(static)
          for (int v = 0; v < n_vertices; ++v)
            if (too_far[v].exchange(false) && halvings[v] <= most_halvings)
              ++halvings[v];
      }

    for_active_cells(triangulation, [&]() {
      return [&](const auto &cell) {
        for (const unsigned int v : cell->vertex_indices())
          if (owner[cell->vertex_index(v)] ==
              static_cast<int>(cell->active_cell_index()))
            cell->vertex(v) = moved[cell->vertex_index(v)];
      };
    });
  }


  template void
  distort(Mesh<2> &, double, int);
  template void
  distort(Mesh<3> &, double, int);
} // namespace tessera::mesh_tools
