#include <tessera/operators/descriptor.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/models.h>

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
    : MatrixOperator<Number, EllMatrix>(
        name, std::move(matrix), matrix.backend(), n_tail,
        ell_blocks(matrix.backend(), matrix.n_rows()))
  {}

  template <class Number>
  void
  Ell<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    launch_ell(this->matrix(), apply, stream);
  }

  template void
  launch_ell<double>(const EllMatrix<double> &, const RowApply<double> &,
                     Stream);
  template void
  launch_ell<float>(const EllMatrix<float> &, const RowApply<float> &, Stream);
  template class Ell<double>;
  template class Ell<float>;

  namespace
  {
    OperatorDescriptor
    describe_ell()
    {
      OperatorDescriptor d{"ell",
                           "assembled rows padded to the longest one, stored "
                           "column by column (ELLPACK)",
                           "RegulyGiles2015, section 7"};
      d.from_pattern<Ell, EllMatrix>();
      d.pads_to_longest = true;
      d.stores_blocks   = [](const StorageOptions &) { return true; };
      // The pattern stays until the places are filled.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.places(n.dofs * n.longest_row) + 4 * n.nonzeros;
      };
      d.model = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> ell_registration(describe_ell);
  } // namespace
} // namespace tessera
