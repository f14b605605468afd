#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>
#include <tessera/study/operators/csr_merge.h>

#include "csr_merge_kernels.h"

namespace tessera
{
  template <class Number>
  CsrMerge<Number>::CsrMerge(CsrMatrix<Number> matrix, const int n_tail)
    : CsrTiles<Number>("csr_merge", std::move(matrix), n_tail,
                       matrix.backend() == Backend::cuda ? csr_merge_tile()
                                                         : host_tile,
                       TileCut::merge_path, 0)
  {}

  template <class Number>
  void
  CsrMerge<Number>::launch_device(const CsrTilesApply<Number, int> &apply,
                                  const Stream stream) const
  {
    apply_csr_merge(apply, stream);
  }

  template <class Number>
  void
  CsrMerge<Number>::launch_device(
    const CsrTilesApply<Number, std::int64_t> &apply, const Stream stream) const
  {
    apply_csr_merge(apply, stream);
  }

  template class CsrMerge<double>;
  template class CsrMerge<float>;

  namespace
  {
    OperatorDescriptor
    describe_csr_merge()
    {
      OperatorDescriptor d{
        "csr_merge",
        "assembled compressed rows, divided into equal pieces "
        "of the merge path along row ends and entries",
        "Merrill and Garland 2016"};
      d.from_pattern<CsrMerge, CsrMatrix>();
      d.memory = bytes_of_entries;
      d.model  = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> csr_merge_registration(
      describe_csr_merge);
  } // namespace
} // namespace tessera
