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

    /// Takes back what would lead to cells of other levels.
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

  /// A mesh whose cells are distributed among processes. p4est does so with
  /// uniform and adaptive meshes of quadrilaterals and hexahedra, of which each
  /// process has a run of the curve through all cells. One process makes all
  /// other meshes and METIS divides them; the other processes never see more
  /// than their part.
  ///
  /// What a process knows of it is an ordinary mesh: its own cells and the
  /// cells around them. To these p4est adds cells as coarse as deal.II allows
  /// elsewhere, and METIS a cell for every boundary and every material of each
  /// body of the mesh, and two for every two materials with a common face. So a
  /// process has all boundaries, materials and interfaces, and degrees of
  /// freedom of its own numbers. The subdomain id of a cell is the process that
  /// has it; added cells have `artificial`, and values there have no meaning.
  /// Faces behind which are cells that a process does not know have the
  /// boundary id `beyond_known_cells`.
  template <int dim>
  class DistributedMesh
  {
  public:
    /// Returns true if p4est can distribute the mesh of a cycle that the
    /// parameters describe, as far as they tell: grids of deal.II's generator
    /// and meshes of files that are refined, whose vertices are not moved,
    /// whose cells are not cut into simplices and whose boundaries are not
    /// divided by formulas. Without refinement they have only cells that p4est
    /// lets all processes know.
    static bool
    is_forest(const Parameters &parameters, int cycle);

    /// Makes the mesh as `make_mesh` does and distributes it; `mesh` becomes
    /// what this process knows of it. p4est takes it if it can and every
    /// process gets cells, although it keeps the children of a cell together;
    /// METIS divides the others. Returns null if the mesh is whole in every
    /// process, since it adapts and p4est cannot distribute it, or since
    /// vertices of a grid hang that is refined by itself. Throws MeshError for
    /// fewer cells than processes, and what `make_mesh` throws, in all
    /// processes if it is thrown in one: what can go wrong is found before and
    /// after the functions of deal.II that all processes call together.
    static std::unique_ptr<DistributedMesh>
    make(Mesh<dim> &mesh, const Parameters &parameters, int cycle,
         const Division &division);

    ~DistributedMesh();

    /// Returns how the degrees of freedom of a DoFHandler on `mesh` are shared.
    /// Those of artificial cells alone belong to nobody.
    MeshNodes
    dofs(const dealii::DoFHandler<dim> &dof_handler) const;

    /// Divides and joins cells as dealii::GridRefinement's
    /// refine_and_coarsen_fixed_number does for the indicators of all
    /// processes, [n_active_cells] for `mesh`, except cells that were divided
    /// as often as a level allows; `mesh` is brought up to date. The fields,
    /// [n_dofs] of `dof_handler`, are interpolated to its degrees of freedom on
    /// the new mesh; entries of artificial cells alone are 0. This is for
    /// meshes that p4est has distributed. Throws MeshError if a process would
    /// have no cells; where it might, none are joined.
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

    /// Lets process 0 make the mesh and METIS divide it. Returns false if its
    /// vertices hang.
    bool
    divide(Mesh<dim> &mesh, const Parameters &parameters, int cycle);

    /// Makes `mesh` what this process knows of the cells. Returns false if a
    /// process has none.
    bool
    show(Mesh<dim> &mesh) const;

    const Division &division;
    std::unique_ptr<Cells> cells;
  };

  /// Returns the constraints of the hanging nodes of the cells of this process,
  /// closed. Cells around them may hang on artificial ones.
  template <int dim>
  dealii::AffineConstraints<double>
  hanging_constraints(const dealii::DoFHandler<dim> &dof_handler,
                      const Division &division = {});

  /// Returns the constraints of the degrees of freedom of a DoFHandler on what
  /// a process knows of a distributed mesh, closed. `given` are the values of
  /// boundaries there; a node around the own cells, whose boundary may be out
  /// of sight, gets its value from its owner. Nodes of own cells hang where
  /// they hang in the whole mesh.
  template <int dim>
  dealii::AffineConstraints<double>
  distributed_constraints(const dealii::DoFHandler<dim> &dof_handler,
                          const dealii::AffineConstraints<double> &given,
                          const Division &division, const SharedDofs &dofs);

  /// Prints a summary of a mesh, of which every process of `division` knows its
  /// part: cells, vertices, boundaries with their numbers of faces, materials
  /// with their numbers of cells, the bounding box and the worst cell. At most
  /// 24 boundaries and materials are listed unless `all`.
  template <int dim>
  void
  print_summary(const Mesh<dim> &mesh, std::ostream &out, bool all = true,
                const Division &division = {});
} // namespace tessera
