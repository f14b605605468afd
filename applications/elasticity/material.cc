#include "material.h"

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <array>
#include <sstream>

using namespace tessera;

namespace
{
  constexpr const char *young_entry   = "Young modulus";
  constexpr const char *poisson_entry = "Poisson ratio";
  constexpr const char *density_entry = "Density";
  constexpr const char *thermal_entry = "Thermal expansion";

  /// Where two coefficients have values: as fine as the finer one.
  struct Places
  {
    Places(const Space &space, const Coefficient &a, const Coefficient &b)
      : space(space), kind(std::max(a.kind, b.kind)),
        n(kind == Coefficient::Kind::uniform    ? 1
          : kind == Coefficient::Kind::per_cell ? space.n_cells()
                                                : space.n_cells() * per_cell())
    {}

    std::ptrdiff_t
    per_cell() const
    {
      return kind == Coefficient::Kind::per_quadrature_point
               ? space.points_per_cell()
               : 1;
    }

    /// The components of a coefficient at place i.
    const double *
    at(const Coefficient &c, const std::ptrdiff_t i) const
    {
      const std::ptrdiff_t entry = c.kind == Coefficient::Kind::uniform ? 0
                                   : c.kind == kind                     ? i
                                                    : i / per_cell();
      return &c.values[entry * c.n_components];
    }

    /// Calls f(i, result of place i) for all places, with all threads.
    template <class F>
    Coefficient
    fill(const int n_components, const F &f) const
    {
      Coefficient result{kind, n_components,
                         parallel_vector<double>(n * n_components)};
#pragma omp parallel for schedule(static)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        f(i, &result.values[i * n_components]);
      return result;
    }

    const Space &space;
    const Coefficient::Kind kind;
    const std::ptrdiff_t n;
  };

  /// Returns an entry with n components, none if it is empty.
  template <int dim>
  std::optional<Expression<dim>>
  read_optional(const Parameters &parameters, const std::string &entry,
                const int n)
  {
    if (parameters.get(entry).empty())
      return {};
    return Expression<dim>(parameters, entry, {n});
  }

  /// Returns the values of an entry with n components, which are 0 if it is
  /// empty.
  template <int dim>
  Coefficient
  values_of(const std::optional<Expression<dim>> &expression, const int n,
            const Space &space)
  {
    Coefficient result{Coefficient::Kind::uniform, n,
                       std::vector<double>(n, 0.)};
    if (expression && expression->varies())
      {
        result.kind   = Coefficient::Kind::per_quadrature_point;
        result.values = expression->evaluate(quadrature_points(space));
      }
    else if (expression)
      result.values = expression->evaluate();
    return result;
  }

  /// Throws ParameterError for the first value that is not legal.
  template <int dim, class IsLegal>
  void
  check(const Coefficient &c, const std::string &entry, const Space &space,
        const std::string &legal, const IsLegal &is_legal)
  {
    const auto bad =
      std::find_if_not(c.values.begin(), c.values.end(), is_legal);
    if (bad == c.values.end())
      return;
    std::ostringstream text;
    text << "The value " << *bad << " of 'Material/" << entry << "'";
    const std::ptrdiff_t i = bad - c.values.begin();
    if (c.kind == Coefficient::Kind::per_quadrature_point)
      text << " at " << place<dim>(&quadrature_points(space)[i * dim]);
    else if (c.kind == Coefficient::Kind::per_cell)
      text << ", of one of its materials,";
    text << " is not legal; legal are " << legal << '.';
    throw ParameterError(text.str());
  }
} // namespace


template <int dim>
void
ElasticMaterial<dim>::declare(Parameters &parameters)
{
  const auto material = [&](const std::string &entry,
                            const std::string &default_value,
                            const std::string &documentation) {
    MaterialExpression<dim>::declare(parameters, "Material", entry,
                                     default_value, documentation);
  };
  material(young_entry, "1",
           "E > 0, a formula of x, y and z, in units of force per area");
  material(poisson_entry, "0.3",
           "nu, between -1 and 0.5 without these, a formula of x, y and z");
  material(density_entry, "0",
           "mass per volume, a formula of x, y and z, for `Loads/Gravity`");
  material(thermal_entry, "0",
           "alpha, strain per unit of temperature, a formula of x, y and z, "
           "for `Loads/Temperature`");
  parameters.declare("Material/Plane", "strain",
                     dealii::Patterns::Selection("strain|stress"),
                     "what is zero across the plane of two dimensions");
  const dealii::Patterns::Anything any;
  parameters.declare("Loads/Body force", "", any,
                     "force per volume, formulas of x, y and z separated by "
                     "semicolons, one for each component; empty: none");
  parameters.declare("Loads/Gravity", "", any,
                     "acceleration, components separated by semicolons, times "
                     "the density; empty: none");
  parameters.declare("Loads/Temperature", "", any,
                     "the difference to the temperature at which the body is "
                     "free of stress, a formula of x, y and z, times the "
                     "thermal expansion; empty: none");
}


template <int dim>
ElasticMaterial<dim>::ElasticMaterial(const Parameters &parameters)
  : young(parameters, "Material", young_entry, false),
    poisson(parameters, "Material", poisson_entry, false),
    density(parameters, "Material", density_entry, false),
    thermal(parameters, "Material", thermal_entry, false),
    force(read_optional<dim>(parameters, "Loads/Body force", dim)),
    gravity(read_optional<dim>(parameters, "Loads/Gravity", dim)),
    temperature(read_optional<dim>(parameters, "Loads/Temperature", 1)),
    plane(parameters.get("Material/Plane") == "stress" ? Plane::stress
                                                       : Plane::strain)
{}


template <int dim>
typename ElasticMaterial<dim>::Stiffness
ElasticMaterial<dim>::stiffness(const Mesh<dim> &mesh, const Space &space) const
{
  const Coefficient E  = young.coefficient(mesh, space),
                    nu = poisson.coefficient(mesh, space);
  check<dim>(E, young_entry, space, "positive values",
             [](const double value) { return value > 0; });
  check<dim>(nu, poisson_entry, space, "values between -1 and 0.5",
             [](const double value) { return value > -1 && value < 0.5; });
  const Places places(space, E, nu);
  const auto filled = [&](const auto &of) {
    const int n = of(1., 0.).n_components;
    return places.fill(n, [&](const std::ptrdiff_t i, double *const result) {
      const auto c = of(*places.at(E, i), *places.at(nu, i));
      std::copy(c.values.begin(), c.values.end(), result);
    });
  };
  return {filled([this](const double e, const double v) {
            return isotropic_stiffness(dim, e, v, plane);
          }),
          filled([this](const double e, const double v) {
            return isotropic_across(e, v, plane);
          })};
}


template <int dim>
std::optional<Coefficient>
ElasticMaterial<dim>::expansion(const Mesh<dim> &mesh, const Space &space) const
{
  if (!temperature)
    return {};
  const Coefficient alpha = thermal.coefficient(mesh, space),
                    T     = values_of(temperature, 1, space);
  const Places places(space, alpha, T);
  return places.fill(1, [&](const std::ptrdiff_t i, double *const result) {
    *result = *places.at(alpha, i) * *places.at(T, i);
  });
}


template <int dim>
Coefficient
ElasticMaterial<dim>::body_force(const Mesh<dim> &mesh,
                                 const Space &space) const
{
  const Coefficient f   = values_of(force, dim, space),
                    g   = values_of(gravity, dim, space),
                    rho = density.coefficient(mesh, space);
  check<dim>(rho, density_entry, space, "values of at least 0",
             [](const double value) { return value >= 0; });
  const Places of_weight(space, g, rho);
  const Coefficient weight =
    of_weight.fill(dim, [&](const std::ptrdiff_t i, double *const result) {
      for (int d = 0; d < dim; ++d)
        result[d] = of_weight.at(g, i)[d] * *of_weight.at(rho, i);
    });
  const Places of_sum(space, f, weight);
  return of_sum.fill(dim, [&](const std::ptrdiff_t i, double *const result) {
    for (int d = 0; d < dim; ++d)
      result[d] = of_sum.at(f, i)[d] + of_sum.at(weight, i)[d];
  });
}


template class ElasticMaterial<2>;
template class ElasticMaterial<3>;
