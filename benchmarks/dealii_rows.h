#pragma once

#include "oracle.h"
#include "report.h"

#include <memory>

namespace tessera::benchmarks
{
  /// Rows of deal.II and Trilinos on the host. Each is given with what rows of
  /// the mesh share, its number too, and gets operator, library, class, SIMD
  /// width (null: as that library was compiled), time, error, and whether two
  /// calls gave the same bits. Returned are medians in seconds, NaN of rows
  /// that were not completed.
  class DealiiRows
  {
  public:
    virtual ~DealiiRows() = default;

    /// SparseMatrix.
    virtual double
    sparse_matrix(study::Row row) = 0;

    /// Its assembly by FEValues on all threads.
    virtual double
    assembly(study::Row row) = 0;

    /// Its assembly by MatrixCreator.
    virtual double
    matrix_creator(study::Row row) = 0;

    /// MatrixFree with each of its schemes; of the fastest.
    virtual double
    matrix_free(study::Row row) = 0;

    /// Epetra_CrsMatrix. MPI has been initialised.
    virtual double
    epetra(study::Row row) = 0;

    /// Gives back the matrices, so that other threads make them anew.
    virtual void
    clear() = 0;
  };

  /// For the problem of an oracle on its mesh; all live longer. Meshes and
  /// matrices of deal.II are made when they are needed first.
  std::unique_ptr<DealiiRows>
  make_dealii_rows(const Connectivity &mesh, const Oracle &oracle,
                   Report &report, const study::MeasureOptions &timing);
} // namespace tessera::benchmarks
