#include <tessera/base/error.h>
#include <tessera/space/connectivity.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace tessera
{
  namespace
  {
    constexpr int max_degree = 4;

    void
    require(const bool condition, const std::string &sentence)
    {
      if (!condition)
        throw MeshError(sentence);
    }

    void
    require_size(const std::size_t size, const std::size_t expected,
                 const std::string &name)
    {
      require(size == expected,
              "The mesh has " + std::to_string(size) + " entries of " + name +
                ", but its counts ask for " + std::to_string(expected) + ".");
    }

    /// The smallest det J of the bilinear map at the four vertices.
    double
    smallest_determinant(const int *cell, const std::vector<double> &vertices)
    {
      const auto edge = [&](const int from, const int to, const int d) {
        return vertices[2 * std::size_t(cell[to]) + d] -
               vertices[2 * std::size_t(cell[from]) + d];
      };
      double smallest = std::numeric_limits<double>::infinity();
      for (int v1 = 0; v1 < 2; ++v1)
        for (int v0 = 0; v0 < 2; ++v0)
          {
            const int x = 2 * v1, y = v0;
            const double det = edge(x, x + 1, 0) * edge(y, y + 2, 1) -
                               edge(x, x + 1, 1) * edge(y, y + 2, 0);
            smallest = std::min(smallest, det);
          }
      return smallest;
    }

    bool
    in_range(const int *indices, const int n, const int end)
    {
      return std::all_of(indices, indices + n,
                         [end](const int i) { return i >= 0 && i < end; });
    }
  } // namespace


  void
  Connectivity::check() const
  {
    require(degree >= 1 && degree <= max_degree,
            "The degree of the mesh is " + std::to_string(degree) +
              ", legal are 1 to " + std::to_string(max_degree) + ".");
    require(!cell_vertices.empty(), "The mesh has no cells.");
    require(cell_vertices.size() % 4 == 0,
            "The mesh has " + std::to_string(cell_vertices.size()) +
              " entries of cell_vertices, which is not a multiple of 4.");
    require(cell_vertices.size() / 4 <=
                std::size_t(std::numeric_limits<int>::max()) &&
              n_dofs >= 0 && n_dofs < std::numeric_limits<int>::max() &&
              n_vertices >= 0,
            "The counts of the mesh do not fit 32 bits.");
    const int n = dofs_per_cell();
    require_size(cell_dofs.size(), cell_vertices.size() / 4 * n, "cell_dofs");
    require_size(vertices.size(), 2 * std::size_t(n_vertices), "vertices");
    require_size(constrained.size(), n_dofs, "constrained");

    require(std::all_of(vertices.begin(), vertices.end(),
                        [](const double x) { return std::isfinite(x); }),
            "The mesh has a vertex whose coordinates are not finite.");

    const int end = n_cells();
    int first_bad = end;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
    for (int c = 0; c < end; ++c)
      {
        const int *const v = &cell_vertices[4 * std::size_t(c)];
        if (c < first_bad &&
            !(in_range(v, 4, n_vertices) &&
              in_range(&cell_dofs[std::size_t(n) * c], n, n_dofs) &&
              smallest_determinant(v, vertices) > 0))
          first_bad = c;
      }
    if (first_bad == end)
      return;

    const std::string cell = "Cell " + std::to_string(first_bad);
    const int *const v     = &cell_vertices[4 * std::size_t(first_bad)];
    require(in_range(v, 4, n_vertices), cell + " has a vertex outside 0 to " +
                                          std::to_string(n_vertices - 1) + ".");
    require(in_range(&cell_dofs[std::size_t(n) * first_bad], n, n_dofs),
            cell + " has a degree of freedom outside 0 to " +
              std::to_string(n_dofs - 1) + ".");
    throw MeshError(cell + " is inverted or degenerate: the Jacobian at a " +
                    "vertex is " +
                    std::to_string(smallest_determinant(v, vertices)) +
                    ", but must be positive at all four.");
  }
} // namespace tessera
