#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>

#include <cmath>
#include <utility>

namespace tessera
{
  namespace
  {
    /// A column of J.
    template <int dim>
    struct Column
    {
      double x[dim], length;

      void
      set_length()
      {
        double square = x[0] * x[0];
        for (int d = 1; d < dim; ++d)
          square += x[d] * x[d];
        length = std::sqrt(square);
      }
    };

    template <int dim>
    Column<dim>
    edge(const double (&from)[dim], const double (&to)[dim])
    {
      Column<dim> result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = to[d] - from[d];
      result.set_length();
      return result;
    }

    template <int dim>
    Column<dim>
    mean(const Column<dim> &a, const Column<dim> &b)
    {
      Column<dim> result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = 0.5 * (a.x[d] + b.x[d]);
      result.set_length();
      return result;
    }

    double
    determinant(const Column<2> &a, const Column<2> &b)
    {
      return a.x[0] * b.x[1] - a.x[1] * b.x[0];
    }

    double
    determinant(const Column<3> &a, const Column<3> &b, const Column<3> &c)
    {
      return a.x[0] * (b.x[1] * c.x[2] - b.x[2] * c.x[1]) +
             a.x[1] * (b.x[2] * c.x[0] - b.x[0] * c.x[2]) +
             a.x[2] * (b.x[0] * c.x[1] - b.x[1] * c.x[0]);
    }

    /// Returns det J of these columns, divided by their lengths.
    template <class... Columns>
    double
    scaled_determinant(const Columns &...J)
    {
      const double lengths = (1. * ... * J.length);
      return lengths > 0. ? determinant(J...) / lengths : 0.;
    }

    /// Returns the smallest scaled determinant of a quadrilateral at its
    /// corners, where column d of J is the edge in direction d.
    double
    smallest_determinant(const double (&x)[4][2])
    {
      const Column<2> along[2][2] = {{edge(x[0], x[1]), edge(x[2], x[3])},
                                     {edge(x[0], x[2]), edge(x[1], x[3])}};
      double smallest             = 2.;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          smallest =
            std::min(smallest, scaled_determinant(along[0][j], along[1][i]));
      return smallest;
    }

    /// Returns the smallest one of a hexahedron at its corners and the middles
    /// between them. Column d of J is bilinear in the other two coordinates, so
    /// that it is a mean of edges.
    double
    smallest_determinant(const double (&x)[8][3])
    {
      // along[d][j][k] is column d of J where the other two coordinates, in
      // ascending order, are j / 2 and k / 2.
      Column<3> along[3][3][3];
      for (int d = 0; d < 3; ++d)
        {
          const int a = d == 0 ? 2 : 1, b = d == 2 ? 2 : 4; // steps of corners
          auto &of = along[d];
          for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k)
              {
                const int from   = j * a + k * b;
                of[2 * j][2 * k] = edge(x[from], x[from + (1 << d)]);
              }
          for (int j = 0; j < 3; j += 2)
            of[j][1] = mean(of[j][0], of[j][2]);
          for (int k = 0; k < 3; ++k)
            of[1][k] = mean(of[0][k], of[2][k]);
        }
      double smallest = 2.;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k)
            smallest = std::min(smallest, scaled_determinant(along[0][j][k],
                                                             along[1][i][k],
                                                             along[2][i][j]));
      return smallest;
    }
  } // namespace


  template <int dim>
  double
  cell_quality(const CellType type,
               const std::vector<dealii::Point<dim>> &corners)
  {
    double x[1 << dim][dim]; // of a simplex, the first dim + 1
    for (std::size_t v = 0; v < corners.size(); ++v)
      std::copy_n(corners[v].begin_raw(), dim, x[v]);
    if (!is_simplex(type))
      return smallest_determinant(x);
    const double regular = dim == 2 ? std::sqrt(0.75) : std::sqrt(0.5);
    double scaled        = 0;
    if constexpr (dim == 2)
      scaled = determinant(edge(x[0], x[1]), edge(x[0], x[2])) / regular;
    else
      scaled =
        determinant(edge(x[0], x[1]), edge(x[0], x[2]), edge(x[0], x[3])) /
        regular;
    double longest = 0.;
    for (int v = 0; v <= dim; ++v)
      {
        double lengths = 1.;
        for (int w = 0; w <= dim; ++w)
          if (w != v)
            lengths *= corners[w].distance(corners[v]);
        longest = std::max(longest, lengths);
      }
    return longest > 0. ? scaled / longest : 0.;
  }


  void
  check_degree(const CellType type, const int degree)
  {
    const int most = max_degree(type);
    if (degree >= 1 && degree <= most)
      return;
    throw ParameterError(
      "Degree " + std::to_string(degree) + " of 'Finite element/Degrees' " +
      (is_simplex(type) && degree > 0
         ? "is not available for a mesh of type " + to_string(type) +
             ", whose elements have nodes at vertices and middles of edges only"
         : "does not exist for a mesh of type " + to_string(type)) +
      "; legal are 1 to " + std::to_string(most) + ".");
  }


  template <int dim>
  void
  check_connected_parts(const Mesh<dim> &mesh,
                        const std::set<dealii::types::boundary_id> &fixing,
                        const std::vector<char> &fixing_cells)
  {
    const auto parts = mesh_tools::coarser_parts(mesh);
    if (parts.empty())
      return;
    const int n_parts = 1 + *std::max_element(parts.begin(), parts.end());
    std::vector<char> fixed(n_parts, false);
    const auto arrays       = mesh.arrays();
    const std::size_t n     = mesh.n_cells() / parts.size();
    const auto part_of_cell = [&](const std::size_t c) { return parts[c / n]; };
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      if (const MeshFace &face = arrays->boundary.data()[f];
          fixing.count(face.id) > 0)
        fixed[part_of_cell(face.cell)] = true;
    for (std::size_t c = 0; c < fixing_cells.size(); ++c)
      if (fixing_cells[c] != 0)
        fixed[part_of_cell(c)] = true;
    if (std::count(fixed.begin(), fixed.end(), false) == 0)
      return;
    std::size_t free = 0; // the first cell that nothing fixes
    while (fixed[part_of_cell(free)] != 0)
      ++free;
    throw MeshError(
      "The " + mesh.source +
      (n_parts == 1
         ? " has"
         : " consists of " + std::to_string(n_parts) +
             " parts without common vertices, and the part of "
             "the cell " +
             std::to_string(mesh.number_of_index(free)) + " around " +
             mesh_tools::place(
               mesh_tools::mean_of<dim>(*arrays, static_cast<int>(free))) +
             " has") +
      " no boundary where a Dirichlet or Robin condition fixes the "
      "solution, which would be free up to a constant.");
  }


  namespace mesh_tools
  {
    const std::vector<std::vector<int>> &
    faces_of(const CellType type)
    {
      using Faces                      = std::vector<std::vector<int>>;
      static const Faces quadrilateral = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};
      static const Faces triangle      = {{0, 1}, {1, 2}, {2, 0}};
      static const Faces hexahedron    = {{0, 2, 4, 6}, {1, 3, 5, 7},
                                          {0, 1, 4, 5}, {2, 3, 6, 7},
                                          {0, 1, 2, 3}, {4, 5, 6, 7}};
      static const Faces tetrahedron   = {
          {0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}};
      return type == CellType::quadrilateral ? quadrilateral
             : type == CellType::triangle    ? triangle
             : type == CellType::hexahedron  ? hexahedron
                                             : tetrahedron;
    }


    template <int dim>
    void
    check_cells(const Mesh<dim> &mesh)
    {
      if (mesh.n_cells() == 0)
        throw MeshError("The " + mesh.source + " has no cells.");
      const auto arrays = mesh.arrays();
      const int n_cells = arrays->n_cells();
      int bad           = n_cells;
#pragma omp parallel reduction(min : bad)
      {
        std::vector<dealii::Point<dim>> corners;
#pragma omp for schedule(static)
        for (int cell = 0; cell < n_cells; ++cell)
          {
            corners_of(*arrays, cell, corners);
            // The negation is also true if the quality is not a number.
            if (!(cell_quality<dim>(arrays->cell_type, corners) >
                  smallest_quality))
              bad = std::min(bad, cell);
          }
      }
      if (bad < n_cells)
        throw MeshError("The " + mesh.source +
                        " has an inverted or degenerate cell, number " +
                        std::to_string(bad) + " around " +
                        place(mean_of<dim>(*arrays, bad)) + ".");
      if (mesh.quadratic)
        check_curved_cells(mesh);
    }
  } // namespace mesh_tools


#define INSTANTIATE(dim)                                                 \
  template double cell_quality(CellType,                                 \
                               const std::vector<dealii::Point<dim>> &); \
  template void check_connected_parts(                                   \
    const Mesh<dim> &, const std::set<dealii::types::boundary_id> &,     \
    const std::vector<char> &);                                          \
  template void mesh_tools::check_cells(const Mesh<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
