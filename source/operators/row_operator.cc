#include <tessera/operators/row_operator.h>

#include <algorithm>

#include "ghost_columns.h"
#include "hanging_diagonal.h"
#include "row_operator.cuh"
#include "tuning.h"

namespace tessera
{
  int
  row_blocks(const std::int64_t n_rows, const int rows_per_block)
  {
    return static_cast<int>(
      std::min((n_rows + rows_per_block - 1) / rows_per_block,
               static_cast<std::int64_t>(tuning::max_row_blocks)));
  }

  template <class Number>
  RowOperator<Number>::RowOperator(const Backend backend, const int n_behind,
                                   const int n_blocks)
    : n_behind(n_behind),
      tail(std::make_shared<const HomogeneousTail<Number>>()),
      n_blocks(n_blocks), partial(backend, GridSum::n_partials(n_blocks + 1)),
      counter(backend, 1)
  {}

  template <class Number>
  void
  RowOperator<Number>::update(
    const std::shared_ptr<const FormData<Number>> &form, const Stream stream)
  {
    if (!writer)
      return Operator<Number>::update(form, stream);
    writer(*this, *form, stream);
  }

  template <class Number>
  void
  RowOperator<Number>::vmult(Vector<Number> &y, const Vector<Number> &x,
                             const Epilogue<Number> &epilogue,
                             const Stream stream) const
  {
    const bool add = epilogue.kind == Epilogue<Number>::Kind::add;
    const bool dot = epilogue.kind == Epilogue<Number>::Kind::dot;
    tail->begin_import(x, stream);
    if (columns)
      columns->hide(x, stream);
    else
      tail->finish_import(x, stream);
    if (add && exchanges_tail())
      y.zero_tail(stream);
    GridSum sum{partial.data(), counter.data(), dot ? epilogue.result : nullptr,
                n_blocks};
    launch_apply({matrix().n_rows(), x.data(), y.data(), add, sum}, stream);
    if (columns)
      {
        tail->finish_import(x, stream);
        columns->add(matrix().entries(), x, y, partial.data() + n_blocks,
                     stream);
        ++sum.n_blocks;
      }
    if (dot && backend() == Backend::cuda)
      finish_sum(sum, stream, epilogue.pending);
    else if (dot && columns)
      *sum.result += partial.data()[n_blocks];
    tail->export_add(y, stream);
  }

  template <class Number>
  void
  RowOperator<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    for_each(backend(), matrix().n_rows(),
             DiagonalOfRow<Number>{matrix().entries(), d.data()}, stream);
    if (hanging)
      hanging->set_diagonal(d, matrix().entries(), stream);
    tail->export_diagonal(d, stream);
  }

  /// Compulsory: x and y once, and all of the matrix but its padding.
  template <class Number>
  Traffic
  RowOperator<Number>::traffic() const
  {
    const RowMatrix<Number> &A = matrix();
    return {2 * sizeof(Number) * A.n_rows() + A.bytes_of_product(), A.bytes()};
  }

  template class RowOperator<double>;
  template class RowOperator<float>;
} // namespace tessera
