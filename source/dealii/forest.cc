#include "mesh_tools.h"

#include <tessera/base/error.h>
#include <tessera/dealii/forest.h>

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/solution_transfer.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe.h>

#include <deal.II/lac/la_parallel_vector.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include <p4est.h>
#include <sc.h>

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
  } // namespace


  template <int dim>
  struct Forest<dim>::Cells
  {
    Cells() : triangulation(MPI_COMM_WORLD)
    {}

    /// Leaves cells as they are where they would be joined, if this might leave
    /// a process without cells: p4est keeps the children of a cell together, so
    /// that each process should have twice as many.
    void
    keep_enough(const Division &division)
    {
      constexpr double n_children = 1 << dim;
      std::vector<double> n(1, 0.);
      for (const auto &cell : triangulation.active_cell_iterators())
        if (cell->is_locally_owned())
          n[0] += cell->refine_flag_set()    ? n_children
                  : cell->coarsen_flag_set() ? 1 / n_children
                                             : 1;
      sum_up(&division, n);
      if (n[0] >= 2 * n_children * division.processes().size())
        return;
      bool joins = false;
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          joins |= cell->is_locally_owned() && cell->coarsen_flag_set();
          cell->clear_coarsen_flag();
        }
      joins = division.processes().any(joins);
      if (joins && division.writes() && !keeps)
        std::cerr << "note: Cells are not joined where few would be left for "
                  << division.processes().size() << " processes." << std::endl;
      keeps |= joins;
    }

    dealii::parallel::distributed::Triangulation<dim> triangulation;
    bool keeps = false; ///< that some cells are not joined has been said
  };


  /// Fields on what a process knows of the mesh become those of deal.II's
  /// distributed mesh, which interpolates them.
  template <int dim>
  struct Forest<dim>::Transfer
  {
    using Values = dealii::LinearAlgebra::distributed::Vector<double>;

    explicit Transfer(const Cells &cells) : of_all(cells.triangulation)
    {}

    /// Distributes the degrees of freedom of all processes.
    void
    distribute(const dealii::DoFHandler<dim> &dof_handler,
               const std::size_t n_fields)
    {
      of_all.distribute_dofs(dof_handler.get_fe());
      dealii::IndexSet known;
      dealii::DoFTools::extract_locally_relevant_dofs(of_all, known);
      values.clear();
      values.resize(n_fields);
      for (Values &field : values)
        field.reinit(of_all.locally_owned_dofs(), known, MPI_COMM_WORLD);
    }

    /// Calls visit(index here, index of all) for the degrees of freedom of the
    /// cells that are not artificial.
    template <class Visit>
    void
    for_dofs(const dealii::DoFHandler<dim> &dof_handler,
             const Visit &visit) const
    {
      const unsigned int n = dof_handler.get_fe().n_dofs_per_cell();
      std::vector<dealii::types::global_dof_index> here(n), ids(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          if (cell->subdomain_id() == dealii::numbers::artificial_subdomain_id)
            continue;
          const typename dealii::DoFHandler<dim>::active_cell_iterator same(
            &of_all.get_triangulation(), cell->level(), cell->index(), &of_all);
          cell->get_dof_indices(here);
          same->get_dof_indices(ids);
          for (unsigned int i = 0; i < n; ++i)
            visit(here[i], ids[i]);
        }
    }

    dealii::DoFHandler<dim> of_all;
    std::vector<Values> values; ///< of the fields
  };


  template <int dim>
  Forest<dim>::Forest(const Division &division)
    : division(division), cells(std::make_unique<Cells>())
  {}


  template <int dim>
  Forest<dim>::~Forest() = default;


  template <int dim>
  bool
  Forest<dim>::serves(const Parameters &parameters)
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
  std::unique_ptr<Forest<dim>>
  Forest<dim>::make(Mesh<dim> &mesh, const Parameters &parameters,
                    const int cycle, const Division &division)
  {
    start_p4est();
    const Processes &processes = division.processes();
    const int initial     = parameters.get_integer("Mesh/Initial refinement"),
              levels      = initial + cycle;
    const auto make_whole = [&]() -> std::unique_ptr<Forest> {
      processes.together([&]() { make_mesh(mesh, parameters, cycle); });
      return nullptr;
    };
    bool can_be_distributed = false;
    processes.together([&]() {
      make_mesh(mesh, parameters, -initial);
      can_be_distributed = mesh.triangulation.n_levels() == 1 &&
                           !is_simplex(mesh.cell_type()) && mesh.fibres.empty();
      if (!can_be_distributed)
        return;
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
    if (!can_be_distributed)
      return make_whole();
    std::unique_ptr<Forest> forest(new Forest(division));
    auto &triangulation = forest->cells->triangulation;
    triangulation.copy_triangulation(mesh.triangulation);
    mesh_tools::refine_all(triangulation, levels, mesh.source);
    if (!forest->show(mesh))
      return make_whole();
    processes.together([&]() { mesh_tools::check_cells(mesh); });
    return forest;
  }


  template <int dim>
  bool
  Forest<dim>::show(Mesh<dim> &mesh) const
  {
    division.processes().together([&]() {
      mesh.triangulation.clear();
      mesh.triangulation.copy_triangulation(cells->triangulation);
    });
    return !division.processes().any(
      cells->triangulation.n_locally_owned_active_cells() == 0);
  }


  template <int dim>
  MeshNodes
  Forest<dim>::dofs(const dealii::DoFHandler<dim> &dof_handler) const
  {
    using Index = dealii::types::global_dof_index;
    Transfer transfer(*cells);
    transfer.distribute(dof_handler, 0);
    std::vector<Index> ends;
    for (const auto n : dealii::Utilities::MPI::all_gather(
           MPI_COMM_WORLD, transfer.of_all.n_locally_owned_dofs()))
      ends.push_back((ends.empty() ? 0 : ends.back()) + n);

    MeshNodes result{std::vector<int>(dof_handler.n_dofs(), -1),
                     std::vector<std::int64_t>(dof_handler.n_dofs(), -1)};
    transfer.for_dofs(dof_handler, [&](const Index here, const Index id) {
      result.id[here]    = static_cast<std::int64_t>(id);
      result.owner[here] = static_cast<int>(
        std::upper_bound(ends.begin(), ends.end(), id) - ends.begin());
    });
    return result;
  }


  template <int dim>
  void
  Forest<dim>::adapt(Mesh<dim> &mesh, dealii::DoFHandler<dim> &dof_handler,
                     const dealii::Vector<float> &indicators,
                     const double refine, const double coarsen,
                     const MeshLevels &levels,
                     std::vector<dealii::Vector<double>> &fields)
  {
    using Values        = typename Transfer::Values;
    using Index         = dealii::types::global_dof_index;
    auto &triangulation = cells->triangulation;
    dealii::parallel::distributed::GridRefinement::
      refine_and_coarsen_fixed_number(triangulation, indicators, refine,
                                      coarsen);
    levels.limit(triangulation);
    cells->keep_enough(division);
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
        " cells cannot be distributed among " +
        std::to_string(division.processes().size()) +
        " processes, since the children of a cell stay together.");
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


  template class Forest<2>;
  template class Forest<3>;
} // namespace tessera
