#pragma once

#include <tessera/fem/mesh/mesh_parts.h>
#include <tessera/program/parameters.h>
#include <tessera/space/mesh_arrays.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  template <int dim>
  class QuadraticCells;

  namespace mesh_tools
  {
    template <int dim>
    class CoarseManifolds;
  }

  /// A mesh with cells of one type, and the names of its boundaries and
  /// materials. It is a triangulation of deal.II, arrays (mesh_arrays.h), or
  /// both: files give arrays, and arrays are refined if every cell is divided
  /// equally often. deal.II takes the cells of a file, refines its coarse mesh,
  /// or takes the cells of the arrays, only when something asks for the
  /// triangulation. Both have the same cells in the same order; their vertices
  /// may have other numbers.
  template <int dim>
  struct Mesh
  {
    /// Returns the triangulation for reading. deal.II makes it first if that
    /// was postponed, with a note if it takes long. Threads may not call this,
    /// nor `arrays`, at the same time.
    const dealii::Triangulation<dim> &
    triangulation() const
    {
      if (is_coarser())
        {
          note_division();
          divide_cells();
        }
      return of_deal_ii;
    }

    /// Returns the triangulation for changes. From then on every request makes
    /// the arrays anew, until `settle` is called.
    dealii::Triangulation<dim> &
    triangulation()
    {
      if (is_coarser())
        divide_cells();
      as_arrays  = nullptr;
      worst      = std::nullopt;
      is_settled = false;
      return of_deal_ii;
    }

    /// Promises that nobody changes the triangulation through an earlier
    /// reference, so that its arrays can be kept.
    void
    settle()
    {
      is_settled = true;
    }

    /// Lets deal.II make the triangulation without a note.
    void
    divide_now() const
    {
      if (is_coarser())
        divide_cells();
    }

    /// Makes the mesh empty.
    void
    clear()
    {
      of_deal_ii.clear();
      *this = Mesh();
    }

    /// Makes these cells the coarsest ones of an empty mesh. deal.II takes them
    /// when something asks for its triangulation, and throws MeshError then if
    /// they do not fit together.
    void
    assign(MeshArrays cells);

    /// Returns a mesh that may be coarser than this one. It has the same
    /// materials and connected parts; each of its cells was divided into
    /// equally many cells, which follow each other. If deal.II has no mesh, the
    /// triangulation is empty and the arrays hold it; otherwise they are null.
    std::pair<const dealii::Triangulation<dim> &, const MeshArrays *>
    coarser() const
    {
      return {of_deal_ii, coarsest.get()};
    }

    /// Divides each cell into 2^dim cells, `levels` times, and then into
    /// simplices if wanted (`mesh_tools::simplices_of`), as arrays alone, and
    /// moves vertices by `distort`. The mesh must be conforming. Manifolds and
    /// quadratic maps place new vertices, but simplices made of other cells are
    /// not curved. In deal.II, all tetrahedra and such simplices become
    /// coarsest cells, which sets of nodes and quadratic maps follow. Many
    /// straight cells are divided on the backend `where`, if its memory
    /// suffices. Throws MeshError if vertices cannot be placed on a manifold.
    void
    divide_later(int levels, bool into_simplices = false,
                 Backend where = Backend::host, double distortion = 0,
                 int seed = 0);

    /// Makes a triangulation of some cells of `arrays`; see
    /// `tessera::triangulate`. deal.II's mesh must be coarser. Manifolds and
    /// the map that `make_mapping` returned curve the cells as they curve the
    /// mesh. Threads may call it at the same time.
    void
    triangulate(dealii::Triangulation<dim> &part,
                const std::vector<int> &cells) const;

    /// Calls change(arrays), which moves vertices or changes the ids of
    /// boundary faces. deal.II's triangulation gets the same changes.
    void
    change_arrays(const std::function<void(MeshArrays &)> &change);

    /// Returns the worst cell of `arrays`. All cells are examined once.
    WorstCell
    worst_cell() const;

    /// True if deal.II has no triangulation of these cells yet.
    bool
    is_coarser() const
    {
      return levels_left > 0 || is_replaced || coarsest;
    }

    /// Returns the (active) cells as arrays of the host. They have deal.II's
    /// active indices. Their boundary faces are the faces with one cell in the
    /// whole mesh. If vertices hang, this is not a conforming mesh.
    std::shared_ptr<const MeshArrays>
    arrays() const;

    /// Returns true if vertices hang.
    bool
    hangs() const
    {
      return !is_coarser() && of_deal_ii.n_levels() > 0 &&
             of_deal_ii.has_hanging_nodes();
    }

    /// Returns the number of (active) cells.
    std::int64_t
    n_cells() const
    {
      return is_coarser() ? as_arrays->n_cells() : of_deal_ii.n_active_cells();
    }

    /// Returns the ids of the boundaries.
    std::set<dealii::types::boundary_id>
    boundary_ids() const;

    /// Returns the ids of the materials.
    std::set<dealii::types::material_id>
    material_ids() const;

    /// Returns the material of each cell, [n_cells].
    std::vector<unsigned int>
    cell_materials() const
    {
      return arrays()->materials.to_vector();
    }

    /// The origin of the mesh, for messages, such as `mesh file 'plate.msh'`.
    std::string source;
    /// The names that the file gives to groups of faces and of cells; empty for
    /// a generated mesh.
    GroupNames boundary_names;
    GroupNames material_names;
    /// The boundary that a boundary is a part of, if formulas divide it
    /// (`divide_boundaries`).
    std::map<unsigned int, unsigned int> part_of;
    /// The sets of nodes of the file.
    NodeSets node_sets;
    /// The directions of fibres and, behind them, of sheets that a file gives
    /// its cells, [n_active_cells], not normalised; empty if it gives none.
    /// Sheets are 0 if it gives fibres alone.
    std::vector<std::array<double, 6>> fibres;
    /// If this process knows only a part of the mesh: for every active cell its
    /// number in the whole mesh and the process that owns it, or -1 if it
    /// represents cells that are unknown here. Otherwise empty: a cell has its
    /// active index.
    std::vector<std::int64_t> number;
    std::vector<int> owner;
    /// The bodies, if this process knows only a part of the mesh and cannot
    /// find them from its cells (`find_bodies`); otherwise empty.
    Bodies<dim> bodies;
    /// True if a manifold that is not flat is attached, or if `quadratic` is
    /// set. Cells are then curved if the degree of the mapping exceeds one.
    bool curved = false;
    /// The maps of the coarsest cells if the file gives them nodes between
    /// their corners that curve them; otherwise null.
    std::shared_ptr<const QuadraticCells<dim>> quadratic;
    /// Returns the quadratic maps of the cells of `arrays`. The mesh must have
    /// quadratic maps, and deal.II's mesh must be coarser.
    const QuadraticCells<dim> &
    maps_of_arrays() const
    {
      return quadratic_parts ? *quadratic_parts : *quadratic;
    }

    /// The number of faces of the file that lie between two cells or belong to
    /// no cell. They carry no boundary id.
    std::size_t n_ignored_faces = 0;

    /// Returns the type of the cells; for an empty mesh it is quadrilateral or
    /// hexahedron.
    CellType
    cell_type() const;

    /// Returns the number of an active cell in the whole mesh.
    template <class Cell>
    std::int64_t
    number_of(const Cell &cell) const
    {
      return number_of_index(cell->active_cell_index());
    }

    std::int64_t
    number_of_index(const std::int64_t index) const
    {
      return number.empty() || number[index] < 0 ? index : number[index];
    }

    /// Returns the map from the reference cell for elements of degree `degree`.
    /// On curved meshes it has this degree, but at most 2 if the curves come
    /// from a file; otherwise it is linear in each direction.
    std::unique_ptr<dealii::Mapping<dim>>
    make_mapping(int degree) const;

    /// Returns the ids that occur with their names, such as `0, 1 ('outer')`.
    std::string
    list_boundaries() const;

    /// Returns ids of materials with their names.
    std::string
    list_materials(const std::set<dealii::types::material_id> &ids) const;

  private:
    /// Gives `of_deal_ii` the cells of `as_arrays`. Throws std::logic_error if
    /// deal.II makes other cells.
    void
    divide_cells() const;

    /// Prints a note, once, that one thread divides many cells.
    void
    note_division() const;

    /// Gives the cells of `of_deal_ii` the vertices and boundary ids of
    /// `as_arrays`.
    void
    follow_arrays() const;

    mutable dealii::Triangulation<dim> of_deal_ii;
    /// The coarsest cells until `of_deal_ii` takes them; otherwise null.
    mutable std::shared_ptr<const MeshArrays> coarsest;
    /// The number of refinements that turn the coarsest mesh into this one.
    mutable int levels_left = 0;
    /// True if the cells of `as_arrays` will replace cells of `of_deal_ii`.
    mutable bool is_replaced = false;
    /// Null only if `of_deal_ii` is not coarser and nobody asked for it yet.
    mutable std::shared_ptr<MeshArrays> as_arrays;
    /// The worst cell of `as_arrays`, once it is known.
    mutable std::optional<WorstCell> worst;
    /// Manifolds of `of_deal_ii`, if it is coarser and they curve it.
    std::shared_ptr<const mesh_tools::CoarseManifolds<dim>> manifolds;
    /// The maps of the cells of `as_arrays` if `quadratic` has the maps of
    /// coarser cells; otherwise null.
    mutable std::shared_ptr<const QuadraticCells<dim>> quadratic_parts;
    bool has_changed = false; ///< `change_arrays` was called before deal.II
                              ///< divided its cells
    bool is_settled = true;   ///< `as_arrays` may be kept
  };

  /// A grid of deal.II's generator, and arguments that work for it. Other
  /// arguments must have the same number of values, and whole numbers in the
  /// same places.
  struct GridExample
  {
    std::string name;
    std::string arguments;
  };

  /// Returns the grids of dimension 2 or 3.
  std::vector<GridExample>
  grid_examples(int dim);

  /// Declares the section `Mesh`.
  void
  declare_mesh(Parameters &parameters);

  /// Returns how often the mesh of the first cycle is refined,
  /// `Mesh/Initial refinement`. Its default is 0 for files and bodies and 2 for
  /// generated grids.
  int
  initial_refinement(const Parameters &parameters);

  /// Returns the dimension of the mesh, 2 or 3. It is `Mesh/Dimension` if
  /// given, or the dimension of `Mesh/Cell type` if given, or, for a file, the
  /// highest dimension of its cells. A generated grid has dimension 2, unless
  /// it exists in three dimensions only or its arguments have as many
  /// coordinates and sizes as in three dimensions. Throws ParameterError for a
  /// grid that exists in no dimension or for a contradicting cell type, and
  /// what reading a file throws.
  int
  mesh_dimension(const Parameters &parameters);

  /// Fills `mesh` as the section `Mesh` describes it, refined `cycle` times
  /// more; interior vertices are moved last. Arrays are refined in the memory
  /// of the backend `where` and then copied to the host. Throws ParameterError
  /// for an unknown grid or unsuitable arguments. Throws MeshError if a file is
  /// missing, damaged, of another dimension or has several cell types, if cells
  /// are degenerate or inverted (named by number and centre), or if vertices
  /// hang or coincide. Throws Error with ExitCode::device if memory does not
  /// suffice.
  template <int dim>
  void
  make_mesh(Mesh<dim> &mesh, const Parameters &parameters, int cycle = 0,
            Backend where = Backend::host);

  /// Gives new ids to boundary faces that the formulas of entries `Boundaries`
  /// choose (`read_selection`). The name of such ids is the formula; a face
  /// counts if the formula holds at all of its corners. Changes of an earlier
  /// call, before the mesh was refined, are undone first. Throws ParameterError
  /// for formulas that have no value at a corner.
  template <int dim>
  void
  divide_boundaries(Mesh<dim> &mesh, const Parameters &parameters);

  /// Returns true if the cycles of a study refine where errors are large. It is
  /// false for programs without the entry `Mesh/Refinement`.
  bool
  mesh_adapts(const Parameters &parameters);

  /// Returns true if formulas divide boundaries.
  bool
  divides_boundaries(const Parameters &parameters);

  /// Returns the part of a set in the active cells: all of their vertices and
  /// edges that belong to it.
  template <int dim>
  NodeSet
  active_part(const dealii::Triangulation<dim> &triangulation,
              const NodeSet &set);

  /// Throws ParameterError with the reason unless cells of this type have
  /// elements of this degree: 1 to 4 on quadrilaterals and hexahedra, 1 and 2
  /// on simplices.
  void
  check_degree(CellType type, int degree);

  template <int dim>
  Bodies<dim>
  find_bodies(const Mesh<dim> &mesh);

  /// Returns for every active cell the number of the connected part of the
  /// whole mesh that it belongs to, [n_cells], as `Bodies` counts them. Cells
  /// with a common vertex are in the same part.
  template <int dim>
  std::vector<int>
  connected_parts(const Mesh<dim> &mesh);

  /// Throws MeshError if some part of the mesh has no face on the boundaries
  /// `fixing` and no cell marked in `fixing_cells`, [n_cells], because the
  /// solution would be determined only up to a constant there. The message
  /// names one cell of the part.
  template <int dim>
  void
  check_connected_parts(const Mesh<dim> &mesh,
                        const std::set<dealii::types::boundary_id> &fixing,
                        const std::vector<char> &fixing_cells = {});

  template <int dim>
  double
  cell_quality(const CellType type,
               const std::vector<dealii::Point<dim>> &corners)
  {
    return cell_quality(type, corners[0].begin_raw());
  }
} // namespace tessera
