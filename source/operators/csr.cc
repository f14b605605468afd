#include <tessera/operators/csr.h>

#include <algorithm>

#include "csr_kernels.h"

namespace tessera
{
  namespace
  {
    /// Calls `f` with the apply of the offsets that the matrix has.
    template <class Number, class F>
    void
    with_offsets(const CsrMatrix<Number> &csr, const Number *x, Number *y,
                 const bool add, const GridSum<Number> &sum,
                 const int rows_per_block, const F &f)
    {
      on_target(csr.backend(), [&](const auto target) {
        if (csr.row_start_64() != nullptr)
          f(target, CsrApply<Number, std::int64_t>{
                      csr.n_rows(), csr.row_start_64(), csr.columns(),
                      csr.values().data(), x, y, add, sum, rows_per_block,
                      csr.most_rows_even()});
        else
          f(target, CsrApply<Number, std::int32_t>{
                      csr.n_rows(), csr.row_start_32(), csr.columns(),
                      csr.values().data(), x, y, add, sum, rows_per_block,
                      csr.most_rows_even()});
      });
    }
  } // namespace

  template <class Number>
  Csr<Number>::Csr(CsrMatrix<Number> matrix, const int n_tail)
    : csr(std::move(matrix)), tail(n_tail),
      rows_per_block(csr_rows_per_block<Number>(
        static_cast<double>(csr.n_nonzeros()) / std::max(csr.n_rows(), 1))),
      n_blocks(csr.backend() == Backend::cuda
                 ? csr_blocks(csr.n_rows(), rows_per_block)
                 : csr_host_blocks(csr.n_rows())),
      partial(csr.backend(), GridSum<Number>::n_partials(n_blocks)),
      counter(csr.backend(), 1)
  {}

  template <class Number>
  void
  Csr<Number>::vmult(Vector<Number> &y, const Vector<Number> &x,
                     const Epilogue<Number> &epilogue,
                     const Stream stream) const
  {
    const bool dot = epilogue.kind == Epilogue<Number>::Kind::dot;
    const GridSum<Number> sum{partial.data(), counter.data(),
                              dot ? epilogue.result : nullptr, n_blocks};
    with_offsets(csr, x.data(), y.data(),
                 epilogue.kind == Epilogue<Number>::Kind::add, sum,
                 rows_per_block, [&](const auto target, const auto &apply) {
                   apply_csr(target, apply, stream);
                 });
    if (dot && csr.backend() == Backend::cuda)
      finish_sum(sum, stream);
  }

  template <class Number>
  void
  Csr<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    with_offsets(csr, static_cast<const Number *>(nullptr), d.data(), false,
                 GridSum<Number>{}, rows_per_block,
                 [&](const auto target, const auto &apply) {
                   csr_diagonal(target, apply, stream);
                 });
  }

  /// Compulsory: x and y once, 12 bytes a nonzero (8 in float) and the row
  /// starts.
  template <class Number>
  Traffic
  Csr<Number>::traffic() const
  {
    return {2 * sizeof(Number) * csr.n_rows() + csr.bytes(), csr.bytes()};
  }

  template class Csr<double>;
  template class Csr<float>;
} // namespace tessera
