#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// Two-level colouring (RegulyGiles2015, section 4.1). Blocks of consecutive
  /// cells are coloured such that no two blocks of a colour share a degree of
  /// freedom; one launch works on the blocks of one colour. Within a block,
  /// cells are coloured such that no two cells of a colour share a degree of
  /// freedom; barriers separate the colours.
  struct Coloring
  {
    int cells_per_block = 0;
    /// Blocks sorted by colour: colour c has
    /// `blocks[block_start[c]] ... blocks[block_start[c + 1] - 1]`.
    std::vector<int> blocks;
    std::vector<int> block_start;
    /// Colour of every cell in its block, [n_cells].
    std::vector<unsigned char> cell_color;
    int n_cell_colors = 0; ///< largest number in a block

    int
    n_block_colors() const
    {
      return static_cast<int>(block_start.size()) - 1;
    }
  };

  /// Returns a colour for every cell such that no two cells of a colour share a
  /// node: the first that is free, cell by cell.
  std::vector<int>
  color_cells(const Connectivity &mesh);

  /// Colours the cells of a space and its blocks of `cells_per_block` cells.
  /// The algorithm is greedy: in ascending order, each block and each cell
  /// takes the first colour that is free. Throws ParameterError if
  /// `cells_per_block` is below 1, and MeshError if the cells of a block need
  /// more than 256 colours.
  Coloring
  color(const Space &space, int cells_per_block);
} // namespace tessera
