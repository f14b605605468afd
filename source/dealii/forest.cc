#include "distributed_cells.h"
#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/solution_transfer.h>
#include <deal.II/distributed/tria.h>

#include <algorithm>
#include <cmath>

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

    template <int dim>
    OfP4est<dim> &
    forest(dealii::Triangulation<dim> &triangulation)
    {
      return dynamic_cast<OfP4est<dim> &>(triangulation);
    }
  } // namespace


  template <int dim>
  bool
  DistributedMesh<dim>::is_forest(const Parameters &parameters)
  {
    const std::string type = parameters.get("Mesh/Cell type");
    const bool refines =
      parameters.get_integer("Mesh/Initial refinement") > 0 ||
      parameters.get("Mesh/Refinement") == "adaptive";
    return (parameters.get("Mesh/Type") == "generate" || refines) &&
           parameters.get_double("Mesh/Distortion") == 0. &&
           (type == "auto" || !is_simplex(cell_type_from_string(type)));
  }


  template <int dim>
  bool
  DistributedMesh<dim>::grow(Mesh<dim> &mesh, const Parameters &parameters,
                             const int cycle)
  {
    const Processes &processes = division.processes();
    const int initial = parameters.get_integer("Mesh/Initial refinement"),
              levels  = initial + cycle;
    // One process looks first, so that all make only the coarsest cells of a
    // mesh that p4est takes.
    bool fits = false;
    processes.together([&]() {
      if (!division.writes() || !is_forest(parameters))
        return;
      make_mesh(mesh, parameters, -initial);
      fits = mesh.triangulation.n_levels() == 1 &&
             !is_simplex(mesh.cell_type()) && mesh.fibres.empty();
    });
    if (!processes.any(fits))
      return false;
    processes.together([&]() {
      if (!division.writes())
        make_mesh(mesh, parameters, -initial);
      mesh_tools::check_memory(
        std::ldexp(mesh.triangulation.n_active_cells(), dim * levels) /
          processes.size(),
        mesh.source);
      // Cells that do not fit a curved boundary are found in all processes, by
      // a mesh of their own, before they refine the common one.
      Mesh<dim> finer;
      if (mesh.curved && levels > 0)
        make_mesh(finer, parameters, 1 - initial);
    });
    start_p4est();
    cells->triangulation = std::make_unique<OfP4est<dim>>(MPI_COMM_WORLD);
    cells->triangulation->copy_triangulation(mesh.triangulation);
    mesh_tools::refine_all(*cells->triangulation, levels, mesh.source);
    if (!show(mesh))
      return false;
    processes.together([&]() { mesh_tools::check_cells(mesh); });
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
    triangulation.prepare_coarsening_and_refinement();

    Transfer transfer(*cells);
    transfer.distribute(dof_handler, fields.size());
    const dealii::IndexSet &owned = transfer.of_all.locally_owned_dofs();
    transfer.for_dofs(dof_handler, [&](const Index here, const Index id) {
      for (std::size_t k = 0; k < fields.size() && owned.is_element(id); ++k)
        transfer.values[k](id) = fields[k][here];
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
    if (!show(mesh))
      throw MeshError(
        "A mesh of " + std::to_string(triangulation.n_global_active_cells()) +
        " cells cannot be divided among " +
        std::to_string(division.processes().size()) + " processes.");
    if (fields.empty())
      return;

    dof_handler.reinit(mesh.triangulation);
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
    transfer.for_dofs(dof_handler, [&](const Index here, const Index id) {
      for (std::size_t k = 0; k < fields.size(); ++k)
        fields[k][here] = transfer.values[k](id);
    });
    dof_handler.clear();
  }


#define INSTANTIATE(dim)                                                    \
  template bool DistributedMesh<dim>::is_forest(const Parameters &);        \
  template bool DistributedMesh<dim>::grow(Mesh<dim> &, const Parameters &, \
                                           int);                            \
  template void DistributedMesh<dim>::adapt(                                \
    Mesh<dim> &, dealii::DoFHandler<dim> &, const dealii::Vector<float> &,  \
    double, double, const MeshLevels &,                                     \
    std::vector<dealii::Vector<double>> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
