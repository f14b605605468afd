#pragma once

#include <vector>

namespace tessera
{
  /// Functions that are nearly free of energy, one after another:
  /// [n][n_rows].
  struct NearNullSpace
  {
    int n = 0;
    std::vector<double> modes;
  };

  /// Returns one constant for each component, on `n_nodes` nodes.
  NearNullSpace
  constant_modes(int n_nodes, int n_components);

  /// Returns the translations and the infinitesimal rotations about the centre
  /// of the nodes, over their largest distance in a direction: 3 in two
  /// dimensions, 6 in three. `positions` is [n_nodes][dim], and a node has dim
  /// components.
  NearNullSpace
  rigid_body_modes(const std::vector<double> &positions, int dim);

  /// Returns the smallest and then the largest coordinates, [2][dim]; without
  /// positions they are infinite, the smallest ones positive.
  std::vector<double>
  bounds_of(const std::vector<double> &positions, int dim);

  /// Returns the modes of nodes that are part of a body with these bounds.
  NearNullSpace
  rigid_body_modes(const std::vector<double> &positions, int dim,
                   const std::vector<double> &bounds);

  /// Sets the modes to zero at given components: entry i of a mode is zero if
  /// `is_fixed[i]`.
  void
  clear_fixed(NearNullSpace &space, const std::vector<char> &is_fixed);
} // namespace tessera
