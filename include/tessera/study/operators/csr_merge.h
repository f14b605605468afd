#pragma once

#include <tessera/operators/csr_tiles.h>

namespace tessera
{
  /// y = A x with compressed sparse rows, split along the merge path (Merrill
  /// and Garland 2016, "Merge-based parallel sparse matrix-vector
  /// multiplication"). The ends of rows and the entries form one list, in the
  /// order in which a loop over rows meets them, and every thread gets equally
  /// many items of it. Therefore neither long rows nor many empty rows make the
  /// work uneven.
  template <class Number>
  class CsrMerge : public CsrTiles<Number>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries.
    CsrMerge(CsrMatrix<Number> matrix, int n_tail);

  protected:
    void
    launch_device(const CsrTilesApply<Number, int> &apply,
                  Stream stream) const override;
    void
    launch_device(const CsrTilesApply<Number, std::int64_t> &apply,
                  Stream stream) const override;
  };
} // namespace tessera
