#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/operator.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// The algorithms of cuSPARSE for single entries: compressed rows, sliced
  /// ELLPACK and coordinates; none in a build without CUDA.
  std::vector<std::string>
  cusparse_algorithms();

  /// Those for blocks of 2, 3 and 4 rows and columns, which few matrices are
  /// made of.
  std::vector<std::string>
  cusparse_block_algorithms();

  /// y = A x by cusparseSpMV after cusparseSpMV_preprocess, on the arrays of
  /// `matrix`, which outlives the operator, and the row of each entry (COO), or
  /// on its entries in sliced ELLPACK or blocks (BSR, see block_rows.h). See
  /// PeerOperator for its epilogues. Throws DeviceError where cuSPARSE
  /// fails or places are beyond 32 bits, and ParameterError where the matrix is
  /// not made of such blocks.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &matrix, int n_tail,
                const std::string &algorithm);
} // namespace tessera::benchmarks
