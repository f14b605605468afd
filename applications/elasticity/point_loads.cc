#include "point_loads.h"
#include <tessera/base/error.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/expression.h>

namespace tessera
{
  namespace
  {
    constexpr int n_loads = 8;

    std::string
    section_name(const int i)
    {
      return "Loads/Point load " + std::to_string(i);
    }
  } // namespace


  template <int dim>
  void
  PointLoads<dim>::declare(Parameters &parameters)
  {
    const Patterns::Anything any;
    for (int i = 1; i <= n_loads; ++i)
      {
        parameters.declare(section_name(i) + "/Point", "", any,
                           "x, y or x, y, z, where a force acts; empty: this "
                           "subsection is not used");
        parameters.declare(section_name(i) + "/Force", "", any,
                           "the force, components separated by semicolons");
      }
  }


  template <int dim>
  PointLoads<dim>::PointLoads(const Parameters &parameters)
  {
    for (int i = 1; i <= n_loads; ++i)
      {
        const std::string section = section_name(i);
        const std::string point   = parameters.get(section + "/Point");
        if (point.empty())
          continue;
        sections.push_back(section);
        points.push_back(read_point<dim>(point, section + "/Point"));
        const auto force =
          Expression<dim>(parameters, section + "/Force", {dim})
            .evaluate({points.back().begin_raw(), points.back().end_raw()});
        forces.insert(forces.end(), force.begin(), force.end());
      }
  }


  template <int dim>
  void
  PointLoads<dim>::add_to(dealii::Vector<double> &loads, const Mesh<dim> &mesh,
                          const dealii::Mapping<dim> &mapping,
                          const dealii::DoFHandler<dim> &dof_handler,
                          const Division *const division) const
  {
    if (points.empty())
      return;
    const PointLocator<dim> located(mapping, mesh.triangulation, points,
                                    division);
    for (std::size_t i = 0; i < points.size(); ++i)
      located.check(i, sections[i] + "/Point");
    located.add_loads(dof_handler, forces, loads);
  }


  template class PointLoads<2>;
  template class PointLoads<3>;
} // namespace tessera
