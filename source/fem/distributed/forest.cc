#include "../mesh/mesh_tools.h"
#include "distributed_cells.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/solution_transfer.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/grid/cell_id.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>

#include <p4est.h>
#include <sc.h>

// Meshes that p4est distributes.
namespace tessera
{
  namespace
  {
    /// Starts p4est, which then prints nothing, when it is called first.
    void
    start_p4est()
    {
      static const bool started = []() {
        sc_init(MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_SILENT);
        p4est_init(nullptr, SC_LP_SILENT);
        return true;
      }();
      (void)started;
    }

    template <int dim>
    using OfP4est = dealii::parallel::distributed::Triangulation<dim>;

    /// Returns the number that a cell has in a uniform mesh of one process.
    template <class Cell>
    std::int64_t
    uniform_number(const Cell &cell)
    {
      const dealii::CellId id = cell->id();
      auto number = static_cast<std::int64_t>(id.get_coarse_cell_id());
      for (const std::uint8_t child : id.get_child_indices())
        number = number * (1 << Cell::AccessorType::dimension) + child;
      return number;
    }

    template <int dim>
    OfP4est<dim> &
    forest(dealii::Triangulation<dim> &triangulation)
    {
      return dynamic_cast<OfP4est<dim> &>(triangulation);
    }

    /// Leaves cells as they are where they would be joined, if this might leave
    /// a process without cells: p4est keeps the children of a cell together, so
    /// that each process should have twice as many. Returns true if some cells
    /// are left.
    template <int dim>
    bool
    keep_enough(OfP4est<dim> &triangulation, const Division &division)
    {
      constexpr double n_children = 1 << dim;
      std::vector<double> n(1, 0.);
      for (const auto &cell : triangulation.active_cell_iterators())
        if (cell->is_locally_owned())
          n[0] += cell->refine_flag_set()    ? n_children
                  : cell->coarsen_flag_set() ? 1 / n_children
                                             : 1;
      sum_up(division, n);
      if (n[0] >= 2 * n_children * division.processes().size())
        return false;
      bool joins = false;
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          joins |= cell->is_locally_owned() && cell->coarsen_flag_set();
          cell->clear_coarsen_flag();
        }
      return division.processes().any(joins);
    }
  } // namespace


  template <int dim>
  bool
  DistributedMesh<dim>::is_forest(const Parameters &parameters, const int cycle)
  {
    const std::string type = parameters.get("Mesh/Cell type");
    const bool refines =
      initial_refinement(parameters) + cycle > 0 || mesh_adapts(parameters);
    return refines && !divides_boundaries(parameters) &&
           parameters.get_double("Mesh/Distortion") == 0. &&
           (type == "auto" || !is_simplex(cell_type_from_string(type)));
  }


  template <int dim>
  bool
  DistributedMesh<dim>::grow(Mesh<dim> &mesh, const Parameters &parameters,
                             const int cycle)
  {
    const Processes &processes = division.processes();
    const int initial          = initial_refinement(parameters),
              levels           = initial + cycle;
    // One process looks first, so that all make only the coarsest cells of a
    // mesh that p4est takes.
    bool fits = false;
    processes.collectively([&]() {
      if (!division.writes() || !is_forest(parameters, cycle))
        return;
      make_mesh(mesh, parameters, -initial);
      // p4est 2.2 ends the program where bodies share edges or corners alone.
      fits = mesh.triangulation().n_levels() == 1 &&
             !is_simplex(mesh.cell_type()) && mesh.fibres.empty() &&
             find_bodies(mesh).joints.empty();
    });
    if (!processes.any(fits))
      return false;
    processes.collectively([&]() {
      if (!division.writes())
        make_mesh(mesh, parameters, -initial);
      mesh_tools::check_memory(
        std::ldexp(mesh.triangulation().n_active_cells(), dim * levels) /
          processes.size(),
        mesh.source);
      // Cells that do not fit a curved boundary are found in all processes, by
      // a mesh of their own, before they refine the common one.
      Mesh<dim> finer;
      if (mesh.curved && levels > 0)
        make_mesh(finer, parameters, 1 - initial);
      if (mesh.curved && !mesh.quadratic)
        make_mesh(cells->coarsest, parameters, -initial);
    });
    start_p4est();
    cells->triangulation = std::make_unique<OfP4est<dim>>(MPI_COMM_WORLD);
    cells->triangulation->copy_triangulation(mesh.triangulation());
    if (mesh.curved)
      take_manifolds<dim>(*cells->triangulation,
                          cells->coarsest.triangulation());
    mesh_tools::refine_all(*cells->triangulation, levels, mesh.source);
    if (mesh.quadratic)
      mesh.quadratic->place_vertices(*cells->triangulation);
    if (!show(mesh))
      return false;
    processes.collectively([&]() {
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        if (cell->subdomain_id() != dealii::numbers::artificial_subdomain_id)
          mesh.number[cell->active_cell_index()] = uniform_number(cell);
      mesh_tools::check_cells(mesh);
    });
    return true;
  }


  template <int dim>
  void
  DistributedMesh<dim>::adapt(Mesh<dim> &mesh,
                              dealii::DoFHandler<dim> &dof_handler,
                              const dealii::Vector<float> &indicators,
                              const double refine, const double coarsen,
                              const MeshLevels &levels,
                              std::vector<dealii::Vector<double>> &fields)
  {
    using Values        = typename Transfer::Values;
    using Index         = dealii::types::global_dof_index;
    auto &triangulation = forest<dim>(*cells->triangulation);
    dealii::parallel::distributed::GridRefinement::
      refine_and_coarsen_fixed_number(triangulation, indicators, refine,
                                      coarsen);
    levels.limit(triangulation);
    if (keep_enough(triangulation, division) && division.writes() &&
        !cells->keeps)
      {
        cells->keeps = true;
        std::cerr << "note: Cells are not joined where few would be left for "
                  << division.processes().size() << " processes." << std::endl;
      }
    triangulation.prepare_coarsening_and_refinement();

    Transfer transfer(*cells);
    transfer.distribute(dof_handler, fields.size());
    const dealii::IndexSet &owned = transfer.of_all.locally_owned_dofs();
    transfer.for_dofs(dof_handler, [&](const Index local, const Index id) {
      for (std::size_t k = 0; k < fields.size() && owned.is_element(id); ++k)
        transfer.values[k](id) = fields[k][local];
    });
    dealii::parallel::distributed::SolutionTransfer<dim, Values> interpolation(
      transfer.of_all);
    std::vector<const Values *> before;
    for (Values &field : transfer.values)
      {
        field.update_ghost_values();
        before.push_back(&field);
      }
    if (!before.empty())
      interpolation.prepare_for_coarsening_and_refinement(before);
    const auto fe = dof_handler.get_fe().clone();
    dof_handler.clear();
    triangulation.execute_coarsening_and_refinement();
    if (mesh.quadratic)
      mesh.quadratic->place_vertices(triangulation);
    if (!show(mesh))
      throw MeshError(
        "A mesh of " + counted(triangulation.n_global_active_cells(), "cell") +
        " cannot be distributed among " +
        std::to_string(division.processes().size()) +
        " processes, since the children of a cell stay together.");
    if (fields.empty())
      return;

    dof_handler.reinit(mesh.triangulation());
    dof_handler.distribute_dofs(*fe);
    transfer.distribute(dof_handler, fields.size());
    std::vector<Values *> after;
    for (Values &field : transfer.values)
      after.push_back(&field);
    interpolation.interpolate(after);
    for (std::size_t k = 0; k < fields.size(); ++k)
      {
        transfer.values[k].update_ghost_values();
        fields[k].reinit(dof_handler.n_dofs());
      }
    transfer.for_dofs(dof_handler, [&](const Index local, const Index id) {
      for (std::size_t k = 0; k < fields.size(); ++k)
        fields[k][local] = transfer.values[k](id);
    });
    dof_handler.clear();
  }


#include "forest.inc"
} // namespace tessera
