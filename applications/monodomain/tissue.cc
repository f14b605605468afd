#include "tissue.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/fem/fields/named_ids.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace tessera;

namespace
{
  const std::string cell_model_section = "Cell model";
  constexpr int n_regions           = 8; // more are declared where they are set
  constexpr std::size_t max_regions = 255; // an unsigned char of a node

  std::string
  region_section(const int i)
  {
    return cell_model_section + "/Region " + std::to_string(i);
  }

  /// Reads "name: value, name: value".
  std::map<std::string, double>
  read_values(const Parameters &parameters, const std::string &entry)
  {
    std::map<std::string, double> result;
    for (const std::string &pair : parameters.get_list(entry))
      {
        const auto parts = dealii::Utilities::split_string_list(pair, ':');
        double value     = std::nan("");
        if (parts.size() == 2)
          try
            {
              value = dealii::Utilities::string_to_double(parts[1]);
            }
          catch (const std::exception &)
            {}
        if (!std::isfinite(value))
          throw ParameterError("'" + entry + "' has '" + printable(pair) +
                               "'; legal are pairs 'name: number', separated "
                               "by commas.");
        if (!result.emplace(parts[0], value).second)
          throw ParameterError("'" + entry + "' gives '" + parts[0] +
                               "' twice.");
      }
    return result;
  }
} // namespace


template <int dim>
void
Tissue<dim>::declare(Parameters &parameters)
{
  std::string names;
  for (const std::string &name : cell_model_names())
    names += (names.empty() ? "" : "|") + name;
  const Patterns::Anything any;
  parameters.declare(cell_model_section + "/Model", "aliev_panfilov",
                     Patterns::Selection(names),
                     "the cell model at every node; see README.md");
  const auto declare_values = [&](const std::string &where) {
    parameters.declare(where + "/Variant", "", any,
                       "parameters with a name: epi, endo or M of "
                       "ten_tusscher_panfilov; empty: the defaults");
    parameters.declare(where + "/Parameters", "", any,
                       "parameters of the model that differ from its defaults, "
                       "as name: value, name: value");
  };
  declare_values(cell_model_section);
  parameters.declare(cell_model_section + "/Initial potential", "", any,
                     "a formula of x, y and z in the model's unit (mV or 1); "
                     "empty: the rest of the model");
  parameters.declare_any_number(cell_model_section + "/Region");
  for (int i = 1; i <= n_regions; ++i)
    {
      parameters.declare(region_section(i) + "/Materials", "", any,
                         "ids or physical names, separated by commas, of the "
                         "cells whose nodes have other parameters; empty: this "
                         "subsection is not used");
      declare_values(region_section(i));
    }
}


template <int dim>
Tissue<dim>::Tissue(const Parameters &parameters)
  : model(cell_model(parameters.get(cell_model_section + "/Model")))
{
  const auto add = [&](const std::string &where) {
    values.push_back(
      model.values(parameters.get(where + "/Variant"),
                   read_values(parameters, where + "/Parameters")));
  };
  add(cell_model_section);
  for (const int i : parameters.numbers(cell_model_section + "/Region"))
    {
      const std::string where = region_section(i);
      const auto materials    = parameters.get_list(where + "/Materials");
      const bool has_values   = !parameters.get(where + "/Variant").empty() ||
                              !parameters.get(where + "/Parameters").empty();
      if (materials.empty() == has_values)
        throw ParameterError("The section '" + where + "' has " +
                             (has_values ? "parameters, but no 'Materials'."
                                         : "'Materials', but neither "
                                           "'Parameters' nor a 'Variant'."));
      if (materials.empty())
        continue;
      if (named.size() == max_regions)
        throw ParameterError("The section '" + where + "' is one too many; " +
                             std::to_string(max_regions) +
                             " may name materials.");
      named.push_back({where, materials});
      add(where);
    }
  if (!parameters.get(cell_model_section + "/Initial potential").empty())
    initial.emplace(parameters, cell_model_section + "/Initial potential");
}


template <int dim>
std::map<unsigned int, unsigned char>
Tissue<dim>::region_of_material(const Discretization<dim> &d) const
{
  const NamedIds existing = NamedIds::materials(d.mesh());
  std::map<unsigned int, unsigned char> region_of;
  for (std::size_t r = 0; r < named.size(); ++r)
    for (const std::string &name : named[r].materials)
      for (const unsigned int id :
           existing.find(name, named[r].section + "/Materials"))
        region_of[id] = static_cast<unsigned char>(r + 1);
  return region_of;
}


template <int dim>
std::vector<unsigned char>
Tissue<dim>::regions_of_cells(const Discretization<dim> &d) const
{
  const auto region_of = region_of_material(d);
  const auto materials = d.mesh().cell_materials();
  std::vector<unsigned char> result;
  for (const int cell : d.space->mesh_cell)
    {
      const auto found = region_of.find(materials[cell]);
      result.push_back(found == region_of.end() ? 0 : found->second);
    }
  return result;
}


template <int dim>
std::vector<unsigned char>
Tissue<dim>::regions(const Discretization<dim> &d) const
{
  const auto region_of        = region_of_material(d);
  const CellNodes<dim> &cells = d.cells();
  std::vector<unsigned char> of_dof(cells.n_dofs(), 0);
  for (int cell = 0; cell < cells.n_cells() && !region_of.empty(); ++cell)
    {
      const auto found = region_of.find(cells.mesh().materials.data()[cell]);
      if (found == region_of.end())
        continue;
      for (int i = 0; i < cells.nodes_per_cell(); ++i)
        {
          unsigned char &of_node = of_dof[cells.nodes(cell)[i]];
          of_node                = std::max(of_node, found->second);
        }
    }
  std::vector<unsigned char> result(d.space->n_owned);
  for (int i = 0; i < d.space->n_owned; ++i)
    result[i] = of_dof[d.space->mesh_dof[i]];
  return result;
}


template <int dim>
std::vector<double>
Tissue<dim>::initial_potential(const Discretization<dim> &d) const
{
  if (!initial)
    return std::vector<double>(d.space->n_owned + d.space->n_ghosts,
                               model.states[0].value);
  std::vector<double> coordinates;
  for (const auto &point : node_positions(d))
    coordinates.insert(coordinates.end(), point.begin_raw(), point.end_raw());
  std::vector<double> potential;
  d.collectively([&]() { potential = initial->evaluate(coordinates); });
  return potential;
}


template <int dim>
std::vector<dealii::Point<dim>>
node_positions(const Discretization<dim> &d)
{
  const auto points = d.node_points();
  std::vector<dealii::Point<dim>> result;
  for (int i = 0; i < d.space->n_owned + d.space->n_ghosts; ++i)
    result.push_back(points[d.space->mesh_dof[i]]);
  return result;
}


template class Tissue<2>;
template class Tissue<3>;
template std::vector<dealii::Point<2>>
node_positions(const Discretization<2> &);
template std::vector<dealii::Point<3>>
node_positions(const Discretization<3> &);
