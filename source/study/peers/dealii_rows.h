#pragma once

#include "oracle.h"
#include "peer_descriptor.h"
#include "report.h"

#include <memory>

namespace tessera::benchmarks
{
  /// Measures rows of peers on the host with a mesh of deal.II. A function is
  /// given a row with its library and everything that rows of the mesh share,
  /// and its number type. It sets operator, class, SIMD width (null: as that
  /// library was compiled), time, error, and whether two calls gave the same
  /// bits.
  class DealiiRows
  {
  public:
    virtual ~DealiiRows() = default;

    /// Measures the product of SparseMatrix.
    virtual void
    sparse_matrix(program::Row row) = 0;

    /// Measures the assembly of SparseMatrix by FEValues with all threads.
    virtual void
    assembly(program::Row row) = 0;

    /// Measures the assembly of SparseMatrix by MatrixCreator.
    virtual void
    matrix_creator(program::Row row) = 0;

    /// Measures MatrixFree.
    virtual void
    matrix_free(program::Row row) = 0;

    /// Measures the product of a peer with the entries of SparseMatrix.
    virtual void
    product(program::Row row, const PeerProduct &product) = 0;

    /// Measures the rows of a peer that have the kind of this one.
    void
    measure(const PeerDescriptor &peer, const program::Row &row)
    {
      if (peer.rows)
        return peer.rows(*this, row);
      for (const PeerProduct &of : peer.products)
        product(row, of);
    }

    /// Frees the matrices, so that they are made anew, with other threads.
    virtual void
    clear() = 0;
  };

  /// Makes rows for the problem of an oracle on its mesh. All arguments must
  /// outlive them. deal.II's meshes and matrices are made when needed.
  std::unique_ptr<DealiiRows>
  make_dealii_rows(const Connectivity &mesh, const Oracle &oracle,
                   Report &report, const program::MeasureOptions &timing);
} // namespace tessera::benchmarks
