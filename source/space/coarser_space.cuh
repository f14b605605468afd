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

    /// The cell that place i of an array with n entries belongs to.
    TESSERA_HOST_DEVICE std::int64_t
    cell_of(const std::int64_t i, const int n) const
    {
      return ((i >> shift) / n << shift) + (i & ((1 << shift) - 1));
    }

    TESSERA_HOST_DEVICE int
    entry_of(const std::int64_t i, const int n) const
    {
      return static_cast<int>((i >> shift) % n);
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
      int least = -1;
      for (int t = 0; t < n_lattice; ++t)
        {
          bool inside = true;
          for (int d = 0, i = k, j = t; d < dim;
               ++d, i /= degree + 1, j /= side)
            {
              const int a = i % (degree + 1), b = j % side;
              inside = inside && (a == 0        ? b == 0
                                  : a == degree ? b == side - 1
                                                : b > 0 && b < side - 1);
            }
          if (inside)
            {
              const int node = dofs[place(cell, t)];
              least          = least < 0 || before(node, least) ? node : least;
            }
        }
      return least;
    }
  };

  /// Finds the owner of each finer node, the first cell that has it in its
  /// lattice: rank = number of cells - owner, the largest one of all.
  struct OwnNodes
  {
    FinerNodes nodes;
    int *rank; ///< [n_local], zero at first

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = nodes.cell_of(i, nodes.n_lattice);
      if (cell < nodes.n_cells)
        leave_larger(
          rank[nodes
                 .dofs[nodes.place(cell, nodes.entry_of(i, nodes.n_lattice))]],
          nodes.rank(cell));
    }
  };

  /// Writes the keys of the nodes of the coarser cells and marks them.
  struct MarkKeys
  {
    FinerNodes nodes;
    const int *rank;
    int *keys, *is_key;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = nodes.cell_of(i, nodes.n_nodes);
      if (cell >= nodes.n_cells)
        return;
      const int key = nodes.key(cell, nodes.entry_of(i, nodes.n_nodes));
      keys[i]       = key;
      if (rank[key] == nodes.rank(cell))
        is_key[key] = 1;
    }
  };

  /// Turns keys into nodes, and copies the vertices of a space of degree 1.
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
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = nodes.cell_of(i, nodes.n_nodes);
      if (cell >= nodes.n_cells)
        {
          keys[i] = padding;
          return;
        }
      const int key           = keys[i];
      const std::int64_t node = number[key];
      keys[i]                 = static_cast<int>(node);
      if (points == nullptr || rank[key] != nodes.rank(cell))
        return;
      const int k = nodes.entry_of(i, nodes.n_nodes); // a corner
      const std::int64_t vertex =
        nodes.n_children > 1
          ? finer_vertices[nodes.at(nodes.child(cell, k), nodes.n_nodes, k)]
          : finer_vertices[nodes.at(cell, nodes.n_nodes, k)];
      for (int d = 0; d < nodes.dim; ++d)
        points[node * nodes.dim + d] = finer_points[vertex * nodes.dim + d];
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
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = nodes.cell_of(i, nodes.n_lattice);
      int node                = -1;
      if (cell < nodes.n_cells)
        node =
          nodes.dofs[nodes.place(cell, nodes.entry_of(i, nodes.n_lattice))];
      lattice[i] = node >= 0 && node < n_owned && rank[node] == nodes.rank(cell)
                     ? node
                     : -1;
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
