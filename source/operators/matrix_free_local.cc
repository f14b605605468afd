#include <tessera/operators/descriptor.h>
#include <tessera/operators/matrix_free_local.h>
#include <tessera/operators/models.h>

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

  OperatorDescriptor
  describe_matrix_free_local()
  {
    OperatorDescriptor d{
      "matrix_free_local",
      "no matrix is stored: every product computes the matrix of every cell "
      "again, entry by entry",
      "RegulyGiles2015, sections 3.4 and 9"};
    d.from_cells([](auto number, const auto &p) {
      return std::make_unique<MatrixFreeLocal<decltype(number)>>(
        p.cells, p.form, p.strategy, p.conflict, p.tail, p.boundary);
    });
    d.model                 = models::matrix_free;
    d.stores_nothing        = true;
    d.assembles_in_products = true;
    return d;
  }
} // namespace tessera
