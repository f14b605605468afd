#include <tessera/operators/hybrid.h>

#include <type_traits>

#include "csr_kernels.h"
#include "ell_kernels.h"

namespace tessera
{
  namespace
  {
    /// Of a row of the rest on the device.
    template <class Number>
    int
    threads_of_rest(const HybridMatrix<Number> &matrix)
    {
      return csr_threads<Number>(static_cast<double>(matrix.n_rest_entries()) /
                                   matrix.n_rest_rows(),
                                 matrix.max_row_length() - matrix.width());
    }

    template <class Number>
    int
    blocks_of_rest(const HybridMatrix<Number> &matrix)
    {
      return matrix.n_rest_rows() == 0
               ? 0
               : row_blocks(
                   matrix.n_rest_rows(),
                   csr_rows_per_block<Number>(threads_of_rest(matrix), 0.));
    }

    /// The rest after everything else: its sums are added.
    template <class Number>
    void
    apply_rest(Cuda, const HybridMatrix<Number> &matrix, RowApply<Number> apply,
               const Stream stream)
    {
      if (matrix.n_rest_rows() == 0)
        return;
      const int threads = threads_of_rest(matrix);
      apply.n_rows      = matrix.n_rest_rows();
      apply.add         = true;
      apply.sum.partial += ell_blocks(matrix.n_rows());
      apply_csr(Cuda(),
                CsrApply<Number, std::int64_t>{
                  apply, matrix.rest_start(), matrix.columns(),
                  matrix.values().data(), matrix.rest_rows(), threads,
                  csr_rows_per_block<Number>(threads, 0.), false},
                stream);
    }

    /// On the host each row goes on with its rest.
    template <class Number, class Target, IfHost<Target> = 0>
    void
    apply_rest(Target, const HybridMatrix<Number> &, const RowApply<Number> &,
               Stream)
    {}
  } // namespace

  template <class Number>
  Hybrid<Number>::Hybrid(HybridMatrix<Number> matrix, const int n_tail)
    : RowOperator<Number>(matrix.backend(), n_tail,
                          matrix.backend() == Backend::cuda
                            ? ell_blocks(matrix.n_rows()) +
                                blocks_of_rest(matrix)
                            : host_row_blocks(matrix.n_rows())),
      hybrid(std::move(matrix))
  {}

  template <class Number>
  void
  Hybrid<Number>::launch_apply(const RowApply<Number> &apply,
                               const Stream stream) const
  {
    on_target(hybrid.backend(), [&](const auto target) {
      apply_ell(target,
                EllApply<Number>{apply, hybrid.width(), hybrid.lengths(),
                                 hybrid.columns(), hybrid.values().data(),
                                 hybrid.addressing().rest},
                stream);
      apply_rest(target, hybrid, apply, stream);
    });
  }

  template class Hybrid<double>;
  template class Hybrid<float>;
} // namespace tessera
