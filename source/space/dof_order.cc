#include "keys.h"
#include "numbering.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/base/sorted_positions.h>

#include <algorithm>
#include <cstddef>

namespace tessera::internal
{
  namespace
  {
    /// Returns the degrees of freedom, ordered by `key(position of the node)`.
    template <class Key>
    std::vector<int>
    sorted_nodes(const std::vector<GridPoint> &nodes, const Key &key)
    {
      auto keys = parallel_vector<std::uint64_t>(nodes.size());
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        keys[i] = key(nodes[i]);
      return algorithms::sorted_positions(keys);
    }

    bool
    tells_vertices_of_cells_apart(const Connectivity &mesh,
                                  const std::vector<GridPoint> &vertices)
    {
      const int nv = mesh.vertices_per_cell();
      bool apart   = true;
#pragma omp parallel for schedule(static) reduction(&& : apart)
      for (int c = 0; c < mesh.n_cells(); ++c)
        {
          const int *const corner = &mesh.cell_vertices[std::size_t(nv) * c];
          for (int v = 1; v < nv; ++v)
            for (int w = 0; w < v; ++w)
              apart = apart && vertices[corner[v]] != vertices[corner[w]];
        }
      return apart;
    }

    /// Returns the nearest grid point of every vertex. The sides of the grid
    /// are the sides of a mean cell, halved until no two vertices of a cell
    /// coincide. It has at most 2^26 points per direction, 2^14 in three
    /// dimensions, so that positions of nodes fit into 64 bits.
    std::vector<GridPoint>
    snapped_vertices(const Connectivity &mesh)
    {
      const BoundingBox box(mesh);
      const double most = mesh.dim() == 3 ? 1 << 14 : 1 << 26;
      Point spacing     = mean_cell_size(mesh);
      while (true)
        {
          bool finest = true;
          for (int d = 0; d < mesh.dim(); ++d)
            {
              const double least = box.extent[d] / most;
              finest             = finest && spacing[d] <= least;
              spacing[d]         = std::max(spacing[d], least);
            }
          std::vector<GridPoint> vertices =
            vertices_on_grid(mesh, box.low, spacing);
          if (finest || tells_vertices_of_cells_apart(mesh, vertices))
            return vertices;
          for (double &s : spacing)
            s /= 2;
        }
    }

    /// Returns the number of bits of the largest coordinate.
    int
    coordinate_bits(const std::vector<GridPoint> &nodes)
    {
      int bits = 0;
#pragma omp parallel for schedule(static) reduction(| : bits)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        bits |= nodes[i][0] | nodes[i][1] | nodes[i][2];
      int count = 0;
      for (; bits > 0; bits /= 2)
        ++count;
      return count;
    }

    /// Returns all degrees of freedom, [n_dofs], ordered by position.
    std::vector<int>
    order_lexicographically(const Connectivity &mesh)
    {
      const std::vector<GridPoint> nodes =
        nodes_on_grid(mesh, snapped_vertices(mesh));
      const int bits = coordinate_bits(nodes);
      return sorted_nodes(nodes, [bits](const GridPoint &node) {
        return (((std::uint64_t(node[2]) << bits) + node[1]) << bits) + node[0];
      });
    }

    /// Returns all degrees of freedom, [n_dofs], ordered along a Hilbert curve.
    std::vector<int>
    order_along_hilbert_curve(const Connectivity &mesh)
    {
      const int dim = mesh.dim(), steps = nodes_per_step(mesh);
      const BoundingBox box(mesh);
      const double spacing = box.largest() / (hilbert_size(dim) - 1);
      const std::vector<GridPoint> nodes = nodes_on_grid(
        mesh, vertices_on_grid(mesh, box.low, {spacing, spacing, spacing}));
      return sorted_nodes(nodes, [dim, steps](const GridPoint &node) {
        return hilbert_index(
          {node[0] / steps, node[1] / steps, node[2] / steps}, dim);
      });
    }

    NumberingDescriptor
    describe_lexicographic()
    {
      NumberingDescriptor d{
        "lexicographic",
        "by position, the last coordinate first, then y, then x; vertices "
        "count as the nearest points of the coarsest grid that keeps the "
        "vertices of a cell apart, so that rows of a distorted grid stay rows",
        "Tessera"};
      d.number = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_in_order(space, mesh, place,
                               order_lexicographically(mesh));
      };
      return d;
    }

    NumberingDescriptor
    describe_hierarchical()
    {
      NumberingDescriptor d{
        "hierarchical",
        "along a Hilbert curve through the nodes, which halves the domain "
        "again and again, so that any run of indices is a compact patch on "
        "every scale",
        "Skilling2004"};
      d.number = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_in_order(space, mesh, place,
                               order_along_hilbert_curve(mesh));
      };
      return d;
    }

    const Registration<NumberingDescriptor> lexicographic_registration(
      describe_lexicographic);
    const Registration<NumberingDescriptor> hierarchical_registration(
      describe_hierarchical);
  } // namespace
} // namespace tessera::internal
