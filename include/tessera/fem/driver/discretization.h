#pragma once

#include <tessera/base/error.h>
#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/fem/fields/flux_jumps.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/fem/output/solution_writer.h>
#include <tessera/program/memory_estimate.h>

#include <deal.II/base/function.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tessera
{
  /// Declares the sections `Mesh` and `Finite element`: the meshes and degrees
  /// of a study, and the discretisation of its cases. Meshes may adapt
  /// (adaptive_refinement.h) if `adapts`: the application then solves on meshes
  /// with hanging nodes.
  void
  declare_discretization(Parameters &parameters, bool adapts = false);

  /// Returns the entry `Finite element/Degrees`. Throws ParameterError for a
  /// degree that occurs twice.
  std::vector<int>
  read_degrees(const Parameters &parameters);

  /// A case has nothing to solve, since all of its degrees of freedom are
  /// constrained.
  struct NothingToSolve : ParameterError
  {
    using ParameterError::ParameterError;
  };

  /// The mesh of a case, on which several fields may be solved.
  template <int dim>
  struct CaseMesh
  {
    Mesh<dim> mesh;
    std::unique_ptr<DistributedMesh<dim>> distributed; ///< or null
  };

  /// A field on a mesh: elements of one degree, their constraints and space,
  /// and the record of what is solved. A case of a study is one, and makes
  /// further ones on its mesh, such as a temperature beside a displacement:
  ///
  ///     Discretization<dim> temperature(d, 1);
  ///     temperature.build(its_boundary_values);
  ///     d.build(boundary_values, false, dim);
  ///     const auto heat   = temperature.template problem<double>(),
  ///                forces = d.template problem<double>();
  template <int dim>
  struct Discretization : SolverCase
  {
    /// The first field on a mesh, which may be empty still.
    Discretization(
      const Parameters &parameters, const LinearSolver &solver,
      std::shared_ptr<CaseMesh<dim>> mesh = std::make_shared<CaseMesh<dim>>())
      : SolverCase{solver}, parameters(parameters), of_case(std::move(mesh))
    {}

    /// Another field on the mesh of `d`, with the same backend, processes and
    /// parameters, and with its own degree, constraints, space and record. No
    /// field has to be built before another one. After a change of the mesh,
    /// each has to be built anew.
    Discretization(Discretization &d, int degree);

    using Constraints = dealii::AffineConstraints<double>;

    /// Makes the mesh of the cycle that the parameters describe, distributed if
    /// there are several processes. All processes have to call it.
    void
    make_mesh();

    Mesh<dim> &
    mesh()
    {
      return of_case->mesh;
    }

    const Mesh<dim> &
    mesh() const
    {
      return of_case->mesh;
    }

    /// If not null, `mesh` is the part that this process knows.
    DistributedMesh<dim> *
    distributed() const
    {
      return of_case->distributed.get();
    }

    /// Numbers the degrees of freedom of the degree in `entry.problem` on the
    /// mesh, flattens them and builds the space. One process does this on the
    /// arrays of the mesh, if it is conforming and does not adapt, and
    /// component c of node i has the index i n_components + c; otherwise
    /// deal.II distributes the degrees of freedom. `of_boundaries` returns the
    /// closed constraints of boundaries; it is called when `cells`, with the
    /// same numbers, exists. Constraints of hanging nodes are added. If
    /// `all_free` is true, the space counts constrained degrees of freedom as
    /// free, because they are eliminated later. With several components, `fe`
    /// is a system of equal elements. Throws NothingToSolve and what its parts
    /// throw.
    void
    build(const std::function<Constraints()> &of_boundaries,
          bool all_free = false, int n_components = 1);

    /// Returns the closed constraints of boundaries (from `of_boundaries`) and
    /// of hanging nodes. All processes have to call it.
    Constraints
    constraints(const std::function<Constraints()> &of_boundaries) const;

    /// Throws DeviceError, naming `what`, if the case on its mesh, which has
    /// changed since it was built, would not fit into the free memory; `advice`
    /// tells the user what to choose instead. All processes have to call it.
    void
    check_memory(const std::string &what, const std::string &advice) const;

    /// Chooses the preconditioner of the built case by the free memory.
    /// `common` has the components and processes. All processes have to call
    /// it.
    void
    choose_preconditioner(const program::CaseSize &common);

    const Parameters &parameters;
    int cycle         = 0;     ///< of the study: number of further refinements
    bool hangs        = false; ///< some nodes hang, in the cells of any process
    Geometry geometry = Geometry::vertices;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    std::unique_ptr<dealii::FiniteElement<dim>> fe;
    /// The arrays whose nodes are numbered, and their nodes; null if deal.II
    /// has numbered them.
    std::shared_ptr<const MeshArrays> arrays;
    ElementNodes nodes;

    /// Returns all degrees of freedom for deal.II, with the numbers of this
    /// problem. If arrays were numbered, deal.II refines and numbers the mesh
    /// first, with one thread.
    const dealii::DoFHandler<dim> &
    dof_handler() const;

    dealii::DoFHandler<dim> &
    dof_handler();

    /// Forgets the degrees of freedom of deal.II and the cells on a device,
    /// before the mesh changes.
    void
    forget_dofs()
    {
      cells_known = nullptr;
      all_dofs.clear();
      cached_cells = nullptr;
    }

    /// Returns the cells that this process knows, with the numbers of nodes and
    /// degrees of freedom of this problem.
    const CellNodes<dim> &
    cells() const;

    /// Returns how the mesh is divided: if it is not distributed, this process
    /// knows all cells, and all processes do the same with them.
    Division
    mesh_division() const
    {
      return distributed() ? division : Division();
    }

    /// Returns the parts of the mesh that deal.II has made.
    program::LibraryMesh
    deal_ii_cells() const
    {
      using program::LibraryMesh;
      return all_dofs.has_active_dofs() ? LibraryMesh::all
             : mesh().is_coarser()      ? LibraryMesh::none
                                        : LibraryMesh::cells;
    }

    /// Returns a sentence about whether, and why, deal.II has made a
    /// triangulation of all cells.
    std::string
    who_has_cells() const;

    /// Records the time of the output, the largest memory of this process so
    /// far, `host_peak_bytes` and `device_peak_bytes`, and the objects that
    /// deal.II has made, as `deal_ii_cells`: none, mesh or all.
    void
    end_output();

    /// Returns the points of all degrees of freedom, [n_dofs].
    std::vector<dealii::Point<dim>>
    node_points() const;

    /// Returns the values of a function, which all threads may call, at all
    /// degrees of freedom.
    dealii::Vector<double>
    interpolate(const dealii::Function<dim> &function) const;

    /// Returns A u for a form, by deal.II's indices, [n_dofs]: the
    /// contributions of the cells of this process to all entries, including
    /// given and hanging ones. The backend computes it in double.
    dealii::Vector<double>
    product(const Form &form, const dealii::Vector<double> &u) const;

    /// Makes a function that evaluates kappa, for the estimator of meshes that
    /// adapt. Without it, kappa is the same everywhere.
    std::function<Conductivity<dim>()> make_conductivity = {};
    /// The number of values that the coefficients of the application store at
    /// every quadrature point, for estimates of memory.
    int n_varying = 0;
    /// Additional bytes that the application stores at nodes and points of
    /// `space`, in the memory of the backend, for estimates of memory.
    double state_bytes = 0;
    /// The fields that are written beside the solution, once the case is
    /// solved.
    typename SolutionWriter<dim>::Fields fields = {};
    std::string solution_name                   = "solution"; ///< in files

  private:
    std::shared_ptr<CaseMesh<dim>> of_case;
    mutable dealii::DoFHandler<dim> all_dofs;
    mutable std::unique_ptr<const CellNodes<dim>> cells_known;

    /// Returns a function that triangulates cells of `arrays`.
    Triangulate<dim>
    triangulate_cells() const
    {
      return [this](auto &part, const auto &cells) {
        mesh().triangulate(part, cells);
      };
    }

    /// Divides the cells among processes, unless they are distributed, and
    /// determines the owners of degrees of freedom.
    void
    share_dofs();

    /// Returns how the nodes of `flat` are shared.
    MeshNodes
    shared_nodes() const;

    /// Sets the numbers of cells and of free degrees of freedom of `entry`,
    /// summed over all processes.
    void
    count_problem();
  };

  /// Returns the bytes of deal.II's objects, as they were measured with version
  /// 9.4.1.
  program::LibraryBytes
  bytes_of_deal_ii(CellType type);

  /// Decides by the parameters whether arrays or deal.II hold meshes. The
  /// number of processes has to be set.
  void
  set_kind_of_mesh(program::CaseSize &size, const Parameters &parameters);

  /// Returns the size of a case on a mesh that is refined n_times more, a
  /// number that need not be whole, for estimates of memory. `common` has the
  /// components and processes. If a discretised case is given, its data at
  /// quadrature points counts.
  template <int dim>
  program::CaseSize
  case_size(const program::CaseSize &common, const LinearSolver &solver,
            Backend backend, const Mesh<dim> &mesh, int degree, double n_times,
            const Discretization<dim> *d = nullptr);
} // namespace tessera
