#pragma once

#include <tessera/matrix/divided_rows.h>
#include <tessera/matrix/sparse_rows.h>
#include <tessera/space/space.h>

#include <vector>

// Data of a space for multigrid methods: the positions of its nodes, and the
// space of degree 1 on the same mesh.
namespace tessera
{
  /// Returns the positions of the owned nodes, [n_owned][dim]: their reference
  /// positions mapped by the vertex functions of a cell that has the node. On
  /// curved cells this is approximate.
  std::vector<double>
  node_positions(const Space &space);

  /// The functions with linear shape functions on the same mesh.
  struct VertexSpace
  {
    /// The matrix from entries of vertices to owned entries of the space,
    /// [n_owned n_components][n_nodes() n_components]: values of the vertex
    /// functions at the nodes, component by component. Rows and columns of
    /// given components are empty.
    SparseRows prolongation;
    /// The owned node at each vertex of the space of degree 1, [n_nodes()].
    /// They increase.
    Array<int> nodes;

    int
    n_nodes() const
    {
      return static_cast<int>(nodes.size());
    }
  };

  /// Makes the space of degree 1 whose nodes are the vertices at which the
  /// space has an owned node. Given vertices are left out, and the value at a
  /// hanging vertex is interpolated from its parents. `is_given` has 1 for
  /// owned entries whose values are given, [n_owned n_components], in the
  /// memory of the backend that makes the space. The space must have no ghosts.
  VertexSpace
  make_vertex_space(const Space &space, const Array<char> &is_given);

  /// Returns the owned nodes at vertices of the cells, increasing.
  std::vector<int>
  vertex_nodes(const Space &space);

  /// Returns the rows of the prolongation of `make_vertex_space` for the owned
  /// entries of a space that may be a part of a mesh. `numbers` has the number
  /// of the vertex at each node, [n_owned + n_ghosts], negative if there is
  /// none, and `is_given` is 1 for given entries of these nodes. If a hanging
  /// vertex depends on an entry that another part owns, the row has the column
  /// -1 - entry, which stands for the row of that entry.
  NumberedRows
  vertex_rows(const Space &space, const std::vector<std::int64_t> &numbers,
              const std::vector<char> &is_given);

  /// Replaces the columns that stand for rows of ghosts by these rows. All
  /// parts call it together.
  NumberedRows
  insert_rows_of_ghosts(const Messages &messages, const Space &space,
                        const SharedNodes &shared, NumberedRows rows);
} // namespace tessera
