#include <tessera/matrix/ell.h>

#include "ell.cuh"

namespace tessera
{
  namespace
  {
    EllRows
    make_rows(const CsrPattern &pattern)
    {
      EllRows rows{
        pattern.n_rows, pattern.max_row_length, pattern.n_nonzeros,
        Array<int>(pattern.backend(),
                   ell_padded_rows(pattern.n_rows) * pattern.max_row_length),
        Array<std::int32_t>(pattern.backend(), pattern.n_rows)};
      fill_all_places(pattern.backend(),
                      {rows.n_rows, rows.width, pattern.row_start.data(),
                       pattern.columns.data(), rows.columns.data(),
                       rows.lengths.data(), nullptr});
      return rows;
    }
  } // namespace


  template <class Number>
  EllMatrix<Number>::EllMatrix(const CsrPattern &pattern)
    : EllMatrix(make_rows(pattern))
  {}


  template <class Number>
  EllMatrix<Number>::EllMatrix(EllRows &&rows)
    : RowMatrix<Number>(rows.n_rows, rows.n_nonzeros, rows.width,
                        std::move(rows.columns)),
      row_lengths(std::move(rows.lengths))
  {}


  template <class Number>
  SparsityPattern
  EllMatrix<Number>::collect(std::vector<int> columns) const
  {
    const std::vector<std::int32_t> lengths = row_lengths.to_vector();
    RowAddressing rows                      = addressing();
    rows.lengths                            = lengths.data();
    return collect_pattern(this->n_rows(), rows, columns);
  }


  void
  fill_all_places(const Backend backend, const EllPlaces &places)
  {
    if (backend == Backend::cuda)
      {
        fill_places_on_device(places);
        runtime::synchronize({});
        return;
      }
#pragma omp parallel for schedule(static)
    for (int row = 0; row < places.n_rows; ++row)
      fill_places(places, row);
  }


  template class EllMatrix<double>;
  template class EllMatrix<float>;
} // namespace tessera
