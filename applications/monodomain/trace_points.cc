#include "trace_points.h"

#include <tessera/fem/fields/point_locator.h>

using namespace tessera;

template <int dim>
std::vector<Traces<double>::Point>
interpolation_at(const Discretization<dim> &d,
                 const std::vector<dealii::Point<dim>> &points,
                 const std::string &entry)
{
  std::vector<int> node_of(d.cells().n_dofs(), -1);
  for (int i = 0; i < d.space->n_owned; ++i)
    node_of[d.space->mesh_dof[i]] = i;
  std::vector<Traces<double>::Point> result;
  const PointLocator<dim> locator(d.cells(), points);
  for (std::size_t i = 0; i < points.size(); ++i)
    {
      locator.check(i, entry);
      dealii::Vector<double> loads(d.cells().n_dofs());
      std::vector<double> unit(points.size(), 0.);
      unit[i] = 1;
      locator.add_loads(unit, loads);
      // The process that has the cell need not own its nodes.
      std::vector<double> weights(loads.begin(), loads.end());
      d.export_add(weights);
      Traces<double>::Point of_nodes;
      for (std::size_t dof = 0; dof < weights.size(); ++dof)
        if (weights[dof] != 0 && node_of[dof] >= 0)
          {
            of_nodes.nodes.push_back(node_of[dof]);
            of_nodes.weights.push_back(weights[dof]);
          }
      result.push_back(of_nodes);
    }
  return result;
}


template std::vector<Traces<double>::Point>
interpolation_at(const Discretization<2> &,
                 const std::vector<dealii::Point<2>> &, const std::string &);
template std::vector<Traces<double>::Point>
interpolation_at(const Discretization<3> &,
                 const std::vector<dealii::Point<3>> &, const std::string &);
