#include <tessera/base/global_thread.cuh>

#include "slot_map_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// A thread an entry (i, j) of a cell matrix, j fastest: the threads of a
    /// row search in the same columns.
    template <class Slot>
    TESSERA_KERNEL(threads, 1)
    void find_slots(TESSERA_ARGUMENT(SlotCells) in, Slot *slots)
    {
      const std::int64_t k    = global_thread<threads>();
      const int entry         = static_cast<int>(k % (in.n * in.n));
      const std::int64_t cell = k / (in.n * in.n);
      if (cell >= in.n_cells)
        return;
      const std::int64_t batch = cell / 32;
      const int lane           = static_cast<int>(cell % 32);
      const int *dofs          = in.dofs + batch * in.n * 32 + lane;
      const int row            = dofs[entry / in.n * 32];
      const int column         = dofs[entry % in.n * 32];
      if (row >= in.n_rows || column >= in.n_rows)
        return;
      if (row == column && entry / in.n != entry % in.n)
        device::atomic_add(in.n_repeated, 1);
      const int *const columns = in.columns + in.row_start[row];
      int first                = 0;
      int last = static_cast<int>(in.row_start[row + 1] - in.row_start[row]);
      while (last - first > 1) // the column is there
        {
          const int middle = (first + last) / 2;
          if (read_only(columns + middle) <= column)
            first = middle;
          else
            last = middle;
        }
      slots[(batch * in.n * in.n + entry) * 32 + lane] =
        static_cast<Slot>(first);
    }
  } // namespace


  template <class Slot>
  void
  find_slots_on_device(const SlotCells &cells, Slot *slots)
  {
    const std::int64_t n = cells.n_cells * cells.n * cells.n;
    launch(find_slots<Slot>, shape_of_threads<threads>(n), {}, cells, slots);
  }


  template void
  find_slots_on_device(const SlotCells &, std::uint8_t *);
  template void
  find_slots_on_device(const SlotCells &, std::uint16_t *);
} // namespace tessera
