#pragma once

#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/mesh/mesh_file.h>
#include <tessera/program/table.h>

#include <deal.II/grid/manifold.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// The steps of `make_mesh`.
namespace tessera::mesh_tools
{
  /// The corners of a face in ascending order; unused places are -1.
  using FaceKey = std::array<int, 4>;

  /// The boundary ids of faces; each face occurs once.
  using FaceIds = std::vector<std::pair<FaceKey, dealii::types::boundary_id>>;

  /// Returns the corners of the faces of a cell, as places in deal.II's order
  /// of its corners. Corners of a quadrilateral are in lexicographic order.
  const std::vector<std::vector<int>> &
  faces_of(CellType type);

  template <class Container>
  FaceKey
  make_key(const Container &vertices)
  {
    FaceKey key{{-1, -1, -1, -1}};
    std::size_t n = 0;
    for (const auto v : vertices)
      key[n++] = static_cast<int>(v);
    std::sort(key.begin(), key.begin() + n);
    return key;
  }

  struct Face
  {
    FaceKey key;
    int cell;     ///< number of its cell in a list
    int opposite; ///< quadrilateral: the corner opposite to key[0]
  };

  /// Returns the faces of all cells, which are of one type and have vertices
  /// below `n_vertices`, in ascending order of their keys, then of their cells.
  /// corners(cell) points to the corners of a cell.
  std::vector<Face>
  sorted_faces(CellType type, std::size_t n_cells, int n_vertices,
               const std::function<const int *(std::size_t)> &corners);

  /// A vertex that lies on a face but is none of its corners.
  struct Contact
  {
    int vertex;
    int other; ///< the corner at the same point, or -1
    int face;  ///< its number in the list
  };

  /// Finds the vertices of faces that lie on other faces, with a tolerance of
  /// 1e-7 times the size of a face.
  template <int dim>
  std::vector<Contact>
  find_contacts(const std::vector<dealii::Point<dim>> &vertices,
                const std::vector<Face> &faces);

  /// Removes the contacts between pieces, [n_vertices], of the mesh `source`,
  /// and prints a note about them once.
  template <int dim>
  void
  leave_apart(std::vector<Contact> &contacts, const std::vector<int> &pieces,
              const std::vector<Face> &faces,
              const std::vector<dealii::Point<dim>> &vertices,
              const std::string &source);

  /// Returns for each of n things the first one that it equals, if the two
  /// things of each of the `pairs` are equal.
  std::vector<int>
  smallest_equals(std::size_t n, const std::vector<std::pair<int, int>> &pairs);

  /// Returns the cells of a file as arrays without a boundary. Their corners
  /// are among these vertices.
  template <int dim>
  MeshArrays
  arrays_of(const std::vector<MeshFile::Element> &cells,
            const std::vector<dealii::Point<dim>> &vertices);

  /// Gives an empty mesh these cells, whose faces on the boundary are
  /// `boundary`, and boundary ids. All vertices must be used. Returns the
  /// number of `faces` that are not on the boundary. Throws MeshError if the
  /// corners of cells cannot be put into an order that deal.II wants.
  template <int dim>
  std::size_t
  create(Mesh<dim> &mesh, MeshArrays cells, const std::vector<Face> &boundary,
         FaceIds faces);

  /// Returns `connected_parts` for the cells of `Mesh::coarser` instead.
  template <int dim>
  std::vector<int>
  coarser_parts(const Mesh<dim> &mesh);

  /// Makes a triangulation of the cells of `source`. Throws MeshError if they
  /// do not fit together.
  template <int dim>
  void
  take_cells(dealii::Triangulation<dim> &triangulation, const MeshArrays &cells,
             const std::string &source);

  /// Curves the cells of a mesh by the nodes that elements of order 2 of the
  /// file have between their corners, with coordinates multiplied by `scale`:
  /// sets `mesh.quadratic`, unless all of these nodes are where straight cells
  /// have them. `vertex` is the number of a vertex of the file in the mesh, or
  /// -1. Edges and faces without a node get the middle that a serendipity
  /// element has. Throws MeshError if cells do not fit together or leave the
  /// plane.
  template <int dim>
  void
  curve_cells(Mesh<dim> &mesh, const MeshFile &file,
              const std::vector<int> &vertex, double scale);

  /// Throws MeshError with number and centre of the first curved cell whose map
  /// has no positive Jacobian at some quadrature point.
  template <int dim>
  void
  check_curved_cells(const Mesh<dim> &mesh);

  /// Returns the names that include an id, for example "'inlet', 'wall'".
  std::string
  names_of(const GroupNames &names, unsigned int id);

  /// Returns ids with their names: "0, 1 ('inlet')".
  template <class Ids>
  std::string
  list_ids(const Ids &ids, const GroupNames &names)
  {
    std::string list;
    for (const auto id : ids)
      {
        const std::string its = names_of(names, id);
        list += (list.empty() ? "" : ", ") + std::to_string(id) +
                (its.empty() ? "" : " (" + its + ')');
      }
    return list;
  }

  /// Sets `corners` to the corners of a cell of arrays.
  template <int dim>
  void
  corners_of(const MeshArrays &mesh, const int cell,
             std::vector<dealii::Point<dim>> &corners)
  {
    const int n       = mesh.corners_per_cell();
    const int *corner = mesh.corners.data() + std::size_t(cell) * n;
    corners.resize(n);
    for (int v = 0; v < n; ++v)
      std::copy_n(mesh.vertices.data() + std::size_t(corner[v]) * dim, dim,
                  corners[v].begin_raw());
  }

  /// Returns the mean of some corners of a cell of arrays; empty: of all.
  template <int dim>
  dealii::Point<dim>
  mean_of(const MeshArrays &mesh, const int cell,
          const std::vector<int> &wanted = {})
  {
    std::vector<dealii::Point<dim>> corners;
    corners_of(mesh, cell, corners);
    dealii::Point<dim> sum;
    if (wanted.empty())
      for (const auto &corner : corners)
        sum += corner;
    for (const int v : wanted)
      sum += corners[v];
    return sum /
           static_cast<double>(wanted.empty() ? corners.size() : wanted.size());
  }

  /// Throws MeshError with number and centre of the first degenerate cell; of
  /// curved ones, too, where the file has the curves.
  template <int dim>
  void
  check_cells(const Mesh<dim> &mesh);

  /// Returns the fibres of the cells of dimension `dim`, in the order of the
  /// file, or nothing if it has none.
  std::vector<std::array<double, 6>>
  fibres_of_cells(const MeshFile &file, int dim);

  /// Returns the sets of nodes of a file: its sets of vertices, its groups of
  /// points, and its groups of curves, which without a name are called `curve`
  /// and their id in three dimensions. `index` has the vertex of the mesh for
  /// every one of the file, or -1.
  NodeSets
  node_sets_of(const MeshFile &file, int dim, const std::vector<int> &index);

  /// Gives vertices other numbers, `index`; vertices with -1 leave the sets.
  void
  renumber(NodeSet &set, const std::vector<int> &index);

  /// Lets sets consist of vertices and edges of active cells, where vertices
  /// have their numbers among the vertices of cells.
  template <int dim>
  void
  make_active(NodeSets &sets, const dealii::Triangulation<dim> &triangulation);

  /// Returns the vertices and edges of a mesh, which `refine` has made in
  /// `levels` steps, that belong to a set of the mesh that it was made of.
  NodeSet
  divided(const NodeSet &set, const MeshArrays &mesh, int levels);

  /// Returns how often the mesh that the sets of nodes belong to was refined to
  /// give the arrays of a mesh; -1 if only deal.II's triangulation knows what
  /// belongs to the sets.
  template <int dim>
  int
  levels_of_sets(const Mesh<dim> &mesh);

  /// Gives all cells the fibres of the cells that they are parts of. These had
  /// the same order, and each has equally many parts.
  template <int dim>
  void
  inherit_fibres(Mesh<dim> &mesh);

  /// Cuts each quadrilateral into two triangles, each hexahedron into six
  /// tetrahedra. Vertices and ids are kept. The cut does not depend on the
  /// numbers of vertices.
  MeshArrays
  simplices_of(const MeshArrays &mesh);

  /// The manifolds of the lines, faces and cells of a mesh that is not refined,
  /// for meshes that are: what lies in a line, in a face or in a cell has its
  /// manifold. It keeps references to the manifolds.
  template <int dim>
  class CoarseManifolds
  {
  public:
    /// Cells are quadrilaterals or hexahedra.
    explicit CoarseManifolds(const dealii::Triangulation<dim> &coarse);

    /// Places new vertices, while a mesh that was refined `levels` times is
    /// refined once more, where deal.II has them. Throws MeshError, which names
    /// `source`, where that is not possible.
    void
    place(NewVertices &fresh, int levels, const std::string &source) const;

    /// Curves the cells of a triangulation, which are these cells of the mesh
    /// that was refined `levels` times.
    void
    attach(dealii::Triangulation<dim> &triangulation,
           const std::vector<int> &cells, int levels) const;

  private:
    static constexpr int size = dim == 2 ? 9 : 27; ///< of a lattice

    /// Returns the id of what has its middle in a node of the lattice of a cell
    /// that was refined `levels` times.
    dealii::types::manifold_id
    id_of(std::int64_t cell, int node, int levels) const;

    /// The ids by the nodes in the middles of lines, faces and cells,
    /// [n_coarse_cells][size]; flat_manifold_id where a manifold is flat.
    std::vector<dealii::types::manifold_id> ids;
    std::map<dealii::types::manifold_id, const dealii::Manifold<dim> *>
      manifolds; ///< which are not flat
  };

  /// Throws MeshError for cells of `source` that do not fit a curved boundary.
  [[noreturn]] void
  refuse_curves(const std::string &source);

  /// Refines all cells `levels` times. Throws MeshError, which names `source`,
  /// if new vertices cannot be placed on a curved boundary.
  template <int dim>
  void
  refine_all(dealii::Triangulation<dim> &triangulation, int levels,
             const std::string &source);

  /// Flat pieces of a boundary that stand for a curved one.
  struct Facets
  {
    int n        = 0;
    double angle = 0.; ///< largest one between them and neighbours, degrees
  };

  /// Finds flat pieces of the boundary that look like pieces of a curve. Such a
  /// piece consists of faces whose normals turn by less than 0.5 degrees. At
  /// two other pieces or more the normal turns by at most 40 degrees, and all
  /// vertices of the piece are there, so that it is one cell wide. Boxes, and
  /// chamfers that are wider than a cell, have none.
  template <int dim>
  Facets
  facets_of_curves(const Mesh<dim> &mesh);

  /// Prints a note, once for a mesh, if there are three such pieces or more:
  /// refinement keeps their corners.
  template <int dim>
  void
  note_facets(const Mesh<dim> &mesh);

  /// Throws Error with ExitCode::device if a mesh of so many cells certainly
  /// does not fit into the memory of this machine. The message ends with
  /// "choose <remedy>."
  void
  check_memory(double n_cells, const std::string &source,
               const std::string &remedy =
                 "a smaller 'Mesh/Initial refinement', fewer cycles or other "
                 "arguments");

  /// Returns true if the mesh comes from a file. Throws ParameterError if
  /// `Mesh/Type` contradicts `Mesh/File`.
  bool
  from_file(const Parameters &parameters);

  /// Returns the dimension that `Mesh/Dimension` or `Mesh/Cell type` asks for,
  /// or 0 if both are auto. Throws ParameterError if they contradict each
  /// other.
  int
  wanted_dimension(const Parameters &parameters);

  /// Returns the dimension of a generated grid if name and arguments alone
  /// determine it. Throws ParameterError for an unknown name.
  int
  grid_dimension(const std::string &name, const std::string &arguments);

  /// Makes a grid with deal.II's generator. Throws ParameterError.
  template <int dim>
  void
  generate(Mesh<dim> &mesh, const std::string &name,
           const std::string &arguments);

  /// Returns "(0.5, 0.25)", for example.
  template <int dim>
  std::string
  place(const dealii::Point<dim> &point)
  {
    return '(' + program::format_point(point.begin_raw(), dim) + ')';
  }
} // namespace tessera::mesh_tools
