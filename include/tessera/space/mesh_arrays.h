#pragma once

#include <tessera/base/array.h>
#include <tessera/space/boundary_faces.h>
#include <tessera/space/connectivity.h>

#include <cstdint>
#include <functional>
#include <vector>

// The way from a coarse mesh to a `Space`:
//
//   MeshArrays mesh = ...;               // a file, or deal.II's coarse mesh
//   mesh.check();
//   for (...)
//     mesh = refine(mesh);
//   const ElementNodes nodes = number(mesh, degree);
//   const Space space = build_space(connectivity(mesh, nodes, given));
//
// Until the nodes have numbers, steps are loops over cells or entities, scans
// and sorts on the backend that stores the mesh, except that vertices of curved
// meshes are moved and duplicate faces are searched for on the host. The last
// two, `connectivity` and `build_space`, are done on the host. Both backends
// and any number of threads give the same numbers and the same bits.
namespace tessera
{
  /// A face of a cell at the boundary of the mesh, and the id of that boundary.
  struct MeshFace
  {
    int cell;
    int face; ///< of the cell; see `MeshArrays`
    unsigned int id;
  };

  /// A conforming mesh as flat arrays in the memory of one backend. All cells
  /// are of one type. The corners of a cell have the order of its `CellType`.
  ///
  /// Faces of a cell have these numbers. Face 2d + s of a quadrilateral or
  /// hexahedron is where reference coordinate d is s; its own corners are in
  /// lexicographic order. The faces of a triangle are 01, 12, 20, and of a
  /// tetrahedron 012, 103, 023, 213.
  struct MeshArrays
  {
    CellType cell_type = CellType::quadrilateral;
    Array<int> corners;            ///< [n_cells][corners of a cell]
    Array<double> vertices;        ///< [n_vertices][dim]
    Array<unsigned int> materials; ///< [n_cells]
    /// The number of each cell in the whole mesh, [n_cells].
    Array<std::int64_t> numbers;
    /// All faces that belong to only one cell, in any order.
    Array<MeshFace> boundary;

    int
    dim() const
    {
      return dimension(cell_type);
    }

    int
    corners_per_cell() const
    {
      return tessera::n_vertices(cell_type);
    }

    int
    n_cells() const
    {
      return static_cast<int>(corners.size() / corners_per_cell());
    }

    int
    n_vertices() const
    {
      return static_cast<int>(vertices.size() / dim());
    }

    Backend
    backend() const
    {
      return corners.backend();
    }

    /// Throws MeshError, naming the first cell concerned, if sizes or indices
    /// do not fit, a vertex belongs to no cell, a cell is inverted or
    /// degenerate (det J <= 0 at a corner), more than two cells share a face, a
    /// face of `boundary` is not a face of exactly one cell or occurs twice, or
    /// a face of exactly one cell is missing there.
    void
    check() const;
  };

  /// Returns a copy in the memory of a backend.
  MeshArrays
  copy_to(Backend backend, const MeshArrays &mesh);

  /// Cells of a smaller `cell_quality` are degenerate.
  constexpr double smallest_quality = 1e-10;

  /// Returns a measure for the shape of a cell with these corners,
  /// [corners of a cell][dim]: the smallest value over the corners of
  /// det(edges) divided by the product of their lengths, scaled to 1 for
  /// rectangles, cuboids and regular simplices. For hexahedra, the determinant
  /// between the corners counts too. The result is positive if the cell is
  /// valid, and -1 if it is not a number.
  double
  cell_quality(CellType type, const double *corners);

  /// The cell with the smallest quality; of equal ones, the first.
  struct WorstCell
  {
    double quality;
    int cell;
  };

  WorstCell
  worst_cell(const MeshArrays &mesh);

  /// Moves each vertex that is not on the boundary by `factor` times its
  /// shortest edge, in a direction that depends on the seed and on the first
  /// corner of a cell that is the vertex. The distance is halved repeatedly
  /// where a cell would lose more than 3/4 of its quality. Returns the worst
  /// cell. If it is degenerate before, vertices stay where they are.
  WorstCell
  distort(MeshArrays &mesh, double factor, int seed);

  /// New vertices in the middles of all edges, of all faces of hexahedra, or of
  /// all quadrilaterals or hexahedra, while a mesh is refined. These are arrays
  /// of the host.
  ///
  /// The *lattice* of a cell are its nodes of degree 2, in the order of
  /// `CellType`. In quadrilaterals and hexahedra, node sum_d 3^d t_d stands
  /// where reference coordinate d is t_d / 2; it is in the middle of an edge,
  /// face or cell if one, two or three of the t_d are 1, and around this entity
  /// are the nodes with 0 and 2 instead.
  struct NewVertices
  {
    CellType cell_type;
    int dimension; ///< of the entities with the vertices in the middle
    /// A cell that has the vertex in its lattice, times the size of the
    /// lattice, plus the node there, [n].
    std::vector<std::int64_t> places;
    const int *lattice; ///< vertices of the finer mesh, [n_cells][size]
    /// Coordinates of the vertices of the finer mesh, [n_vertices][dim]. The
    /// old vertices and the middles of entities of lower dimension are already
    /// in their places.
    double *points;

    std::int64_t
    size() const
    {
      return static_cast<std::int64_t>(places.size());
    }
  };

  /// Moves new vertices of a curved mesh by changing their points. It is called
  /// for edges, then for faces of hexahedra, then for quadrilaterals or
  /// hexahedra: on the host, by one thread, with all vertices of that kind. It
  /// can loop over them by all threads.
  using MoveVertices = std::function<void(NewVertices &)>;

  /// Divides every cell into 2^dim cells of its type; cell c has the children
  /// [2^dim c, 2^dim (c + 1)). Vertices keep their numbers, new ones follow:
  /// one for each edge, then for each quadrilateral, then for each hexahedron,
  /// in the order in which cells meet them. They are means of corners. Children
  /// have the material of their parent; child k of cell number m has the number
  /// 2^dim m + k. The children of boundary face f are the boundary faces
  /// [2^(dim-1) f, 2^(dim-1) (f + 1)), with the id and the face number of f.
  ///
  /// Children of quadrilaterals and hexahedra have lexicographic order. Child v
  /// of a simplex has its corner v; the last child of a triangle is that in the
  /// middle, with the middles of the edges 01, 12, 20 as corners. The
  /// octahedron in a tetrahedron is cut along the shortest of its three
  /// diagonals; among equally long ones (up to 1e-12 of their squares), 02-13
  /// goes before 01-23 and this before 12-03, where the numbers are the corners
  /// of the edges whose middles are joined. Child 4 + f of a tetrahedron
  /// touches its face f, and the diagonal is its edge 02 or 13. Similar cells
  /// are cut alike, so that the cells within a coarse cell have few shapes and
  /// their quality does not tend to zero.
  ///
  /// If there is a `move`, transfinite interpolation puts the middles of
  /// quadrilaterals and hexahedra between the middles of their edges and faces,
  /// from where `move` takes them.
  ///
  /// The mesh must have passed `check`. Throws MeshError for 2^31 corners of
  /// cells or boundary faces or more, or 2^31 - 1 vertices or more of the finer
  /// mesh.
  MeshArrays
  refine(const MeshArrays &mesh, const MoveVertices &move = {});

  /// The nodes of Lagrange elements on a mesh, in the memory of its backend.
  /// The first nodes are the vertices; the inner nodes of edges, of faces and
  /// of cells follow.
  struct ElementNodes
  {
    int degree  = 1;
    int n_nodes = 0;
    Array<int> of_cells; ///< [n_cells][n] in the order of `CellType`
    /// The nodes of the boundary faces, [n_faces][nodes of a face], in the
    /// order of the `CellType` of the face.
    Array<int> of_faces;
  };

  /// Numbers the nodes. The mesh must have passed `check`. Throws
  /// ParameterError for a degree that the cells do not have, and MeshError for
  /// 2^31 - 1 nodes or more, or 2^31 entries of an array.
  ElementNodes
  number(const MeshArrays &mesh, int degree);

  /// Numbers the points that cut all cells into `n` equal parts a direction, in
  /// the order of nodes of degree n, which elements need not have: 1 to 64, and
  /// 1 or 2 for simplices. Throws what `number` throws.
  ElementNodes
  number_parts(const MeshArrays &mesh, int n);

  /// Returns 1 for nodes on boundaries with these ids, 0 for others, [n_nodes].
  Array<char>
  nodes_on_boundaries(const MeshArrays &mesh, const ElementNodes &nodes,
                      const std::vector<unsigned int> &ids);

  /// Returns the input of `build_space`, in host memory. `constrained` is
  /// [n_nodes][n_components].
  Connectivity
  connectivity(const MeshArrays &mesh, const ElementNodes &nodes,
               std::vector<char> constrained, int n_components = 1);

  /// Returns the boundary faces with these ids, without data, in the order of
  /// `MeshArrays::boundary`.
  BoundaryFaces
  boundary_faces(const MeshArrays &mesh, const ElementNodes &nodes,
                 const std::vector<unsigned int> &ids);
} // namespace tessera
