#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// Two-level colouring (RegulyGiles2015, section 4.1): blocks of consecutive
  /// cells such that no two blocks of a colour share a degree of freedom, and
  /// in each block cells such that no two cells of a colour share one. Blocks
  /// go by launch, cells by barrier.
  struct Coloring
  {
    int cells_per_block = 0;
    /// Blocks by colour: those of colour c are
    /// `blocks[block_start[c]] ... blocks[block_start[c + 1] - 1]`.
    std::vector<int> blocks;
    std::vector<int> block_start;
    /// [n_cells] colour of a cell in its block.
    std::vector<unsigned char> cell_color;
    int n_cell_colors = 0; ///< maximum over blocks

    int
    n_block_colors() const
    {
      return static_cast<int>(block_start.size()) - 1;
    }
  };

  /// Greedy, first colour that fits, in cell order. Cells [first, last) are
  /// coloured; `first` is a multiple of `cells_per_block`.
  Coloring
  color(const Space &space, int cells_per_block);
} // namespace tessera
