#pragma once

#include "equation.h"

#include <tessera/fem/driver/adaptive_refinement.h>

#include <string>
#include <vector>

/// Returns u at t = 0 by deal.II's index, [n_dofs]; the values of boundaries
/// prevail.
template <int dim>
std::vector<double>
initial_values(const Equation<dim> &equation,
               const tessera::Discretization<dim> &d);

/// How the mesh of a case follows its steps in time, unless it stays as it is.
template <int dim>
class MeshInTime
{
public:
  /// Takes the least level of cells from the mesh of the case. Both must
  /// outlive this object.
  MeshInTime(const Equation<dim> &equation, tessera::Discretization<dim> &d);

  /// Discretises the case at t = 0. A mesh that adapts is adapted to the
  /// initial value, until it may have its smallest cells. Throws what
  /// `discretize` throws.
  Data
  begin();

  /// Returns true if the mesh changes after step k of n. It stays for the last
  /// step, whose difference to the previous one is the rate at the end.
  bool
  changes_after(int k, int n) const;

  /// Adapts the mesh to the values of u after step k, discretises anew and
  /// interpolates the values, which get the boundary values of the time that is
  /// set. All objects made on the previous mesh must be gone. Throws
  /// DeviceError if the new mesh needs more than the free memory.
  void
  adapt(int k, Data &data, std::vector<double> &values);

  /// Notes the iterations of a step on the mesh.
  void
  add_step(int iterations);

  /// Adds to the record of the case the number of changes of its mesh and the
  /// mean number of cells over n steps, and writes a table with a row for every
  /// mesh.
  void
  finish(int n, double end, const std::string &file) const;

private:
  struct Range ///< of steps on one mesh
  {
    int first;
    std::int64_t cells, dofs, iterations = 0;
  };

  const Equation<dim> &equation;
  tessera::Discretization<dim> &d;
  const tessera::AdaptiveRefinement refinement;
  tessera::MeshLevels levels;
  std::vector<Range> ranges;
  double largest = 0; ///< indicator so far
  double seconds = 0;
};
