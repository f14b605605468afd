#include <tessera/operators/csr_tiles.h>

#include <type_traits>

#include "csr_row_start.h"
#include "csr_tiles_kernels.h"

namespace tessera
{
  template <class Number>
  CsrTiles<Number>::CsrTiles(const std::string &name,
                             CsrMatrix<Number> &&matrix, const int n_tail,
                             const int size, const TileCut cut,
                             const int values_per_thread)
    : MatrixOperator<Number, CsrMatrix, TileOperator>(
        name, std::move(matrix), matrix, n_tail, size, cut),
      values_per_thread(values_per_thread)
  {
    require_single_entries(this->matrix().blocks().size);
  }

  template <class Number>
  void
  CsrTiles<Number>::launch_apply(const RowApply<Number> &apply,
                                 const Stream stream) const
  {
    const CsrMatrix<Number> &csr = this->matrix();
    on_target(csr.backend(), [&](const auto target) {
      with_row_start(csr, [&](const auto *row_start) {
        using Offset =
          std::remove_const_t<std::remove_pointer_t<decltype(row_start)>>;
        const CsrTilesApply<Number, Offset> tiles{
          apply,         this->tiles(),       row_start,
          csr.columns(), csr.values().data(), values_per_thread};
        if constexpr (std::is_same_v<decltype(target), const Cuda>)
          launch_device(tiles, stream);
        else
          apply_csr_tiles(target, tiles, stream);
      });
    });
  }

  template class CsrTiles<double>;
  template class CsrTiles<float>;
} // namespace tessera
