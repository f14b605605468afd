#include <tessera/base/error.h>
#include <tessera/space/coloring.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace tessera
{
  namespace
  {
    constexpr int bits       = 64;
    constexpr int max_colors = 256; // of cells in a block: one byte each

    int
    lowest_bit(const std::uint64_t mask)
    {
      return __builtin_ctzll(mask);
    }

    /// Colours items greedily. Each item is a range of `indices` and gets the
    /// lowest colour that no earlier item with a common index has.
    /// `range(item)` returns a pair of pointers, and `set(item, color)`
    /// receives the colour. `used` has a zero word per index, before and after.
    /// Colours are tried 64 at a time; items that find none free wait for the
    /// next 64. Returns the number of colours.
    template <class Range, class Set>
    int
    color_greedily(std::vector<int> items, std::vector<std::uint64_t> &used,
                   const Range &range, const Set &set)
    {
      int n_colors = 0;
      for (int base = 0; !items.empty(); base += bits)
        {
          std::vector<int> waiting;
          for (const int item : items)
            {
              const auto r       = range(item);
              std::uint64_t mask = 0;
              for (const int *i = r.first; i != r.second; ++i)
                mask |= used[*i];
              if (~mask == 0)
                {
                  waiting.push_back(item);
                  continue;
                }
              const int bit = lowest_bit(~mask);
              for (const int *i = r.first; i != r.second; ++i)
                used[*i] |= std::uint64_t(1) << bit;
              set(item, base + bit);
              n_colors = std::max(n_colors, base + bit + 1);
            }
          for (const int item : items)
            {
              const auto r = range(item);
              for (const int *i = r.first; i != r.second; ++i)
                used[*i] = 0;
            }
          items.swap(waiting);
        }
      return n_colors;
    }

    std::vector<int>
    counted_from(const int first, const int last)
    {
      std::vector<int> items(last - first);
      std::iota(items.begin(), items.end(), first);
      return items;
    }
  } // namespace


  std::vector<int>
  color_cells(const Connectivity &mesh)
  {
    const std::size_t n = mesh.dofs_per_cell();
    std::vector<std::uint64_t> used(mesh.n_dofs, 0);
    std::vector<int> color_of_cell(mesh.n_cells());
    color_greedily(
      counted_from(0, mesh.n_cells()), used,
      [&](const int cell) {
        const int *const dofs = mesh.cell_dofs.data() + n * cell;
        return std::make_pair(dofs, dofs + n);
      },
      [&](const int cell, const int c) { color_of_cell[cell] = c; });
    return color_of_cell;
  }


  Coloring
  color(const Space &space, const int cells_per_block)
  {
    if (cells_per_block < 1)
      throw ParameterError("The number of cells per block is " +
                           std::to_string(cells_per_block) +
                           ", legal are 1 or more.");
    const int n_cells   = space.n_cells();
    const int n_blocks  = (n_cells - 1) / cells_per_block + 1;
    const std::size_t n = space.dofs_per_cell();
    const auto dofs     = [&](const int first, const int last) {
      return std::make_pair(space.cell_dofs.data() + n * first,
                                space.cell_dofs.data() + n * last);
    };
    const auto block_end = [&](const int block) {
      return std::min<long>(n_cells, (block + 1L) * cells_per_block);
    };

    std::vector<std::uint64_t> used(space.n_local(), 0);
    std::vector<int> block_color(n_blocks);
    const int n_block_colors = color_greedily(
      counted_from(0, n_blocks), used,
      [&](const int block) {
        return dofs(block * cells_per_block, block_end(block));
      },
      [&](const int block, const int c) { block_color[block] = c; });

    Coloring result;
    result.cells_per_block = cells_per_block;
    result.block_start.assign(n_block_colors + 1, 0);
    for (const int c : block_color)
      ++result.block_start[c + 1];
    std::partial_sum(result.block_start.begin(), result.block_start.end(),
                     result.block_start.begin());
    result.blocks.resize(n_blocks);
    std::vector<int> next = result.block_start;
    for (int block = 0; block < n_blocks; ++block)
      result.blocks[next[block_color[block]]++] = block;

    // Blocks of a colour share no degrees of freedom and thus can share `used`.
    result.cell_color.resize(n_cells);
    int n_cell_colors = 0;
    for (int c = 0; c < n_block_colors; ++c)
#pragma omp parallel for schedule(static) reduction(max : n_cell_colors)
      for (int b = result.block_start[c]; b < result.block_start[c + 1]; ++b)
        {
          const int block = result.blocks[b];
          const int count = color_greedily(
            counted_from(block * cells_per_block, block_end(block)), used,
            [&](const int cell) { return dofs(cell, cell + 1); },
            [&](const int cell, const int color) {
              result.cell_color[cell] = static_cast<unsigned char>(color);
            });
          n_cell_colors = std::max(n_cell_colors, count);
        }
    if (n_cell_colors > max_colors)
      throw MeshError("The cells of a block need " +
                      std::to_string(n_cell_colors) + " colours, at most " +
                      std::to_string(max_colors) +
                      " are possible: too many cells share a degree of "
                      "freedom.");
    result.n_cell_colors = n_cell_colors;
    return result;
  }
} // namespace tessera
