#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// The entries of a ghost tail that one neighbour owns, and their places
  /// there. A message between the two parts carries their values.
  struct GhostPlan
  {
    int neighbour;
    std::vector<int> tail_index;  ///< in the ghost part of the tail here
    std::vector<int> owned_index; ///< at the neighbour, below its n_owned
  };

  /// One part of a mesh. It has a space of its own, whose tail also holds the
  /// degrees of freedom that neighbours own.
  struct Part
  {
    Space space;
    std::vector<GhostPlan> plans;
  };

  /// Splits a mesh into parts: cell c belongs to part[c] in [0, n_parts). A
  /// degree of freedom is owned by the lowest part among its cells. What a
  /// hanging node of a part follows from is a ghost there, also if none of the
  /// cells has it, and is numbered behind other ghosts. Every part
  /// is numbered separately in the same way as by `build_space`; a part may own
  /// no degree of freedom, but must have cells. Throws what
  /// `Connectivity::check` throws, MeshError if `part` does not fit the mesh or
  /// a degree of freedom belongs to no cell, and ParameterError for a block
  /// side that is not legal.
  std::vector<Part>
  partition(const Connectivity &mesh, const std::vector<int> &part, int n_parts,
            Numbering numbering  = Numbering::batch_interleaved,
            CellOrder cell_order = CellOrder::mesh,
            int block_side       = default_block_side);
} // namespace tessera
