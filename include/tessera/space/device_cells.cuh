#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/cells.cuh>

namespace tessera
{
  /// Returns the block of cells that a thread block takes from a block list.
  TESSERA_DEVICE int
  number_of_block(const BlockList &list,
                  const int number = device::block_index())
  {
    const int place = list.first + number;
    return list.blocks != nullptr ? list.blocks[place] : place;
  }

  /// Returns the cell with number `which` in the block of cells that a thread
  /// block takes from a block list: the one with its own number unless another
  /// is given.
  template <class Number>
  TESSERA_DEVICE DeviceCell<Number>
  cell_of_block(const CellView<Number> &cells, const BlockList &list,
                const int which, const int number = device::block_index())
  {
    return DeviceCell<Number>(
      cells, static_cast<std::int64_t>(number_of_block(list, number)) *
                 CellData<Number>::device_threads +
               which);
  }

  /// Returns the cell of this thread, with one thread per cell of the block.
  template <class Number>
  TESSERA_DEVICE DeviceCell<Number>
  cell_of_thread(const CellView<Number> &cells, const BlockList &list)
  {
    return cell_of_block(cells, list, device::thread_index());
  }
} // namespace tessera
