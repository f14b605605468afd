#include <tessera/operators/coo.h>

#include "coo_kernels.h"

namespace tessera
{
  template <class Number>
  Coo<Number>::Coo(CooMatrix<Number> matrix, const int n_tail)
    : TileOperator<Number>(matrix, n_tail,
                           matrix.backend() == Backend::cuda ? coo_tile()
                                                             : host_tile,
                           TileCut::entries),
      coo(std::move(matrix))
  {}

  template <class Number>
  Traffic
  Coo<Number>::traffic() const
  {
    Traffic result = TileOperator<Number>::traffic();
    if (coo.has_empty_rows() && coo.backend() == Backend::host)
      result.compulsory += sizeof(Number) * std::uint64_t(coo.n_rows());
    return result;
  }

  template <class Number>
  void
  Coo<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    const bool zeroes = coo.has_empty_rows() && !apply.add;
    if (zeroes && coo.backend() == Backend::host)
      internal::zero_on_host(apply.y,
                             sizeof(Number) * std::size_t(apply.n_rows));
    on_target(coo.backend(), [&](const auto target) {
      apply_coo(target,
                CooApply<Number>{apply, this->tiles(), coo.rows(),
                                 coo.columns(), coo.values().data(), zeroes},
                stream);
    });
  }

  template class Coo<double>;
  template class Coo<float>;
} // namespace tessera
