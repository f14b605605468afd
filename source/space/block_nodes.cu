#include <tessera/base/launch.h>

#include "block_nodes_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = BlockNodes::n_cells_of_block, lanes = 32;
    constexpr int most_keys = threads * BlockNodes::most_nodes_of_cell;

    using Key = unsigned long long;

    constexpr Key no_key = ~Key(0);

    /// A key has, from the highest bit on, whether its index comes behind
    /// others, the index, and the value (node of a cell, cell) that has it.
    TESSERA_HOST_DEVICE Key
    make_key(const bool is_behind, const int index, const int value)
    {
      return Key(is_behind) << 48 |
             Key(static_cast<unsigned int>(index)) << 16 | Key(value);
    }

    TESSERA_HOST_DEVICE bool
    same_index(const Key a, const Key b)
    {
      return a >> 16 == b >> 16;
    }

    /// Sorts `size` keys, a power of two, in pairs (bitonic sort). All threads
    /// of the block take part.
    TESSERA_DEVICE void
    sort_keys(Key *const keys, const int size)
    {
      TESSERA_ROLLED
      for (int run = 2; run <= size; run *= 2)
        TESSERA_ROLLED
      for (int distance = run / 2; distance > 0; distance /= 2)
        {
          device::barrier();
          TESSERA_ROLLED
          for (int pair = device::thread_index(); pair < size / 2;
               pair += threads)
            {
              const int low   = 2 * pair - (pair & (distance - 1));
              const int high  = low + distance;
              const Key first = keys[low], second = keys[high];
              if ((first > second) == ((low & run) == 0))
                {
                  keys[low]  = second;
                  keys[high] = first;
                }
            }
        }
      device::barrier();
    }

    /// The lists of a block of cells, with one thread block: its indices are
    /// sorted on chip. Bytes a cell: 4 n read, 2 n for places and 2 n for
    /// values written, and 12 for each node of the block. The result is
    /// repeatable.
    TESSERA_KERNEL(threads, 8)
    void
    list_block(TESSERA_ARGUMENT(BlockLists) to)
    {
      TESSERA_SHARED Key keys[most_keys];
      TESSERA_SHARED int n_begun[2][threads];
      const int block = device::block_index(), thread = device::thread_index();
      const std::int64_t batch = std::int64_t(block) * (threads / lanes);
      const int left           = to.n_cells - block * threads;
      const int n_cells        = left < threads ? left : threads;
      const auto place_of      = [&](const int value) {
        const int cell = value % threads;
        return ((batch + cell / lanes) * to.n + value / threads) * lanes +
               cell % lanes;
      };

      int size = threads;
      while (size < to.n * threads)
        size *= 2;
      for (int value = thread; value < size; value += threads)
        keys[value] = value < to.n * threads && value % threads < n_cells
                        ? make_key(value / threads >= to.n_vertices,
                                   to.of_cells[place_of(value)], value)
                        : no_key;
      sort_keys(keys, size);

      // Threads count the first ones of equal indices in a piece each.
      const int piece = size / threads, begin = thread * piece;
      const auto begins_list = [&](const int k) {
        return keys[k] != no_key &&
               (k == 0 || !same_index(keys[k - 1], keys[k]));
      };
      int count = 0;
      for (int k = begin; k < begin + piece; ++k)
        count += begins_list(k);
      n_begun[0][thread] = count;
      device::barrier();
      int from = 0;
      for (int distance = 1; distance < threads; distance *= 2, from = 1 - from)
        {
          n_begun[1 - from][thread] =
            n_begun[from][thread] +
            (thread >= distance ? n_begun[from][thread - distance] : 0);
          device::barrier();
        }
      if (to.start == nullptr)
        {
          if (thread == threads - 1)
            to.n_nodes[block] = n_begun[from][thread];
          return;
        }

      const std::int64_t first = to.start[block];
      int place                = n_begun[from][thread] - count - 1;
      for (int k = begin; k < begin + piece && keys[k] != no_key; ++k)
        {
          const int value = static_cast<int>(keys[k] & 0xffff);
          const int index = static_cast<int>(keys[k] >> 16 & 0xffffffff);
          const bool ends = k + 1 == size || !same_index(keys[k], keys[k + 1]);
          place += begins_list(k);
          to.places[place_of(value)] = static_cast<unsigned short>(place);
          // Cells that fill up the block have the places of the last one.
          if (value % threads == n_cells - 1)
            for (int cell = n_cells; cell < threads; ++cell)
              to.places[place_of(value - n_cells + 1 + cell)] =
                static_cast<unsigned short>(place);
          if (to.nodes != nullptr)
            to.values[(std::int64_t(block) * to.n * threads + k) / 2]
              .of[k % 2] = static_cast<unsigned short>(value);
          if (ends && to.nodes != nullptr)
            to.nodes[first + place] = {index, k + 1};
          else if (ends)
            to.vertices[first + place] = index;
        }
    }
  } // namespace

  void
  list_block_nodes(const BlockLists &lists)
  {
    launch(list_block, {lists.n_blocks, threads}, {}, lists);
  }
} // namespace tessera
