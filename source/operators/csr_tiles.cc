#include <tessera/operators/csr_tiles.h>

#include <type_traits>

#include "csr_row_start.h"
#include "csr_tiles_kernels.h"

namespace tessera
{
  namespace
  {
    template <class Number, class Offset>
    void
    apply_csr_tiles(Cuda, const CsrTilesApply<Number, Offset> &apply,
                    const Stream stream)
    {
      if (apply.tiles.by_path)
        apply_csr_merge(apply, stream);
      else
        apply_csr_mgpu(apply, stream);
    }
  } // namespace

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
        apply_csr_tiles(target,
                        CsrTilesApply<Number, Offset>{
                          apply, this->tiles(), row_start, csr.columns(),
                          csr.values().data(), values_per_thread},
                        stream);
      });
    });
  }

  template class CsrTiles<double>;
  template class CsrTiles<float>;
} // namespace tessera
