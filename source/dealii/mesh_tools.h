#pragma once

#include <tessera/dealii/mesh.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Steps of `make_mesh`.
namespace tessera::mesh_tools
{
  /// Corners of a face in ascending order, -1 where it has fewer than four.
  using FaceKey = std::array<int, 4>;

  /// Boundary ids of faces, each of which occurs once.
  using FaceIds = std::vector<std::pair<FaceKey, dealii::types::boundary_id>>;

  /// Corners of the faces of a cell, as places in deal.II's order of its
  /// corners, those of a quadrilateral lexicographic.
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
    int cell;     ///< its place in a list
    int opposite; ///< of a quadrilateral: the corner opposite to key[0]
  };

  /// A vertex that lies on a face and is none of its corners.
  struct Contact
  {
    int vertex;
    int other; ///< the corner at the same place, or -1
    int face;  ///< its place in the list
  };

  /// Vertices of the faces that lie on other ones of them, to 1e-7 of a face's
  /// size.
  template <int dim>
  std::vector<Contact>
  find_contacts(const std::vector<dealii::Point<dim>> &vertices,
                const std::vector<Face> &faces);

  /// Makes the triangulation and sets the boundary ids; all vertices must be
  /// used. Returns how many of the faces are not on the boundary. Throws
  /// MeshError.
  template <int dim>
  std::size_t
  create(Mesh<dim> &mesh, const std::vector<dealii::Point<dim>> &vertices,
         std::vector<dealii::CellData<dim>> cells, FaceIds faces);

  /// "'inlet', 'wall'": the names that stand for an id, among others.
  std::string
  names_of(const GroupNames &names, unsigned int id);

  /// "0, 1 ('inlet')": ids with their names.
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

  template <int dim>
  std::vector<dealii::Point<dim>>
  corners_of(
    const typename dealii::Triangulation<dim>::active_cell_iterator &cell)
  {
    std::vector<dealii::Point<dim>> corners;
    for (const unsigned int v : cell->vertex_indices())
      corners.push_back(cell->vertex(v));
    return corners;
  }

  /// Cells below this `cell_quality` are degenerate.
  constexpr double smallest_quality = 1e-10;

  /// Throws MeshError, naming number and centre, for a degenerate cell.
  template <int dim>
  void
  check_cells(const Mesh<dim> &mesh);

  /// The same mesh of triangles, two of each quadrilateral, or of tetrahedra,
  /// six of each hexahedron, with its ids and without manifolds.
  template <int dim>
  void
  make_simplices(Mesh<dim> &mesh);

  /// Refines all cells so many times, which deal.II 9.4 does along diagonals
  /// that make cells ever flatter: here after J. Bey (Computing 55, 1995,
  /// 355-378), whose children have at most three shapes for each coarse cell.
  void
  refine_tetrahedra(Mesh<3> &mesh, int levels);

  /// Moves each interior vertex by `factor` times the shortest edge there in a
  /// direction that depends on the seed and the number of the vertex; half as
  /// far, and again, where a cell would lose more than 3/4 of its quality.
  template <int dim>
  void
  distort(Mesh<dim> &mesh, double factor, int seed);

  /// Throws Error with ExitCode::device where so many cells of a mesh surely
  /// do not fit into the memory of this machine.
  void
  check_memory(double n_cells, const std::string &source);

  /// The dimension of a generated grid if nothing but its name and arguments
  /// say it. Throws ParameterError for an unknown name.
  int
  grid_dimension(const std::string &name, const std::string &arguments);

  /// Grid of deal.II's generator. Throws ParameterError.
  template <int dim>
  void
  generate(Mesh<dim> &mesh, const std::string &name,
           const std::string &arguments);

  /// "(0.5, 0.25)"
  template <int dim>
  std::string
  place(const dealii::Point<dim> &point)
  {
    std::ostringstream text;
    for (int d = 0; d < dim; ++d)
      text << (d == 0 ? "(" : ", ") << point[d];
    return text.str() + ')';
  }
} // namespace tessera::mesh_tools
