#pragma once

#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/fem/mesh/mesh.h>

#include <string>
#include <vector>

/// Returns the names of the quantities that are derived from u at points:
/// "gradient", grad u, and "flux", kappa grad u, with columns _x, _y and _z.
std::vector<std::string>
names_of_fluxes();

/// Makes these fields, for use in each cell. `kappa` must live longer.
template <int dim>
tessera::PointFields<dim>
flux_fields(const tessera::MaterialExpression<dim> &kappa,
            const tessera::Mesh<dim> &mesh,
            const std::vector<std::string> &names = names_of_fluxes());
