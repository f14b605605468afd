#include "heat_flux.h"

#include <deal.II/fe/fe_values.h>

#include <algorithm>

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
    operator()(const unsigned int active_cell, const dealii::Point<dim> &p,
               const dealii::Tensor<1, dim> &gradient) const
    {
      return kappa.tensor(expressions[active_cell], p) * gradient;
    }

  private:
    const typename MaterialExpression<dim>::Evaluator kappa;
    const std::vector<unsigned char> &expressions; ///< of the cells
  };


  template <int dim>
  class DerivedFluxes : public DerivedQuantities<dim>
  {
  public:
    using typename DerivedQuantities<dim>::AtPoints;
    using typename DerivedQuantities<dim>::Cell;

    DerivedFluxes(const MaterialExpression<dim> &kappa, const Mesh<dim> &mesh,
                  const dealii::Mapping<dim> &mapping,
                  const dealii::DoFHandler<dim> &dof_handler,
                  const dealii::Vector<double> &u,
                  const std::vector<std::string> &names)
      : kappa(kappa), expressions(kappa.expressions_of_cells(mesh)),
        mapping(mapping), dof_handler(dof_handler), u(u), names(names)
    {}

    std::vector<std::string>
    columns() const override
    {
      std::vector<std::string> result;
      for (const std::string &name : names)
        for (int d = 0; d < dim; ++d)
          result.push_back(name + '_' + "xyz"[d]);
      return result;
    }

    AtPoints
    at(const std::vector<dealii::Point<dim>> &points) const override
    {
      return
        [this, gradients = std::vector<dealii::Tensor<1, dim>>(points.size()),
         flux    = std::make_shared<Flux<dim>>(kappa, expressions),
         in_cell = std::make_shared<dealii::FEValues<dim>>(
           mapping, dof_handler.get_fe(), dealii::Quadrature<dim>(points),
           dealii::update_gradients | dealii::update_quadrature_points)](
          const Cell &cell, double *values) mutable {
          in_cell->reinit(cell);
          in_cell->get_function_gradients(u, gradients);
          for (std::size_t q = 0; q < gradients.size(); ++q)
            for (const std::string &name : names)
              {
                const auto value =
                  name == flux_name
                    ? (*flux)(cell->active_cell_index(),
                              in_cell->quadrature_point(q), gradients[q])
                    : gradients[q];
                values = std::copy_n(value.begin_raw(), dim, values);
              }
        };
    }

  private:
    const MaterialExpression<dim> &kappa;
    const std::vector<unsigned char> expressions; ///< of the cells
    const dealii::Mapping<dim> &mapping;
    const dealii::DoFHandler<dim> &dof_handler;
    const dealii::Vector<double> &u;
    const std::vector<std::string> names;
  };

} // namespace


std::vector<std::string>
names_of_fluxes()
{
  return {gradient_name, flux_name};
}


template <int dim>
std::unique_ptr<DerivedQuantities<dim>>
derived_fluxes(const MaterialExpression<dim> &kappa, const Mesh<dim> &mesh,
               const dealii::Mapping<dim> &mapping,
               const dealii::DoFHandler<dim> &dof_handler,
               const dealii::Vector<double> &u,
               const std::vector<std::string> &names)
{
  return std::make_unique<DerivedFluxes<dim>>(kappa, mesh, mapping, dof_handler,
                                              u, names);
}


template <int dim>
PointFields<dim>
flux_fields(const MaterialExpression<dim> &kappa, const Mesh<dim> &mesh)
{
  const auto expressions = std::make_shared<const std::vector<unsigned char>>(
    kappa.expressions_of_cells(mesh));
  const auto make = [&kappa, expressions]() {
    return [expressions,
            flux = std::make_shared<const Flux<dim>>(kappa, *expressions)](
             const typename PointFields<dim>::Solution &u, double *numbers) {
      for (std::size_t q = 0; q < u.points.size(); ++q)
        for (const auto &value :
             {u.gradients[q], (*flux)(u.cell, u.points[q], u.gradients[q])})
          numbers = std::copy_n(value.begin_raw(), dim, numbers);
    };
  };
  return {{{gradient_name, dim}, {flux_name, dim}}, make};
}


#define INSTANTIATE(dim)                                                 \
  template std::unique_ptr<DerivedQuantities<dim>> derived_fluxes(       \
    const MaterialExpression<dim> &, const Mesh<dim> &,                  \
    const dealii::Mapping<dim> &, const dealii::DoFHandler<dim> &,       \
    const dealii::Vector<double> &, const std::vector<std::string> &);   \
  template PointFields<dim> flux_fields(const MaterialExpression<dim> &, \
                                        const Mesh<dim> &);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
