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
                    fibres = diffusion_section + "/Fibre",
                    sheets = diffusion_section + "/Sheet";

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

  /// Returns the unit vector of what s has across a fibre, whose squared length
  /// is given; not a number if s is 0 or has the direction of the fibre.
  template <int dim>
  std::array<double, dim>
  across_fibre(const double *fibre, const double squares, const double *s)
  {
    std::array<double, dim> result;
    double along = 0, length = 0, of_s = 0;
    for (int i = 0; i < dim && squares > 0; ++i)
      along += fibre[i] * s[i] / squares;
    for (int i = 0; i < dim; ++i)
      {
        result[i] = s[i] - along * fibre[i];
        length += result[i] * result[i];
        of_s += s[i] * s[i];
      }
    for (double &component : result)
      component /= length > 1e-12 * of_s ? std::sqrt(length) : std::nan("");
    return result;
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
                      "d_iso of D = d_iso I + d_ani n n^T + d_tra s s^T, in "
                      "squared units of length of the mesh per unit of time of "
                      "the cell model");
  Expression::declare(parameters, diffusion_section + "/Anisotropic", entry,
                      "0", "d_ani, in the same unit");
  Expression::declare(
    parameters, diffusion_section + "/Transverse", entry, "0",
    "d_tra, in the same unit: what sheets add to the diffusion "
    "across their fibres");
  parameters.declare(fibres + "/Rule", "expression",
                     Patterns::Selection("expression|laplace_dirichlet|file"),
                     "where n, along the fibres, and s, across them within "
                     "sheets, come from: the formulas below; "
                     "laplace_dirichlet: the walls of the "
                     "heart, see README.md; file: the mesh file");
  Expression::declare(parameters, fibres, entry, "1; 0; 0",
                      "n of the rule expression: three formulas, and two "
                      "dimensions use the first two; normalised");
  Expression::declare(
    parameters, sheets, entry, "0; 1; 0",
    "s of the rule expression in the same way; its part along "
    "the fibre is subtracted");
  WallFibres<dim>::declare(parameters, fibres);
}


template <int dim>
Diffusion<dim>::Diffusion(const Parameters &parameters)
  : isotropic(parameters, diffusion_section + "/Isotropic", entry,
              MaterialValues::scalar),
    anisotropic(parameters, diffusion_section + "/Anisotropic", entry,
                MaterialValues::scalar),
    transverse(parameters, diffusion_section + "/Transverse", entry,
               MaterialValues::scalar),
    fibre(parameters, fibres, entry, MaterialValues::axes),
    sheet(parameters, sheets, entry, MaterialValues::axes),
    rule(parameters.get(fibres + "/Rule"))
{
  if (rule == "laplace_dirichlet")
    walls.emplace(parameters, fibres);
}


template <int dim>
Coefficient
Diffusion<dim>::directions(const Discretization<dim> &d,
                           const std::vector<std::array<double, 6>> &of_walls,
                           const bool of_sheets) const
{
  if (rule == "expression")
    return (of_sheets ? sheet : fibre).coefficient(d.mesh(), *d.space);
  if (rule == "file" && d.mesh().fibres.empty())
    throw MeshError("The " + d.mesh().source +
                    " gives its cells no fibres, which '" + fibres +
                    "/Rule' = file needs; .lon of openCARP does and a cell "
                    "array 'fibres' with three components in .vtk or .vtu.");
  const auto &of_cells = rule == "file" ? d.mesh().fibres : of_walls;
  Coefficient n{Coefficient::Kind::per_cell, 3, {}};
  n.values.reserve(3 * of_cells.size());
  for (const int cell : d.space->mesh_cell)
    for (int i = 0; i < 3; ++i)
      n.values.push_back(of_cells[cell][of_sheets ? 3 + i : i]);
  return n;
}


template <int dim>
typename Diffusion<dim>::OfCells
Diffusion<dim>::on_cells(
  const Discretization<dim> &d,
  const std::vector<std::array<double, 6>> &of_walls) const
{
  const Space &space      = *d.space;
  const Coefficient d_iso = isotropic.coefficient(d.mesh(), space),
                    d_ani = anisotropic.coefficient(d.mesh(), space),
                    d_tra = transverse.coefficient(d.mesh(), space),
                    n     = directions(d, of_walls, false);
  const bool has_sheets = std::any_of(d_tra.values.begin(), d_tra.values.end(),
                                      [](const double c) { return c != 0; });
  const Coefficient uniform_zero{Coefficient::Kind::uniform, 3, {0., 0., 0.}},
    s        = has_sheets ? directions(d, of_walls, true) : uniform_zero;
  using Kind = Coefficient::Kind;
  const Kind kind =
    std::max({d_iso.kind, d_ani.kind, d_tra.kind, n.kind, s.kind});
  const int n_points      = space.points_per_cell();
  const std::size_t cells = kind == Kind::uniform ? 1 : space.n_cells();
  const int points        = kind == Kind::per_quadrature_point ? n_points : 1;
  Coefficient D{kind, n_symmetric(dim), {}};
  D.values.reserve(cells * points * D.n_components);
  Coefficient found = uniform_zero; // of sheets
  if (has_sheets)
    found = {kind, 3, {}};
  double shortest = std::numeric_limits<double>::max(), longest = 0,
         largest = 0;
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (int q = 0; q < points; ++q)
      {
        const double a = *values_at(d_iso, cell, q, n_points),
                     b = *values_at(d_ani, cell, q, n_points),
                     c = *values_at(d_tra, cell, q, n_points);
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
            describe_cell<dim>(d.mesh(), space, cell) + ", where '" +
            diffusion_section + "/Anisotropic' is " + program::format(b) + '.');
        const auto across = across_fibre<dim>(direction, squares,
                                              values_at(s, cell, q, n_points));
        if (c != 0 && std::isnan(across[0]))
          throw ParameterError("A sheet of '" + sheets +
                               "' has no direction across its fibre in " +
                               describe_cell<dim>(d.mesh(), space, cell) +
                               ", where '" + diffusion_section +
                               "/Transverse' is " + program::format(c) + '.');
        if (!(a > 0) || !(a + b > 0) || !(a + c > 0))
          throw ParameterError(
            "'" + diffusion_section + "/Isotropic' is " + program::format(a) +
            " and '" + diffusion_section + "/Anisotropic' is " +
            program::format(b) +
            (c == 0 ? ""
                    : ", and '" + diffusion_section + "/Transverse' is " +
                        program::format(c)) +
            " in " + describe_cell<dim>(d.mesh(), space, cell) +
            (c == 0 ? "; the first one and their sum must be positive."
                    : "; the first one and its sums with the others must be "
                      "positive."));
        largest = std::max(largest, std::abs(c));
        for (int i = 0; i < 3 && has_sheets; ++i)
          found.values.push_back(c != 0 && i < dim ? across[i] : 0.);
        if (b != 0)
          {
            shortest = std::min(shortest, length);
            longest  = std::max(longest, length);
          }
        for (int i = 0; i < dim; ++i)
          for (int j = i; j < dim; ++j)
            D.values.push_back(
              (i == j ? a : 0.) +
              (b == 0 ? 0. : b * direction[i] * direction[j] / squares) +
              (c == 0 ? 0. : c * across[i] * across[j]));
      }
  return {std::move(D), n, std::move(found), shortest, longest, largest};
}


template <int dim>
Coefficient
Diffusion<dim>::tensor(Discretization<dim> &d) const
{
  std::vector<std::array<double, 6>> of_walls;
  if (walls)
    of_walls = walls->directions(d, laplace());
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
      {"fibres", means(of_cells.n, *d.space, d.mesh().n_cells())});
  if (d.largest(of_cells.transverse) > 0)
    d.fields.cell_vectors.push_back(
      {"sheets", means(of_cells.s, *d.space, d.mesh().n_cells())});
  return of_cells.D;
}


template class Diffusion<2>;
template class Diffusion<3>;
