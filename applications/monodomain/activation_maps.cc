#include "activation_maps.h"

#include "mesh_values.h"

#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>

using namespace tessera;

namespace
{
  template <int dim>
  dealii::Vector<double>
  conduction_velocity(const CellNodes<dim> &cells,
                      const dealii::Vector<double> &times)
  {
    PointFields<dim> gradient;
    gradient.names = {{"gradient", dim}};
    gradient.make  = []() {
      return [](const auto &in_cell, double *numbers) {
        for (const auto &at : in_cell.gradients)
          numbers = std::copy(at.begin_raw(), at.end_raw(), numbers);
      };
    };
    dealii::Vector<double> squares(times.size());
    for (auto &mean : smooth(*quantities_of(gradient, cells, times), cells))
      {
        mean.scale(mean);
        squares += mean;
      }
    for (double &value : squares)
      value = value > 0 ? 1 / std::sqrt(value) : NAN;
    return squares;
  }
} // namespace


template <int dim>
std::vector<double>
add_activation_maps(Discretization<dim> &d,
                    const std::vector<double> &activated,
                    const std::vector<double> &repolarised)
{
  std::vector<double> duration(activated.size());
  std::vector<double> counts{0., double(activated.size())};
  double latest = -INFINITY;
  for (std::size_t i = 0; i < activated.size(); ++i)
    {
      duration[i] = repolarised[i] - activated[i];
      if (std::isnan(activated[i]))
        continue;
      ++counts[0];
      latest = std::max(latest, activated[i]);
    }
  sum_up(d.division, counts);
  latest            = d.largest(latest);
  const double part = counts[0] / counts[1],
               least =
                 d.parameters.get_double("Validation/Minimal activated part");
  if (part < least)
    d.missed.push_back("The activated part of the nodes is " +
                       program::format(part, 4) + ", at least " +
                       program::format(least, 4) + " was asked for.");
  auto &quantities = d.entry.results.quantities;
  quantities.push_back({"activated part of the nodes", part});
  quantities.push_back(
    {"latest activation time", std::isfinite(latest) ? latest : NAN});

  auto &fields   = d.fields.nodal;
  const auto add = [&](const char *const name, const auto &values) {
    const auto all = values_of_mesh(d, values);
    fields.push_back({name, {all.begin(), all.end()}});
  };
  add("activation_time", activated);
  if (d.parameters.get_bool("Output/VTU"))
    fields.push_back({"conduction_velocity",
                      conduction_velocity(d.cells(), fields.back().values)});
  add("repolarisation_time", repolarised);
  add("action_potential_duration", duration);
  return duration;
}


template std::vector<double>
add_activation_maps(Discretization<2> &, const std::vector<double> &,
                    const std::vector<double> &);
template std::vector<double>
add_activation_maps(Discretization<3> &, const std::vector<double> &,
                    const std::vector<double> &);
