#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>
#include <tessera/study/operators/hybrid.h>

#include <type_traits>

#include "../../operators/csr_kernels.h"
#include "../../operators/ell_kernels.h"

namespace tessera
{
  namespace
  {
    /// Returns how many threads multiply a row of the rest on the device.
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
    : MatrixOperator<Number, HybridMatrix>(
        "hybrid", std::move(matrix), matrix.backend(), n_tail,
        matrix.backend() == Backend::cuda
          ? ell_blocks(matrix.n_rows()) + blocks_of_rest(matrix)
          : host_row_blocks(matrix.n_rows()))
  {}

  template <class Number>
  void
  Hybrid<Number>::launch_apply(const RowApply<Number> &apply,
                               const Stream stream) const
  {
    const HybridMatrix<Number> &hybrid = this->matrix();
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

  const OptionSet &
  hybrid_options()
  {
    static const OptionSet set = {
      {{"Hybrid width",
        "entries of a row that are stored column by column; auto: as many as a "
        "third of the rows have",
        "auto",
        {"auto"},
        0,
        65534}},
      false,
      "Hybrid widths"};
    return set;
  }

  namespace
  {
    OperatorDescriptor
    describe_hybrid()
    {
      OperatorDescriptor d{
        "hybrid",
        "the first entries of every assembled row in ELLPACK; "
        "the remaining entries of longer rows follow row by "
        "row",
        "RegulyGiles2015, section 4.2, after Bell and Garland",
        {&hybrid_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        return std::make_unique<Hybrid<Number>>(
          HybridMatrix<Number>(
            pattern, hybrid_options().options[0].number(options.storage)),
          n_tail);
      });
      // Structured meshes have 1.2 to 1.3 places per entry; rests have starts.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.places(1.3 * n.nonzeros) + 4 * n.nonzeros + 8 * n.dofs;
      };
      d.model = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> hybrid_registration(describe_hybrid);
  } // namespace
} // namespace tessera
