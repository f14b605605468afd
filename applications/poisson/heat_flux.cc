#include "heat_flux.h"

#include <algorithm>
#include <memory>

using namespace tessera;

namespace
{
  const std::string gradient_name = "gradient", flux_name = "flux";

  /// Computes kappa grad u. Every thread needs one.
  template <int dim>
  class Flux
  {
  public:
    Flux(const MaterialExpression<dim> &kappa,
         const std::vector<unsigned char> &expressions)
      : kappa(kappa), expressions(expressions)
    {}

    dealii::Tensor<1, dim>
    operator()(const std::size_t cell, const dealii::Point<dim> &p,
               const dealii::Tensor<1, dim> &gradient) const
    {
      return kappa.tensor(expressions[cell], p) * gradient;
    }

  private:
    const typename MaterialExpression<dim>::Evaluator kappa;
    const std::vector<unsigned char> &expressions; ///< of the cells
  };

} // namespace


std::vector<std::string>
names_of_fluxes()
{
  return {gradient_name, flux_name};
}


template <int dim>
PointFields<dim>
flux_fields(const MaterialExpression<dim> &kappa, const Mesh<dim> &mesh,
            const std::vector<std::string> &names)
{
  const auto expressions = std::make_shared<const std::vector<unsigned char>>(
    kappa.expressions_of_cells(mesh));
  PointFields<dim> fields;
  for (const std::string &name : names)
    fields.names.emplace_back(name, dim);
  fields.make = [&kappa, names, expressions]() {
    return [names, expressions,
            flux = std::make_shared<const Flux<dim>>(kappa, *expressions)](
             const typename PointFields<dim>::Solution &u, double *numbers) {
      for (std::size_t q = 0; q < u.points.size(); ++q)
        for (const std::string &name : names)
          {
            const auto value = name == flux_name
                                 ? (*flux)(u.cell, u.points[q], u.gradients[q])
                                 : u.gradients[q];
            numbers          = std::copy_n(value.begin_raw(), dim, numbers);
          }
    };
  };
  return fields;
}


template PointFields<2>
flux_fields(const MaterialExpression<2> &, const Mesh<2> &,
            const std::vector<std::string> &);
template PointFields<3>
flux_fields(const MaterialExpression<3> &, const Mesh<3> &,
            const std::vector<std::string> &);
