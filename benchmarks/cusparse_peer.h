#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/operator.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  /// The algorithms of cuSPARSE for such a matrix; none in a build without
  /// CUDA.
  std::vector<std::string>
  cusparse_algorithms();

  /// y = A x by cusparseSpMV after cusparseSpMV_preprocess, on the arrays of
  /// `matrix`, which outlives the operator, or on its entries in sliced
  /// ELLPACK. Offers the epilogue `store` and no diagonal. Throws DeviceError
  /// where cuSPARSE fails or places are beyond 32 bits.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &matrix, int n_tail,
                const std::string &algorithm);
} // namespace tessera::benchmarks
