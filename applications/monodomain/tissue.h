#pragma once

#include "cell_models/cell_model.h"
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/input/expression.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

/// The section `Cell model`: which model the nodes have, and its parameters for
/// the whole mesh and in regions, which are materials.
template <int dim>
class Tissue
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for an unknown model, variant or parameter.
  explicit Tissue(const tessera::Parameters &parameters);

  /// Returns the number of the list of parameters of every owned node. Where
  /// regions meet, a node is in the one with the largest number. Throws
  /// MeshError for materials that do not exist.
  std::vector<unsigned char>
  regions(const tessera::Discretization<dim> &d) const;

  /// Returns the number of the list of parameters of every cell of the space.
  /// Throws MeshError for materials that do not exist.
  std::vector<unsigned char>
  regions_of_cells(const tessera::Discretization<dim> &d) const;

  /// Returns the initial potential of every owned node and ghost.
  std::vector<double>
  initial_potential(const tessera::Discretization<dim> &d) const;

  const tessera::CellModel model;
  /// The parameters of the whole mesh, followed by the regions' ones.
  std::vector<std::vector<double>> values;

private:
  struct Region
  {
    std::string section;
    std::vector<std::string> materials;
  };

  /// Returns the number of the list of parameters of materials in regions.
  std::map<unsigned int, unsigned char>
  region_of_material(const tessera::Discretization<dim> &d) const;

  std::vector<Region> named;
  std::optional<tessera::Expression<dim>> initial;
};

/// Returns the positions of the owned nodes and the ghosts,
/// [n_owned + n_ghosts].
template <int dim>
std::vector<dealii::Point<dim>>
node_positions(const tessera::Discretization<dim> &d);
