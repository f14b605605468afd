#pragma once

#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/fields/flux.h>

#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
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
      using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;
      const FluxProblem<dim> &problem;
      const bool are_materials;

      unsigned int
      of(const Cell &cell) const
      {
        return are_materials ? cell->material_id() : 0;
      }

      std::optional<Surface>
      surface(const Cell &cell, const unsigned int f) const
      {
        if (cell->face(f)->at_boundary())
          {
            const auto id = cell->face(f)->boundary_id();
            return problem.dirichlet.count(id) > 0
                     ? std::optional<Surface>({false, id})
                     : std::nullopt;
          }
        return are_materials && lies_between_materials(cell, f)
                 ? std::optional<Surface>(
                     {true, cell->neighbor(f)->material_id()})
                 : std::nullopt;
      }

      /// Calls visit(cell, face number, surface) for the faces of surfaces.
      template <class Visit>
      void
      for_surfaces(const Visit &visit) const
      {
        const auto cells =
          active_cells(problem.known.dof_handler, [&](const Cell &cell) {
            const auto faces = cell->face_indices();
            return std::any_of(faces.begin(), faces.end(),
                               [&](const unsigned int f) {
                                 return surface(cell, f).has_value();
                               });
          });
        for (const Cell &cell : cells)
          for (const unsigned int f : cell->face_indices())
            if (const auto there = surface(cell, f))
              visit(cell, f, *there);
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
      std::vector<dealii::types::global_dof_index> dofs;
      regions.for_surfaces(
        [&](const auto &cell, const unsigned int f, const Surface &surface) {
          dofs.resize(cell->get_fe().n_dofs_per_face(f));
          cell->face(f)->get_dof_indices(dofs);
          for (const auto dof : dofs)
            nodes[{regions.problem.known.dof(dof), regions.of(cell)}]
              .parts[surface];
        });
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
      const auto &dof_handler = regions.problem.known.dof_handler;
      std::vector<dealii::types::global_dof_index> dofs(
        dof_handler.get_fe().n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (is_here(regions.problem.division, cell))
          {
            cell->get_dof_indices(dofs);
            for (const auto dof : dofs)
              if (hanging.is_constrained(dof))
                nodes[{dof, regions.of(cell)}];
          }
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
      if (problem.division != nullptr)
        problem.exchange->export_add(given, static_cast<int>(n));
      for (auto &[key, node] : nodes)
        {
          if (key.second != region ||
              (problem.division != nullptr &&
               problem.dofs->owner[key.first] != problem.division->rank()))
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
    auto
    cells_around_surfaces(const Regions<dim> &regions)
    {
      const auto &dof_handler = regions.problem.known.dof_handler;
      std::vector<char> is_there(dof_handler.get_triangulation().n_vertices(),
                                 false);
      regions.for_surfaces(
        [&](const auto &cell, const unsigned int f, const Surface &) {
          for (const unsigned int v : cell->face(f)->vertex_indices())
            is_there[cell->face(f)->vertex_index(v)] = true;
        });
      return active_cells(dof_handler, [&is_there](const auto &cell) {
        const auto corners = cell->vertex_indices();
        return std::any_of(corners.begin(), corners.end(),
                           [&](const unsigned int v) {
                             return is_there[cell->vertex_index(v)] != 0;
                           });
      });
    }
  } // namespace internal::flux
} // namespace tessera
