#pragma once

#include <tessera/base/leave_larger.h>
#include <tessera/space/geometry.h>

#include <vector>

#include "mesh_quality.cuh"
#include "point_evaluator.cuh"

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
              const int *places, int shift);

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

    /// The lowest finer node within the vertex, edge, face or cell of node k of
    /// a coarser cell.
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
              least          = least < 0 || node < least ? node : least;
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

  /// groups_i = min(node_i, n_owned).
  struct OwnedGroups
  {
    const int *nodes;
    int n_owned;
    int *groups;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      groups[i] = nodes[i] < n_owned ? nodes[i] : n_owned;
    }
  };

  /// A coefficient of finer cells, and the coarser cells that cover them.
  struct FinerCoefficient
  {
    CoefficientValues k;
    int n_points, n_components;
    int n_cells, n_children;
    const int *children; ///< [n_cells][n_children], or null: in their order

    TESSERA_HOST_DEVICE std::int64_t
    child(const std::int64_t cell, const int which) const
    {
      const std::int64_t number = cell * n_children + which;
      return children != nullptr ? children[number] : number;
    }
  };

  /// The mean over children and points of the values of finer cells, weighted
  /// by `weights`, for component c of a coarser cell, i = (batch n_components +
  /// c) lanes + lane. Moves the values of the finer cells and 8 bytes a mean.
  struct MeanOfChildren : FinerCoefficient
  {
    const double *weights; ///< [n_points], whose sum is 1
    int shift;             ///< of the lanes of the result
    double *means;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t group = i >> shift, lane = i & ((1 << shift) - 1);
      const std::int64_t here = (group / n_components << shift) + lane;
      const std::int64_t cell = here < n_cells ? here : n_cells - 1;
      const int c             = static_cast<int>(group % n_components);
      double sum              = 0;
      for (int m = 0; m < n_children; ++m)
        for (int q = 0; q < n_points; ++q)
          sum += weights[q] * k.at(child(cell, m), q, c);
      means[i] = sum / n_children;
    }
  };

  /// Finds the hindrance of each coarser cell: `stretched` by tr G tr G^-1,
  /// which is (1 + r) (1 + 1/r) for eigenvalues 1 and r, or `jumps` by tr G at
  /// all points, with J at the centre of a finer cell. Moves the vertices of
  /// finer cells and their coefficients.
  template <CellType type>
  struct FindHindrances : FinerCoefficient
  {
    static constexpr int n = MeshShape<type>::n, dim = MeshShape<type>::dim;
    static constexpr int n_tensor = n_symmetric(dim);
    static constexpr double limit = 20;

    bool reacts;          ///< c stands behind K
    const int *vertices;  ///< of the finer cells, packed
    const double *points; ///< [n_vertices][dim]
    int shift;            ///< of the lanes of vertices
    int *hindrances;      ///< [n_cells], numbers of `Hindrance`

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      double least = 0, most = 0;
      bool fits = true;
      for (int m = 0; m < n_children; ++m)
        for (int q = 0; q < n_points; ++q)
          {
            double g[dim][dim], adjoint[dim][dim], trace = 0, other = 0;
            set_metric(child(cell, m), q, g);
            cofactors(g, adjoint);
            const double det = determinant(g, adjoint);
            for (int d = 0; d < dim; ++d)
              {
                trace += g[d][d];
                other += adjoint[d][d];
              }
            fits = fits && det > 0 &&
                   trace * other <= dim * dim * (limit + 2) / 4 * det;
            least = m + q == 0 || trace < least ? trace : least;
            most  = trace > most ? trace : most;
          }
      hindrances[cell] = !fits ? 2 : most <= limit * least ? 0 : 1;
    }

  private:
    TESSERA_HOST_DEVICE void
    set_metric(const std::int64_t cell, const int q,
               double (&g)[dim][dim]) const
    {
      double j[dim][dim] = {}, c[dim][dim];
      for (int v = 0; v < n; ++v)
        {
          const std::int64_t place =
            (((cell >> shift) * n + v) << shift) + (cell & ((1 << shift) - 1));
          const double *const x = points + std::int64_t(vertices[place]) * dim;
          for (int a = 0; a < dim; ++a)
            for (int d = 0; d < dim; ++d)
              j[a][d] += ((v >> d & 1) != 0 ? x[a] : -x[a]) * 2 / n;
        }
      cofactors(j, c);
      const double det  = determinant(j, c);
      const bool tensor = n_components >= n_tensor;
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          {
            double sum = 0;
            for (int x = 0; x < dim; ++x)
              for (int y = 0; y < dim; ++y)
                if (x == y || tensor)
                  sum += c[x][a] * c[y][b] *
                         k.at(cell, q, tensor ? symmetric_entry(dim, x, y) : 0);
            g[a][b] = sum / det;
            if (a == b && reacts)
              g[a][b] += k.at(cell, q, n_tensor) * det / 12;
          }
    }
  };
} // namespace tessera::internal
