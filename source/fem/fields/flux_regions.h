#pragma once

#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/flux.h>

#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace tessera
{
  namespace internal::flux
  {
    /// A surface of a region: a Dirichlet boundary with its id, {false, id}, or
    /// the surface to another material, {true, id}.
    using Surface = std::pair<bool, unsigned int>;

    /// Stands for the surface of nodes that a condition holds elsewhere than on
    /// boundaries. Its ids are below those of deal.II for inner faces.
    inline Surface
    surface_of_holder(const int holder)
    {
      return {false, std::numeric_limits<unsigned int>::max() - 2u - holder};
    }

    /// Fluxes through the surfaces of regions, by region and surface.
    using Fluxes = std::map<std::pair<unsigned int, Surface>, double>;

    /// The contribution of a node to the flux through surfaces of a region.
    struct Node
    {
      struct Part
      {
        double area = 0; ///< of its faces there
        double flux = 0; ///< integral of (kappa grad u_h) . n phi
      };
      double residual = 0; ///< of the cells of the region
      std::map<Surface, Part> parts;
      bool is_local = false; ///< of a cell of this process
    };

    /// The nodes are found by their degree of freedom and region.
    using Nodes =
      std::map<std::pair<dealii::types::global_dof_index, unsigned int>, Node>;

    /// Calls visit(iterator) for a node in all regions; `visit` may add nodes
    /// of other degrees of freedom.
    template <class Visit>
    void
    for_regions_of(Nodes &nodes, const dealii::types::global_dof_index dof,
                   const Visit &visit)
    {
      for (auto node = nodes.lower_bound({dof, 0});
           node != nodes.end() && node->first.first == dof; ++node)
        visit(node);
    }

    /// The regions out of which fluxes flow: the whole mesh, or the cells of
    /// each material.
    template <int dim>
    struct Regions
    {
      struct Face
      {
        int cell, face;
        Surface surface;
      };

      const FluxProblem<dim> &problem;
      const bool are_materials;
      std::vector<Face> faces; ///< of surfaces, in the order of cells

      Regions(const FluxProblem<dim> &problem, const bool are_materials)
        : problem(problem), are_materials(are_materials)
      {
        for (const MeshFace &face :
             problem.cells.boundary_faces(problem.dirichlet))
          faces.push_back({face.cell, face.face, {false, face.id}});
        if (are_materials)
          for (const MeshFace &face : problem.cells.faces_between_materials())
            faces.push_back({face.cell, face.face, {true, face.id}});
        std::sort(faces.begin(), faces.end(), [](const Face &a, const Face &b) {
          return std::pair(a.cell, a.face) < std::pair(b.cell, b.face);
        });
      }

      unsigned int
      of(const int cell) const
      {
        return are_materials ? problem.cells.mesh().materials.data()[cell] : 0;
      }
    };

    /// Returns the nodes whose residuals are fluxes: those of Dirichlet
    /// boundaries or, of a material, those at materials of higher ids. Areas
    /// and fluxes are 0. Nodes that hang are on the surfaces that they have
    /// faces at, and so are those that they follow from, which may be of cells
    /// of another material alone.
    template <int dim>
    Nodes
    nodes_of_surfaces(const Regions<dim> &regions,
                      const dealii::AffineConstraints<double> &hanging)
    {
      Nodes nodes;
      FaceTrace<dim> trace(regions.problem.cells, {});
      for (const auto &[cell, face, surface] : regions.faces)
        {
          trace.reinit(cell, face);
          for (const int node : trace.nodes())
            nodes[{node, regions.of(cell)}].parts[surface];
        }
      const auto &holder = regions.problem.holder;
      for (std::size_t dof = 0; dof < holder.size(); ++dof)
        if (holder[dof] >= 0 && !regions.are_materials &&
            nodes.count({dof, 0}) == 0)
          nodes[{dof, 0}].parts[surface_of_holder(holder[dof])];
      for (const auto &line : hanging.get_lines())
        for_regions_of(nodes, line.index, [&](const auto &node) {
          for (const auto &[source, weight] : line.entries)
            nodes[{source, node->first.second}].parts.insert(
              node->second.parts.begin(), node->second.parts.end());
        });
      for (auto node = nodes.begin(); node != nodes.end();)
        {
          const Surface last = node->second.parts.rbegin()->first;
          const bool is_needed =
            !regions.are_materials ||
            (last.first && last.second > node->first.second);
          node = is_needed ? std::next(node) : nodes.erase(node);
        }
      return nodes;
    }

    /// Adds the nodes that hang, of every region that has cells of this process
    /// at them.
    template <int dim>
    void
    add_hanging_nodes(Nodes &nodes, const Regions<dim> &regions,
                      const dealii::AffineConstraints<double> &hanging)
    {
      if (hanging.n_constraints() == 0)
        return;
      const CellNodes<dim> &cells = regions.problem.cells;
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        for (int i = 0; i < cells.nodes_per_cell() && cells.is_here(cell); ++i)
          if (const int node = cells.nodes(cell)[i];
              hanging.is_constrained(node))
            nodes[{node, regions.of(cell)}];
    }

    /// Moves the contributions of hanging nodes of a region to the nodes of its
    /// surfaces that they are interpolated from, in the process that owns
    /// these, and erases the hanging nodes. All processes know the same
    /// `surfaces`.
    template <int dim>
    void
    hand_to_sources(Nodes &nodes, const FluxProblem<dim> &problem,
                    const dealii::AffineConstraints<double> &hanging,
                    const unsigned int region,
                    const std::vector<Surface> &surfaces)
    {
      const std::size_t n = 1 + 2 * surfaces.size();
      std::vector<double> given(problem.u.size() * n, 0.);
      for (const auto &line : hanging.get_lines())
        {
          const auto node = nodes.find({line.index, region});
          if (node == nodes.end())
            continue;
          for (const auto &[source, weight] : line.entries)
            {
              double *value = &given[source * n];
              *value += weight * node->second.residual;
              for (const Surface &surface : surfaces)
                {
                  const auto part = node->second.parts.find(surface);
                  if (part != node->second.parts.end())
                    {
                      value[1] += weight * part->second.area;
                      value[2] += weight * part->second.flux;
                    }
                  value += 2;
                }
            }
          nodes.erase(node);
        }
      const Division *const division = problem.cells.division();
      if (division != nullptr)
        problem.exchange->export_add(given, static_cast<int>(n));
      for (auto &[key, node] : nodes)
        {
          if (key.second != region ||
              (division != nullptr &&
               problem.dofs->owner[key.first] != division->rank()))
            continue;
          const double *value = &given[key.first * n];
          node.residual += *value;
          for (const Surface &surface : surfaces)
            {
              const auto part = node.parts.find(surface);
              if (part != node.parts.end())
                {
                  part->second.area += value[1];
                  part->second.flux += value[2];
                }
              value += 2;
            }
        }
    }

    /// Adds the residuals r_i of the cells and, at nodes of several surfaces,
    /// the integrals of the flux over their faces, by all threads. The sums do
    /// not depend on their number.
    template <int dim>
    void
    add_cells(Nodes &nodes, const Regions<dim> &regions);

    /// Returns all cells with nodes on surfaces: a vertex is there, too.
    template <int dim>
    std::vector<int>
    cells_around_surfaces(const Regions<dim> &regions)
    {
      const MeshArrays &mesh = regions.problem.cells.mesh();
      const int n            = mesh.corners_per_cell();
      FaceTrace<dim> trace(regions.problem.cells, {});
      std::vector<char> is_there(mesh.n_vertices(), 0);
      for (const auto &[cell, face, surface] : regions.faces)
        {
          trace.reinit(cell, face);
          for (const int vertex : trace.corners())
            is_there[vertex] = 1;
        }
      std::vector<int> cells;
      for (int cell = 0; cell < mesh.n_cells(); ++cell)
        for (int v = 0; v < n; ++v)
          if (is_there[mesh.corners.data()[std::size_t(cell) * n + v]] != 0)
            {
              cells.push_back(cell);
              break;
            }
      return cells;
    }
  } // namespace internal::flux
} // namespace tessera
