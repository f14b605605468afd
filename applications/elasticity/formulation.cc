#include "material.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <iostream>

using namespace tessera;

namespace
{
  constexpr const char *formulation_entry = "Material/Formulation";

  /// From this Poisson's ratio on a material counts as nearly incompressible.
  constexpr double nearly = 0.49;

  /// Returns the largest Poisson's ratio of a stiffness. For an orthotropic
  /// material it is the ratio of an isotropic one with the same bulk modulus
  /// and shear modulus, the largest of the axes.
  template <int dim>
  double
  largest_poisson(const Coefficient &stiffness)
  {
    using Law      = tessera::Stiffness<dim>;
    double largest = -1;
    for (std::size_t i = 0; i < stiffness.values.size(); i += Law::n_entries)
      {
        const double *const c = &stiffness.values[i];
        double rest[Law::n_entries];
        const double bulk = Law::split(c, rest);
        const double shear =
          *std::max_element(c + Law::n_normal, c + Law::n_entries);
        largest = std::max(largest, dim == 2 ? (bulk - shear) / (2 * bulk)
                                             : (3 * bulk - 2 * shear) /
                                                 (6 * bulk + 2 * shear));
      }
    return largest;
  }
} // namespace


void
declare_formulation(Parameters &parameters)
{
  parameters.declare(
    formulation_entry, "auto", Patterns::Selection("displacement|b_bar|auto"),
    "b_bar: volume strains are projected on each cell, so that nearly "
    "incompressible materials do not lock; it exists for degrees 1 and 2, on "
    "triangles and tetrahedra for degree 2; displacement: volume strains are "
    "pointwise; auto: b_bar where it exists and Poisson's ratio reaches 0.49 "
    "somewhere, except on straight triangles, which do not lock");
}


template <int dim>
bool
ElasticMaterial<dim>::chooses_b_bar(const Stiffness &stiffness,
                                    Discretization<dim> &d) const
{
  const Space &space = *d.space;
  const bool there =
    space.degree == 2 || (space.degree == 1 && !is_simplex(space.cell_type));
  // A straight triangle of degree 2 does not lock, and is more accurate
  // without.
  const bool locks = space.cell_type != CellType::triangle ||
                     space.degree == 1 ||
                     space.geometry == Geometry::quadrature;
  const std::string cell = "a " + to_string(space.cell_type) + " of degree " +
                           std::to_string(space.degree);
  if (formulation == "b_bar" && !there)
    throw ParameterError(std::string("'") + formulation_entry +
                         "' is b_bar, which " + cell +
                         " does not have; legal are degree 2 and, on "
                         "quadrilaterals and hexahedra, degree 1.");
  const double poisson = d.largest(largest_poisson<dim>(stiffness.form));
  const bool is_nearly = poisson > nearly - 1e-6 && locks;
  const bool b_bar =
    formulation == "b_bar" || (formulation == "auto" && is_nearly && there);
  if (b_bar)
    d.entry.parameters["formulation"] = std::string("b_bar");
  // Once in a study of meshes.
  if (!is_nearly || formulation == "b_bar" || d.cycle > 0 || !d.writes())
    return b_bar;
  std::cerr << "note: Poisson's ratio reaches " << poisson << ", where "
            << cell;
  if (b_bar)
    std::cerr << " would lock: volume strains are projected on each cell ('"
              << formulation_entry << "' = b_bar).";
  else
    std::cerr << " may lock, so that displacements are too small and stresses "
                 "wrong: "
              << (there
                    ? "take '" + std::string(formulation_entry) + "' = auto."
                    : "take degree 2.");
  std::cerr << std::endl;
  return b_bar;
}


#define INSTANTIATE(dim)                             \
  template bool ElasticMaterial<dim>::chooses_b_bar( \
    const Stiffness &, Discretization<dim> &) const;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
