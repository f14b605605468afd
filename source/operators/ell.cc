#include <tessera/operators/ell.h>

#include "ell_kernels.h"

namespace tessera
{
  template <class Number>
  Ell<Number>::Ell(EllMatrix<Number> matrix, const int n_tail)
    : RowOperator<Number>(matrix.backend(), n_tail,
                          matrix.backend() == Backend::cuda
                            ? ell_blocks(matrix.n_rows())
                            : host_row_blocks(matrix.n_rows())),
      ell(std::move(matrix))
  {}

  template <class Number>
  void
  Ell<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    on_target(ell.backend(), [&](const auto target) {
      apply_ell(target,
                EllApply<Number>{apply, ell.width(), ell.lengths(),
                                 ell.columns(), ell.values().data(), nullptr},
                stream);
    });
  }

  template class Ell<double>;
  template class Ell<float>;
} // namespace tessera
