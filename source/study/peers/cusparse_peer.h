#pragma once

#include "peer_operator.h"

#include <tessera/matrix/csr.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// Returns cuSPARSE's algorithms for single entries: compressed rows, sliced
  /// ELLPACK and coordinates. A build without CUDA has none.
  std::vector<std::string>
  cusparse_algorithms();

  /// Returns the algorithms for blocks of 2, 3 and 4 rows and columns, which
  /// suit few matrices.
  std::vector<std::string>
  cusparse_block_algorithms();

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
} // namespace tessera::benchmarks
