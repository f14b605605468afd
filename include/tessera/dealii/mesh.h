#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>
#include <tessera/space/cell_type.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// Names of groups of faces or cells, and the ids that each stands for.
  using GroupNames = std::map<std::string, std::set<unsigned int>>;

  /// A triangulation of cells of one type, and the names of its boundaries and
  /// materials.
  template <int dim>
  struct Mesh
  {
    dealii::Triangulation<dim> triangulation;
    /// Where it comes from, for messages: `mesh file 'plate.msh'`.
    std::string source;
    /// Names of the file for faces and for cells; none for a generated mesh.
    GroupNames boundary_names;
    GroupNames material_names;
    /// True where a manifold that is not flat is attached: cells are then
    /// curved wherever the degree of the mapping exceeds one.
    bool curved = false;
    /// Faces of the file that lie between two cells or belong to none; they
    /// bear no boundary id.
    std::size_t n_ignored_faces = 0;

    /// Type of the cells; those of an empty mesh are tensor products.
    CellType
    cell_type() const;

    /// The map of the reference cell for elements of degree `degree`: of that
    /// degree on curved meshes of quadrilaterals and hexahedra, else linear in
    /// each direction.
    std::unique_ptr<dealii::Mapping<dim>>
    make_mapping(int degree) const;

    /// The ids that occur, with their names: `0, 1 ('outer')`.
    std::string
    list_boundaries() const;

    std::string
    list_materials() const;
  };

  /// A grid of deal.II's generator, and arguments that work: of as many numbers
  /// as others must have, where whole numbers must be whole.
  struct GridExample
  {
    std::string name;
    std::string arguments;
  };

  /// The grids of dimension 2 or 3.
  std::vector<GridExample>
  grid_examples(int dim);

  /// Declares section `Mesh`. `Initial refinement` is that of the first cycle.
  void
  declare_mesh(Parameters &parameters);

  /// 2 or 3: what `Mesh/Dimension` says, else that of `Mesh/Cell type`, else of
  /// a file the highest dimension of its cells. A generated grid has dimension
  /// 2 unless it exists in three dimensions alone or its arguments have as many
  /// coordinates and sizes as those of three dimensions. Throws ParameterError
  /// for a grid that there is in no dimension or a cell type that contradicts,
  /// and what reading a file throws.
  int
  mesh_dimension(const Parameters &parameters);

  /// Fills `mesh` as section `Mesh` says, refined `cycle` times more, interior
  /// vertices moved last. Throws ParameterError for an unknown grid or
  /// arguments that do not fit, MeshError where a file is missing, damaged, of
  /// another dimension, of several cell types, has degenerate or inverted cells
  /// (named by number and centre), hanging or coinciding vertices, and Error
  /// with ExitCode::device where memory does not suffice.
  template <int dim>
  void
  make_mesh(Mesh<dim> &mesh, const Parameters &parameters, int cycle = 0);

  /// Throws ParameterError with the reason where cells of this type have no
  /// elements of this degree: 1 to 4 on quadrilaterals and hexahedra, 1 and 2
  /// on simplices.
  void
  check_degree(CellType type, int degree);

  /// The part of the mesh that each active cell belongs to, [n_cells], counted
  /// from 0 in the order of the cells; cells of one part are connected through
  /// common vertices.
  template <int dim>
  std::vector<int>
  connected_parts(const dealii::Triangulation<dim> &triangulation);

  /// Throws MeshError, naming one of its cells, for a part of the mesh without
  /// a face on one of the boundaries `fixing`, where the solution would be
  /// free up to a constant.
  template <int dim>
  void
  check_connected_parts(const Mesh<dim> &mesh,
                        const std::set<dealii::types::boundary_id> &fixing);

  /// Shape of a cell whose corners are given in deal.II's order: the smallest
  /// over the corners of det(edges) / product of their lengths, scaled to 1 for
  /// a rectangle, a cuboid and the regular simplices. For hexahedra the
  /// determinant between the corners counts too. Positive if the cell is valid.
  template <int dim>
  double
  cell_quality(CellType type, const std::vector<dealii::Point<dim>> &corners);

  /// The screenful about a mesh: cells, vertices, boundaries with numbers of
  /// faces, materials with numbers of cells, bounding box, worst cell.
  template <int dim>
  void
  print_summary(const Mesh<dim> &mesh, std::ostream &out);
} // namespace tessera
