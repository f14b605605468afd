#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/space/connectivity.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/affine_constraints.h>

#include <vector>

namespace tessera
{
  /// What a DoFHandler and its constraints say, as flat arrays. Degrees of
  /// freedom keep deal.II's indices, cells their active order; vertices are
  /// numbered as cells meet them.
  struct FlatProblem
  {
    Connectivity connectivity;
    /// [n_dofs]: the value of a constrained degree of freedom, else 0.
    std::vector<double> boundary_values;
  };

  /// Position in deal.II's local order of the node at each lexicographic
  /// position, for FE_Q of degree p: [(p+1)^2]. The only place where the two
  /// orders meet.
  std::vector<unsigned int>
  lexicographic_to_local(int degree);

  /// `dof_handler` has one FE_Q(p) on a mesh of quadrilaterals, the lines of
  /// `constraints` are values alone. Throws MeshError for a constraint that
  /// couples degrees of freedom (a hanging node) and what
  /// `Connectivity::check` throws.
  FlatProblem
  flatten(const dealii::DoFHandler<2> &dof_handler,
          const dealii::AffineConstraints<double> &constraints);
} // namespace tessera
