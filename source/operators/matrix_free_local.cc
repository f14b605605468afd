#include <tessera/operators/matrix_free_local.h>
#include <tessera/space/element.h>

#include "matrix_free_local_kernels.h"

namespace tessera
{
  template <class Number>
  void
  MatrixFreeLocal<Number>::launch_apply(const CellApply<Number> &apply,
                                        const Stream stream) const
  {
    const Space &space = this->cells->space();
    on_target(this->backend(), [&](const auto target) {
      on_element(space.cell_type, space.degree, [&](auto e) {
        apply_matrix_free_local<decltype(e), Number>(
          target, apply, this->coefficient.view(), strategy, stream);
      });
    });
  }

  template class MatrixFreeLocal<double>;
  template class MatrixFreeLocal<float>;
} // namespace tessera
