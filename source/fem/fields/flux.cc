#include "flux_regions.h"

#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/space/face_data.h>

#include <algorithm>
#include <iterator>

namespace tessera
{
  using namespace internal::flux;

  namespace
  {
    /// Adds integrals of g - alpha u_h. The boundary flux is subtracted from
    /// the residuals at surface nodes.
    template <int dim>
    void
    add_faces(Fluxes &fluxes, Nodes &nodes, const Regions<dim> &regions)
    {
      const FluxProblem<dim> &problem = regions.problem;
      const BoundaryFaces &faces      = problem.faces;
      if (faces.n_faces() == 0)
        return;
      const auto values    = face_shape_values(faces.face_type, faces.degree);
      const std::size_t n  = n_nodes(faces.face_type, faces.degree),
                        nq = n_points(faces.face_type, faces.degree);
      std::vector<Node *> of_face(n);
      for (int face = 0; face < faces.n_faces(); ++face)
        {
          const int *const dofs     = &faces.dofs[face * n];
          const unsigned int region = regions.of(faces.cells[face]);
          double &flux_of_surface =
            fluxes[{region, {false, faces.boundary_ids[face]}}];
          for (std::size_t i = 0; i < n; ++i)
            of_face[i] = nodes.find(dofs[i], region);
          for (std::size_t q = 0; q < nq; ++q)
            {
              const auto phi = [&](const std::size_t i) {
                return values[i * nq + q];
              };
              double u = 0;
              for (std::size_t i = 0; i < n; ++i)
                u += problem.u[dofs[i]] * phi(i);
              const double flux =
                faces.load[face * nq + q] -
                (faces.mass.empty() ? 0. : faces.mass[face * nq + q] * u);
              flux_of_surface += flux;
              for (std::size_t i = 0; i < n; ++i)
                if (of_face[i] != nullptr)
                  of_face[i]->residual -= flux * phi(i);
            }
        }
    }

    /// The flux at a node is shared among its surfaces in proportion to sums
    /// over all of its cells. Adds these sums up at the owners of such nodes,
    /// and erases nodes that other processes own. All processes know the cells
    /// around their nodes, and so the same surfaces.
    template <int dim>
    void
    hand_to_owners(Nodes &nodes, const FluxProblem<dim> &problem)
    {
      const auto &ids = problem.cells.mesh().materials;
      const std::set<unsigned int> materials(ids.data(),
                                             ids.data() + ids.size());
      const auto is_shared = [](const Node &node) {
        return node.is_local && node.parts.size() > 1;
      };
      std::size_t n_parts = 0;
      for (const Node &node : nodes)
        if (is_shared(node))
          n_parts = std::max(n_parts, node.parts.size());
      n_parts =
        static_cast<std::size_t>(problem.cells.division().processes().largest(
          static_cast<double>(n_parts)));
      const MeshNodes &dofs = problem.cells.shared_dofs().nodes;
      MeshNodes shared;
      std::vector<double> values;
      for (const Node &node : nodes)
        if (is_shared(node))
          {
            const auto region = std::distance(
              materials.begin(), materials.lower_bound(node.region));
            shared.owner.push_back(dofs.owner[node.dof]);
            shared.id.push_back(
              dofs.id[node.dof] * static_cast<int>(materials.size()) + region);
            values.push_back(node.residual);
            for (const SurfacePart &part : node.parts)
              values.insert(values.end(), {part.area, part.flux});
            values.resize(shared.id.size() * (1 + 2 * n_parts));
          }
      NodeExchange(problem.cells.division().processes(), shared)
        .export_add(values, static_cast<int>(1 + 2 * n_parts));
      const double *value = values.data();
      nodes.keep_if([&](Node &node) {
        if (!is_shared(node))
          return node.is_local;
        node.residual = value[0];
        std::size_t i = 1;
        for (SurfacePart &part : node.parts)
          {
            part.area = value[i++];
            part.flux = value[i++];
          }
        value += 1 + 2 * n_parts;
        return problem.cells.owns(node.dof);
      });
    }

    /// Moves the contributions of hanging nodes to the nodes that they are
    /// interpolated from. All processes have the entries of `fluxes`.
    template <int dim>
    void
    hand_to_sources_of_regions(Nodes &nodes, const Regions<dim> &regions,
                               const dealii::AffineConstraints<double> &hanging,
                               const Fluxes &fluxes)
    {
      std::map<unsigned int, std::vector<Surface>> surfaces;
      for (const auto &[place, flux] : fluxes)
        surfaces[place.first];
      for (auto &[region, of_region] : surfaces)
        {
          for (const auto id : regions.problem.dirichlet)
            of_region.emplace_back(false, id);
          for (const auto &[place, flux] : fluxes)
            if (const auto &[is_material, id] = place.second; is_material)
              {
                if (place.first == region)
                  of_region.emplace_back(true, id);
                else if (id == region)
                  of_region.emplace_back(true, place.first);
              }
          hand_to_sources(nodes, regions.problem, hanging, region, of_region);
        }
      nodes.keep_if(
        [&](const Node &node) { return !hanging.is_constrained(node.dof); });
    }

    /// Adds to `fluxes` what flows into regions through their surfaces and the
    /// boundaries with data. All processes have the entries of `fluxes`, and
    /// get their sums; there are no others afterwards.
    template <int dim>
    void
    add_fluxes(Fluxes &fluxes, const Regions<dim> &regions)
    {
      const FluxProblem<dim> &problem = regions.problem;
      Fluxes local;
      dealii::AffineConstraints<double> hanging;
      // Nodes may hang in the cells of other processes alone.
      if (const auto *const dofs = problem.cells.with_hanging_nodes())
        hanging = hanging_constraints(*dofs);
      Nodes nodes = nodes_of_surfaces(regions, hanging);
      add_cells(nodes, regions);
      add_faces(local, nodes, regions);
      if (problem.hangs)
        hand_to_sources_of_regions(nodes, regions, hanging, fluxes);
      if (problem.cells.division().n_processes() > 1)
        hand_to_owners(nodes, problem);
      for (const Node &node : nodes)
        {
          double rest = node.residual, area = 0;
          for (const SurfacePart &part : node.parts)
            {
              rest -= part.flux;
              area += part.area;
            }
          for (const SurfacePart &part : node.parts)
            local[{node.region, part.surface}] +=
              part.flux +
              rest * (node.parts.size() == 1 ? 1. : part.area / area);
        }
      std::vector<double> values;
      for (const auto &[place, flux] : fluxes)
        values.push_back(flux + local[place]);
      sum_up(problem.cells.division(), values);
      const double *value = values.data();
      for (auto &[place, flux] : fluxes)
        flux = *value++;
    }
  } // namespace


  template <int dim>
  std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<dim> &problem,
                  std::vector<double> *const at_nodes)
  {
    Fluxes fluxes;
    for (int k = 0; k < problem.n_holders; ++k)
      fluxes[{0, surface_of_holder(k)}] = 0;
    for (const auto id : problem.cells.boundary_ids())
      fluxes[{0, {false, id}}] = 0;
    add_fluxes(fluxes, Regions<dim>(problem, false));
    for (int k = 0; k < problem.n_holders; ++k)
      {
        const auto held = fluxes.find({0, surface_of_holder(k)});
        if (at_nodes != nullptr)
          at_nodes->push_back(held->second);
        fluxes.erase(held);
      }
    std::map<dealii::types::boundary_id, double> result;
    for (const auto &[place, flux] : fluxes)
      result[place.second.second] = flux;
    return result;
  }


  template <int dim>
  std::map<MaterialPair, double>
  interface_fluxes(const FluxProblem<dim> &problem)
  {
    const Regions<dim> regions(problem, true);
    Fluxes fluxes;
    for (const auto &[cell, face, surface] : regions.faces)
      if (surface.first && regions.of(cell) < surface.second)
        fluxes[{regions.of(cell), surface}] = 0;
    add_fluxes(fluxes, regions);
    std::map<MaterialPair, double> result;
    for (const auto &[place, flux] : fluxes)
      result[{place.first, place.second.second}] = flux;
    return result;
  }


#define INSTANTIATE(dim)                                                 \
  template std::map<dealii::types::boundary_id, double> boundary_fluxes( \
    const FluxProblem<dim> &, std::vector<double> *);                    \
  template std::map<MaterialPair, double> interface_fluxes(              \
    const FluxProblem<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
