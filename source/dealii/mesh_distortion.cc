#include "mesh_tools.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::mesh_tools
{
  namespace
  {
    /// Uniform in [-1, 1], a function of its arguments alone (splitmix64).
    double
    uniform(const std::uint64_t seed, const std::uint64_t i)
    {
      std::uint64_t z =
        seed * 0xd1342543de82ef95ull + i * 0x9e3779b97f4a7c15ull;
      for (int round = 0; round < 2; ++round)
        {
          z += 0x9e3779b97f4a7c15ull;
          z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
          z = (z ^ z >> 27) * 0x94d049bb133111ebull;
          z ^= z >> 31;
        }
      return std::ldexp(static_cast<double>(z >> 11), -52) - 1.;
    }

    /// A vector of length one; every direction alike.
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
  } // namespace


  template <int dim>
  void
  distort(Mesh<dim> &mesh, const double factor, const int seed)
  {
    const auto &triangulation = mesh.triangulation;
    const CellType type       = mesh.cell_type();
    const auto n_vertices     = triangulation.n_vertices();

    std::vector<char> fixed(n_vertices, false);
    std::vector<double> shortest(n_vertices,
                                 std::numeric_limits<double>::max());
    std::vector<unsigned int> begin(n_vertices + 1, 0);
    std::vector<double> quality;
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            for (const unsigned int v : face->vertex_indices())
              fixed[face->vertex_index(v)] = true;
        for (const unsigned int l : cell->line_indices())
          for (const unsigned int v : {0, 1})
            {
              double &length = shortest[cell->line(l)->vertex_index(v)];
              length         = std::min(length, cell->line(l)->diameter());
            }
        for (const unsigned int v : cell->vertex_indices())
          ++begin[cell->vertex_index(v) + 1];
        quality.push_back(cell_quality<dim>(type, corners_of<dim>(cell)));
      }

    // Cells of each vertex.
    for (unsigned int v = 0; v < n_vertices; ++v)
      begin[v + 1] += begin[v];
    using Cell = typename dealii::Triangulation<dim>::active_cell_iterator;
    std::vector<Cell> cells(begin[n_vertices]);
    std::vector<unsigned int> next(begin.begin(), begin.end() - 1);
    for (const auto &cell : triangulation.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        cells[next[cell->vertex_index(v)]++] = cell;

    for (unsigned int i = 0; i < n_vertices; ++i)
      {
        if (fixed[i] || begin[i] == begin[i + 1])
          continue;
        const Cell &first = cells[begin[i]];
        unsigned int v    = 0;
        while (first->vertex_index(v) != i)
          ++v;
        dealii::Point<dim> &vertex   = first->vertex(v);
        const dealii::Point<dim> old = vertex;
        auto shift         = factor * shortest[i] * direction<dim>(seed, i);
        const auto is_fine = [&] {
          for (unsigned int k = begin[i]; k < begin[i + 1]; ++k)
            if (!(cell_quality<dim>(type, corners_of<dim>(cells[k])) >
                  0.25 * quality[cells[k]->active_cell_index()]))
              return false;
          return true;
        };
        vertex = old + shift;
        for (int halved = 0; !is_fine(); ++halved)
          {
            shift *= halved < 10 ? 0.5 : 0.;
            vertex = old + shift;
            if (halved == 10)
              break;
          }
      }
  }


  template void
  distort(Mesh<2> &, double, int);
  template void
  distort(Mesh<3> &, double, int);
} // namespace tessera::mesh_tools
