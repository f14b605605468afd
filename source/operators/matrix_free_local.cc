#include <tessera/operators/matrix_free_local.h>

namespace tessera
{
  template <class Number>
  void
  MatrixFreeLocal<Number>::launch_apply(const CellApply<Number> &apply,
                                        const Stream stream) const
  {
    this->form->kernels().apply_local(this->backend(), this->cells->space(),
                                      apply, this->form->view(), strategy,
                                      stream);
  }

  template class MatrixFreeLocal<double>;
  template class MatrixFreeLocal<float>;
} // namespace tessera
