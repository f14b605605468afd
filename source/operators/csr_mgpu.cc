#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/csr_mgpu.h>

#include "csr_tiles_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    const std::string automatic = "auto";

    std::string
    text(const ValuesPerThread &values)
    {
      return values ? std::to_string(*values) : automatic;
    }
  } // namespace

  std::vector<std::string>
  values_per_thread_names()
  {
    return {automatic, "4", "6", "8", "10", "12", "16"};
  }

  ValuesPerThread
  values_per_thread_from_string(const std::string &name)
  {
    index_of_name(name, values_per_thread_names(),
                  "number of values per thread");
    return name == automatic ? ValuesPerThread() : std::stoi(name);
  }

  template <class Number>
  typename CsrMgpu<Number>::Plan
  CsrMgpu<Number>::make_plan(const CsrMatrix<Number> &matrix,
                             const ValuesPerThread &values)
  {
    values_per_thread_from_string(text(values));
    if (matrix.backend() == Backend::host)
      {
        if (values)
          throw ParameterError(
            "The number of values per thread was given as " + text(values) +
            ", but on the host a thread has many; legal there is auto.");
        return {0};
      }
    const bool is_short =
      matrix.n_nonzeros() <= tuning::csr_mgpu_short_mean * matrix.n_rows();
    return {values     ? *values
            : is_short ? tuning::csr_mgpu_short_values
                       : tuning::csr_mgpu_long_values};
  }

  template <class Number>
  CsrMgpu<Number>::CsrMgpu(CsrMatrix<Number> matrix, const int n_tail,
                           const ValuesPerThread &values)
    : CsrMgpu(std::move(matrix), n_tail, make_plan(matrix, values))
  {}

  template <class Number>
  CsrMgpu<Number>::CsrMgpu(CsrMatrix<Number> &&matrix, const int n_tail,
                           const Plan &plan)
    : CsrTiles<Number>(std::move(matrix), n_tail,
                       plan.values_per_thread > 0
                         ? csr_mgpu_tile(plan.values_per_thread)
                         : host_tile,
                       TileCut::entries, plan.values_per_thread)
  {}

  template class CsrMgpu<double>;
  template class CsrMgpu<float>;
} // namespace tessera
