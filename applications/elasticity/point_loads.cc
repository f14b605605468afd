#include "point_loads.h"
#include <tessera/base/error.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/expression.h>

namespace tessera
{
  namespace
  {
    const std::string point_loads = "Loads/Point load";

    std::string
    section_name(const int i)
    {
      return point_loads + ' ' + std::to_string(i);
    }
  } // namespace


  template <int dim>
  void
  PointLoads<dim>::declare(Parameters &parameters)
  {
    const Patterns::Anything any;
    constexpr int n_loads = 8; // more are declared where they are set
    parameters.declare_any_number(point_loads);
    for (int i = 1; i <= n_loads; ++i)
      {
        parameters.declare(section_name(i) + "/Point", "", any,
                           "x, y or x, y, z, where a force acts; empty, and "
                           "without nodes: this subsection is not used");
        parameters.declare(section_name(i) + "/Nodes", "", any,
                           "nodes that have equal parts of the force, instead "
                           "of a point: names of sets, points or curves of the "
                           "mesh file, separated by commas, or 'where' and a "
                           "formula of x, y and z that holds at a node");
        parameters.declare(section_name(i) + "/Force", "", any,
                           "the whole force, components separated by "
                           "semicolons; on nodes it is constant");
      }
  }


  template <int dim>
  PointLoads<dim>::PointLoads(const Parameters &parameters)
  {
    for (const int i : parameters.numbers(point_loads))
      {
        const std::string section = section_name(i);
        const std::string point   = parameters.get(section + "/Point");
        const NodeSelection<dim> nodes(parameters, section + "/Nodes");
        if (!nodes.empty())
          {
            if (!point.empty())
              throw ParameterError("'" + section +
                                   "' has a point and nodes; legal is one of "
                                   "them.");
            const Expression<dim> force(parameters, section + "/Force", {dim});
            if (force.varies())
              throw ParameterError("The force '" + section +
                                   "/Force' on nodes has coordinates in it; "
                                   "legal are numbers.");
            on_nodes.push_back({nodes, force.evaluate()});
          }
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
                          const CellNodes<dim> &cells) const
  {
    const Division &division = cells.division();
    for (const auto &[nodes, force] : on_nodes)
      {
        nodes.check(mesh, cells);
        std::vector<typename NodeSelection<dim>::Node> own;
        division.processes().collectively([&, &nodes = nodes]() {
          for (auto &node : nodes.find(mesh, cells))
            if (cells.owns(cells.dof(node.number, 0)))
              own.push_back(std::move(node));
        });
        std::vector<double> n(1, static_cast<double>(own.size()));
        sum_up(division, n);
        for (const auto &node : own)
          for (int c = 0; c < dim; ++c)
            loads[cells.dof(node.number, c)] += force[c] / n[0];
      }
    if (points.empty())
      return;
    const PointLocator<dim> located(cells, points);
    for (std::size_t i = 0; i < points.size(); ++i)
      located.check(i, sections[i] + "/Point");
    located.add_loads(forces, loads);
  }


  template class PointLoads<2>;
  template class PointLoads<3>;
} // namespace tessera
