#pragma once

#include <tessera/base/leave_larger.h>
#include <tessera/space/ghost_tail.h>

#include <vector>

#include "mesh_quality.cuh"

namespace tessera::internal
{
  /// Returns the values of the Lagrange polynomials of a degree at points of a
  /// direction, [points][degree + 1].
  std::vector<double>
  embedding(CellType type, int degree, const std::vector<double> &points);

  struct FinerNodes;

  /// Returns this for cells that join 1 or 2^dim finer ones, in arrays of
  /// 2^shift lanes.
  FinerNodes
  finer_nodes(const Space &finer, int degree, int n_children, const int *dofs,
              const int *places, int shift, const int *at_owner = nullptr);

  /// Returns the nodes of a part that are exchanged: those that neighbours have
  /// as ghosts, and behind them its ghosts.
  std::vector<int>
  exchanged_nodes(const SharedNodes &shared, int n_owned);

  /// Returns the exchange for a coarser space with `n_owned` owned nodes;
  /// `coarser` has the coarser node of each of `exchanged_nodes`, or -1.
  SharedNodes
  coarser_exchange(const SharedNodes &finer, const std::vector<int> &coarser,
                   int n_owned);

  /// The order of nodes on which all parts agree within an edge, a face or a
  /// cell, whose free nodes have one owner.
  struct AgreedOrder
  {
    int n_owned, n_free;
    const int *at_owner; ///< the indices of ghosts there, [n_free - n_owned]

    TESSERA_HOST_DEVICE bool
    operator()(const int a, const int b) const
    {
      return a >= n_owned && b >= n_owned && a < n_free && b < n_free
               ? at_owner[a - n_owned] < at_owner[b - n_owned]
               : a < b;
    }
  };

  /// The lattices of coarser cells among the nodes of a finer space, for cells
  /// in packed arrays, [n_batches][entries][lanes].
  struct FinerNodes
  {
    int shift; ///< the logarithm of the lanes
    int dim;
    int n_cells;     ///< coarser ones
    int n_children;  ///< 1 or 2^dim, of degree 1
    int side;        ///< nodes of the lattice in a direction
    int n_lattice;   ///< side^dim
    int degree;      ///< of the coarser space
    int n_nodes;     ///< of a coarser cell
    const int *dofs; ///< of the finer cells
    int n_dofs;      ///< of a finer cell
    /// The place of child k of a cell, at cell n_children + k; null if that is
    /// its number.
    const int *places;
    AgreedOrder before;

    /// Where entry k of n of a cell stands.
    TESSERA_HOST_DEVICE std::int64_t
    at(const std::int64_t cell, const int n, const int k) const
    {
      return (((cell >> shift) * n + k) << shift) + (cell & ((1 << shift) - 1));
    }

    /// The earlier a cell stands, the higher is its rank, which is positive.
    TESSERA_HOST_DEVICE int
    rank(const std::int64_t cell) const
    {
      return n_cells - static_cast<int>(cell);
    }

    /// The place of a child in the finer space.
    TESSERA_HOST_DEVICE std::int64_t
    child(const std::int64_t cell, const int k) const
    {
      const std::int64_t number = cell * n_children + k;
      return places != nullptr ? places[number] : number;
    }

    /// The place of node t of a lattice among the entries of the finer cells.
    TESSERA_HOST_DEVICE std::int64_t
    place(const std::int64_t cell, const int t) const
    {
      if (n_children == 1)
        return at(child(cell, 0), n_dofs, t);
      int which = 0, corner = 0;
      for (int d = 0, rest = t; d < dim; ++d, rest /= 3)
        {
          which |= rest % 3 / 2 << d;
          corner |= (rest % 3 + 1) / 2 << d;
        }
      return at(child(cell, which), n_dofs, corner);
    }

    /// The first finer node within the vertex, edge, face or cell of node k of
    /// a coarser cell, in the order of all parts.
    TESSERA_HOST_DEVICE int
    key(const std::int64_t cell, const int k) const
    {
      const int n   = degree + 1;
      const Range x = within(k % n), y = within(k / n % n),
                  z = dim == 3 ? within(k / n / n) : Range{0, 1};
      int least     = -1;
      for (int c = z.first; c < z.last; ++c)
        for (int b = y.first; b < y.last; ++b)
          for (int a = x.first; a < x.last; ++a)
            {
              const int node = dofs[place(cell, (c * side + b) * side + a)];
              least          = least < 0 || before(node, least) ? node : least;
            }
      return least;
    }

  private:
    struct Range
    {
      int first, last;
    };

    /// The nodes of the lattice in a direction that belong to a coarser one.
    TESSERA_HOST_DEVICE Range
    within(const int node) const
    {
      return node == 0        ? Range{0, 1}
             : node == degree ? Range{side - 1, side}
                              : Range{1, side - 1};
    }
  };

  // A thread of the loops below has a coarser cell.

  /// Finds the owner of each finer node, the first cell that has it in its
  /// lattice: rank = number of cells - owner, the largest one of all.
  struct OwnNodes
  {
    FinerNodes nodes;
    int *rank; ///< [n_local], zero at first

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      for (int t = 0; t < nodes.n_lattice; ++t)
        leave_larger(rank[nodes.dofs[nodes.place(cell, t)]], nodes.rank(cell));
    }
  };

  /// Writes the keys of the nodes of the coarser cells and marks them.
  struct MarkKeys
  {
    FinerNodes nodes;
    const int *rank;
    int *keys, *is_key;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      for (int k = 0; k < nodes.n_nodes; ++k)
        {
          const int key                          = nodes.key(cell, k);
          keys[nodes.at(cell, nodes.n_nodes, k)] = key;
          if (rank[key] == nodes.rank(cell))
            is_key[key] = 1;
        }
    }
  };

  /// Turns keys into nodes, and copies the vertices of a space of degree 1.
  /// Cells that fill up the last batch have padding.
  struct NumberKeys
  {
    FinerNodes nodes;
    const int *rank;
    const std::int64_t *number;
    int padding;
    int *keys;
    const int *finer_vertices; ///< packed
    const double *finer_points;
    double *points; ///< null if vertices stay as they are

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      for (int k = 0; k < nodes.n_nodes; ++k)
        {
          int &entry    = keys[nodes.at(cell, nodes.n_nodes, k)];
          const int key = entry;
          if (cell >= nodes.n_cells)
            {
              entry = padding;
              continue;
            }
          const std::int64_t node = number[key];
          entry                   = static_cast<int>(node);
          if (points == nullptr || rank[key] != nodes.rank(cell))
            continue;
          const std::int64_t child =
            nodes.n_children > 1 ? nodes.child(cell, k) : cell;
          const std::int64_t vertex =
            finer_vertices[nodes.at(child, nodes.n_nodes, k)];
          for (int d = 0; d < nodes.dim; ++d)
            points[node * nodes.dim + d] = finer_points[vertex * nodes.dim + d];
        }
    }
  };

  /// keys_before[k] = the keys before node nodes[k].
  struct KeysBefore
  {
    const std::int64_t *number; ///< of keys before each finer node
    int nodes[3];
    std::int64_t *keys_before;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      keys_before[k] = number[nodes[k]];
    }
  };

  /// The coarser node of node k of a list of finer ones; -1 if it has none.
  struct FindCoarser
  {
    const int *nodes;
    const std::int64_t *number; ///< of keys before each finer node
    int *coarser;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      const std::int64_t *const at = number + nodes[k];
      coarser[k] = at[1] > at[0] ? static_cast<int>(at[0]) : -1;
    }
  };

  /// Writes the lattices: the owned nodes that no earlier cell has.
  struct WriteLattice
  {
    FinerNodes nodes;
    const int *rank;
    int n_owned;
    int *lattice;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      for (int t = 0; t < nodes.n_lattice; ++t)
        {
          int node = -1;
          if (cell < nodes.n_cells)
            node = nodes.dofs[nodes.place(cell, t)];
          lattice[nodes.at(cell, nodes.n_lattice, t)] =
            node >= 0 && node < n_owned && rank[node] == nodes.rank(cell) ? node
                                                                          : -1;
        }
    }
  };

  /// 1 where two children have different vertices at a node of their lattice,
  /// or where their parent is inverted.
  template <CellType type>
  struct FindMisfits
  {
    FinerNodes nodes;
    const double *points;
    int *misfits; ///< [n_cells]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      constexpr int n = MeshShape<type>::n, dim = MeshShape<type>::dim;
      MeshShape<type> parent;
      int found = 0;
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        {
          // The lowest child with a node has it at its upper corner.
          for (int v = 0; v < n; ++v)
            if (vertex(cell, k, v) != vertex(cell, k & v, k | v))
              found = 1;
          TESSERA_UNROLL
          for (int d = 0; d < dim; ++d)
            parent.x[k][d] =
              points[static_cast<std::int64_t>(vertex(cell, k, k)) * dim + d];
        }
      misfits[cell] = found != 0 || !(parent.quality() > 0) ? 1 : 0;
    }

  private:
    TESSERA_HOST_DEVICE int
    vertex(const std::int64_t cell, const int child, const int corner) const
    {
      return nodes
        .dofs[nodes.at(nodes.child(cell, child), nodes.n_dofs, corner)];
    }
  };

  /// places[mesh_cell[c]] = c.
  struct InvertOrder
  {
    const int *mesh_cell;
    int *places;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      places[mesh_cell[cell]] = static_cast<int>(cell);
    }
  };

  /// groups_i = min(node_i, n_free).
  struct FreeGroups
  {
    const int *nodes;
    int n_free;
    int *groups;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      groups[i] = nodes[i] < n_free ? nodes[i] : n_free;
    }
  };
} // namespace tessera::internal
