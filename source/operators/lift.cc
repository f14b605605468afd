#include <tessera/operators/lift.h>
#include <tessera/operators/matrix_free.h>
#include <tessera/space/part_tail.h>
#include <tessera/space/point_evaluator.h>

namespace tessera
{
  template <class Number>
  void
  finish_right_hand_side(Vector<Number> &b, const CellData<Number> &cells,
                         std::shared_ptr<const Tail<Number>> tail,
                         const Stream stream)
  {
    cells.fixed().clear_ghosts(b, stream);
    tail_of(cells, std::move(tail))->export_add(b, stream);
    cells.fixed().set(b, Number(0), stream);
  }

  template <class Number>
  void
  lift(Vector<Number> &b, const Vector<Number> &g,
       std::shared_ptr<const CellData<Number>> cells, const Form &form,
       const BoundaryMatrices<Number> *boundary,
       const std::optional<Conflict> asked,
       std::shared_ptr<const Tail<Number>> tail, const Stream stream)
  {
    Form negative = form;
    std::vector<CoefficientTerm> terms;
    for (int c = 0; c < form.coefficient.n_components; ++c)
      terms.push_back({c, -1., &form.coefficient, c});
    negative.coefficient =
      sum_of_terms(form.coefficient.n_components, terms, cells->space());
    const Conflict conflict =
      asked.value_or(default_conflict(cells->backend()));
    const MatrixFree<Number> A(
      cells, std::make_shared<const FormData<Number>>(negative, *cells),
      conflict, {}, {}, false);
    A.apply_add(b, g, CellRange::all, stream);
    if (boundary != nullptr)
      boundary->apply_add(b, g, Number(-1), conflict, stream);
    finish_right_hand_side(b, *cells, tail, stream);
    // The operator's memory must outlive what was issued.
    if (cells->backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  template void
  finish_right_hand_side<double>(Vector<double> &, const CellData<double> &,
                                 std::shared_ptr<const Tail<double>>, Stream);
  template void
  finish_right_hand_side<float>(Vector<float> &, const CellData<float> &,
                                std::shared_ptr<const Tail<float>>, Stream);
  template void
  lift<double>(Vector<double> &, const Vector<double> &,
               std::shared_ptr<const CellData<double>>, const Form &,
               const BoundaryMatrices<double> *, std::optional<Conflict>,
               std::shared_ptr<const Tail<double>>, Stream);
  template void
  lift<float>(Vector<float> &, const Vector<float> &,
              std::shared_ptr<const CellData<float>>, const Form &,
              const BoundaryMatrices<float> *, std::optional<Conflict>,
              std::shared_ptr<const Tail<float>>, Stream);
} // namespace tessera
