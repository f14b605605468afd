#include <tessera/matrix/place_rows.h>

#include "place_rows.cuh"

namespace tessera
{
  namespace
  {
    template <class T>
    void
    place_all_rows(const Backend backend, const RowPlaces<T> &places,
                   const std::int64_t n_entries, const int longest_row,
                   const Stream stream)
    {
      // A thread per row, or, where some rows are very long, per entry.
      const bool by_entries =
        backend == Backend::cuda &&
        std::int64_t(longest_row) * places.n_rows > 16 * n_entries;
      if (!by_entries)
        return for_each(backend, places.n_rows, PlaceRow<T>{places}, stream);
      place_entries_on_device(places, n_entries, stream);
      if (places.widths != nullptr || places.width > 0)
        for_each(backend, places.n_rows, PlacePadding<T>{places}, stream);
    }
  } // namespace


  void
  place_columns(const CsrPattern &pattern, const RowAddressing &rows,
                int *const to, const std::int32_t *const widths,
                const std::int32_t width)
  {
    place_all_rows<int>(pattern.backend(),
                        {pattern.n_rows, pattern.row_start.data(),
                         pattern.columns.data(), rows, to, widths, width},
                        pattern.n_nonzeros, pattern.max_row_length, {});
    if (pattern.backend() == Backend::cuda)
      runtime::synchronize({});
  }


  template <class Number>
  void
  place_values(RowMatrix<Number> &matrix, const Array<std::int64_t> &row_start,
               const Array<Number> &from, const Stream stream)
  {
    const RowEntries<Number> entries = matrix.entries();
    place_all_rows<Number>(matrix.backend(),
                           {entries.n_rows, row_start.data(), from.data(),
                            entries.rows, entries.values},
                           static_cast<std::int64_t>(from.size()),
                           matrix.max_row_length(), stream);
  }


  template void
  place_values<double>(RowMatrix<double> &, const Array<std::int64_t> &,
                       const Array<double> &, Stream);
  template void
  place_values<float>(RowMatrix<float> &, const Array<std::int64_t> &,
                      const Array<float> &, Stream);
} // namespace tessera
