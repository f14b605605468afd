#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/driver/aggregation.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/divided_levels.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// The preconditioner `multigrid` registers here, where its levels are made.

  /// How the first coarser level is made for degree 2 and higher.
  enum class Coarsening
  {
    degree_first, ///< degree 1 on the same mesh, whose matrix is aggregated
    aggregation   ///< by aggregates of the nodes themselves
  };

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

  /// Makes such levels on a backend, by aggregates of the core. Throws what the
  /// constructor of AlgebraicLevels throws.
  AlgebraicLevels
  make_algebraic_levels(const SparseMatrix &A, const Space &space,
                        Backend backend,
                        Coarsening coarsening = Coarsening::degree_first,
                        AlgebraicLevelsOptions options = {});

  /// Makes the levels of one of several parts. `local` is the matrix of
  /// `matrix_of_owned`. All parts call it together, and it throws in all of
  /// them what the constructor of DividedLevels throws.
  DividedLevels
  make_divided_levels(SparseMatrix local, const Space &space,
                      const PartsOfProblem &parts, Backend backend,
                      Coarsening coarsening        = Coarsening::degree_first,
                      DividedLevelsOptions options = {});
} // namespace tessera
