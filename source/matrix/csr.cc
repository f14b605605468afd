#include <tessera/matrix/csr.h>

#include <limits>

namespace tessera
{
  template <class Number>
  CsrMatrix<Number>::CsrMatrix(const SparsityPattern &pattern,
                               const Backend backend, const bool force_64)
    : rows(pattern.n_rows()), nonzeros(pattern.n_nonzeros()),
      columns_array(backend, pattern.columns),
      values_array(backend, pattern.columns.size())
  {
    if (force_64 || nonzeros > std::numeric_limits<std::int32_t>::max())
      start_64 = Array<std::int64_t>(backend, pattern.row_start);
    else
      start_32 = Array<std::int32_t>(
        backend, std::vector<std::int32_t>(pattern.row_start.begin(),
                                           pattern.row_start.end()));
  }

  template class CsrMatrix<double>;
  template class CsrMatrix<float>;
} // namespace tessera
