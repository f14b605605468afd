#include "electrodes.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/forms/laplace.h>
#include <tessera/program/table.h>

#include <algorithm>
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
  const std::string legal =
    "abcdefghijklmnopqrstuvwxyz"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (const std::string &item : split_string_list(text, ';'))
    {
      const auto parts         = split_string_list(item, ':');
      const bool is_named      = parts.size() > 1;
      const std::string name   = is_named ? parts[0]
                                          : std::to_string(electrodes.size() + 1),
                        column = "electrode " + name;
      if (parts.size() > 2 || name.empty() ||
          name.find_first_not_of(legal) != std::string::npos)
        throw ParameterError("'" + entry + "' has " + item +
                             "; legal are x, y, z and NAME: x, y, z with a "
                             "name of letters, digits and _.");
      if (std::count(names.begin(), names.end(), column) > 0)
        throw ParameterError("'" + entry + "' has two electrodes " + name +
                             '.');
      electrodes.push_back(read_point<3>(parts.back(), entry));
      names.push_back(column);
    }
  const std::size_t n = electrodes.size();
  const auto index    = [&](const char *const name) {
    return static_cast<std::size_t>(
      std::find(names.begin(), names.begin() + n,
                   std::string("electrode ") + name) -
      names.begin());
  };
  const std::size_t limbs[] = {index("RA"), index("LA"), index("LL")};
  const auto add = [&](const std::string &name, const double(&of_limbs)[3],
                       const std::size_t chest) {
    names.push_back("lead " + name);
    weights.emplace_back(n, 0.);
    for (int limb = 0; limb < 3; ++limb)
      weights.back()[limbs[limb]] = of_limbs[limb];
    if (chest < n)
      weights.back()[chest] += 1;
  };
  for (std::size_t e = 0; e < n; ++e)
    {
      weights.emplace_back(n, 0.);
      weights[e][e] = 1;
    }
  if (*std::max_element(limbs, limbs + 3) >= n)
    return;
  add("I", {-1, 1, 0}, n);
  add("II", {-1, 0, 1}, n);
  add("III", {0, -1, 1}, n);
  add("aVR", {1, -.5, -.5}, n);
  add("aVL", {-.5, 1, -.5}, n);
  add("aVF", {-.5, -.5, 1}, n);
  for (std::size_t e = 0; e < n; ++e)
    {
      const std::string name = names[e].substr(names[e].find(' ') + 1);
      if (name.size() > 1 && name[0] == 'V' &&
          name.find_first_not_of("0123456789", 1) == std::string::npos)
        add(name, {-1. / 3, -1. / 3, -1. / 3}, e);
    }
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
