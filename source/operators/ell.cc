#include <tessera/operators/ell.h>

#include "ell_kernels.h"

namespace tessera
{
  int
  ell_blocks(const Backend backend, const int n_rows)
  {
    return backend == Backend::cuda ? ell_blocks(n_rows)
                                    : host_row_blocks(n_rows);
  }

  template <class Number>
  void
  launch_ell(const EllMatrix<Number> &matrix, const RowApply<Number> &apply,
             const Stream stream)
  {
    on_target(matrix.backend(), [&](const auto target) {
      apply_ell(target,
                EllApply<Number>{apply, matrix.width(), matrix.lengths(),
                                 matrix.columns(), matrix.values().data(),
                                 nullptr, matrix.blocks().size},
                stream);
    });
  }

  template <class Number>
  Ell<Number>::Ell(EllMatrix<Number> matrix, const int n_tail,
                   const std::string &name)
    : RowOperator<Number>(matrix.backend(), n_tail,
                          ell_blocks(matrix.backend(), matrix.n_rows())),
      ell(std::move(matrix)), own_name(name)
  {}

  template <class Number>
  void
  Ell<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    launch_ell(ell, apply, stream);
  }

  template void
  launch_ell<double>(const EllMatrix<double> &, const RowApply<double> &,
                     Stream);
  template void
  launch_ell<float>(const EllMatrix<float> &, const RowApply<float> &, Stream);
  template class Ell<double>;
  template class Ell<float>;
} // namespace tessera
