#pragma once

#include "mesh_cases.h"

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/fe_values.h>

#include <cmath>
#include <sstream>

namespace tessera::test
{
  using Corners = std::vector<std::vector<int>>;
  using Point3  = std::array<double, 3>;

  /// An element of order 2 in a format: between which corners, counted as in
  /// the format, its further nodes lie.
  struct Element
  {
    std::string name; ///< of the type
    int n_corners;
    Corners middles;

    bool
    is_solid() const
    {
      return n_corners == 8 || middles.size() == 6;
    }
  };

  const Corners of_triangle      = {{0, 1}, {1, 2}, {2, 0}};
  const Corners of_quadrilateral = {
    {0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}};
  const Corners of_tetrahedron      = {{0, 1}, {1, 2}, {2, 0},
                                       {0, 3}, {1, 3}, {2, 3}};
  const Corners of_gmsh_tetrahedron = {{0, 1}, {1, 2}, {2, 0},
                                       {0, 3}, {2, 3}, {1, 3}};
  const Corners edges         = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                 {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const Corners of_gmsh_edges = {{0, 1}, {0, 3}, {0, 4}, {1, 2},
                                 {1, 5}, {2, 3}, {2, 6}, {3, 7},
                                 {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  const std::vector<int> all  = {0, 1, 2, 3, 4, 5, 6, 7};

  inline Corners
  joined(Corners first, const Corners &second)
  {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  inline Corners
  first(const std::size_t n, const Corners &list)
  {
    return Corners(list.begin(), list.begin() + n);
  }

  /// The elements of a format, in the orders that its manual has.
  inline std::vector<Element>
  elements_of(const std::string &format)
  {
    const bool abaqus = format == "inp", gmsh = format == "msh";
    const auto name = [&](const std::string &of_abaqus,
                          const std::string &of_gmsh, const std::string &vtk) {
      return abaqus ? of_abaqus : gmsh ? of_gmsh : vtk;
    };
    const Corners faces =
      abaqus ? Corners{all,          {0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 4, 5},
                       {1, 2, 5, 6}, {2, 3, 6, 7}, {3, 0, 7, 4}}
      : gmsh ? Corners{{0, 1, 2, 3}, {0, 1, 4, 5}, {0, 3, 4, 7}, {1, 2, 5, 6},
                       {2, 3, 6, 7}, {4, 5, 6, 7}, all}
             : Corners{{0, 3, 4, 7}, {1, 2, 5, 6}, {0, 1, 4, 5}, {2, 3, 6, 7},
                       {0, 1, 2, 3}, {4, 5, 6, 7}, all};
    return {{name("CPS6", "9", "22"), 3, of_triangle},
            {name("CPS8", "16", "23"), 4, first(4, of_quadrilateral)},
            {name("M3D9", "10", "28"), 4, of_quadrilateral},
            {name("C3D10", "11", "24"), 4,
             gmsh ? of_gmsh_tetrahedron : of_tetrahedron},
            {name("C3D20", "17", "25"), 8, gmsh ? of_gmsh_edges : edges},
            {name("C3D27", "12", "29"), 8,
             joined(gmsh ? of_gmsh_edges : edges, faces)}};
  }

  /// Returns the content of a file with these nodes and elements of one type,
  /// whose nodes are counted from 0.
  inline std::string
  text_of(const std::string &format, const std::string &type,
          const std::vector<Point3> &nodes,
          const std::vector<std::vector<int>> &elements)
  {
    std::ostringstream text;
    text.precision(17);
    const int one    = format == "vtk" ? 0 : 1;
    const auto write = [&](const auto &list, const char *const separator) {
      for (std::size_t i = 0; i < list.size(); ++i)
        text << (i == 0 ? "" : separator) << list[i];
      text << '\n';
    };
    const auto shifted = [&](std::vector<int> list) {
      for (int &node : list)
        node += one;
      return list;
    };
    if (format == "inp")
      {
        text << "*NODE\n";
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            text << i + 1 << ", ";
            write(nodes[i], ", ");
          }
        text << "*ELEMENT, TYPE=" << type << '\n';
        for (std::size_t i = 0; i < elements.size(); ++i)
          {
            text << i + 1 << ", ";
            write(shifted(elements[i]), ", ");
          }
      }
    else if (format == "msh")
      {
        text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
             << nodes.size() << '\n';
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            text << i + 1 << ' ';
            write(nodes[i], " ");
          }
        text << "$EndNodes\n$Elements\n" << elements.size() << '\n';
        for (std::size_t i = 0; i < elements.size(); ++i)
          {
            text << i + 1 << ' ' << type << " 2 0 1 ";
            write(shifted(elements[i]), " ");
          }
        text << "$EndElements\n";
      }
    else
      {
        text << "# vtk DataFile Version 3.0\nt\nASCII\n"
                "DATASET UNSTRUCTURED_GRID\nPOINTS "
             << nodes.size() << " double\n";
        for (const auto &node : nodes)
          write(node, " ");
        text << "CELLS " << elements.size() << ' '
             << elements.size() * (elements[0].size() + 1) << '\n';
        for (const auto &element : elements)
          {
            text << element.size() << ' ';
            write(element, " ");
          }
        text << "CELL_TYPES " << elements.size() << '\n';
        for (std::size_t i = 0; i < elements.size(); ++i)
          text << type << '\n';
      }
    return text.str();
  }

  /// Returns the middle of some of the points.
  inline Point3
  middle(const std::vector<Point3> &points, const std::vector<int> &which)
  {
    Point3 sum{};
    for (const int i : which)
      for (int d = 0; d < 3; ++d)
        sum[d] += points[i][d] / which.size();
    return sum;
  }

  /// Corners of a reference cell, around the bottom, then around the top.
  inline std::vector<Point3>
  reference_corners(const int n_corners, const int dim)
  {
    if (n_corners == dim + 1)
      return {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}},
            {{0, 0, 1}}, {{1, 0, 1}}, {{1, 1, 1}}, {{0, 1, 1}}};
  }

  /// A point of a quarter of an annulus, or of the sector of a spherical shell
  /// between the planes y = 0, z = 0, y = x and z = x, of radii 1 and 2.
  inline Point3
  in_sector(const Point3 &t, const int dim)
  {
    const double r = 1 + t[0];
    if (dim == 2)
      return {
        {r * std::cos(M_PI / 2 * t[1]), r * std::sin(M_PI / 2 * t[1]), 0}};
    const double y = std::tan(M_PI / 4 * t[1]), z = std::tan(M_PI / 4 * t[2]);
    const double x = r / std::sqrt(1 + y * y + z * z);
    return {{x, x * y, x * z}};
  }

  /// Returns the sector of n^dim boxes, or of the triangles or tetrahedra in
  /// them, as a file of Abaqus.
  inline std::string
  sector(const Element &type, const int dim, const int n)
  {
    const int side = 2 * n + 1;
    std::vector<Point3> nodes, places;
    for (int i = 0; i < (dim == 2 ? 1 : side) * side * side; ++i)
      {
        const Point3 t = {{i % side / (2. * n), i / side % side / (2. * n),
                           i / side / side / (2. * n)}};
        places.push_back(t);
        nodes.push_back(in_sector(t, dim));
      }
    const auto node_at = [&](const Point3 &t) {
      int index = 0;
      for (int d = dim; d-- > 0;)
        index = index * side + static_cast<int>(std::lround(2 * n * t[d]));
      return index;
    };
    const Corners parts = type.n_corners > dim + 1 ? Corners{all}
                          : dim == 2
                            ? Corners{{0, 1, 2}, {0, 2, 3}}
                            : Corners{{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6},
                                      {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}};
    std::vector<std::vector<int>> elements;
    for (int box = 0; box < (dim == 2 ? n * n : n * n * n); ++box)
      for (const auto &part : parts)
        {
          std::vector<Point3> corners;
          for (int k = 0; k < type.n_corners; ++k)
            {
              Point3 t          = reference_corners(8, 3)[part[k]];
              const int where[] = {box % n, box / n % n, box / n / n};
              for (int d = 0; d < dim; ++d)
                t[d] = (t[d] + where[d]) / n;
              corners.push_back(t);
            }
          elements.emplace_back();
          for (const auto &t : corners)
            elements.back().push_back(node_at(t));
          for (const auto &between : type.middles)
            elements.back().push_back(node_at(middle(corners, between)));
        }
    return text_of("inp", type.name, nodes, elements);
  }

  template <int dim>
  double
  volume(const Mesh<dim> &mesh)
  {
    const auto mapping = mesh.make_mapping(2);
    const auto fe      = make_element<dim>(mesh.cell_type(), 1);
    dealii::FEValues<dim> values(
      *mapping, *fe,
      cell_quadrature<dim>(mesh.cell_type(), max_degree(mesh.cell_type())),
      dealii::update_JxW_values);
    double sum = 0;
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        values.reinit(cell);
        for (const double JxW : values.get_JxW_values())
          sum += JxW;
      }
    return sum;
  }
} // namespace tessera::test
