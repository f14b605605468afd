#pragma once

#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include <memory>
#include <vector>

// Spaces that geometric multigrid has below a space of quadrilaterals or
// hexahedra: one of a lower degree on the same cells, and the one of degree 1
// on cells of twice the size.
namespace tessera
{
  /// A coarser space, whose functions are functions of the finer one: exactly
  /// if cells are parallelepipeds, and in reference coordinates in any case.
  ///
  /// A cell of it covers one cell of the finer space or 2^dim of them, whose
  /// nodes are its *lattice*: (`n_lattice`)^dim nodes in lexicographic order.
  /// The value at node (t_0, t_1, ...) of the lattice is
  ///   sum over nodes (i_0, i_1, ...) of the cell of
  ///     embedding[t_0][i_0] embedding[t_1][i_1] ... u_i.
  struct CoarserSpace
  {
    std::shared_ptr<const Space> space;
    int n_lattice = 0; ///< nodes of the lattice in a direction
    /// [n_lattice][degree + 1]
    std::vector<double> embedding;
    /// The owned nodes of the finer space in each cell, [n_cells]
    /// [n_lattice^dim]; -1 where the node is not owned or a cell that stands
    /// earlier has it, so that every owned node occurs once.
    std::vector<int> lattice;
    /// The places of the cells of the finer space that each cell covers,
    /// [n_cells][n_children].
    std::vector<int> children;
    int n_children = 1;
  };

  /// Returns the space of a lower degree, 1 or 2, on the same cells. A node
  /// between vertices is given if all finer nodes within its edge, face or cell
  /// are. Throws ParameterError for other cells than quadrilaterals and
  /// hexahedra, for ghosts and hanging nodes, and for a degree that is not
  /// lower; MeshError if no node is free.
  CoarserSpace
  lower_degree(const Space &finer, int degree);

  /// Returns true if cells of the mesh follow each other as children of larger
  /// cells do, 2^dim of each in lexicographic order.
  bool
  has_parents(const Space &finer);

  /// Returns the space of degree 1 on the cells that were divided: the cells
  /// 2^dim m, 2^dim m + 1, ... of the mesh are the children of cell m. The
  /// finer space has degree 1, too. Throws what `lower_degree` throws, and
  /// MeshError for a parent that is inverted or that has other children.
  CoarserSpace
  parent_space(const Space &finer);

  /// Returns the coefficient of a form on the cells of the coarser space: the
  /// mean over the points of the finer cells that a cell covers, weighted by
  /// the weights of the quadrature rule. One that is uniform stays as it is.
  Coefficient
  mean_of_children(const Coefficient &finer_coefficient, const Space &finer,
                   const CoarserSpace &coarser);
} // namespace tessera
