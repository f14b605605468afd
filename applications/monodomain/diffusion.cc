#include "diffusion.h"

#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/study/table.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

using namespace tessera;

namespace
{
  const std::string section = "Diffusion", entry = "Expression";

  /// Returns component c of a coefficient at point q of a cell.
  double
  value_at(const Coefficient &coefficient, const std::size_t cell, const int q,
           const int n_points, const int c)
  {
    const std::size_t place = coefficient.kind == Coefficient::Kind::uniform ? 0
                              : coefficient.kind == Coefficient::Kind::per_cell
                                ? cell
                                : cell * n_points + q;
    return coefficient.values[place * coefficient.n_components + c];
  }
} // namespace


template <int dim>
void
Diffusion<dim>::declare(Parameters &parameters)
{
  using Expression = MaterialExpression<dim>;
  Expression::declare(parameters, section + "/Isotropic", entry, "0.1",
                      "d_iso of D = d_iso I + d_ani n n^T, in squared units of "
                      "length of the mesh per unit of time of the cell model");
  Expression::declare(parameters, section + "/Anisotropic", entry, "0",
                      "d_ani, in the same unit");
  Expression::declare(parameters, section + "/Fibre", entry, "1; 0; 0",
                      "n, the direction of the fibres: three formulas, of "
                      "which two dimensions use the first two; normalised");
}


template <int dim>
Diffusion<dim>::Diffusion(const Parameters &parameters)
  : isotropic(parameters, section + "/Isotropic", entry,
              MaterialValues::scalar),
    anisotropic(parameters, section + "/Anisotropic", entry,
                MaterialValues::scalar),
    fibre(parameters, section + "/Fibre", entry, MaterialValues::axes)
{}


template <int dim>
Coefficient
Diffusion<dim>::tensor(const Mesh<dim> &mesh, const Space &space) const
{
  const Coefficient d_iso = isotropic.coefficient(mesh, space),
                    d_ani = anisotropic.coefficient(mesh, space),
                    n     = fibre.coefficient(mesh, space);
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
        const double a = value_at(d_iso, cell, q, n_points, 0),
                     b = value_at(d_ani, cell, q, n_points, 0);
        double direction[3], squares = 0;
        for (int i = 0; i < dim; ++i)
          {
            direction[i] = value_at(n, cell, q, n_points, i);
            squares += direction[i] * direction[i];
          }
        const double length = std::sqrt(squares);
        if (b != 0 && !(length > 0))
          throw ParameterError(
            "A fibre of '" + section + "/Fibre' has the length 0 in cell " +
            std::to_string(space.mesh_cell[cell]) + ", where '" + section +
            "/Anisotropic' is " + study::format(b) + '.');
        if (!(a > 0) || !(a + b > 0))
          throw ParameterError(
            "'" + section + "/Isotropic' is " + study::format(a) + " and '" +
            section + "/Anisotropic' is " + study::format(b) + " in cell " +
            std::to_string(space.mesh_cell[cell]) +
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
  if (longest > 0 && (shortest < 1 - 1e-6 || longest > 1 + 1e-6))
    std::cerr << "note: fibres of '" << section << "/Fibre' have lengths from "
              << study::format(shortest) << " to " << study::format(longest)
              << " and are normalised." << std::endl;
  return D;
}


Coefficient
with_reaction(const Coefficient &D, const double factor, const double c)
{
  Coefficient result{D.kind, D.n_components + 1, {}};
  result.values.reserve(D.values.size() / D.n_components * result.n_components);
  for (std::size_t i = 0; i < D.values.size(); ++i)
    {
      result.values.push_back(factor * D.values[i]);
      if ((i + 1) % D.n_components == 0)
        result.values.push_back(c);
    }
  return result;
}


template class Diffusion<2>;
template class Diffusion<3>;
