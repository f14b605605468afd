#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/driver/aggregation.h>
#include <tessera/preconditioners/multigrid_setup.h>

// The matrix from which the preconditioner `multigrid` makes its levels, and
// levels of the library ML.
namespace tessera
{
  /// Returns the matrix of the owned entries of a space. `rows` belong to an
  /// operator of rows and include rows of hanging nodes: C^T A C with the
  /// matrix C that computes them. If the space is a part of a mesh, it has rows
  /// and columns of ghosts behind the owned ones, with the contributions of the
  /// part's cells.
  template <class Number>
  SparseMatrix
  matrix_of_owned(const RowMatrix<Number> &rows, const Space &space);

  /// Makes the coarser levels for the matrix of the owned entries of a space by
  /// ML, on one thread of the host. Nodes with as many components as the space
  /// has dimensions count as nodes of an elastic body, whose near-null space
  /// are the rigid-body modes; others have the constants. Throws what
  /// `aggregate` throws.
  MultigridLevels
  make_levels(const SparseMatrix &A, const Space &space,
              Coarsening coarsening      = Coarsening::degree_first,
              AggregationOptions options = {});
} // namespace tessera
