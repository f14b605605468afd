#include "mesh_scanner.h"

#include <tessera/base/counted.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>

namespace tessera
{
  namespace
  {
    /// Returns the lists of corners with deal.II's places instead of those
    /// around the bottom, then around the top.
    std::vector<std::vector<int>>
    in_own_order(std::vector<std::vector<int>> lists)
    {
      constexpr int order[] = {0, 1, 3, 2, 4, 5, 7, 6};
      for (auto &list : lists)
        for (int &corner : list)
          corner = order[corner];
      return lists;
    }

    using Point = std::array<double, 3>;

    double
    distance(const Point &a, const Point &b)
    {
      return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }
  } // namespace


  const std::vector<std::vector<int>> &
  mesh_files::middles_of(const CellType type)
  {
    using Middles                    = std::vector<std::vector<int>>;
    static const Middles line        = {{0, 1}};
    static const Middles triangle    = {{0, 1}, {1, 2}, {2, 0}};
    static const Middles tetrahedron = {{0, 1}, {1, 2}, {2, 0},
                                        {0, 3}, {1, 3}, {2, 3}};
    static const Middles quadrilateral =
      in_own_order({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}});
    static const Middles hexahedron = in_own_order({{0, 1},
                                                    {1, 2},
                                                    {2, 3},
                                                    {3, 0},
                                                    {4, 5},
                                                    {5, 6},
                                                    {6, 7},
                                                    {7, 4},
                                                    {0, 4},
                                                    {1, 5},
                                                    {2, 6},
                                                    {3, 7},
                                                    {0, 3, 4, 7},
                                                    {1, 2, 5, 6},
                                                    {0, 1, 4, 5},
                                                    {2, 3, 6, 7},
                                                    {0, 1, 2, 3},
                                                    {4, 5, 6, 7},
                                                    {0, 1, 2, 3, 4, 5, 6, 7}});
    return type == CellType::line            ? line
           : type == CellType::triangle      ? triangle
           : type == CellType::tetrahedron   ? tetrahedron
           : type == CellType::quadrilateral ? quadrilateral
                                             : hexahedron;
  }


  const std::vector<int> mesh_files::gmsh_tetrahedron = {0, 1, 2, 3, 5, 4};
  const std::vector<int> mesh_files::gmsh_hexahedron  = {
     0, 3, 8, 1, 9, 2, 10, 11, 4, 7, 5, 6, 16, 14, 12, 13, 15, 17, 18};
  const std::vector<int> mesh_files::abaqus_hexahedron = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 16, 17, 14, 13, 15, 12};


  void
  mesh_files::add_middle_nodes(MeshFile &mesh, const Labels &labels,
                               const Scanner &in,
                               const std::vector<long long> &middle,
                               const std::vector<int> &order)
  {
    auto &element      = mesh.elements.back();
    const auto &places = middles_of(element.type);
    auto &count        = mesh.second_order[dimension(element.type)];
    ++count.n;
    element.first_middle = static_cast<int>(mesh.middles.size());
    mesh.middles.resize(mesh.middles.size() + places.size(), -1);
    int *const its = &mesh.middles[element.first_middle];
    double largest = 0;
    for (std::size_t i = 0; i < middle.size(); ++i)
      {
        const int place = order.empty() ? static_cast<int>(i) : order[i];
        const int node  = labels.find(middle[i]);
        if (node < 0 && middle[i] != 0)
          in.fail("has no node " + std::to_string(middle[i]) + ", which the " +
                  to_string(element.type) + ' ' +
                  std::to_string(element.label) + " names");
        its[place] = node;
        if (node < 0 || places[place].size() != 2)
          continue;
        const Point &a      = mesh.vertices[element.vertices[places[place][0]]],
                    &b      = mesh.vertices[element.vertices[places[place][1]]];
        const double length = distance(a, b);
        if (length > 0)
          largest = std::max(largest, distance(mesh.vertices[node],
                                               {{a[0] + 0.5 * (b[0] - a[0]),
                                                 a[1] + 0.5 * (b[1] - a[1]),
                                                 a[2] + 0.5 * (b[2] - a[2])}}) /
                                        length);
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
      " on the edges and faces of cells of order 2 are left out, as "
      "'Mesh/Geometry order' = 1 asks for, ";
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
           " % of an edge from its middle.";
  }
} // namespace tessera
