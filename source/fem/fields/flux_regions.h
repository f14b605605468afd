#pragma once

#include "flux_nodes.h"

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
    /// Fluxes through the surfaces of regions, by region and surface.
    using Fluxes = std::map<std::pair<unsigned int, Surface>, double>;

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

    /// Returns the nodes whose residuals are fluxes: the nodes of
    /// Dirichlet boundaries or, of a material, the nodes at materials of higher
    /// ids. Areas and fluxes are 0. Nodes that hang are on the surfaces that
    /// they have faces at, and so are their parents, which may be of cells of
    /// another material alone. There are also nodes that hang in a region which
    /// has cells of this process at them.
    template <int dim>
    Nodes
    nodes_of_surfaces(const Regions<dim> &regions,
                      const dealii::AffineConstraints<double> &hanging);

    /// Moves the contributions of hanging nodes of a region to the nodes of its
    /// surfaces that they are interpolated from, in the process that owns
    /// these. All processes know the same `surfaces`.
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
          const Node *const node = nodes.find(line.index, region);
          if (node == nullptr)
            continue;
          for (const auto &[source, weight] : line.entries)
            {
              double *value = &given[source * n];
              *value += weight * node->residual;
              for (const Surface &surface : surfaces)
                {
                  if (const SurfacePart *const part = node->parts.find(surface))
                    {
                      value[1] += weight * part->area;
                      value[2] += weight * part->flux;
                    }
                  value += 2;
                }
            }
        }
      problem.cells.shared_dofs().exchange.export_add(given,
                                                      static_cast<int>(n));
      for (Node &node : nodes)
        {
          if (node.region != region || !problem.cells.owns(node.dof))
            continue;
          const double *value = &given[node.dof * n];
          node.residual += *value;
          for (const Surface &surface : surfaces)
            {
              if (SurfacePart *const part = node.parts.find(surface))
                {
                  part->area += value[1];
                  part->flux += value[2];
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
    cells_around_surfaces(const Regions<dim> &regions);
  } // namespace internal::flux
} // namespace tessera
