#pragma once

#include "springs.h"

#include <deal.II/lac/affine_constraints.h>

#include <vector>

namespace tessera
{
  /// Throws MeshError if a connected part of the mesh can move as a rigid body,
  /// so that its displacement is not determined, or if it is a mechanism:
  /// bodies that share edges or corners alone, of which some can move at these
  /// hinges and ball joints although all parts are held. The message names the
  /// motions of the first such part or body and, if there are several, a point
  /// of each that can move.
  ///
  /// `cells` has dim components. A component of a node is held if a line
  /// of `constraints` gives its value; lines that interpolate it belong to
  /// hanging nodes and hold nothing. Motions are translations and rotations
  /// about the centre c of the part, t + w x (x - c) / r with half the diagonal
  /// r of its bounding box. Each held component and each stiff direction d of a
  /// spring demands that d . (t + w x (x - c) / r) vanishes. The demands are
  /// made orthogonal, the one farthest from those before first, until the next
  /// would be shorter than 1e-5; motions orthogonal to them all are free. Of a
  /// part of several bodies (`Bodies`) each one is looked at in the same way,
  /// together with the demands that two of them move alike where they share a
  /// vertex of the coarsest cells. If thousands of bodies depend on each other,
  /// a note says that joints were not looked at.
  ///
  /// If the mesh is divided, each process looks at the nodes and springs of its
  /// own cells, and all find the same: they have to call this together, and
  /// `springs` belong to their own cells. The box encloses the coarsest cells,
  /// which all processes know.
  template <int dim>
  void
  check_rigid_motions(const Mesh<dim> &mesh, const CellNodes<dim> &cells,
                      const dealii::AffineConstraints<double> &constraints,
                      const std::vector<Spring<dim>> &springs = {});
} // namespace tessera
