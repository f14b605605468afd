#include <tessera/operators/csr_merge.h>

#include "csr_tiles_kernels.h"

namespace tessera
{
  template <class Number>
  CsrMerge<Number>::CsrMerge(CsrMatrix<Number> matrix, const int n_tail)
    : CsrTiles<Number>(std::move(matrix), n_tail,
                       matrix.backend() == Backend::cuda ? csr_merge_tile()
                                                         : host_tile,
                       TileCut::merge_path, 0)
  {}

  template class CsrMerge<double>;
  template class CsrMerge<float>;
} // namespace tessera
