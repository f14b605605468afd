#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// Entries of a ghost tail and where their owner keeps them, one list a
  /// neighbour: what a message between the two would carry.
  struct GhostPlan
  {
    int neighbour;
    std::vector<int> tail_index;  ///< here, in the ghost part of the tail
    std::vector<int> owned_index; ///< there, below the neighbour's n_owned
  };

  /// One part of a mesh: its own space, whose tail also holds the degrees of
  /// freedom that a neighbour owns.
  struct Part
  {
    Space space;
    std::vector<GhostPlan> plans;
  };

  /// Splits a mesh by `part[cell]` in [0, n_parts). A degree of freedom is
  /// owned by the lowest part among its cells. Every part is numbered by
  /// itself, as by `build_space`; a part may own nothing.
  std::vector<Part>
  partition(const Connectivity &mesh, const std::vector<int> &part, int n_parts,
            Numbering numbering  = Numbering::batch_interleaved,
            CellOrder cell_order = CellOrder::mesh,
            int block_side       = default_block_side);
} // namespace tessera
