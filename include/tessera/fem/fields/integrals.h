#pragma once

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/space/space.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <map>
#include <utility>

namespace tessera
{
  /// A solution, and the weight of its integrals. The objects that its members
  /// refer to must live longer.
  template <int dim>
  struct IntegralProblem
  {
    const CellNodes<dim> &cells;     ///< with one component
    const dealii::Vector<double> &u; ///< [n_dofs]
    const Space &space;
    /// The measure is multiplied by this function, if it is not empty.
    std::function<double(const dealii::Point<dim> &)> weight = {};
  };

  struct Integral
  {
    double measure = 0; ///< the volume, area or length of the place
    double of_u    = 0;

    /// NaN if the measure is 0, as on the axis of a solid of
    /// revolution.
    double
    mean() const
    {
      return of_u / measure;
    }
  };

  /// Two materials that have a common surface; the lower id comes first.
  using MaterialPair =
    std::pair<dealii::types::material_id, dealii::types::material_id>;

  struct SolutionIntegrals
  {
    std::map<dealii::types::material_id, Integral> materials;
    std::map<dealii::types::boundary_id, Integral> boundaries;
    std::map<MaterialPair, Integral> interfaces; ///< between two materials
  };

  /// Integrates with the quadrature rules of `cell_rule`. Any number of threads
  /// gives the same bits.
  template <int dim>
  SolutionIntegrals
  integrate_solution(const IntegralProblem<dim> &problem);
} // namespace tessera
