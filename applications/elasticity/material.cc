#include "material.h"

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/quadrature.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

using namespace tessera;

namespace
{
  constexpr const char *young_entry   = "Young modulus";
  constexpr const char *poisson_entry = "Poisson ratio";
  constexpr const char *shear_entry   = "Shear modulus";
  constexpr const char *density_entry = "Density";
  constexpr const char *thermal_entry = "Thermal expansion";

  /// Where some coefficients have values: as fine as the finest one.
  struct Places
  {
    Places(const Space &space, const Coefficient::Kind kind)
      : space(space), kind(kind),
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

  /// Returns an entry for the whole mesh, none if it is empty.
  template <int dim>
  std::optional<MaterialExpression<dim>>
  read_optional(const Parameters &parameters, const std::string &entry,
                const MaterialValues kind)
  {
    if (parameters.get(entry).empty())
      return {};
    const int n = kind == MaterialValues::vector ? dim : 1;
    return MaterialExpression<dim>(Field<dim>(parameters, entry, {n}), kind);
  }

  /// Throws ParameterError for what stands at a place of a coefficient.
  template <int dim>
  [[noreturn]] void
  refuse(const std::string &what, const Coefficient::Kind kind,
         const std::ptrdiff_t i, const Space &space, const std::string &legal)
  {
    std::string where;
    if (kind == Coefficient::Kind::per_quadrature_point)
      where = " at " + place<dim>(&quadrature_points(space)[i * dim]);
    else if (kind == Coefficient::Kind::per_cell)
      where = ", of one of its materials,";
    throw ParameterError(what + where + " is not legal; legal are " + legal +
                         '.');
  }

  /// Returns "The value x; y of 'Material/entry'".
  template <std::size_t n>
  std::string
  describe(const double (&values)[n], const std::string &entry)
  {
    std::ostringstream text;
    for (const double &value : values)
      text << (&value == values ? "The value " : "; ") << value;
    text << " of 'Material/" << entry << "'";
    return text.str();
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
    refuse<dim>(describe({*bad}, entry), c.kind,
                (bad - c.values.begin()) / c.n_components, space, legal);
  }

  bool
  are_equal(const double (&x)[3])
  {
    return x[0] == x[1] && x[0] == x[2];
  }

  /// Where no shear modulus is given, equal axes have the modulus of an
  /// isotropic material.
  bool
  is_isotropic(const OrthotropicModuli &m)
  {
    return are_equal(m.young) && are_equal(m.poisson) && m.shear[0] == 0 &&
           are_equal(m.shear);
  }

  /// Throws ParameterError if a material has no stiffness.
  template <int dim>
  void
  check(const OrthotropicModuli &m, const Coefficient::Kind kind,
        const std::ptrdiff_t i, const Space &space)
  {
    if (is_isotropic(m))
      {
        if (!(m.poisson[0] > -1 && m.poisson[0] < 0.5))
          refuse<dim>(describe({m.poisson[0]}, poisson_entry), kind, i, space,
                      "values between -1 and 0.5");
        return;
      }
    for (const double g : m.shear)
      if (!(g > 0))
        refuse<dim>(describe(m.shear, shear_entry), kind, i, space,
                    "positive values for xy; yz; xz, or 0 where all axes have "
                    "the same Young modulus and Poisson ratio");
    try
      {
        orthotropic_stiffness(m);
      }
    catch (const std::domain_error &)
      {
        refuse<dim>(describe(m.poisson, poisson_entry) + " with the " +
                      describe(m.young, young_entry).substr(4),
                    kind, i, space,
                    "ratios of a positive definite stiffness, which are "
                    "smaller than sqrt(E_i / E_j) and not all close to it");
      }
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
           "E > 0, a formula of x, y and z, in units of force per area, or "
           "the formulas of the axes, E_x; E_y; E_z");
  material(poisson_entry, "0.3",
           "nu, between -1 and 0.5 without these, a formula of x, y and z, or "
           "nu_xy; nu_yz; nu_xz with nu_xy = -eps_yy / eps_xx under sigma_xx");
  material(shear_entry, "0",
           "G > 0, a formula of x, y and z, or G_xy; G_yz; G_xz; 0: "
           "E / (2 (1 + nu)) of equal axes");
  material(density_entry, "0",
           "mass per volume, a formula of x, y and z, for `Loads/Gravity`");
  material(thermal_entry, "0",
           "alpha, strain per unit of temperature, a formula of x, y and z, or "
           "alpha_x; alpha_y; alpha_z, for `Loads/Temperature`");
  parameters.declare("Material/Plane", "strain",
                     Patterns::Selection("strain|stress"),
                     "what is zero across the plane of two dimensions");
  declare_formulation(parameters);
  const Patterns::Anything any;
  parameters.declare("Loads/Body force", "", any,
                     "force per volume, formulas of x, y and z separated by "
                     "semicolons, one for each component; empty: none");
  parameters.declare("Loads/Gravity", "", any,
                     "acceleration, components separated by semicolons, times "
                     "the density; empty: none");
  parameters.declare("Loads/Temperature", "", any,
                     "the difference to the temperature at which the body is "
                     "free of stress, a formula of x, y and z, times the "
                     "thermal expansion, or 'file FILE.vtu : ARRAY : FORMULA "
                     "of u', the values of another run; empty: none");
}


template <int dim>
ElasticMaterial<dim>::ElasticMaterial(const Parameters &parameters)
  : young(parameters, "Material", young_entry, MaterialValues::axes),
    poisson(parameters, "Material", poisson_entry, MaterialValues::axes),
    shear(parameters, "Material", shear_entry, MaterialValues::axes),
    density(parameters, "Material", density_entry, MaterialValues::scalar),
    thermal(parameters, "Material", thermal_entry, MaterialValues::axes),
    force(read_optional<dim>(parameters, "Loads/Body force",
                             MaterialValues::vector)),
    gravity(
      read_optional<dim>(parameters, "Loads/Gravity", MaterialValues::vector)),
    temperature(read_optional<dim>(parameters, "Loads/Temperature",
                                   MaterialValues::scalar)),
    plane(parameters.get("Material/Plane") == "stress" ? Plane::stress
                                                       : Plane::strain),
    formulation(parameters.get("Material/Formulation"))
{
  if (gravity && density.is_zero())
    std::cerr << "note: 'Loads/Gravity' does nothing, because "
                 "'Material/Density' is 0."
              << std::endl;
  if (temperature && thermal.is_zero())
    std::cerr << "note: 'Loads/Temperature' does nothing, because 'Material/"
              << thermal_entry << "' is 0." << std::endl;
}


template <int dim>
typename ElasticMaterial<dim>::Stiffness
ElasticMaterial<dim>::stiffness(const Mesh<dim> &mesh, const Space &space) const
{
  const Coefficient E  = young.coefficient(mesh, space),
                    nu = poisson.coefficient(mesh, space),
                    G  = shear.coefficient(mesh, space);
  check<dim>(E, young_entry, space, "positive values",
             [](const double value) { return value > 0; });
  const Places places(space, std::max({E.kind, nu.kind, G.kind}));
  const auto moduli = [&](const std::ptrdiff_t i) {
    OrthotropicModuli result;
    std::copy_n(places.at(E, i), 3, result.young);
    std::copy_n(places.at(nu, i), 3, result.poisson);
    std::copy_n(places.at(G, i), 3, result.shear);
    return result;
  };
  for (std::ptrdiff_t i = 0; i < places.n; ++i)
    check<dim>(moduli(i), places.kind, i, space);
  const auto filled = [&](const int n, const auto &of) {
    return places.fill(n, [&](const std::ptrdiff_t i, double *const result) {
      const Coefficient c = of(moduli(i));
      std::copy(c.values.begin(), c.values.end(), result);
    });
  };
  return {filled(Elasticity<dim>::n_coefficients,
                 [this](const OrthotropicModuli &m) {
                   return is_isotropic(m)
                            ? isotropic_stiffness(dim, m.young[0], m.poisson[0],
                                                  plane)
                            : orthotropic_stiffness(dim, m, plane);
                 }),
          filled(5, [this](const OrthotropicModuli &m) {
            return is_isotropic(m)
                     ? isotropic_across(m.young[0], m.poisson[0], plane)
                     : orthotropic_across(m, plane);
          })};
}


template <int dim>
std::optional<Coefficient>
ElasticMaterial<dim>::expansion(const Mesh<dim> &mesh, const Space &space) const
{
  if (!temperature)
    return {};
  return weighted(thermal.coefficient(mesh, space),
                  temperature->coefficient(mesh, space), space);
}


template <int dim>
Coefficient
ElasticMaterial<dim>::body_force(
  const Mesh<dim> &mesh, const Space &space,
  const std::shared_ptr<const CellData<double>> &cells) const
{
  const Coefficient rho = density.coefficient(mesh, space, cells);
  if (!rho.packed || !rho.packed->is_good(Legal::not_negative))
    check<dim>(on_host(rho), density_entry, space, "values of at least 0",
               [](const double value) { return value >= 0; });
  Coefficient f, g;
  std::vector<CoefficientTerm> terms;
  if (force)
    f = force->coefficient(mesh, space, cells);
  if (gravity)
    g = gravity->coefficient(mesh, space, cells);
  for (int d = 0; d < dim; ++d)
    {
      if (force)
        terms.push_back({d, 1., &f, d});
      if (gravity)
        terms.push_back({d, 1., &g, d, &rho});
    }
  return sum_of_terms(dim, terms, space);
}


template class ElasticMaterial<2>;
template class ElasticMaterial<3>;
