#include <tessera/matrix/csr.h>

#include <limits>

namespace tessera
{
  namespace
  {
    std::int64_t
    count_even_rows(const SparsityPattern &pattern)
    {
      std::int64_t n = 0;
      for (int row = 0; row < pattern.n_rows(); ++row)
        n += (pattern.row_start[row + 1] - pattern.row_start[row]) % 2 == 0;
      return n;
    }
  } // namespace

  template <class Number>
  CsrMatrix<Number>::CsrMatrix(const SparsityPattern &pattern,
                               const Backend backend, const bool force_64)
    : rows(pattern.n_rows()), nonzeros(pattern.n_nonzeros()),
      even(2 * count_even_rows(pattern) > pattern.n_rows()),
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
