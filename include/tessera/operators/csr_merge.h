#pragma once

#include <tessera/operators/csr_tiles.h>

namespace tessera
{
  /// y = A x with compressed sparse rows along the merge path (Merrill and
  /// Garland 2016, "Merge-based parallel sparse matrix-vector multiplication"):
  /// the ends of rows and the entries are one list in the order in which a loop
  /// over rows meets them, of which every thread has equally many, so that
  /// neither long rows nor many empty ones make work uneven.
  template <class Number>
  class CsrMerge : public CsrTiles<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    CsrMerge(CsrMatrix<Number> matrix, int n_tail);

    std::string
    name() const override
    {
      return "csr_merge";
    }
  };
} // namespace tessera
