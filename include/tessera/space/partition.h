#pragma once

#include <tessera/space/space.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera
{
  /// The nodes of a mesh as all parts know them. A process may know a piece of
  /// the mesh only; its nodes then have other indices than elsewhere.
  struct MeshNodes
  {
    std::vector<int> owner;       ///< the part that owns each node, [n_dofs]
    std::vector<std::int64_t> id; ///< the number in the whole mesh, [n_dofs]
  };

  /// The entries of a ghost tail that one neighbour owns. A message asks for
  /// them; the neighbour finds their places itself (`OwnedNodes`).
  struct GhostPlan
  {
    int neighbour;
    std::vector<int> tail_index;  ///< in the ghost part of the tail here
    std::vector<std::int64_t> id; ///< of these nodes in the whole mesh
  };

  /// One part of a mesh. It has its own space, whose tail also holds the
  /// degrees of freedom that neighbours own.
  struct Part
  {
    Space space;
    std::vector<GhostPlan> plans;    ///< by neighbour, increasing
    std::vector<std::int64_t> owned; ///< ids of the owned nodes, [n_owned]
  };

  /// Finds nodes by their numbers in the whole mesh.
  class OwnedNodes
  {
  public:
    /// `ids` has the id of node 0, then of node 1 and so on.
    explicit OwnedNodes(const std::vector<std::int64_t> &ids);

    /// Returns the index of the node with this id. Throws MeshError if there is
    /// none.
    int
    index(std::int64_t id) const;

  private:
    std::vector<std::pair<std::int64_t, int>> sorted;
  };

  /// Returns the nodes of a whole mesh whose cell c belongs to part[c]. A node
  /// is owned by the lowest part among its cells, and its id is its index.
  /// Throws MeshError if a node belongs to no cell.
  MeshNodes
  nodes_of(const Connectivity &mesh, const std::vector<int> &part);

  /// Returns the part `self`, which has the cells c for which `here[c]` is not
  /// 0. `mesh` has at least these cells and the parents of their hanging nodes.
  /// A parent that belongs to none of these cells is a ghost too, numbered
  /// behind other ghosts. Nodes and cells are numbered in the same way as by
  /// `build_space`; a part may own no node. Throws MeshError if there are no
  /// cells, what `Connectivity::check` throws for these cells, and
  /// ParameterError for a block side that is not legal.
  Part
  make_part(const Connectivity &mesh, const std::vector<char> &local_cells,
            int self, const MeshNodes &nodes,
            const std::string &numbering = default_numbering,
            CellOrder cell_order         = CellOrder::mesh,
            int block_side               = default_block_side);

  /// Splits a whole mesh into parts by `make_part`: cell c belongs to part[c]
  /// in [0, n_parts). Throws what the functions above and `Connectivity::check`
  /// throw, and MeshError if `part` does not fit the mesh.
  std::vector<Part>
  partition(const Connectivity &mesh, const std::vector<int> &part, int n_parts,
            const std::string &numbering = default_numbering,
            CellOrder cell_order         = CellOrder::mesh,
            int block_side               = default_block_side);
} // namespace tessera
