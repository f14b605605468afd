#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/preconditioners/algebraic_levels.h>

namespace tessera
{
  /// Makes coarser levels of a symmetric positive definite matrix by smoothed
  /// aggregation (Vanek, Mandel and Brezina 1996) with the library ML of
  /// Trilinos, on the host and with one thread: nodes are put into aggregates
  /// of neighbours, the near-null space on an aggregate is orthonormalised, and
  /// one step of damped Jacobi smooths it. Rows that couple to no other one,
  /// such as rows of given values, have no part in coarser levels; a row of a
  /// coarser level without entries becomes one of the identity.
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

  /// Returns P^T A P, by ML. Rows without entries become rows of the identity,
  /// unless `with_identity` is false.
  SparseMatrix
  galerkin_product(const SparseMatrix &P, const SparseMatrix &A,
                   bool with_identity = true);

  /// Computes the matrices of all levels anew for other values of the same
  /// problem, as in a time step or a Newton iteration, and keeps the
  /// prolongations. Takes the products alone, and no aggregation.
  void
  update(MultigridLevels &levels, const SparseMatrix &A);
} // namespace tessera
