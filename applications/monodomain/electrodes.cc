#include "electrodes.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/forms/laplace.h>
#include <tessera/program/table.h>

#include <algorithm>
#include <cctype>
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


ElectrodeColumns::ElectrodeColumns(const std::string &text,
                                   const std::string &entry)
{
  using dealii::Utilities::split_string_list;
  std::vector<std::string> labels;
  for (const std::string &item : split_string_list(text, ';'))
    {
      const auto parts = split_string_list(item, ':');
      labels.push_back(parts.size() > 1 ? parts[0]
                                        : std::to_string(labels.size() + 1));
      const std::string &label = labels.back();
      if (parts.size() > 2 || label.empty() ||
          !std::all_of(label.begin(), label.end(), [](const unsigned char c) {
            return std::isalnum(c) != 0 || c == '_';
          }))
        throw ParameterError("'" + entry + "' has " + item +
                             "; legal are x, y, z and NAME: x, y, z with a "
                             "name of letters, digits and _.");
      if (std::count(labels.begin(), labels.end(), label) > 1)
        throw ParameterError("'" + entry + "' has two electrodes " + label +
                             '.');
      electrodes.push_back(read_point<3>(parts.back(), entry));
    }
  const std::size_t n = electrodes.size();
  const auto add      = [&](const std::string &name) -> std::vector<double>      &{
    names.push_back(name);
    return weights.emplace_back(n, 0.);
  };
  for (std::size_t e = 0; e < n; ++e)
    add("electrode " + labels[e])[e] = 1;
  const auto place = [&](const char *const label) -> std::size_t {
    return std::find(labels.begin(), labels.end(), label) - labels.begin();
  };
  const std::size_t limbs[] = {place("RA"), place("LA"), place("LL")};
  if (*std::max_element(limbs, limbs + 3) >= n)
    return;
  const auto add_lead =
    [&](const std::string &name,
        const double(&of_limbs)[3]) -> std::vector<double> & {
    std::vector<double> &lead = add("lead " + name);
    for (int limb = 0; limb < 3; ++limb)
      lead[limbs[limb]] = of_limbs[limb];
    return lead;
  };
  add_lead("I", {-1, 1, 0});
  add_lead("II", {-1, 0, 1});
  add_lead("III", {0, -1, 1});
  add_lead("aVR", {1, -.5, -.5});
  add_lead("aVL", {-.5, 1, -.5});
  add_lead("aVF", {-.5, -.5, 1});
  for (std::size_t e = 0; e < n; ++e)
    if (labels[e].size() > 1 && labels[e][0] == 'V' &&
        labels[e].find_first_not_of("0123456789", 1) == std::string::npos)
      add_lead(labels[e], {-1. / 3, -1. / 3, -1. / 3})[e] = 1;
}


std::vector<dealii::Point<3>>
ElectrodeColumns::places() const
{
  std::vector<dealii::Point<3>> result(names.size());
  for (std::size_t column = 0; column < names.size(); ++column)
    for (std::size_t e = 0; e < electrodes.size(); ++e)
      result[column] += weights[column][e] * electrodes[e];
  return result;
}


template <int dim>
void
ElectrodeColumns::check(const Discretization<dim> &d) const
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
ElectrodeColumns::inverse_distances(
  const std::vector<dealii::Point<dim>> &nodes) const
{
  std::vector<std::vector<double>> result(
    names.size(), std::vector<double>(nodes.size(), 0.));
  for (std::size_t e = 0; e < electrodes.size(); ++e)
    for (std::size_t node = 0; node < nodes.size(); ++node)
      {
        dealii::Point<3> x;
        for (int i = 0; i < dim; ++i)
          x[i] = nodes[node][i];
        const double inverse = 1 / x.distance(electrodes[e]);
        for (std::size_t column = 0; column < names.size(); ++column)
          if (weights[column][e] != 0)
            result[column][node] += weights[column][e] * inverse;
      }
  return result;
}


template void
ElectrodeColumns::check(const Discretization<2> &) const;
template void
ElectrodeColumns::check(const Discretization<3> &) const;
template std::vector<std::vector<double>>
ElectrodeColumns::inverse_distances(
  const std::vector<dealii::Point<2>> &) const;
template std::vector<std::vector<double>>
ElectrodeColumns::inverse_distances(
  const std::vector<dealii::Point<3>> &) const;
