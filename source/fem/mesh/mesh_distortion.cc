#include "mesh_tools.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/base/random.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

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
      return static_cast<double>(mix(mix(z)) >> 11) * 0x1p-52 - 1.;
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

    /// Other threads may do the same at the same time.
    template <class T>
    void
    set_smaller(T &smallest, T value)
    {
      T before;
      __atomic_load(&smallest, &before, __ATOMIC_RELAXED);
      while (value < before &&
             !__atomic_compare_exchange(&smallest, &before, &value, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
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

    // These describe the given mesh; `first` is the first corner of a cell that
    // is the vertex, which does not depend on how vertices are numbered. All
    // threads fill arrays with zeros.
    constexpr Backend host = Backend::host;
    Array<double> shortest(host, n_vertices), quality(host, n_cells);
    Array<std::int64_t> first(host, n_vertices);
    Array<char> fixed(host, n_vertices);
#pragma omp parallel for schedule(static)
    for (int v = 0; v < n_vertices; ++v)
      {
        shortest.data()[v] = std::numeric_limits<double>::infinity();
        first.data()[v]    = std::numeric_limits<std::int64_t>::max();
      }
    bool valid = true;
#pragma omp parallel reduction(&& : valid)
    {
      std::vector<dealii::Point<dim>> of_cell;
#pragma omp for schedule(static)
      for (int c = 0; c < n_cells; ++c)
        {
          const int *const vertex = corners + c * n_corners;
          corners_of(*given, c, of_cell);
          quality.data()[c] = cell_quality<dim>(type, of_cell);
          valid             = valid && quality.data()[c] > smallest_quality;
          for (std::size_t v = 0; v < n_corners; ++v)
            set_smaller(first.data()[vertex[v]],
                        static_cast<std::int64_t>(c * n_corners + v));
          for (std::size_t v = 0; v < n_corners; ++v)
            for (std::size_t w = 0; w < v; ++w)
              if (is_simplex(type) || ((v ^ w) & ((v ^ w) - 1)) == 0)
                {
                  const double length = of_cell[v].distance(of_cell[w]);
                  set_smaller(shortest.data()[vertex[v]], length);
                  set_smaller(shortest.data()[vertex[w]], length);
                }
        }
    }
    if (!valid)
      check_cells(mesh);
    const auto &faces = faces_of(type);
    for (std::size_t f = 0; f < given->boundary.size(); ++f)
      for (const int v : faces[given->boundary.data()[f].face])
        fixed.data()[corners[given->boundary.data()[f].cell * n_corners + v]] =
          1;

    // All vertices move at once. Vertices of cells that are spoiled move half
    // as far in the next round, and finally not at all.
    Array<unsigned char> halvings(host, n_vertices), too_far(host, n_vertices);
    auto moved = parallel_vector<double>(given->vertices.size());
    bool fine  = false;
    while (!fine)
      {
#pragma omp parallel for schedule(static)
        for (int v = 0; v < n_vertices; ++v)
          {
            const double *const from =
              given->vertices.data() + std::size_t(v) * dim;
            const int n      = halvings.data()[v];
            const bool moves = fixed.data()[v] == 0 && n <= most_halvings;
            dealii::Tensor<1, dim> step;
            if (moves)
              step = (n > 0 ? std::ldexp(factor * shortest.data()[v], -n)
                            : factor * shortest.data()[v]) *
                     direction<dim>(seed, first.data()[v]);
            for (int d = 0; d < dim; ++d)
              moved[std::size_t(v) * dim + d] = from[d] + step[d];
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
                std::copy_n(&moved[std::size_t(vertex[v]) * dim], dim,
                            of_cell[v].begin_raw());
              if (cell_quality<dim>(type, of_cell) > 0.25 * quality.data()[c])
                continue;
              fine = false;
              for (std::size_t v = 0; v < n_corners; ++v)
                __atomic_store_n(too_far.data() + vertex[v], 1,
                                 __ATOMIC_RELAXED);
            }
        }
        if (!fine)
#pragma omp parallel for schedule(static)
          for (int v = 0; v < n_vertices; ++v)
            if (std::exchange(too_far.data()[v], 0) != 0 &&
                halvings.data()[v] <= most_halvings)
              ++halvings.data()[v];
      }
    mesh.change_arrays(
      [&](MeshArrays &arrays) { arrays.vertices.copy_from(moved); });
  }


  template void
  distort(Mesh<2> &, double, int);
  template void
  distort(Mesh<3> &, double, int);
} // namespace tessera::mesh_tools
