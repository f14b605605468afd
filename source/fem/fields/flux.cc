#include "flux_regions.h"

#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/space/face_data.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace tessera
{
  using namespace internal::flux;

  namespace
  {
    template <int dim>
    dealii::SymmetricTensor<2, dim>
    tensor(const double *values, const int n_components)
    {
      dealii::SymmetricTensor<2, dim> k;
      for (int i = 0, c = 0; i < dim; ++i)
        for (int j = i; j < dim; ++j, ++c)
          k[i][j] = n_components == 1 ? (i == j ? values[0] : 0.) : values[c];
      return k;
    }

    /// Adds the residuals r_i of the cells and, at nodes of several surfaces,
    /// the integrals of the flux over their faces.
    template <int dim>
    void
    add_cells(Nodes &nodes, const Regions<dim> &regions)
    {
      const FluxProblem<dim> &problem = regions.problem;
      const CellNodes<dim> &mesh      = problem.cells;
      const auto rule = cell_quadrature<dim>(mesh.cell_type(), mesh.degree());
      const auto face_rule =
        cell_quadrature<dim - 1>(face_type(mesh.cell_type()), mesh.degree());
      CellValues<dim> in_cell(mesh, rule.get_points());
      FaceTrace<dim> on_face(mesh, face_rule.get_points());
      std::vector<int> place(mesh.n_cells(), -1);
      for (int c = 0; c < problem.space.n_cells(); ++c)
        place[problem.space.mesh_cell[c]] = c;

      const int n = mesh.nodes_per_cell();
      std::vector<Node *> cell_nodes(n);
      const auto gradient = [&](const CellValues<dim> &values,
                                const unsigned int q,
                                const dealii::Tensor<2, dim> &inverse) {
        dealii::Tensor<1, dim> sum;
        for (const auto &shape : values.shapes(q))
          sum += problem.u[values.nodes()[shape.node]] * shape.gradient;
        return sum * inverse;
      };
      // Nodes that hang on those of surfaces may be of other cells.
      std::vector<int> around(mesh.n_cells());
      if (problem.hangs || problem.n_holders > 0)
        std::iota(around.begin(), around.end(), 0);
      else
        around = cells_around_surfaces(regions);
      auto face = regions.faces.begin(); // of surfaces, at cells behind
      for (const int cell : around)
        {
          const int c = place[cell];
          if (c < 0)
            continue;
          const int *const dofs = mesh.nodes(cell);
          bool some = false, shared = problem.hangs;
          for (int i = 0; i < n; ++i)
            {
              cell_nodes[i] = nullptr;
              for_regions_of(nodes, dofs[i], [&](const auto &node) {
                node->second.is_local = true;
                if (node->first.second == regions.of(cell))
                  cell_nodes[i] = &node->second;
              });
              some = some || cell_nodes[i];
              shared =
                shared || (cell_nodes[i] && cell_nodes[i]->parts.size() > 1);
            }
          if (!some)
            continue;
          in_cell.reinit(cell);
          const int nq = static_cast<int>(rule.size());
          for (int q = 0; q < nq; ++q)
            {
              const auto k = tensor<dim>(values_at(problem.kappa, c, q, nq),
                                         problem.kappa.n_components);
              double f     = *values_at(problem.source, c, q, nq);
              const auto jacobian = in_cell.jacobian(q),
                         inverse  = invert(jacobian);
              const double dx     = determinant(jacobian) * rule.weight(q);
              for (const auto &mass : problem.masses)
                for (const auto &shape : in_cell.shapes(q))
                  f -= *values_at(mass.c, c, q, nq) * mass.v[dofs[shape.node]] *
                       shape.value;
              const auto flux = k * gradient(in_cell, q, inverse);
              for (const auto &shape : in_cell.shapes(q))
                if (Node *const node = cell_nodes[shape.node])
                  node->residual +=
                    (flux * (shape.gradient * inverse) - f * shape.value) * dx;
            }
          while (face != regions.faces.end() && face->cell < cell)
            ++face;
          for (; shared && face != regions.faces.end() && face->cell == cell;
               ++face)
            {
              on_face.reinit(cell, face->face);
              const auto &places = on_face.places(face->face);
              for (unsigned int q = 0; q < face_rule.size(); ++q)
                {
                  const auto &values = on_face.in_cell();
                  const auto inverse = invert(values.jacobian(q));
                  const double dS    = on_face.measure(q) * face_rule.weight(q);
                  const double flux =
                    (problem.kappa_at(cell, on_face.point(q)) *
                     gradient(values, q, inverse)) *
                    on_face.normal(q) * dS;
                  for (const int i : places)
                    if (cell_nodes[i])
                      cell_nodes[i]->parts[face->surface].area += dS;
                  for (const auto &shape : values.shapes(q))
                    if (cell_nodes[shape.node] &&
                        std::count(places.begin(), places.end(), shape.node) >
                          0)
                      cell_nodes[shape.node]->parts[face->surface].flux +=
                        flux * shape.value;
                }
            }
        }
    }

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
      for (int face = 0; face < faces.n_faces(); ++face)
        for (std::size_t q = 0; q < nq; ++q)
          {
            const int *dofs = &faces.dofs[face * n];
            const auto phi  = [&](const std::size_t i) {
              return values[i * nq + q];
            };
            double u = 0;
            for (std::size_t i = 0; i < n; ++i)
              u += problem.u[dofs[i]] * phi(i);
            const double flux =
              faces.load[face * nq + q] -
              (faces.mass.empty() ? 0. : faces.mass[face * nq + q] * u);
            const unsigned int region = regions.of(faces.cells[face]);
            fluxes[{region, {false, faces.boundary_ids[face]}}] += flux;
            for (std::size_t i = 0; i < n; ++i)
              {
                const auto node = nodes.find({dofs[i], region});
                if (node != nodes.end())
                  node->second.residual -= flux * phi(i);
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
      for (const auto &[key, node] : nodes)
        if (is_shared(node))
          n_parts = std::max(n_parts, node.parts.size());
      n_parts =
        static_cast<std::size_t>(problem.cells.division()->processes().largest(
          static_cast<double>(n_parts)));
      MeshNodes shared;
      std::vector<double> values;
      for (const auto &[key, node] : nodes)
        if (is_shared(node))
          {
            const auto region = std::distance(
              materials.begin(), materials.lower_bound(key.second));
            shared.owner.push_back(problem.dofs->owner[key.first]);
            shared.id.push_back(problem.dofs->id[key.first] *
                                  static_cast<int>(materials.size()) +
                                region);
            values.push_back(node.residual);
            for (const auto &[surface, part] : node.parts)
              values.insert(values.end(), {part.area, part.flux});
            values.resize(shared.id.size() * (1 + 2 * n_parts));
          }
      NodeExchange(problem.cells.division()->processes(), shared)
        .export_add(values, static_cast<int>(1 + 2 * n_parts));
      const double *value = values.data();
      for (auto node = nodes.begin(); node != nodes.end();)
        {
          bool stays = node->second.is_local;
          if (is_shared(node->second))
            {
              stays = problem.dofs->owner[node->first.first] ==
                      problem.cells.division()->rank();
              node->second.residual = value[0];
              std::size_t i         = 1;
              for (auto &[surface, part] : node->second.parts)
                {
                  part.area = value[i++];
                  part.flux = value[i++];
                }
              value += 1 + 2 * n_parts;
            }
          node = stays ? std::next(node) : nodes.erase(node);
        }
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
      for (const auto &line : hanging.get_lines())
        nodes.erase(nodes.lower_bound({line.index, 0}),
                    nodes.lower_bound({line.index + 1, 0}));
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
      if (problem.hangs)
        hanging = hanging_constraints(*problem.cells.with_hanging_nodes());
      Nodes nodes = nodes_of_surfaces(regions, hanging);
      add_hanging_nodes(nodes, regions, hanging);
      add_cells(nodes, regions);
      add_faces(local, nodes, regions);
      if (problem.hangs)
        hand_to_sources_of_regions(nodes, regions, hanging, fluxes);
      if (problem.cells.division() != nullptr)
        hand_to_owners(nodes, problem);
      for (const auto &[key, node] : nodes)
        {
          double rest = node.residual, area = 0;
          for (const auto &[surface, part] : node.parts)
            {
              rest -= part.flux;
              area += part.area;
            }
          for (const auto &[surface, part] : node.parts)
            local[{key.second, surface}] +=
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
