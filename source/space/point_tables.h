#pragma once

#include <tessera/space/interpolation_tables.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// What it takes to evaluate functions of a space at the points of a rule: on
  /// cells of tensor type, tables of one direction.
  struct PointTables
  {
    InterpolationTables function;
    /// Of the vertices or, where cells are curved, of the stored points.
    InterpolationTables map;
    std::vector<double> weights; ///< of the points of a cell
  };

  PointTables
  point_tables(const Space &space, const QuadratureRule &rule);

  /// Returns the rule that kernels use, as evaluators take rules.
  QuadratureRule
  own_rule(const Space &space);
} // namespace tessera
