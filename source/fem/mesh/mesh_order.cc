#include "mesh_scanner.h"

#include <tessera/base/counted.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera
{
  void
  mesh_files::add_middle_nodes(MeshFile &mesh, const Labels &labels,
                               const std::vector<long long> &middle)
  {
    const auto &element   = mesh.elements.back();
    const int n           = n_vertices(element.type);
    const int dim         = dimension(element.type);
    const std::size_t all = is_simplex(element.type) || dim == 1
                              ? n * (n - 1) / 2
                              : n * dim / 2; // edges
    auto &count           = mesh.second_order[dim];
    ++count.n;
    // Formats number edges differently: a node belongs to the nearest middle.
    double largest = 0;
    for (std::size_t i = 0; i < std::min(all, middle.size()); ++i)
      {
        const int node = labels.find(middle[i]);
        if (node < 0)
          continue;
        double nearest = std::numeric_limits<double>::max();
        for (int v = 0; v < n; ++v)
          for (int w = 0; w < v; ++w)
            {
              const auto &a = mesh.vertices[element.vertices[v]],
                         &b = mesh.vertices[element.vertices[w]];
              double length = 0, distance = 0;
              for (int d = 0; d < 3; ++d)
                {
                  length += std::pow(b[d] - a[d], 2);
                  distance +=
                    std::pow(mesh.vertices[node][d] - 0.5 * (a[d] + b[d]), 2);
                }
              if (length > 0)
                nearest = std::min(nearest, std::sqrt(distance / length));
            }
        largest = std::max(largest, nearest);
      }
    if (largest > 1e-6)
      ++count.n_curved;
    count.distance = std::max(count.distance, largest);
  }


  std::string
  note_on_order(const MeshFile &file)
  {
    const auto &count = file.second_order[file.dimension()];
    if (count.n == 0)
      return "";
    const std::string begin =
      "the nodes of the " + file.source +
      " on the edges and faces of cells of order 2 are left out, ";
    if (count.n_curved == 0)
      return begin + "which loses nothing: their edges are straight.";
    return begin + "and cells are straight: in the file " +
           program::format_count(static_cast<long long>(count.n_curved)) +
           " of " +
           counted(static_cast<long long>(count.n), "cell",
                   program::format_count(static_cast<long long>(count.n))) +
           (count.n_curved == 1 ? " is" : " are") +
           " curved, with nodes up to " +
           program::format(100 * count.distance, 2) +
           " % of an edge from its middle. Smaller cells at curved boundaries "
           "make up for it.";
  }
} // namespace tessera
