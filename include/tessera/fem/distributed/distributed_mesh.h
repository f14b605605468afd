#pragma once

#include <tessera/fem/distributed/division.h>
#include <tessera/fem/mesh/mesh.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <iosfwd>
#include <limits>
#include <memory>
#include <vector>

namespace tessera
{
  /// The least and the largest number of times that cells of the coarsest mesh
  /// may be divided.
  struct MeshLevels
  {
    int least = 0, most = std::numeric_limits<int>::max();

    /// Withdraws refinement flags that would lead to cells of other levels.
    template <int dim>
    void
    limit(dealii::Triangulation<dim> &triangulation) const
    {
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          if (cell->level() >= most)
            cell->clear_refine_flag();
          if (cell->level() <= least)
            cell->clear_coarsen_flag();
        }
    }
  };

  /// A mesh whose cells are distributed among processes. p4est distributes
  /// adaptive meshes of quadrilaterals and hexahedra, and uniform ones that are
  /// curved or that deal.II refines; each process gets an interval of the curve
  /// through all cells. For all other meshes, one process makes the mesh, METIS
  /// divides it, and the other processes never see more than their part. Large
  /// straight meshes are divided before their last refinements, which each
  /// process then does itself, as arrays.
  ///
  /// A process sees an ordinary mesh: its own cells and the cells around them.
  /// p4est adds cells as coarse as deal.II allows elsewhere. METIS adds a cell
  /// for every boundary and every material of each body of the mesh, and two
  /// for every two materials with a common face. So a process has all
  /// boundaries, materials and interfaces, and degrees of freedom with its own
  /// numbers. The subdomain id of a cell of deal.II is the process that owns
  /// it; added cells have `artificial`, and values there have no meaning, and
  /// so do children of cells around the own ones that are not around them.
  /// Faces next to cells that a process does not know have the boundary id
  /// `beyond_known_cells` in deal.II, and are none of the boundary of arrays.
  template <int dim>
  class DistributedMesh
  {
  public:
    /// Returns true if p4est can distribute the mesh of a cycle that the
    /// parameters describe, as far as they tell: grids of deal.II's generator
    /// and meshes of files. They must be refined; vertices must not be moved,
    /// cells not cut into simplices and boundaries not divided by formulas.
    /// Without refinement these meshes have only coarsest cells, which p4est
    /// lets all processes know.
    static bool
    is_forest(const Parameters &parameters, int cycle);

    /// Makes the mesh as `make_mesh` does and distributes it; `mesh` becomes
    /// the part that this process knows. p4est takes it if it shall, can and
    /// every process gets cells, although it keeps the children of a cell
    /// together; METIS divides the others. Where processes do the last
    /// refinements, on the backend `where`, they begin with a 64th of their
    /// cells, or with some `n_cells` if these are fewer. Returns null if the
    /// mesh stays whole in every process: if it adapts and p4est cannot
    /// distribute it, or if vertices hang in a grid that refines itself. Throws
    /// MeshError for fewer cells than processes, and what `make_mesh` throws,
    /// in all processes if one throws: errors are found before and after the
    /// functions of deal.II that all processes call together.
    static std::unique_ptr<DistributedMesh>
    make(Mesh<dim> &mesh, const Parameters &parameters, int cycle,
         const Division &division, Backend where = Backend::host,
         int n_cells = 8192);

    ~DistributedMesh();

    /// Returns how the degrees of freedom of a DoFHandler on `mesh` are shared.
    /// Degrees of freedom of artificial cells alone have no owner.
    MeshNodes
    dofs(const dealii::DoFHandler<dim> &dof_handler) const;

    /// Returns how nodes of the arrays of `mesh` are shared; they must not
    /// hang. The lowest process that has one of the cells around a node owns
    /// it, and its id is its place in the first of these cells, counted through
    /// the nodes of the cells of the whole mesh. Nodes of unknown cells alone
    /// have no owner.
    MeshNodes
    nodes(const Mesh<dim> &mesh, const ElementNodes &nodes) const;

    /// Divides and joins cells as dealii::GridRefinement's
    /// refine_and_coarsen_fixed_number does for the indicators of all
    /// processes, [n_active_cells] for `mesh`, except cells that were divided
    /// as often as a level allows; `mesh` is brought up to date. The fields,
    /// [n_dofs] of `dof_handler`, are interpolated to its degrees of freedom on
    /// the new mesh; entries of artificial cells alone are 0. p4est must have
    /// distributed the mesh. Throws MeshError if a process would have no cells;
    /// if it might, no cells are joined.
    void
    adapt(Mesh<dim> &mesh, dealii::DoFHandler<dim> &dof_handler,
          const dealii::Vector<float> &indicators, double refine,
          double coarsen, const MeshLevels &levels,
          std::vector<dealii::Vector<double>> &fields);

  private:
    struct Cells;    ///< of deal.II
    struct Transfer; ///< of fields from one mesh to the next

    explicit DistributedMesh(const Division &division);

    /// Lets p4est distribute the mesh. Returns false if it cannot.
    bool
    grow(Mesh<dim> &mesh, const Parameters &parameters, int cycle);

    /// Lets process 0 make the mesh without its last `levels` refinements,
    /// which the processes do once METIS has divided it. Returns false if
    /// vertices hang.
    bool
    divide(Mesh<dim> &mesh, const Parameters &parameters, int cycle, int levels,
           Backend where);

    /// Returns these levels of a mesh, or -1 if p4est shall distribute it.
    int
    levels_of_processes(const Parameters &parameters, int cycle,
                        int n_cells) const;

    /// Sets `mesh` to the part of the cells that this process knows. Returns
    /// false if a process has no cells.
    bool
    show(Mesh<dim> &mesh) const;

    const Division division;
    std::unique_ptr<Cells> cells;
  };

  /// Returns the constraints of the hanging nodes of the cells of this process,
  /// closed. Cells around them may hang on artificial ones.
  template <int dim>
  dealii::AffineConstraints<double>
  hanging_constraints(const dealii::DoFHandler<dim> &dof_handler,
                      const Division &division = {});

  /// Returns the constraints, closed, of the degrees of freedom on the part of
  /// a distributed mesh that a process knows. `given` are the values of
  /// boundaries there; a node around the own cells whose boundary may be
  /// unknown gets its value from its owner.
  dealii::AffineConstraints<double>
  shared_constraints(const dealii::AffineConstraints<double> &given,
                     const SharedDofs &dofs);

  /// Prints a summary of a mesh. Every process of `division` knows its part:
  /// cells, vertices, boundaries with their numbers of faces, materials with
  /// their numbers of cells, the bounding box and the worst cell. At most 24
  /// boundaries and materials are listed unless `all`.
  template <int dim>
  void
  print_summary(const Mesh<dim> &mesh, std::ostream &out, bool all = true,
                const Division &division = {});
} // namespace tessera
