#include <tessera/base/algorithms.h>
#include <tessera/study/matrix/coo.h>

#include "coo_kernels.h"

namespace tessera
{
  namespace
  {
    void
    fill_all(const Backend backend, const CooRows &in)
    {
      if (backend == Backend::cuda)
        return fill_coo_on_device(in);
#pragma omp parallel for schedule(static)
      for (int row = 0; row < in.n_rows; ++row)
        {
          for (auto k = in.row_start[row]; k < in.row_start[row + 1]; ++k)
            in.rows[k] = row;
          in.some[row] = in.row_start[row + 1] > in.row_start[row];
        }
    }

    std::int64_t
    count(const Backend backend, const Array<int> &some)
    {
      const auto n = static_cast<std::int64_t>(some.size());
      if (backend == Backend::cuda)
        return algorithms::sum(some.data(), n);
      std::int64_t result = 0;
#pragma omp parallel for schedule(static) reduction(+ : result)
      for (std::int64_t row = 0; row < n; ++row)
        result += some.data()[row];
      return result;
    }
  } // namespace


  template <class Number>
  typename CooMatrix<Number>::Listed
  CooMatrix<Number>::list_rows(const CsrPattern &pattern)
  {
    const Backend backend = pattern.backend();
    Listed result{Array<int>(backend, pattern.n_nonzeros), false};
    Array<int> some(backend, pattern.n_rows);
    fill_all(backend, {pattern.row_start.data(), pattern.n_rows,
                       result.rows.data(), some.data()});
    result.empty_rows = count(backend, some) < pattern.n_rows;
    return result;
  }


  template <class Number>
  CooMatrix<Number>::CooMatrix(CsrPattern pattern, const bool force_64)
    : CooMatrix(std::move(pattern), force_64, list_rows(pattern))
  {
    require_single_entries(this->blocks().size);
  }


  template <class Number>
  CooMatrix<Number>::CooMatrix(CsrPattern &&pattern, const bool force_64,
                               Listed &&listed)
    : CsrMatrix<Number>(std::move(pattern), force_64), listed(std::move(listed))
  {}


  template class CooMatrix<double>;
  template class CooMatrix<float>;
} // namespace tessera
