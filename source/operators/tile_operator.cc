#include <tessera/base/algorithms.h>
#include <tessera/operators/tile_operator.h>

#include <algorithm>
#include <type_traits>

#include "csr_row_start.h"
#include "tile_kernels.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    /// One at least where there are rows, which may all be empty.
    template <class Number>
    int
    count_tiles(const CsrMatrix<Number> &matrix, const int size,
                const TileCut cut)
    {
      const std::int64_t n_items =
        matrix.n_nonzeros() +
        (cut == TileCut::merge_path ? matrix.n_rows() : 0);
      const std::int64_t n = (n_items + size - 1) / size;
      return static_cast<int>(
        std::max(n, std::int64_t(matrix.n_rows() > 0 ? 1 : 0)));
    }
  } // namespace

  template <class Number>
  TileOperator<Number>::TileOperator(const CsrMatrix<Number> &matrix,
                                     const int n_tail, const int size,
                                     const TileCut cut)
    : RowOperator<Number>(matrix.backend(), n_tail,
                          count_tiles(matrix, size, cut)),
      size(size), cut(cut), n_entries(matrix.n_nonzeros()),
      first_row(matrix.backend(),
                std::size_t(count_tiles(matrix, size, cut)) + 1),
      begun(matrix.backend(),
            matrix.backend() == Backend::cuda ? first_row.size() : 0),
      sums(matrix.backend(),
           std::size_t(n_tiles()) * (matrix.backend() == Backend::cuda ? 1 : 2))
  {
    with_row_start(matrix, [&](const auto *row_start) {
      using Offset =
        std::remove_const_t<std::remove_pointer_t<decltype(row_start)>>;
      for_each(matrix.backend(), std::int64_t(n_tiles()) + 1,
               FirstRowOfTile<Offset>{
                 row_start, matrix.n_rows(), n_entries, n_tiles(), size,
                 cut == TileCut::merge_path, first_row.data(), begun.data()});
    });
    if (matrix.backend() == Backend::host || n_tiles() == 0)
      return;
    n_handed_over = algorithms::count_at_least(begun.data(), begun.size(),
                                               most_repeated() + 1);
    // All bits set: still to come.
    runtime::fill_async(sums.data(), 0xff, sums.bytes(), {});
    runtime::synchronize({});
  }

  template <class Number>
  int
  TileOperator<Number>::most_repeated()
  {
    return tuning::tile_repeats;
  }

  template <class Number>
  Traffic
  TileOperator<Number>::traffic() const
  {
    Traffic result                 = RowOperator<Number>::traffic();
    const std::uint64_t boundaries = first_row.bytes() + begun.bytes();
    result.compulsory +=
      boundaries + (sums.backend() == Backend::cuda
                      ? 3 * sizeof(Number) * std::uint64_t(n_handed_over)
                      : 2 * sums.bytes());
    result.stored += boundaries + sums.bytes();
    return result;
  }

  template <class Number>
  TileSums<Number>
  TileOperator<Number>::tiles() const
  {
    const bool on_host = sums.backend() == Backend::host;
    return {first_row.data(),
            begun.data(),
            sums.data(),
            sums.data() + (on_host ? n_tiles() : 0),
            n_tiles(),
            size,
            cut == TileCut::merge_path,
            n_entries};
  }

  template class TileOperator<double>;
  template class TileOperator<float>;
} // namespace tessera
