#include <tessera/operators/lift.h>
#include <tessera/operators/matrix_free.h>

namespace tessera
{
  template <class Number>
  void
  lift(Vector<Number> &b, const Vector<Number> &g,
       std::shared_ptr<const CellData<Number>> cells, const Form &form,
       const BoundaryMatrices<Number> *boundary,
       const std::optional<Conflict> asked, const Stream stream)
  {
    Form negative = form;
    for (double &value : negative.coefficient.values)
      value = -value;
    const Conflict conflict =
      asked.value_or(default_conflict(cells->backend()));
    const MatrixFree<Number> A(
      cells, std::make_shared<const FormData<Number>>(negative, *cells),
      conflict, {}, {}, false);
    A.vmult(b, g, Epilogue<Number>::add(), stream);
    if (boundary != nullptr)
      boundary->apply_add(b, g, Number(-1), conflict, stream);
    // The operator's memory must outlive what was issued.
    if (cells->backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  template void
  lift<double>(Vector<double> &, const Vector<double> &,
               std::shared_ptr<const CellData<double>>, const Form &,
               const BoundaryMatrices<double> *, std::optional<Conflict>,
               Stream);
  template void
  lift<float>(Vector<float> &, const Vector<float> &,
              std::shared_ptr<const CellData<float>>, const Form &,
              const BoundaryMatrices<float> *, std::optional<Conflict>, Stream);
} // namespace tessera
