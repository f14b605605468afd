#include "mesh_tools.h"

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
    direction(const int seed, const std::int64_t vertex)
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

    template <class T>
    void
    set_smaller(std::atomic<T> &smallest, const T value)
    {
      T before = smallest.load(std::memory_order_relaxed);
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
    const auto given            = mesh.arrays();
    const CellType type         = given->cell_type;
    const int n_vertices = given->n_vertices(), n_cells = given->n_cells();
    const std::size_t n_corners = given->corners_per_cell();
    const int *const corners    = given->corners.data();
    const auto point            = [](const double *const x) {
      dealii::Point<dim> p;
      std::copy_n(x, dim, p.begin_raw());
      return p;
    };

    // These describe the given mesh; `first` is the first corner of a cell that
    // is the vertex, which does not depend on how vertices are numbered.
    std::vector<std::atomic<double>> shortest(n_vertices);
    std::vector<std::atomic<std::int64_t>> first(n_vertices);
    std::vector<char> fixed(n_vertices, 0);
    std::vector<double> quality(n_cells);
#pragma omp parallel for schedule(static)
    for (int v = 0; v < n_vertices; ++v)
      {
        shortest[v] = std::numeric_limits<double>::infinity();
        first[v]    = std::numeric_limits<std::int64_t>::max();
      }
#pragma omp parallel
    {
      std::vector<dealii::Point<dim>> of_cell;
#pragma omp for schedule(static)
      for (int c = 0; c < n_cells; ++c)
        {
          const int *const vertex = corners + c * n_corners;
          corners_of(*given, c, of_cell);
          quality[c] = cell_quality<dim>(type, of_cell);
          for (std::size_t v = 0; v < n_corners; ++v)
            set_smaller(first[vertex[v]],
                        static_cast<std::int64_t>(c * n_corners + v));
          for (std::size_t v = 0; v < n_corners; ++v)
            for (std::size_t w = 0; w < v; ++w)
              if (is_simplex(type) || ((v ^ w) & ((v ^ w) - 1)) == 0)
                {
                  const double length = of_cell[v].distance(of_cell[w]);
                  set_smaller(shortest[vertex[v]], length);
                  set_smaller(shortest[vertex[w]], length);
                }
        }
    }
    const auto &faces = faces_of(type);
    for (std::size_t f = 0; f < given->boundary.size(); ++f)
      for (const int v : faces[given->boundary.data()[f].face])
        fixed[corners[given->boundary.data()[f].cell * n_corners + v]] = 1;

    // All vertices move at once. Vertices of cells that are spoiled move half
    // as far in the next round, and finally not at all.
    std::vector<unsigned char> halvings(n_vertices, 0);
    std::vector<std::atomic<char>> too_far(n_vertices);
    std::vector<double> moved(given->vertices.data(),
                              given->vertices.data() + given->vertices.size());
    bool fine = false;
    while (!fine)
      {
#pragma omp parallel for schedule(static)
        for (int v = 0; v < n_vertices; ++v)
          if (fixed[v] == 0)
            {
              const double *const from =
                given->vertices.data() + std::size_t(v) * dim;
              const auto by =
                halvings[v] <= most_halvings
                  ? std::ldexp(factor * shortest[v], -halvings[v]) *
                      direction<dim>(seed, first[v])
                  : dealii::Tensor<1, dim>();
              for (int d = 0; d < dim; ++d)
                moved[std::size_t(v) * dim + d] = from[d] + by[d];
            }
        fine = true;
#pragma omp parallel reduction(&& : fine)
        {
          std::vector<dealii::Point<dim>> of_cell(n_corners);
#pragma omp for schedule(static)
          for (int c = 0; c < n_cells; ++c)
            {
              const int *const vertex = corners + c * n_corners;
              for (std::size_t v = 0; v < n_corners; ++v)
                of_cell[v] = point(&moved[std::size_t(vertex[v]) * dim]);
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
    mesh.change_arrays(
      [&](MeshArrays &arrays) { arrays.vertices.copy_from(moved); });
  }


  template void
  distort(Mesh<2> &, double, int);
  template void
  distort(Mesh<3> &, double, int);
} // namespace tessera::mesh_tools
