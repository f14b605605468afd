#include "diffusion.h"

#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/forms/laplace.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

using namespace tessera;

namespace
{
  const std::string diffusion_section = "Diffusion", entry = "Expression",
                    fibres = diffusion_section + "/Fibre";

  /// Returns the number and the centre of a cell of a space for messages.
  template <int dim>
  std::string
  describe_cell(const Mesh<dim> &mesh, const Space &space,
                const std::size_t cell)
  {
    const int n        = n_vertices(space.cell_type);
    double centre[dim] = {};
    for (int v = 0; v < n; ++v)
      for (int i = 0; i < dim; ++i)
        centre[i] +=
          space.vertices[space.cell_vertices[cell * n + v] * dim + i] / n;
    return "cell " +
           std::to_string(mesh.number_of_index(space.mesh_cell[cell])) +
           " at " + place<dim>(centre);
  }

  /// Returns the mean of n over the points of every cell of a mesh of n_cells
  /// cells, of unit length or 0, which it is in cells of other processes.
  std::vector<std::array<double, 3>>
  means(const Coefficient &n, const Space &space, const std::size_t n_cells)
  {
    const int n_points = n.kind == Coefficient::Kind::per_quadrature_point
                           ? space.points_per_cell()
                           : 1;
    std::vector<std::array<double, 3>> result(n_cells);
    for (int cell = 0; cell < space.n_cells(); ++cell)
      {
        auto &mean = result[space.mesh_cell[cell]];
        for (int c = 0; c < space.dim(); ++c)
          for (int q = 0; q < n_points; ++q)
            mean[c] += values_at(n, cell, q, n_points)[c];
        const double length = std::hypot(mean[0], mean[1], mean[2]);
        for (double &component : mean)
          component /= length > 0 ? length : 1;
      }
    return result;
  }
} // namespace


template <int dim>
void
Diffusion<dim>::declare(Parameters &parameters)
{
  using Expression = MaterialExpression<dim>;
  Expression::declare(parameters, diffusion_section + "/Isotropic", entry,
                      "0.1",
                      "d_iso of D = d_iso I + d_ani n n^T, in squared units of "
                      "length of the mesh per unit of time of the cell model");
  Expression::declare(parameters, diffusion_section + "/Anisotropic", entry,
                      "0", "d_ani, in the same unit");
  parameters.declare(fibres + "/Rule", "expression",
                     Patterns::Selection("expression|laplace_dirichlet|file"),
                     "where n, the direction of the fibres, comes from: the "
                     "formulas below; laplace_dirichlet: the walls of the "
                     "heart, see README.md; file: the mesh file");
  Expression::declare(parameters, fibres, entry, "1; 0; 0",
                      "n of the rule expression: three formulas, and two "
                      "dimensions use the first two; normalised");
  WallFibres<dim>::declare(parameters, fibres);
}


template <int dim>
Diffusion<dim>::Diffusion(const Parameters &parameters)
  : isotropic(parameters, diffusion_section + "/Isotropic", entry,
              MaterialValues::scalar),
    anisotropic(parameters, diffusion_section + "/Anisotropic", entry,
                MaterialValues::scalar),
    fibre(parameters, fibres, entry, MaterialValues::axes),
    rule(parameters.get(fibres + "/Rule"))
{
  if (rule == "laplace_dirichlet")
    walls.emplace(parameters, fibres);
}


template <int dim>
std::vector<std::array<double, 3>>
Diffusion<dim>::fibres_of_walls(Discretization<dim> &d) const
{
  return walls ? walls->directions(d, laplace())
               : std::vector<std::array<double, 3>>();
}


template <int dim>
Coefficient
Diffusion<dim>::directions(
  const Discretization<dim> &d,
  const std::vector<std::array<double, 3>> &of_walls) const
{
  if (rule == "expression")
    return fibre.coefficient(d.mesh, *d.space);
  if (rule == "file" && d.mesh.fibres.empty())
    throw MeshError("The " + d.mesh.source +
                    " gives its cells no fibres, which '" + fibres +
                    "/Rule' = file needs; .lon of openCARP does and a cell "
                    "array 'fibres' with three components in .vtk or .vtu.");
  const auto &of_cells = rule == "file" ? d.mesh.fibres : of_walls;
  Coefficient n{Coefficient::Kind::per_cell, 3, {}};
  n.values.reserve(3 * of_cells.size());
  for (const int cell : d.space->mesh_cell)
    n.values.insert(n.values.end(), of_cells[cell].begin(),
                    of_cells[cell].end());
  return n;
}


template <int dim>
typename Diffusion<dim>::OfCells
Diffusion<dim>::on_cells(
  const Discretization<dim> &d,
  const std::vector<std::array<double, 3>> &of_walls) const
{
  const Space &space      = *d.space;
  const Coefficient d_iso = isotropic.coefficient(d.mesh, space),
                    d_ani = anisotropic.coefficient(d.mesh, space),
                    n     = directions(d, of_walls);
  using Kind              = Coefficient::Kind;
  const Kind kind         = std::max({d_iso.kind, d_ani.kind, n.kind});
  const int n_points      = space.points_per_cell();
  const std::size_t cells = kind == Kind::uniform ? 1 : space.n_cells();
  const int points        = kind == Kind::per_quadrature_point ? n_points : 1;
  Coefficient D{kind, n_symmetric(dim), {}};
  D.values.reserve(cells * points * D.n_components);
  double shortest = std::numeric_limits<double>::max(), longest = 0;
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (int q = 0; q < points; ++q)
      {
        const double a = *values_at(d_iso, cell, q, n_points),
                     b = *values_at(d_ani, cell, q, n_points);
        double direction[3], squares = 0;
        for (int i = 0; i < dim; ++i)
          {
            direction[i] = values_at(n, cell, q, n_points)[i];
            squares += direction[i] * direction[i];
          }
        const double length = std::sqrt(squares);
        if (b != 0 && !(length > 0))
          throw ParameterError(
            "A fibre of '" + fibres + "' has the length 0 in " +
            describe_cell<dim>(d.mesh, space, cell) + ", where '" +
            diffusion_section + "/Anisotropic' is " + program::format(b) + '.');
        if (!(a > 0) || !(a + b > 0))
          throw ParameterError(
            "'" + diffusion_section + "/Isotropic' is " + program::format(a) +
            " and '" + diffusion_section + "/Anisotropic' is " +
            program::format(b) + " in " +
            describe_cell<dim>(d.mesh, space, cell) +
            "; the first one and their sum must be positive.");
        if (b != 0)
          {
            shortest = std::min(shortest, length);
            longest  = std::max(longest, length);
          }
        for (int i = 0; i < dim; ++i)
          for (int j = i; j < dim; ++j)
            D.values.push_back(
              (i == j ? a : 0.) +
              (b == 0 ? 0. : b * direction[i] * direction[j] / squares));
      }
  return {std::move(D), n, shortest, longest};
}


template <int dim>
Coefficient
Diffusion<dim>::tensor(Discretization<dim> &d,
                       const std::vector<std::array<double, 3>> &of_walls) const
{
  OfCells of_cells;
  d.collectively([&]() { of_cells = on_cells(d, of_walls); });
  const double shortest = -d.largest(-of_cells.shortest),
               longest  = d.largest(of_cells.longest);
  if (longest > 0 && (shortest < 1 - 1e-6 || longest > 1 + 1e-6))
    std::cerr << "note: fibres of '" << fibres << "' have lengths from "
              << program::format(shortest) << " to " << program::format(longest)
              << " and are normalised." << std::endl;
  if (longest > 0)
    d.fields.cell_vectors.push_back(
      {"fibres", means(of_cells.n, *d.space, d.mesh.n_cells())});
  return of_cells.D;
}


template class Diffusion<2>;
template class Diffusion<3>;
