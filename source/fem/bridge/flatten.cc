#include "mesh_vertices.h"
#include "node_dofs.h"

#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/space/quadrature.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/fe_values.h>

#include <numeric>

namespace tessera
{
  namespace
  {
    /// Sets `n_dofs`, `cell_dofs` and, for several components, `dofs`.
    template <int dim>
    void
    set_dofs(FlatProblem &flat, const dealii::DoFHandler<dim> &dof_handler)
    {
      Connectivity &mesh = flat.connectivity;
      NodeDofs numbers   = nodes_of_cells(mesh.cell_type, dof_handler);
      mesh.n_dofs        = dof_handler.n_dofs() / mesh.n_components;
      mesh.cell_dofs     = std::move(numbers.of_cells);
      flat.dofs          = std::move(numbers.dofs);
    }

    /// Sets `constrained`, which is zero, `hanging` and the given values.
    void
    set_constraints(FlatProblem &flat, const std::size_t n_dofs,
                    const dealii::AffineConstraints<double> &constraints)
    {
      Connectivity &mesh   = flat.connectivity;
      flat.boundary_values = parallel_vector<double>(n_dofs);
      std::vector<int> entry_of(flat.dofs.size()); // of a degree of freedom
      for (std::size_t i = 0; i < flat.dofs.size(); ++i)
        entry_of[flat.dofs[i]] = static_cast<int>(i);
      const auto entry = [&](const auto dof) {
        return entry_of.empty() ? static_cast<int>(dof) : entry_of[dof];
      };
      for (const auto &line : constraints.get_lines())
        {
          flat.boundary_values[line.index] = line.inhomogeneity;
          if (line.entries.empty())
            {
              mesh.constrained[entry(line.index)] = 1;
              continue;
            }
          mesh.hanging.begin(entry(line.index));
          for (const auto &[source, weight] : line.entries)
            mesh.hanging.add(entry(source), weight);
        }
    }

    /// Throws ParameterError unless the element is one of `make_element` or a
    /// system of equal ones.
    template <int dim>
    void
    check_element(const dealii::FiniteElement<dim> &fe)
    {
      const auto &base = fe.base_element(0);
      const bool nodal =
        dynamic_cast<const dealii::FE_Q<dim> *>(&base) != nullptr ||
        dynamic_cast<const dealii::FE_SimplexP<dim> *>(&base) != nullptr;
      if (!nodal || fe.n_base_elements() != 1 || fe.n_components() > 3)
        throw ParameterError("The element " + fe.get_name() +
                             " has no kernels; legal are FE_Q, FE_SimplexP and "
                             "an FESystem of up to three equal ones of them.");
    }

    /// Takes points and Jacobians of cells from a mapping.
    template <int dim>
    class Jacobians
    {
    public:
      Jacobians(Connectivity &mesh, const dealii::Mapping<dim> &mapping,
                const std::size_t n_cells)
        : mesh(mesh), mapping(mapping),
          fe(make_element<dim>(mesh.cell_type, mesh.degree)),
          quadrature(cell_quadrature<dim>(mesh.cell_type, mesh.degree))
      {
        mesh.points =
          parallel_vector<double>(n_cells * quadrature.size() * dim);
        mesh.jacobians = parallel_vector<double>(mesh.points.size() * dim);
      }

      /// Sets the points and Jacobians of all cells of a triangulation.
      void
      set(const dealii::Triangulation<dim> &triangulation) const
      {
        for_active_cells(triangulation, [this]() {
          return [this, values = of_cells()](const auto &cell) mutable {
            set(cell, cell->active_cell_index(), *values);
          };
        });
      }

      /// Sets the points and Jacobians of all cells of a mesh by parts.
      void
      set(const Triangulate<dim> &triangulate) const
      {
        const int n_cells = static_cast<int>(mesh.cell_vertices.size() /
                                             mesh.vertices_per_cell());
        for_cells_of_parts(triangulate, n_cells, [this]() {
          return [this, values = of_cells()](const auto &cell,
                                             const std::size_t number) {
            set(cell, number, *values);
          };
        });
      }

    private:
      std::unique_ptr<dealii::FEValues<dim>>
      of_cells() const
      {
        return std::make_unique<dealii::FEValues<dim>>(
          mapping, *fe, quadrature,
          dealii::update_quadrature_points | dealii::update_jacobians);
      }

      template <class Cell>
      void
      set(const Cell &cell, const std::size_t index,
          dealii::FEValues<dim> &values) const
      {
        values.reinit(cell);
        const std::size_t nq = quadrature.size();
        for (std::size_t q = 0; q < nq; ++q)
          for (int i = 0; i < dim; ++i)
            {
              const std::size_t entry = (index * nq + q) * dim + i;
              mesh.points[entry]      = values.quadrature_point(q)[i];
              for (int k = 0; k < dim; ++k)
                mesh.jacobians[entry * dim + k] = values.jacobian(q)[i][k];
            }
      }

      Connectivity &mesh;
      const dealii::Mapping<dim> &mapping;
      const std::unique_ptr<dealii::FiniteElement<dim>> fe;
      const dealii::Quadrature<dim> quadrature;
    };
  } // namespace


  template <int dim>
  void
  set_vertices(Connectivity &mesh,
               const dealii::Triangulation<dim> &triangulation)
  {
    const std::vector<bool> &used = triangulation.get_used_vertices();
    const auto &points            = triangulation.get_vertices();
    auto index                    = parallel_vector<int>(used.size());
    for (std::size_t v = 0; v < used.size(); ++v)
      index[v] = used[v] ? mesh.n_vertices++ : -1;
    mesh.vertices = parallel_vector<double>(std::size_t(mesh.n_vertices) * dim);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < used.size(); ++v)
      for (int d = 0; d < dim && index[v] >= 0; ++d)
        mesh.vertices[static_cast<std::size_t>(index[v]) * dim + d] =
          points[v][d];

    const std::size_t nv = mesh.vertices_per_cell();
    mesh.cell_vertices =
      parallel_vector<int>(triangulation.n_active_cells() * nv);
    for_active_cells(triangulation, [&]() {
      return [&](const auto &cell) {
        for (std::size_t v = 0; v < nv; ++v)
          mesh.cell_vertices[cell->active_cell_index() * nv + v] =
            index[cell->vertex_index(v)];
      };
    });
  }


  template <int dim>
  std::unique_ptr<dealii::FiniteElement<dim>>
  make_element(const CellType type, const int degree)
  {
    if (dimension(type) != dim || degree < 1 || degree > max_degree(type))
      throw ParameterError("There is no element of degree " +
                           std::to_string(degree) + " for cells of type " +
                           to_string(type) + " in " + std::to_string(dim) +
                           " dimensions; legal are degrees 1 to " +
                           std::to_string(max_degree(type)) + ".");
    if (is_simplex(type))
      return std::make_unique<dealii::FE_SimplexP<dim>>(degree);
    return std::make_unique<dealii::FE_Q<dim>>(degree);
  }


  template <int dim>
  std::vector<unsigned int>
  to_local_order(const CellType type, const int degree)
  {
    if (!is_simplex(type))
      return dealii::FETools::lexicographic_to_hierarchic_numbering<dim>(
        degree);
    std::vector<unsigned int> same(n_nodes(type, degree));
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }


  template <int dim>
  dealii::Quadrature<dim>
  cell_quadrature(const CellType type, const int degree)
  {
    const QuadratureRule rule = cell_rule(type, degree);
    std::vector<dealii::Point<dim>> points(rule.weights.size());
    for (std::size_t q = 0; q < points.size(); ++q)
      for (int d = 0; d < dim; ++d)
        points[q][d] = rule.points[q * dim + d];
    return {points, rule.weights};
  }


  template <int dim>
  CellType
  cell_type_of(const dealii::Triangulation<dim> &triangulation)
  {
    const bool empty = triangulation.n_levels() == 0;
    const bool simplex =
      !empty && triangulation.all_reference_cells_are_simplex();
    if (!empty && !simplex &&
        !triangulation.all_reference_cells_are_hyper_cube())
      throw MeshError("The mesh mixes cells of several types.");
    if (dim == 2)
      return simplex ? CellType::triangle : CellType::quadrilateral;
    return simplex ? CellType::tetrahedron : CellType::hexahedron;
  }


  template <int dim>
  FlatProblem
  flatten(const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler,
          const dealii::AffineConstraints<double> &constraints,
          const Geometry geometry)
  {
    const auto &triangulation = dof_handler.get_triangulation();
    check_element(dof_handler.get_fe());
    FlatProblem flat;
    Connectivity &mesh = flat.connectivity;
    mesh.cell_type     = cell_type_of(triangulation);
    mesh.degree        = dof_handler.get_fe().degree;
    mesh.geometry      = geometry;
    mesh.n_components  = dof_handler.get_fe().n_components();

    set_dofs(flat, dof_handler);
    set_vertices(mesh, triangulation);
    if (geometry == Geometry::quadrature)
      Jacobians<dim>(mesh, mapping, triangulation.n_active_cells())
        .set(triangulation);

    mesh.constrained = parallel_vector<char>(dof_handler.n_dofs());
    set_constraints(flat, dof_handler.n_dofs(), constraints);
    return flat;
  }


  template <int dim>
  FlatProblem
  flatten(
    const MeshArrays &mesh, const ElementNodes &nodes, const int n_components,
    const dealii::AffineConstraints<double> &constraints,
    const Geometry geometry, const dealii::Mapping<dim> &mapping,
    const std::function<const dealii::Triangulation<dim> *()> &triangulation,
    const Triangulate<dim> &triangulate)
  {
    const std::size_t n_dofs = std::size_t(nodes.n_nodes) * n_components;
    FlatProblem flat;
    flat.connectivity =
      connectivity(mesh, nodes, parallel_vector<char>(n_dofs), n_components);
    flat.connectivity.geometry = geometry;
    if (n_components > 1)
      {
        flat.dofs = parallel_vector<int>(n_dofs);
        std::iota(flat.dofs.begin(), flat.dofs.end(), 0);
      }
    if (geometry == Geometry::quadrature)
      {
        const Jacobians<dim> jacobians(flat.connectivity, mapping,
                                       mesh.n_cells());
        if (const auto *const whole = triangulation())
          jacobians.set(*whole);
        else
          jacobians.set(triangulate);
      }
    set_constraints(flat, n_dofs, constraints);
    return flat;
  }


#define INSTANTIATE(dim)                                                   \
  template void set_vertices<dim>(Connectivity &,                          \
                                  const dealii::Triangulation<dim> &);     \
  template std::unique_ptr<dealii::FiniteElement<dim>> make_element<dim>(  \
    CellType, int);                                                        \
  template std::vector<unsigned int> to_local_order<dim>(CellType, int);   \
  template dealii::Quadrature<dim> cell_quadrature<dim>(CellType, int);    \
  template CellType cell_type_of<dim>(const dealii::Triangulation<dim> &); \
  template FlatProblem flatten<dim>(                                       \
    const dealii::Mapping<dim> &, const dealii::DoFHandler<dim> &,         \
    const dealii::AffineConstraints<double> &, Geometry);                  \
  template FlatProblem flatten<dim>(                                       \
    const MeshArrays &, const ElementNodes &, int,                         \
    const dealii::AffineConstraints<double> &, Geometry,                   \
    const dealii::Mapping<dim> &,                                          \
    const std::function<const dealii::Triangulation<dim> *()> &,           \
    const Triangulate<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
  template dealii::Quadrature<1>
  cell_quadrature<1>(CellType, int);
} // namespace tessera
