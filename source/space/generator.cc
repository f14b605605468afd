#include <tessera/base/error.h>
#include <tessera/space/generator.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

namespace tessera
{
  namespace
  {
    void
    require(const bool condition, const std::string &sentence)
    {
      if (!condition)
        throw ParameterError(sentence);
    }

    void
    check(const GeneratedMesh &m)
    {
      require(m.n_x >= 1 && m.n_y >= 1,
              "The mesh has " + std::to_string(m.n_x) + " by " +
                std::to_string(m.n_y) +
                " cells, legal are 1 or more in each direction.");
      require(m.degree >= 1 && m.degree <= 4, "The degree is " +
                                                std::to_string(m.degree) +
                                                ", legal are 1 to 4.");
      require(m.distortion >= 0 && m.distortion < 0.25,
              "The distortion is " + std::to_string(m.distortion) +
                ", legal are values from 0 to below 0.25.");
      require(m.tile_x >= 0 && m.tile_y >= 0,
              "The tile has " + std::to_string(m.tile_x) + " by " +
                std::to_string(m.tile_y) +
                " cells, legal are 0 (all) or more in each direction.");
      // one index is left for the padding entry
      const double n_dofs =
        (double(m.n_x) * m.degree + 1) * (double(m.n_y) * m.degree + 1);
      require(n_dofs < std::numeric_limits<int>::max(),
              "A mesh of " + std::to_string(m.n_x) + " by " +
                std::to_string(m.n_y) + " cells of degree " +
                std::to_string(m.degree) +
                " has more degrees of freedom than fit 32 bits.");
    }

    /// Finaliser of splitmix64.
    std::uint64_t
    mix(std::uint64_t z)
    {
      z += 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      return z ^ (z >> 31);
    }

    /// In [-1,1), the same for the same arguments.
    double
    random_offset(const std::uint64_t seed, const std::uint64_t vertex,
                  const int d)
    {
      return double(mix(mix(seed) ^ (2 * vertex + d)) >> 11) * 0x1p-52 - 1;
    }

    void
    set_vertices(Connectivity &mesh, const GeneratedMesh &m)
    {
      const int width = m.n_x + 1;
      const double h  = 1. / std::max(m.n_x, m.n_y);
      mesh.n_vertices = width * (m.n_y + 1);
      mesh.vertices.resize(2 * std::size_t(mesh.n_vertices));
#pragma omp parallel for schedule(static)
      for (int v = 0; v < mesh.n_vertices; ++v)
        {
          const int x = v % width, y = v / width;
          const bool inside = x > 0 && x < m.n_x && y > 0 && y < m.n_y;
          for (int d = 0; d < 2; ++d)
            mesh.vertices[2 * std::size_t(v) + d] =
              h * ((d == 0 ? x : y) +
                   (inside ? m.distortion * random_offset(m.seed, v, d) : 0));
        }
    }

    /// The constrained flags: all nodes on the rectangle's boundary.
    void
    set_dofs(Connectivity &mesh, const GeneratedMesh &m)
    {
      const int width = m.n_x * m.degree + 1, height = m.n_y * m.degree + 1;
      mesh.n_dofs = width * height;
      mesh.constrained.assign(mesh.n_dofs, 0);
      if (!m.dirichlet)
        return;
      const auto row = [&](const int y) {
        return mesh.constrained.begin() + std::size_t(y) * width;
      };
      std::fill_n(row(0), width, 1);
      std::fill_n(row(height - 1), width, 1);
      for (int y = 0; y < height; ++y)
        *row(y) = *(row(y) + width - 1) = 1;
    }

    void
    set_cell(Connectivity &mesh, const GeneratedMesh &m, const std::size_t cell,
             const int x, const int y)
    {
      const int p = m.degree, width = m.n_x * p + 1;
      int *const dofs     = &mesh.cell_dofs[cell * mesh.dofs_per_cell()];
      int *const vertices = &mesh.cell_vertices[4 * cell];
      for (int i1 = 0; i1 <= p; ++i1)
        for (int i0 = 0; i0 <= p; ++i0)
          dofs[i1 * (p + 1) + i0] = (y * p + i1) * width + x * p + i0;
      for (int v1 = 0; v1 < 2; ++v1)
        for (int v0 = 0; v0 < 2; ++v0)
          vertices[2 * v1 + v0] = (y + v1) * (m.n_x + 1) + x + v0;
    }
  } // namespace


  Connectivity
  generate(const GeneratedMesh &m)
  {
    check(m);
    Connectivity mesh;
    mesh.degree = m.degree;
    set_vertices(mesh, m);
    set_dofs(mesh, m);

    const std::size_t n_cells = std::size_t(m.n_x) * m.n_y;
    mesh.cell_dofs.resize(n_cells * mesh.dofs_per_cell());
    mesh.cell_vertices.resize(4 * n_cells);
    const int tile_x  = m.tile_x == 0 ? m.n_x : std::min(m.tile_x, m.n_x);
    const int tile_y  = m.tile_y == 0 ? m.n_y : std::min(m.tile_y, m.n_y);
    const int n_bands = (m.n_y + tile_y - 1) / tile_y;
#pragma omp parallel for schedule(static)
    for (int band = 0; band < n_bands; ++band)
      {
        const int y0 = band * tile_y, y1 = std::min(m.n_y - y0, tile_y) + y0;
        std::size_t cell = std::size_t(y0) * m.n_x;
        for (int x0 = 0; x0 < m.n_x; x0 += std::min(tile_x, m.n_x - x0))
          for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x0 + std::min(tile_x, m.n_x - x0); ++x)
              set_cell(mesh, m, cell++, x, y);
      }
    return mesh;
  }
} // namespace tessera
