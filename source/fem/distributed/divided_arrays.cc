#include "divided_arrays.h"

#include "../mesh/mesh_tools.h"
#include "distributed_cells.h"
#include <tessera/base/leave_larger.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/fem/distributed/cell_nodes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

// Parts of a mesh that processes refine as arrays.
namespace tessera
{
  namespace
  {
    /// Gives the parts of every cell its value.
    template <class T>
    void
    spread(std::vector<T> &values, const std::size_t n_parts)
    {
      auto of_parts = parallel_vector<T>(values.size() * n_parts);
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < of_parts.size(); ++c)
        of_parts[c] = values[c / n_parts];
      values = std::move(of_parts);
    }

    /// Makes cells unknown that have no vertex of a cell of the process `rank`.
    void
    forget_far_cells(std::vector<int> &owner, const MeshArrays &cells,
                     const int rank)
    {
      const std::size_t n      = cells.corners_per_cell();
      const int *const corners = cells.corners.data();
      auto is_near             = parallel_vector<char>(cells.n_vertices(), 0);
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < cells.corners.size(); ++i)
        if (owner[i / n] == rank)
          {
#pragma omp atomic write
            is_near[corners[i]] = 1;
          }
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < owner.size(); ++c)
        if (owner[c] != rank &&
            std::none_of(corners + c * n, corners + (c + 1) * n,
                         [&](const int v) { return is_near[v] != 0; }))
          owner[c] = -1;
    }

    /// Calls visit(vertex) for the vertices of cells in the order in which the
    /// cells, and then their corners, meet them.
    template <class Cells, class Visit>
    void
    for_vertices(const MeshArrays &mesh, const Cells &cells, const Visit &visit)
    {
      const std::size_t n = mesh.corners_per_cell();
      std::vector<char> is_met(mesh.n_vertices(), 0);
      cells([&](const std::int64_t cell) {
        for (std::size_t v = 0; v < n; ++v)
          {
            const int vertex = mesh.corners.data()[cell * n + v];
            if (is_met[vertex] == 0)
              visit(vertex);
            is_met[vertex] = 1;
          }
      });
    }
  } // namespace


  template <int dim>
  int
  DistributedMesh<dim>::levels_of_processes(const Parameters &parameters,
                                            const int cycle,
                                            const int n_cells) const
  {
    const int initial = initial_refinement(parameters),
              levels  = initial + cycle;
    if (mesh_adapts(parameters) ||
        parameters.get("Mesh/Refined by") == "deal.II")
      return -1;
    if (levels == 0 || divides_boundaries(parameters))
      return 0;
    Parameters of_coarsest = parameters;
    of_coarsest.set("Mesh/Distortion", "0");
    of_coarsest.set("Mesh/Cell type", "auto");
    Mesh<dim> coarsest;
    make_mesh(coarsest, of_coarsest, -initial);
    if (coarsest.curved || coarsest.hangs())
      return -1;
    const std::string type = parameters.get("Mesh/Cell type");
    if (type != "auto" && type != to_string(coarsest.cell_type()))
      return 0; // simplices are made of the finest cells
    // The cells around a part, which it refines, too, are to be few beside it.
    const double n_parts = division.n_processes(),
                 finest  = std::ldexp(coarsest.n_cells(), dim * levels),
                 wanted =
                   std::clamp(finest / (64 * n_parts), 2., double(n_cells));
    int first = 0;
    while (first < levels &&
           std::ldexp(coarsest.n_cells(), dim * first) < wanted * n_parts)
      ++first;
    return levels - first;
  }


  template <int dim>
  void
  refine_part(Mesh<dim> &mesh, const int levels, const Division &division,
              const Backend where)
  {
    mesh_tools::check_memory(std::ldexp(mesh.n_cells(), dim * levels),
                             mesh.source);
    mesh.divide_later(levels, false, where);
    const std::size_t n_parts = std::size_t(1) << dim * levels;
    spread(mesh.owner, n_parts);
    spread(mesh.number, n_parts);
    spread(mesh.bodies.of_cell, n_parts);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < mesh.number.size(); ++c)
      mesh.number[c] = mesh.number[c] * n_parts + c % n_parts;
    mesh_tools::inherit_fibres(mesh);
    forget_far_cells(mesh.owner, *mesh.arrays(), division.rank());
    mesh_tools::check_cells(mesh);
  }


  std::vector<char>
  vertices_of_parts(const MeshArrays &whole,
                    const std::vector<std::int64_t> &cells,
                    const std::int64_t n_parts)
  {
    std::vector<double> x;
    for_vertices(
      whole,
      [&](const auto &visit) {
        for (const std::int64_t cell : cells)
          for (std::int64_t k = 0; k < n_parts; ++k)
            visit(cell * n_parts + k);
      },
      [&](const int v) {
        const double *const at =
          whole.vertices.data() + std::size_t(v) * whole.dim();
        x.insert(x.end(), at, at + whole.dim());
      });
    const char *const bytes = reinterpret_cast<const char *>(x.data());
    return {bytes, bytes + x.size() * sizeof(double)};
  }


  template <int dim>
  void
  place_vertices_of_parts(Mesh<dim> &mesh, const std::vector<char> &bytes)
  {
    mesh.change_arrays([&](MeshArrays &cells) {
      if (bytes.size() != cells.vertices.size() * sizeof(double))
        throw std::logic_error("a part has other vertices than the mesh");
      const char *next = bytes.data();
      for_vertices(
        cells,
        [&](const auto &visit) {
          for (int cell = 0; cell < cells.n_cells(); ++cell)
            visit(cell);
        },
        [&](const int v) {
          std::copy_n(next, dim * sizeof(double),
                      reinterpret_cast<char *>(cells.vertices.data() +
                                               std::size_t(v) * dim));
          next += dim * sizeof(double);
        });
    });
    mesh.settle();
  }


  template <int dim>
  MeshNodes
  DistributedMesh<dim>::nodes(const Mesh<dim> &mesh,
                              const ElementNodes &nodes) const
  {
    const int self              = division.rank();
    const std::size_t n_cells   = mesh.owner.size(),
                      n         = nodes.of_cells.size() / n_cells;
    const int *const of_cells   = nodes.of_cells.data();
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    // Threads leave what is larger: how far owners are below the number of
    // processes, and ids below `none`.
    const int n_processes = division.n_processes(), n_nodes = nodes.n_nodes;
    auto below       = parallel_vector<int>(n_nodes);
    auto below_none  = parallel_vector<std::uint64_t>(n_nodes);
    auto is_of_own   = parallel_vector<char>(n_nodes),
         is_of_other = parallel_vector<char>(n_nodes);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      if (const int owner = mesh.owner[c]; owner >= 0)
        for (std::size_t i = 0; i < n; ++i)
          {
            const int node = of_cells[c * n + i];
            char &is_there = (owner == self ? is_of_own : is_of_other)[node];
            leave_larger(below[node], n_processes - owner);
            leave_larger(below_none[node],
                         std::uint64_t(none - (mesh.number[c] * n + i)));
#pragma omp atomic write
            is_there = 1;
          }
    MeshNodes result{parallel_vector<int>(n_nodes),
                     parallel_vector<std::int64_t>(n_nodes)};
#pragma omp parallel for schedule(static)
    for (int node = 0; node < n_nodes; ++node)
      {
        result.owner[node] = n_processes - below[node];
        result.id[node]    = none - std::int64_t(below_none[node]);
      }

    // All cells around the nodes of own cells are known here, and those around
    // other nodes of known cells where these cells are owned.
    auto is_at_border = parallel_vector<char>(n_cells);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      is_at_border[c] =
        mesh.owner[c] >= 0 &&
        (mesh.owner[c] != self ||
         std::any_of(of_cells + c * n, of_cells + (c + 1) * n,
                     [&](const int node) { return is_of_other[node] != 0; }));
    MeshNodes cells_there;
    std::vector<std::size_t> border_cells;
    std::vector<double> values; // owners and ids of their nodes
    for (std::size_t c = 0; c < n_cells; ++c)
      if (is_at_border[c])
        {
          border_cells.push_back(c);
          cells_there.owner.push_back(mesh.owner[c]);
          cells_there.id.push_back(mesh.number[c]);
          for (std::size_t i = 0; i < n; ++i)
            {
              const int node = of_cells[c * n + i];
              values.push_back(result.owner[node]);
              values.push_back(static_cast<double>(result.id[node]));
            }
        }
    NodeExchange(division.processes(), cells_there)
      .import(values, static_cast<int>(2 * n));
    for (std::size_t k = 0; k < border_cells.size(); ++k)
      for (std::size_t i = 0; i < n; ++i)
        if (const int node = of_cells[border_cells[k] * n + i];
            is_of_own[node] == 0)
          {
            result.owner[node] = static_cast<int>(values[2 * (k * n + i)]);
            result.id[node] =
              static_cast<std::int64_t>(values[2 * (k * n + i) + 1]);
          }
#pragma omp parallel for schedule(static)
    for (int node = 0; node < n_nodes; ++node)
      if (result.id[node] == none)
        result.owner[node] = result.id[node] = -1;
    return result;
  }


  template <int dim>
  void
  CellNodes<dim>::share(const Division &division,
                        std::shared_ptr<const SharedDofs> shared,
                        const std::vector<int> &owner)
  {
    if (division.n_processes() == 1)
      return;
    of_processes = division;
    of_dofs      = std::move(shared);
    knowledge.clear();
    for (const int process : owner)
      knowledge.push_back(process == division.rank() ? own
                          : process >= 0             ? known
                                                     : unknown);
  }


#define INSTANTIATE(dim)                                                      \
  template int DistributedMesh<dim>::levels_of_processes(const Parameters &,  \
                                                         int, int) const;     \
  template MeshNodes DistributedMesh<dim>::nodes(const Mesh<dim> &,           \
                                                 const ElementNodes &) const; \
  template void refine_part(Mesh<dim> &, int, const Division &, Backend);     \
  template void place_vertices_of_parts(Mesh<dim> &,                          \
                                        const std::vector<char> &);           \
  template void CellNodes<dim>::share(const Division &,                       \
                                      std::shared_ptr<const SharedDofs>,      \
                                      const std::vector<int> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
