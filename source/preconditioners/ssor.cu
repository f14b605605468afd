#include <tessera/base/for_each.cuh>

#include "ssor.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Subtracts from y_i the sum over the entries of row i of a_ij y_j, for
    /// the rows of one colour. A warp takes a slice and a lane takes a row, so
    /// that entries are read coalesced. Entries are added in the order in which
    /// they are stored; no row of the launch reads what another one writes, so
    /// the result is repeatable. Bytes per row: 12 (8 in float) for each entry
    /// on this side of the diagonal, 16 for y, and the entries of y at its
    /// columns.
    template <class Number>
    TESSERA_KERNEL(threads)
    void sweep(TESSERA_ARGUMENT(SlicedRows<Number>) rows, Number *y,
               TESSERA_ARGUMENT(SliceRange) slices)
    {
      constexpr int part     = 4; // loads in flight
      const std::int64_t at  = global_thread<threads>();
      const int lane         = static_cast<int>(at % slice_rows);
      const std::int64_t own = at / slice_rows;
      if (own >= slices.n)
        return;
      const std::int64_t slice = slices.first + own;
      const std::int64_t place = slice * slice_rows + lane;
      const std::int64_t end   = read_only(rows.start + slice + 1);
      Number sum               = Number(0);
      TESSERA_ROLLED
      for (std::int64_t k = read_only(rows.start + slice); k < end; k += part)
        {
          Number value[part];
          int column[part];
          TESSERA_UNROLL
          for (int l = 0; l < part; ++l)
            {
              const bool inside    = k + l < end;
              const std::int64_t e = (k + l) * slice_rows + lane;
              value[l] =
                inside ? device::load_once(rows.values + e) : Number(0);
              column[l] = inside ? device::load_once(rows.columns + e)
                                 : static_cast<int>(place);
            }
          TESSERA_UNROLL
          for (int l = 0; l < part; ++l)
            sum += value[l] * y[column[l]];
        }
      y[place] -= sum;
    }
  } // namespace

  template <class Number>
  void
  sweep_ssor(Cuda, const SlicedRows<Number> &rows, Number *y,
             const SliceRange slices, const Stream stream)
  {
    launch(sweep<Number>,
           shape_of_threads<threads>(std::int64_t(slices.n) * slice_rows),
           stream, rows, y, slices);
  }

#define INSTANTIATE(Number)                                                    \
  TESSERA_FOR_EACH(SsorFill<Number>)                                           \
  TESSERA_FOR_EACH(ToPlaces<Number>)                                           \
  TESSERA_FOR_EACH(FromPlaces<Number>)                                         \
  template void sweep_ssor<Number>(Cuda, const SlicedRows<Number> &, Number *, \
                                   SliceRange, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
