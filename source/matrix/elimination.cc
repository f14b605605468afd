#include <tessera/matrix/elimination.h>

#include <algorithm>
#include <stdexcept>

#include "elimination.cuh"

namespace tessera
{
  IdentityRows::IdentityRows(const CsrPattern &pattern,
                             const std::vector<int> &given, const int n_owned)
  {
    const Backend backend = pattern.backend();
    const int b           = pattern.block;
    const auto start      = pattern.row_start.to_vector();
    const auto columns    = pattern.columns.to_vector();
    std::vector<int> rows, places;
    std::vector<unsigned char> values;
    const auto add = [&](const int i, const int j) {
      const auto first = columns.begin() + start[i / b];
      const auto last  = columns.begin() + start[i / b + 1];
      const auto block = std::lower_bound(first, last, j / b) - first;
      rows.push_back(i);
      places.push_back(static_cast<int>(block) * b + j % b);
      values.push_back(i == j && i < n_owned);
    };
    for (const int i : given)
      for (std::int64_t k = start[i / b]; k < start[i / b + 1]; ++k)
        for (int j = columns[k] * b; j < columns[k] * b + b; ++j)
          {
            add(i, j);
            if (j != i)
              add(j, i);
          }
    row   = Array<int>(backend, rows);
    place = Array<int>(backend, places);
    value = Array<unsigned char>(backend, values);
  }

  template <class Number>
  void
  IdentityRows::write(RowMatrix<Number> &matrix, const Stream stream) const
  {
    const RowEntries<Number> entries = matrix.entries();
    if (row.size() == 0)
      return;
    for_each(matrix.backend(), static_cast<std::int64_t>(row.size()),
             IdentityEntry<Number>{row.data(), place.data(), value.data(),
                                   entries.rows, entries.values},
             stream);
  }

  template <class Number>
  void
  zero_rows_and_columns(RowMatrix<Number> &matrix,
                        const Array<unsigned char> &constrained,
                        const Vector<Number> &g, Vector<Number> &b,
                        const Stream stream)
  {
    const int n     = matrix.n_rows();
    const auto fits = [n](const Vector<Number> &x) {
      return x.n_owned() <= n && n <= x.size();
    };
    if (constrained.size() != static_cast<std::size_t>(n) || !fits(g) ||
        !fits(b))
      throw std::length_error("zero_rows_and_columns: sizes differ");
    on_target(matrix.backend(), [&](const auto target) {
      eliminate(target,
                Elimination<Number>{matrix.entries(), constrained.data(),
                                    g.data(), b.data()},
                stream);
    });
  }

#define INSTANTIATE(Number)                                                    \
  template void IdentityRows::write(RowMatrix<Number> &, Stream) const;        \
  template void zero_rows_and_columns<Number>(                                 \
    RowMatrix<Number> &, const Array<unsigned char> &, const Vector<Number> &, \
    Vector<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
