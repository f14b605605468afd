#include "../mesh/mesh_tools.h"
#include "distributed_cells.h"
#include "divided_arrays.h"
#include "mesh_share.h"

#include <tessera/base/error.h>
#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/distributed/fully_distributed_tria.h>

#include <algorithm>
#include <numeric>

namespace tessera
{
  template <int dim>
  DistributedMesh<dim>::DistributedMesh(const Division &division)
    : division(division), cells(std::make_unique<Cells>())
  {}


  template <int dim>
  DistributedMesh<dim>::~DistributedMesh()
  {}


  template <int dim>
  std::unique_ptr<DistributedMesh<dim>>
  DistributedMesh<dim>::make(Mesh<dim> &mesh, const Parameters &parameters,
                             const int cycle, const Division &division,
                             const Backend where, const int n_cells)
  {
    std::unique_ptr<DistributedMesh> result(new DistributedMesh(division));
    int levels = -1;
    division.processes().collectively([&]() {
      if (division.writes())
        levels = result->levels_of_processes(parameters, cycle, n_cells);
    });
    if (!division.processes().any(levels >= 0) &&
        result->grow(mesh, parameters, cycle))
      return result;
    const bool is_adaptive = mesh_adapts(parameters);
    if (!division.processes().any(is_adaptive) &&
        result->divide(mesh, parameters, cycle, std::max(levels, 0), where))
      return result;
    division.processes().collectively([&]() {
      make_mesh(mesh, parameters, cycle);
      mesh.divide_now();
    });
    return nullptr;
  }


  template <int dim>
  bool
  DistributedMesh<dim>::divide(Mesh<dim> &mesh, const Parameters &parameters,
                               const int cycle, const int levels,
                               const Backend where)
  {
    const Processes &processes = division.processes();
    const auto make_coarsest   = [&]() {
      make_mesh(cells->coarsest, parameters, -initial_refinement(parameters));
    };
    Mesh<dim> whole, distorted;
    std::unique_ptr<const MeshCutter<dim>> cutter;
    processes.collectively([&]() {
      mesh.triangulation().clear();
      if (!division.writes())
        return;
      Parameters of_whole = parameters;
      if (levels > 0 && parameters.get_double("Mesh/Distortion") > 0.)
        {
          make_mesh(distorted, parameters, cycle, where);
          of_whole.set("Mesh/Distortion", "0");
        }
      make_mesh(whole, of_whole, cycle - levels, where);
      whole.divide_now();
      if (whole.hangs())
        return;
      division.divide(whole.triangulation());
      if (whole.curved && !whole.quadratic)
        make_coarsest();
      cutter = std::make_unique<const MeshCutter<dim>>(
        whole, cells->coarsest.triangulation().n_vertices());
    });
    if (!processes.any(cutter != nullptr))
      return false;
    std::vector<std::vector<std::int64_t>> cells_of(processes.size());
    std::vector<char> bytes = processes.deal_out([&](const int rank) {
      MeshShare<dim> of_rank = cutter->share(rank);
      const auto &numbers = of_rank.cells.coarse_cell_index_to_coarse_cell_id;
      cells_of[rank].assign(numbers.begin(), numbers.end());
      of_rank.levels = levels;
      of_rank.moves  = distorted.n_cells() > 0;
      return dealii::Utilities::pack(of_rank, false);
    });
    cutter.reset();
    whole.triangulation().clear();

    MeshShare<dim> share;
    processes.collectively([&]() {
      share = dealii::Utilities::unpack<MeshShare<dim>>(bytes, false);
      bytes = {};
      share.cells.comm = MPI_COMM_WORLD;
      if (!division.writes() && !share.coarsest_vertices.empty())
        make_coarsest();
    });
    cells->triangulation =
      std::make_unique<dealii::parallel::fullydistributed::Triangulation<dim>>(
        MPI_COMM_WORLD);
    cells->triangulation->create_triangulation(share.cells);
    show(mesh);
    mesh.source          = share.source;
    mesh.boundary_names  = share.boundary_names;
    mesh.material_names  = share.material_names;
    mesh.part_of         = share.part_of;
    mesh.node_sets       = std::move(share.node_sets);
    mesh.fibres          = std::move(share.fibres);
    mesh.n_ignored_faces = share.n_ignored_faces;
    mesh.bodies          = std::move(share.bodies);
    mesh.number.assign(share.cells.coarse_cell_index_to_coarse_cell_id.begin(),
                       share.cells.coarse_cell_index_to_coarse_cell_id.end());
    mesh.curved = !share.coarsest_vertices.empty();
    if (mesh.curved)
      {
        // Vertices of the whole mesh may have been moved.
        auto &coarsest = cells->coarsest.triangulation();
        for (const auto &cell : coarsest.active_cell_iterators())
          for (const unsigned int v : cell->vertex_indices())
            cell->vertex(v) = share.coarsest_vertices[cell->vertex_index(v)];
        take_manifolds(mesh.triangulation(), coarsest);
      }
    mesh.quadratic = nullptr;
    if (!share.quadratic_nodes.empty())
      {
        mesh.curved    = true;
        mesh.quadratic = std::make_shared<const QuadraticCells<dim>>(
          mesh.cell_type(), std::move(share.quadratic_nodes));
      }
    mesh.settle();
    if (share.levels == 0)
      return true;
    processes.collectively(
      [&]() { refine_part(mesh, share.levels, division, where); });
    if (!share.moves)
      return true;
    bytes = processes.deal_out([&](const int rank) {
      return vertices_of_parts(*distorted.arrays(), cells_of[rank],
                               std::int64_t(1) << dim * levels);
    });
    processes.collectively([&]() { place_vertices_of_parts(mesh, bytes); });
    return true;
  }


  template <int dim>
  bool
  DistributedMesh<dim>::show(Mesh<dim> &mesh) const
  {
    const Processes &processes = division.processes();
    const auto sizes           = processes.gather(static_cast<double>(
      cells->triangulation->n_locally_owned_active_cells()));
    processes.collectively([&]() {
      mesh.triangulation().clear();
      mesh.triangulation().copy_triangulation(*cells->triangulation);
      mesh.number.assign(mesh.triangulation().n_active_cells(), -1);
      auto next = static_cast<std::int64_t>(
        std::accumulate(sizes.begin(), sizes.begin() + division.rank(), 0.));
      mesh.owner.assign(mesh.number.size(), -1);
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        {
          if (is_known(cell))
            mesh.owner[cell->active_cell_index()] = cell->subdomain_id();
          if (is_own(division, cell))
            mesh.number[cell->active_cell_index()] = next++;
        }
    });
    return std::count(sizes.begin(), sizes.end(), 0.) == 0;
  }


  template <int dim>
  MeshNodes
  DistributedMesh<dim>::dofs(const dealii::DoFHandler<dim> &dof_handler) const
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
    transfer.for_dofs(dof_handler, [&](const Index local, const Index id) {
      result.id[local]    = static_cast<std::int64_t>(id);
      result.owner[local] = static_cast<int>(
        std::upper_bound(ends.begin(), ends.end(), id) - ends.begin());
    });
    return result;
  }


#define INSTANTIATE(dim)                                                     \
  template DistributedMesh<dim>::~DistributedMesh();                         \
  template std::unique_ptr<DistributedMesh<dim>> DistributedMesh<dim>::make( \
    Mesh<dim> &, const Parameters &, int, const Division &, Backend, int);   \
  template bool DistributedMesh<dim>::show(Mesh<dim> &) const;               \
  template MeshNodes DistributedMesh<dim>::dofs(                             \
    const dealii::DoFHandler<dim> &) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
