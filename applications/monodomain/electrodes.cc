#include "electrodes.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/forms/laplace.h>
#include <tessera/program/table.h>

#include <stdexcept>

using namespace tessera;


Electrodes::Electrodes(
  const Problem<double> &problem, const Coefficient &D,
  const std::vector<std::vector<double>> &inverse_distances,
  const int n_samples)
  : capacity(n_samples), operations(problem.backend(), problem.space().n_owned),
    values(problem.backend(), capacity * inverse_distances.size())
{
  const auto K = problem.make_operator("matrix_free", laplace(D), {});
  auto f       = problem.make_vector();
  for (auto of_nodes : inverse_distances)
    {
      of_nodes.resize(f.size(), 0.);
      f.copy_from(of_nodes);
      auto w = problem.make_vector();
      K->vmult(w, f);
      operations.combine(0., f, -1., w);
      weights.push_back(std::move(w));
    }
}


void
Electrodes::sample(const double time, const Vector<double> &potential)
{
  if (full())
    throw std::length_error("Electrodes: more samples than there is room for");
  for (std::size_t i = 0; i < weights.size(); ++i)
    operations.store_dot(values.data() + times.size() * weights.size() + i,
                         weights[i], potential);
  times.push_back(time);
}


Traces<double>::Samples
Electrodes::take()
{
  Traces<double>::Samples samples{times, values.to_vector()};
  samples.values.resize(times.size() * weights.size());
  times.clear();
  return samples;
}


template <int dim>
void
check_electrodes(const Discretization<dim> &d,
                 const std::vector<dealii::Point<3>> &electrodes)
{
  std::vector<dealii::Point<dim>> points(electrodes.size());
  for (std::size_t k = 0; k < electrodes.size(); ++k)
    for (int i = 0; i < dim; ++i)
      points[k][i] = electrodes[k][i];
  const PointLocator<dim> locator(d.cells(), points);
  for (std::size_t k = 0; k < electrodes.size(); ++k)
    {
      const bool in_plane = dim == 3 || electrodes[k][2] == 0;
      if (!in_plane || !locator.inside(k))
        continue;
      throw ParameterError("The electrode " +
                           program::format_point(electrodes[k].begin_raw(), 3) +
                           " of 'Output/Electrodes' is inside of the tissue; "
                           "legal are points outside.");
    }
}


template <int dim>
std::vector<std::vector<double>>
inverse_distances(const std::vector<dealii::Point<dim>> &nodes,
                  const std::vector<dealii::Point<3>> &electrodes)
{
  std::vector<std::vector<double>> result;
  for (const auto &electrode : electrodes)
    {
      result.emplace_back();
      for (const auto &node : nodes)
        {
          dealii::Point<3> x;
          for (int i = 0; i < dim; ++i)
            x[i] = node[i];
          result.back().push_back(1 / x.distance(electrode));
        }
    }
  return result;
}


template void
check_electrodes(const Discretization<2> &,
                 const std::vector<dealii::Point<3>> &);
template void
check_electrodes(const Discretization<3> &,
                 const std::vector<dealii::Point<3>> &);
template std::vector<std::vector<double>>
inverse_distances(const std::vector<dealii::Point<2>> &,
                  const std::vector<dealii::Point<3>> &);
template std::vector<std::vector<double>>
inverse_distances(const std::vector<dealii::Point<3>> &,
                  const std::vector<dealii::Point<3>> &);
