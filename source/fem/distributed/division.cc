#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/fem/distributed/division.h>

#include <deal.II/grid/grid_tools.h>

#include <omp.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <thread>

namespace tessera
{
  namespace
  {
    struct Spread
    {
      double min, mean, max;
    };

    Spread
    spread(const std::vector<double> &values)
    {
      const auto [least, most] =
        std::minmax_element(values.begin(), values.end());
      const double sum = std::accumulate(values.begin(), values.end(), 0.);
      return {*least, sum / values.size(), *most};
    }
  } // namespace


  Division
  Division::of_program(const program::CommandLine &line, const Backend backend)
  {
    const Processes &processes = Processes::of_program();
    if (processes.size() == 1)
      {
        if (backend == Backend::cuda)
          runtime::set_device(line.device);
        return {};
      }
    if (!line.export_space.empty())
      throw ParameterError(
        "--export-space is for one process: of several, none has all cells.");
    if (line.n_processes > 1)
      throw ParameterError("--processes is for a program that runs alone.");
    return {processes, backend,
            line.device_given ? std::optional<int>(line.device) : std::nullopt};
  }


  Division::Division(const Processes &processes, const Backend backend,
                     const std::optional<int> &device)
    : all(&processes)
  {
    processes.collectively([&]() {
      if (backend == Backend::cuda)
        set_device_of_process(processes, device.value_or(-1));
    });
    carrier = make_transport(processes, backend);
    if (writes())
      std::cerr << counted(n_processes(), "process") << ": values travel by "
                << carrier->name() << std::endl;
  }


  template <int dim>
  void
  Division::divide(dealii::Triangulation<dim> &triangulation) const
  {
    const auto n_cells = static_cast<int>(triangulation.n_active_cells());
    const int n_parts  = n_processes();
    if (n_cells < n_parts)
      throw MeshError("A mesh of " + std::to_string(n_cells) +
                      (n_cells == 1 ? " cell" : " cells") +
                      " cannot be divided among " + std::to_string(n_parts) +
                      " processes.");
    dealii::SparsityPattern neighbours;
    dealii::DynamicSparsityPattern pattern;
    dealii::GridTools::get_face_connectivity_of_cells(triangulation, pattern);
    neighbours.copy_from(pattern);
    std::vector<unsigned int> part(n_cells, 0);
    if (n_parts > 1)
      dealii::SparsityTools::partition(neighbours, n_parts, part);
    // METIS leaves parts of tiny meshes empty. Equal pieces of the list of
    // cells are not empty.
    std::vector<int> sizes(n_parts, 0);
    for (const unsigned int p : part)
      ++sizes[p];
    const bool some_empty = std::count(sizes.begin(), sizes.end(), 0) > 0;
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        const auto c = static_cast<std::int64_t>(cell->active_cell_index());
        cell->set_subdomain_id(some_empty ? c * n_parts / n_cells : part[c]);
      }
  }


  template <int dim>
  MeshNodes
  Division::dofs(const dealii::DoFHandler<dim> &dof_handler) const
  {
    MeshNodes result;
    result.owner.assign(dof_handler.n_dofs(), n_processes());
    result.id.resize(dof_handler.n_dofs());
    std::iota(result.id.begin(), result.id.end(), std::int64_t(0));
    std::vector<dealii::types::global_dof_index> indices(
      dof_handler.get_fe().n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        cell->get_dof_indices(indices);
        for (const auto dof : indices)
          result.owner[dof] =
            std::min(result.owner[dof], static_cast<int>(cell->subdomain_id()));
      }
    return result;
  }


  void
  Division::share(program::CaseSize &size) const
  {
    if (n_processes() == 1)
      return;
    size.n_processes = n_processes();
    size.n_on_host   = all->size_on_machine();
  }


  void
  Division::describe(program::Case &entry, const Space &space,
                     const double n_known) const
  {
    if (n_processes() == 1)
      return;
    auto &parameters              = entry.parameters;
    parameters["processes"]       = std::int64_t(n_processes());
    parameters["transport"]       = carrier->name();
    const Spread cells            = spread(all->gather(space.n_cells()));
    parameters["imbalance"]       = cells.max / cells.mean;
    parameters["cells_min"]       = std::int64_t(cells.min);
    parameters["cells_mean"]      = cells.mean;
    parameters["cells_max"]       = std::int64_t(cells.max);
    parameters["cells_known_max"] = std::int64_t(all->largest(n_known));
    parameters["ghosts"]          = std::int64_t(
               spread(all->gather(space.n_ghosts)).mean * all->size() + 0.5);
    // If one process does not have a phase, such as assembly without a matrix,
    // no process has it.
    const program::Phases &t = entry.phases;
    for (const auto &[name, seconds] :
         {std::pair<const char *, double>{"mesh", t.mesh},
          {"dofs", t.dofs},
          {"flatten", t.flatten},
          {"pattern", t.pattern},
          {"coefficients", t.coefficients},
          {"upload", t.upload},
          {"assembly", t.assembly},
          {"setup", t.setup},
          {"solve", t.solve}})
      add_spread(entry, std::string(name) + "_seconds", seconds);
  }


  void
  Division::add_spread(program::Case &entry, const std::string &name,
                       const double local) const
  {
    if (n_processes() == 1)
      return;
    const Spread of_all = spread(all->gather(local));
    if (!(of_all.mean >= 0))
      return;
    entry.parameters[name + "_min"]  = of_all.min;
    entry.parameters[name + "_mean"] = of_all.mean;
    entry.parameters[name + "_max"]  = of_all.max;
  }


  template void
  Division::divide(dealii::Triangulation<2> &) const;
  template void
  Division::divide(dealii::Triangulation<3> &) const;
  template MeshNodes
  Division::dofs(const dealii::DoFHandler<2> &) const;
  template MeshNodes
  Division::dofs(const dealii::DoFHandler<3> &) const;
} // namespace tessera
