#include "active_cells.h"

#include <tessera/dealii/coefficients.h>
#include <tessera/dealii/flatten.h>
#include <tessera/dealii/flux.h>
#include <tessera/space/face_data.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <memory>

namespace tessera
{
  namespace
  {
    using BoundaryId = dealii::types::boundary_id;

    /// The contribution of a node to the flux through Dirichlet boundaries.
    struct Node
    {
      struct Part
      {
        double area = 0; ///< of its faces there
        double flux = 0; ///< integral of (kappa grad u_h) . n phi
      };
      double residual = 0;
      std::map<BoundaryId, Part> parts;
      bool here = false; ///< of a cell of this process
    };
    using Nodes = std::map<dealii::types::global_dof_index, Node>;

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

    /// Returns the nodes of Dirichlet boundaries; areas and fluxes are 0.
    template <int dim>
    Nodes
    dirichlet_nodes(const FluxProblem<dim> &problem)
    {
      Nodes nodes;
      std::vector<dealii::types::global_dof_index> dofs;
      for (const auto &cell : boundary_cells(problem.dof_handler))
        for (const unsigned int f : cell->face_indices())
          if (cell->face(f)->at_boundary() &&
              problem.dirichlet.count(cell->face(f)->boundary_id()))
            {
              dofs.resize(problem.dof_handler.get_fe().n_dofs_per_face(f));
              cell->face(f)->get_dof_indices(dofs);
              for (const auto dof : dofs)
                nodes[dof].parts[cell->face(f)->boundary_id()];
            }
      return nodes;
    }

    /// Returns how hanging nodes follow from others, those on boundaries, too.
    template <int dim>
    dealii::AffineConstraints<double>
    hanging_nodes(const FluxProblem<dim> &problem)
    {
      dealii::AffineConstraints<double> hanging;
      if (problem.hangs)
        dealii::DoFTools::make_hanging_node_constraints(problem.dof_handler,
                                                        hanging);
      hanging.close();
      return hanging;
    }

    /// Adds the hanging nodes that follow from nodes of Dirichlet boundaries.
    void
    add_hanging_nodes(Nodes &nodes,
                      const dealii::AffineConstraints<double> &hanging)
    {
      std::vector<dealii::types::global_dof_index> found;
      for (const auto &line : hanging.get_lines())
        for (const auto &[source, weight] : line.entries)
          if (nodes.count(source) > 0)
            found.push_back(line.index);
      for (const auto dof : found)
        nodes[dof];
    }

    /// Gives what hanging nodes have to the nodes of Dirichlet boundaries that
    /// they follow from, in the process that owns these, and forgets them.
    template <int dim>
    void
    hand_to_sources(Nodes &nodes, const FluxProblem<dim> &problem,
                    const dealii::AffineConstraints<double> &hanging)
    {
      const std::size_t n = 1 + 2 * problem.dirichlet.size();
      std::vector<double> given(problem.u.size() * n, 0.);
      for (const auto &line : hanging.get_lines())
        {
          const auto node = nodes.find(line.index);
          if (node == nodes.end())
            continue;
          for (const auto &[source, weight] : line.entries)
            {
              double *value = &given[source * n];
              *value += weight * node->second.residual;
              for (const auto id : problem.dirichlet)
                {
                  const auto part = node->second.parts.find(id);
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
      for (auto &[dof, node] : nodes)
        {
          if (problem.division != nullptr &&
              problem.dofs->owner[dof] != problem.division->rank())
            continue;
          const double *value = &given[dof * n];
          node.residual += *value;
          for (const auto id : problem.dirichlet)
            {
              const auto part = node.parts.find(id);
              if (part != node.parts.end())
                {
                  part->second.area += value[1];
                  part->second.flux += value[2];
                }
              value += 2;
            }
        }
    }

    /// Returns all cells with nodes on a boundary: a vertex is there, too.
    template <int dim>
    auto
    cells_around_boundary(const dealii::DoFHandler<dim> &dof_handler)
    {
      const auto &triangulation = dof_handler.get_triangulation();
      std::vector<char> is_there(triangulation.n_vertices(), false);
      for (const auto &cell : boundary_cells(triangulation))
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            for (const unsigned int v : face->vertex_indices())
              is_there[face->vertex_index(v)] = true;
      return active_cells(dof_handler, [&is_there](const auto &cell) {
        const auto corners = cell->vertex_indices();
        return std::any_of(corners.begin(), corners.end(),
                           [&](const unsigned int v) {
                             return is_there[cell->vertex_index(v)] != 0;
                           });
      });
    }

    /// Adds the residuals r_i of the cells and, at nodes of several boundaries,
    /// the integrals of the flux over their faces.
    template <int dim>
    void
    add_cells(Nodes &nodes, const FluxProblem<dim> &problem)
    {
      const auto &fe   = problem.dof_handler.get_fe();
      const int degree = fe.degree;
      dealii::FEValues<dim> cells(
        problem.mapping, fe,
        cell_quadrature<dim>(problem.space.cell_type, degree),
        dealii::update_values | dealii::update_gradients |
          dealii::update_JxW_values);
      dealii::FEFaceValues<dim> faces(
        problem.mapping, fe,
        cell_quadrature<dim - 1>(face_type(problem.space.cell_type), degree),
        dealii::update_values | dealii::update_gradients |
          dealii::update_quadrature_points | dealii::update_normal_vectors |
          dealii::update_JxW_values);
      std::vector<int> place(
        problem.dof_handler.get_triangulation().n_active_cells(), -1);
      for (int c = 0; c < problem.space.n_cells(); ++c)
        place[problem.space.mesh_cell[c]] = c;

      const unsigned int n = fe.n_dofs_per_cell();
      std::vector<dealii::types::global_dof_index> dofs(n), face_dofs;
      std::vector<Node *> here(n);
      const auto gradient = [&](const dealii::FEValuesBase<dim> &values,
                                const unsigned int q) {
        dealii::Tensor<1, dim> sum;
        for (unsigned int i = 0; i < n; ++i)
          sum += problem.u[dofs[i]] * values.shape_grad(i, q);
        return sum;
      };
      // Nodes that hang on those of boundaries may be of other cells.
      const auto around =
        problem.hangs
          ? active_cells(problem.dof_handler, [](const auto &) { return true; })
          : cells_around_boundary(problem.dof_handler);
      for (const auto &cell : around)
        {
          if (place[cell->active_cell_index()] < 0)
            continue;
          cell->get_dof_indices(dofs);
          bool some = false, shared = problem.hangs;
          for (unsigned int i = 0; i < n; ++i)
            {
              const auto found = nodes.find(dofs[i]);
              here[i] = found == nodes.end() ? nullptr : &found->second;
              if (here[i] != nullptr)
                some = here[i]->here = true;
              shared = shared || (here[i] && here[i]->parts.size() > 1);
            }
          if (!some)
            continue;
          cells.reinit(cell);
          const int nq = cells.n_quadrature_points;
          for (int q = 0; q < nq; ++q)
            {
              const int c  = place[cell->active_cell_index()];
              const auto k = tensor<dim>(values_at(problem.kappa, c, q, nq),
                                         problem.kappa.n_components);
              double f     = *values_at(problem.source, c, q, nq);
              for (const auto &mass : problem.masses)
                for (unsigned int i = 0; i < n; ++i)
                  f -= *values_at(mass.c, c, q, nq) * mass.v[dofs[i]] *
                       cells.shape_value(i, q);
              const auto flux = k * gradient(cells, q);
              for (unsigned int i = 0; i < n; ++i)
                if (here[i])
                  here[i]->residual += (flux * cells.shape_grad(i, q) -
                                        f * cells.shape_value(i, q)) *
                                       cells.JxW(q);
            }
          for (const unsigned int f : cell->face_indices())
            {
              const auto id = cell->face(f)->boundary_id();
              if (!shared || !cell->face(f)->at_boundary() ||
                  !problem.dirichlet.count(id))
                continue;
              faces.reinit(cell, f);
              face_dofs.resize(fe.n_dofs_per_face(f));
              cell->face(f)->get_dof_indices(face_dofs);
              for (unsigned int q = 0; q < faces.n_quadrature_points; ++q)
                {
                  const double flux =
                    (problem.kappa_at(cell, faces.quadrature_point(q)) *
                     gradient(faces, q)) *
                    faces.normal_vector(q) * faces.JxW(q);
                  for (unsigned int i = 0; i < n; ++i)
                    if (std::find(face_dofs.begin(), face_dofs.end(),
                                  dofs[i]) != face_dofs.end())
                      {
                        Node::Part &part = here[i]->parts[id];
                        part.area += faces.JxW(q);
                        part.flux += flux * faces.shape_value(i, q);
                      }
                }
            }
        }
    }

    /// Adds integrals of g - alpha u_h; Dirichlet nodes lose their share.
    template <int dim>
    void
    add_faces(std::map<BoundaryId, double> &fluxes, Nodes &nodes,
              const FluxProblem<dim> &problem)
    {
      const BoundaryFaces &faces = problem.faces;
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
            fluxes[faces.boundary_ids[face]] += flux;
            for (std::size_t i = 0; i < n; ++i)
              {
                const auto node = nodes.find(dofs[i]);
                if (node != nodes.end())
                  node->second.residual -= flux * phi(i);
              }
          }
    }

    /// A flux is shared among the boundaries of a node by what all of its cells
    /// have added. Lets the owners of such nodes have that, and forgets those
    /// that others own.
    template <int dim>
    void
    hand_to_owners(Nodes &nodes, const FluxProblem<dim> &problem)
    {
      const std::size_t n_values = 1 + 2 * problem.dirichlet.size();
      MeshNodes shared;
      std::vector<double> values;
      // Calls visit(value) for what is kept of a node.
      const auto for_values = [&](Node &node, const auto &visit) {
        visit(node.residual);
        for (const auto id : problem.dirichlet)
          {
            visit(node.parts[id].area);
            visit(node.parts[id].flux);
          }
      };
      const auto is_shared = [](const Node &node) {
        return node.here && node.parts.size() > 1;
      };
      for (const auto &[dof, node] : nodes)
        if (is_shared(node))
          {
            shared.owner.push_back(problem.dofs->owner[dof]);
            shared.id.push_back(problem.dofs->id[dof]);
            Node all = node;
            for_values(all, [&](const double v) { values.push_back(v); });
          }
      NodeExchange(problem.division->processes(), shared)
        .export_add(values, static_cast<int>(n_values));
      std::size_t place = 0;
      for (auto node = nodes.begin(); node != nodes.end();)
        {
          const bool is_mine =
            problem.dofs->owner[node->first] == problem.division->rank();
          if (is_shared(node->second))
            {
              const auto before = node->second.parts;
              for_values(node->second, [&](double &v) { v = values[place++]; });
              for (const auto id : problem.dirichlet)
                if (before.count(id) == 0)
                  node->second.parts.erase(id);
              node = is_mine ? std::next(node) : nodes.erase(node);
            }
          else
            node = node->second.here ? std::next(node) : nodes.erase(node);
        }
    }
  } // namespace


  template <int dim>
  std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<dim> &problem)
  {
    std::map<BoundaryId, double> fluxes;
    for (const auto id : boundary_ids(problem.dof_handler.get_triangulation()))
      fluxes[id] = 0;
    Nodes nodes        = dirichlet_nodes(problem);
    const auto hanging = hanging_nodes(problem);
    add_hanging_nodes(nodes, hanging);
    add_cells(nodes, problem);
    add_faces(fluxes, nodes, problem);
    if (problem.hangs)
      hand_to_sources(nodes, problem, hanging);
    if (problem.division != nullptr)
      hand_to_owners(nodes, problem);
    for (const auto &[dof, node] : nodes)
      {
        double rest = node.residual, area = 0;
        for (const auto &[id, part] : node.parts)
          {
            rest -= part.flux;
            area += part.area;
          }
        for (const auto &[id, part] : node.parts)
          fluxes[id] +=
            part.flux + rest * (node.parts.size() == 1 ? 1. : part.area / area);
      }
    std::vector<double> values;
    for (const auto &[id, flux] : fluxes)
      values.push_back(flux);
    sum_up(problem.division, values);
    std::size_t place = 0;
    for (auto &[id, flux] : fluxes)
      flux = values[place++];
    return fluxes;
  }


  template std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<2> &);
  template std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<3> &);
} // namespace tessera
