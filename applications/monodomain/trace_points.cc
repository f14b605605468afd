#include "trace_points.h"

#include <tessera/dealii/point_locator.h>

#include <map>

using namespace tessera;

template <int dim>
std::vector<Traces<double>::Point>
interpolation_at(const Discretization<dim> &d,
                 const std::vector<dealii::Point<dim>> &points,
                 const std::string &entry)
{
  std::vector<Traces<double>::Point> result;
  const PointLocator<dim> locator(*d.mapping, d.mesh.triangulation, points);
  for (std::size_t i = 0; i < points.size(); ++i)
    {
      locator.check(i, entry);
      dealii::Vector<double> weights(d.dof_handler.n_dofs());
      std::vector<double> unit(points.size(), 0.);
      unit[i] = 1;
      locator.add_loads(d.dof_handler, unit, weights);
      Traces<double>::Point of_nodes;
      for (unsigned int dof = 0; dof < weights.size(); ++dof)
        if (weights[dof] != 0)
          {
            of_nodes.nodes.push_back(static_cast<int>(dof));
            of_nodes.weights.push_back(weights[dof]);
          }
      result.push_back(of_nodes);
    }
  return result;
}


std::vector<Traces<double>::Point>
shares_of_process(const std::vector<Traces<double>::Point> &points,
                  const Space &space)
{
  std::map<int, int> node_of;
  for (int i = 0; i < space.n_owned; ++i)
    node_of[space.mesh_dof[i]] = i;
  std::vector<Traces<double>::Point> result(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = 0; k < points[i].nodes.size(); ++k)
      if (const auto node = node_of.find(points[i].nodes[k]);
          node != node_of.end())
        {
          result[i].nodes.push_back(node->second);
          result[i].weights.push_back(points[i].weights[k]);
        }
  return result;
}


template std::vector<Traces<double>::Point>
interpolation_at(const Discretization<2> &,
                 const std::vector<dealii::Point<2>> &, const std::string &);
template std::vector<Traces<double>::Point>
interpolation_at(const Discretization<3> &,
                 const std::vector<dealii::Point<3>> &, const std::string &);
