#include <tessera/operators/lazy_ell.h>

#include "ell_kernels.h"

namespace tessera
{
  template <class Number>
  LazyEll<Number>::LazyEll(LazyEllMatrix<Number> matrix, const int n_tail)
    : RowOperator<Number>(matrix.backend(), n_tail,
                          ell_blocks(matrix.backend(), matrix.n_rows())),
      lazy(std::move(matrix))
  {}

  template <class Number>
  void
  LazyEll<Number>::launch_apply(const RowApply<Number> &apply,
                                const Stream stream) const
  {
    launch_ell(lazy, apply, stream);
  }

  template class LazyEll<double>;
  template class LazyEll<float>;
} // namespace tessera
