#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/preconditioners/multigrid_setup.h>

// Levels of the library ML.
namespace tessera
{
  /// Makes coarser levels of a symmetric positive definite matrix by smoothed
  /// aggregation (Vanek, Mandel and Brezina 1996) with the library ML of
  /// Trilinos, on the host and with one thread: nodes are put into aggregates
  /// of neighbours, the near-null space on an aggregate is orthonormalised, and
  /// one step of damped Jacobi smooths it. Rows that couple to no other row,
  /// such as rows of given values, have no part in coarser levels; a row of a
  /// coarser level without entries becomes a row of the identity.
  ///
  /// There is at least one coarser level: a matrix with at most `max_coarsest`
  /// rows has the identity as its prolongation. Throws MatrixError for a matrix
  /// that is not square, empty or not symmetric, that has a value which is not
  /// finite, a diagonal entry that is not positive, or 2^31 entries or more,
  /// and one of more than Multigrid::max_coarsest rows that cannot be
  /// coarsened; ParameterError for options that do not fit. The first call
  /// initialises MPI, unless that is done already, and MPI is finalised when
  /// the program ends.
  MultigridLevels
  aggregate(const SparseMatrix &A, const AggregationOptions &options = {});

  /// Makes the coarser levels for the matrix of the owned entries of a space by
  /// ML, on one thread of the host. Nodes with as many components as the space
  /// has dimensions count as nodes of an elastic body, whose near-null space is
  /// the rigid-body modes; for other nodes it is the constants. Throws what
  /// `aggregate` throws.
  MultigridLevels
  make_levels(const SparseMatrix &A, const Space &space,
              Coarsening coarsening      = Coarsening::degree_first,
              AggregationOptions options = {});
} // namespace tessera
