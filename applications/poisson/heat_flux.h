#pragma once

#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/output/solution_writer.h>

#include <memory>
#include <string>
#include <vector>

/// Returns the names of what is derived from u at points: "gradient", grad u,
/// and "flux", kappa grad u, whose columns end with _x, _y and _z.
std::vector<std::string>
names_of_fluxes();

/// Returns the quantities of these names. The objects that arguments refer to
/// must live longer.
template <int dim>
std::unique_ptr<tessera::DerivedQuantities<dim>>
derived_fluxes(const tessera::MaterialExpression<dim> &kappa,
               const tessera::Mesh<dim> &mesh,
               const dealii::Mapping<dim> &mapping,
               const dealii::DoFHandler<dim> &dof_handler,
               const dealii::Vector<double> &u,
               const std::vector<std::string> &names);

/// Returns what computes the fields `gradient` and `flux` of .vtu files, as
/// they are in each cell. `kappa` must live longer.
template <int dim>
tessera::PointFields<dim>
flux_fields(const tessera::MaterialExpression<dim> &kappa,
            const tessera::Mesh<dim> &mesh);
