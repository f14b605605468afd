#pragma once

#include "peer_descriptor.h"

namespace tessera::benchmarks
{
  /// Returns the products of cuSPARSE: compressed rows, sliced ELLPACK,
  /// coordinates, and blocks of 2, 3 and 4 rows and columns, which suit few
  /// matrices. The list is empty in a build without CUDA.
  std::vector<PeerProduct>
  cusparse_products();

  /// y = A x by cusparseSpMV after cusparseSpMV_preprocess. It reads the arrays
  /// of `matrix`, which must outlive the operator, and for COO the row of each
  /// entry; sliced ELLPACK and blocks (BSR, see block_rows.h) are copies. See
  /// PeerOperator for its epilogues. Throws DeviceError if cuSPARSE fails or
  /// places exceed 32 bits, and ParameterError if the matrix does not consist
  /// of such blocks.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &matrix, int n_tail,
                const std::string &algorithm);

  /// The preconditioner of `make_cusparse_cg`.
  enum class CusparseM
  {
    none,
    jacobi, ///< a product with a diagonal matrix
    ic0,    ///< csric02 and two cusparseSpSV
    ilu0    ///< csrilu02 and two cusparseSpSV
  };

  /// Makes conjugate gradients as a text book writes them, with calls of
  /// cuSPARSE and cuBLAS alone: cusparseSpMV, dot products whose results the
  /// host reads, axpy, scal and copy. The host looks at the residual in every
  /// iteration. `diagonal` is the matrix's, which must outlive the solver.
  /// Throws DeviceError if a call fails or row starts have 64 bits, and
  /// MatrixError if a factorisation meets a pivot that is zero.
  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &matrix,
                   const Vector<Number> &diagonal, CusparseM preconditioner);
} // namespace tessera::benchmarks
