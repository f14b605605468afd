#include <tessera/base/error.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>

#include "csr_tiles_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    /// Checks or chooses the number of values; 0 on the host. Throws
    /// ParameterError.
    template <class Number>
    int
    choose(const CsrMatrix<Number> &matrix, const ValuesPerThread &values)
    {
      const bool on_host   = matrix.backend() == Backend::host;
      const Option &option = values_per_thread_options().options[0];
      if (values && (on_host || !option.is_legal(std::to_string(*values))))
        throw ParameterError("The number of values per thread was given as " +
                             std::to_string(*values) + "; legal is " +
                             (on_host ? "auto on the host" : option.legal()) +
                             '.');
      const bool is_short =
        matrix.n_nonzeros() <= tuning::csr_mgpu_short_mean * matrix.n_rows();
      return on_host    ? 0
             : values   ? *values
             : is_short ? tuning::csr_mgpu_short_values
                        : tuning::csr_mgpu_long_values;
    }
  } // namespace

  template <class Number>
  CsrMgpu<Number>::CsrMgpu(CsrMatrix<Number> matrix, const int n_tail,
                           const ValuesPerThread &values)
    : CsrTiles<Number>("csr_mgpu", std::move(matrix), n_tail,
                       matrix.backend() == Backend::cuda
                         ? csr_mgpu_tile(choose(matrix, values))
                         : host_tile,
                       TileCut::entries, choose(matrix, values))
  {}

  template <class Number>
  void
  CsrMgpu<Number>::launch_device(const CsrTilesApply<Number, int> &apply,
                                 const Stream stream) const
  {
    apply_csr_mgpu(apply, stream);
  }

  template <class Number>
  void
  CsrMgpu<Number>::launch_device(
    const CsrTilesApply<Number, std::int64_t> &apply, const Stream stream) const
  {
    apply_csr_mgpu(apply, stream);
  }

  template class CsrMgpu<double>;
  template class CsrMgpu<float>;

  const OptionSet &
  values_per_thread_options()
  {
    static const OptionSet set = {
      {{"Values per thread",
        "entries that a thread sums; auto: as suits the mean length of rows",
        "auto",
        {"auto", "4", "6", "8", "10", "12", "16"}}},
      true,
      "Values per thread"};
    return set;
  }

  namespace
  {
    OperatorDescriptor
    describe_csr_mgpu()
    {
      OperatorDescriptor d{
        "csr_mgpu",
        "assembled compressed rows with equally many entries per thread, "
        "summed "
        "by segmented scans",
        "WongKuhlDarve2015, section 4, after Baxter's ModernGPU",
        {&values_per_thread_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        return std::make_unique<CsrMgpu<Number>>(
          CsrMatrix<Number>(std::move(pattern)), n_tail,
          values_per_thread_options().options[0].number(options.storage));
      });
      d.memory = bytes_of_entries;
      d.model  = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> csr_mgpu_registration(
      describe_csr_mgpu);
  } // namespace
} // namespace tessera
