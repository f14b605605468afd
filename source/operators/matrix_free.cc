#include <tessera/assembly/assemble.h>
#include <tessera/base/degree.h>
#include <tessera/operators/matrix_free.h>

#include "matrix_free_kernels.h"

namespace tessera
{
  template <class Number>
  MatrixFree<Number>::MatrixFree(
    std::shared_ptr<const CellData<Number>> cells_in, const Coefficient &kappa,
    const Conflict conflict, std::shared_ptr<const Tail<Number>> tail)
    : CellOperator<Number>(std::move(cells_in), conflict, std::move(tail)),
      coefficient(kappa.as_tensor(), *this->cells)
  {}

  template <class Number>
  void
  MatrixFree<Number>::launch_apply(const CellApply<Number> &apply,
                                   const Stream stream) const
  {
    on_target(this->cells->backend(), [&](const auto target) {
      on_degree(this->cells->space().degree, [&](const auto degree) {
        apply_matrix_free<degree.value, Number>(target, apply,
                                                coefficient.view(), stream);
      });
    });
  }

  template <class Number>
  void
  MatrixFree<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    d.zero(stream);
    assemble_diagonal(d, *this->cells, coefficient.view(), this->conflict,
                      stream);
    this->tail->export_add(d, stream);
  }

  /// Compulsory: x and y once, degrees of freedom and vertices of every cell,
  /// each vertex once; 16 + 4 n / p^2 + 16 / p^2 (+ 16 / p^2 if p > 1) bytes a
  /// degree of freedom in double.
  template <class Number>
  Traffic
  MatrixFree<Number>::traffic() const
  {
    const Space &space          = this->cells->space();
    const std::uint64_t n_cells = space.n_cells();
    const std::uint64_t vectors = 2 * sizeof(Number) * space.n_owned;
    const std::uint64_t read =
      n_cells * 4 * (space.dofs_per_cell() + (space.degree > 1 ? 4 : 0)) +
      space.vertices.size() * sizeof(Number) + coefficient.bytes();
    return {vectors + read, this->cells->bytes() + coefficient.bytes()};
  }

  template class MatrixFree<double>;
  template class MatrixFree<float>;
} // namespace tessera
