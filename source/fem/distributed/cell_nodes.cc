#include "../bridge/node_dofs.h"
#include "../mesh/mesh_tools.h"
#include <tessera/fem/distributed/cell_nodes.h>

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tessera
{
  namespace
  {
    /// The maps of files have degree 2.
    template <int dim>
    int
    degree_of(const dealii::Mapping<dim> &mapping)
    {
      unsigned int degree = 2;
      if (const auto *q = dynamic_cast<const dealii::MappingQ<dim> *>(&mapping))
        degree = q->get_degree();
      if (const auto *fe =
            dynamic_cast<const dealii::MappingFE<dim> *>(&mapping))
        degree = fe->get_degree();
      return static_cast<int>(degree);
    }

    /// Returns the shape functions of an element at points, without values that
    /// are mere rounding. `places` are their places in deal.II's order.
    template <int dim>
    auto
    shapes_at(const std::vector<dealii::Point<dim>> &points,
              const dealii::FiniteElement<dim> &fe,
              const std::vector<unsigned int> &places)
    {
      using Shape = typename CellValues<dim>::Shape;
      std::vector<std::vector<Shape>> result(points.size());
      for (std::size_t q = 0; q < points.size(); ++q)
        for (std::size_t i = 0; i < places.size(); ++i)
          {
            Shape shape{static_cast<int>(i),
                        fe.shape_value(places[i], points[q]),
                        fe.shape_grad(places[i], points[q])};
            const double whole = std::round(shape.value);
            if (std::abs(shape.value - whole) < 1e-13)
              shape.value = whole;
            if (shape.value != 0. || shape.gradient.norm() > 1e-13)
              result[q].push_back(shape);
          }
      return result;
    }

    bool
    goes_before(const MeshFace &a, const MeshFace &b)
    {
      return std::pair(a.cell, a.face) < std::pair(b.cell, b.face);
    }

    /// Adds the faces whose two cells are of two materials. All of their
    /// corners belong to several.
    void
    add_faces_between(std::vector<MeshFace> &faces, const MeshArrays &mesh)
    {
      const int n = mesh.corners_per_cell();
      std::vector<std::int64_t> material(mesh.n_vertices(), -1);
      constexpr std::int64_t several = -2;
      for (int c = 0; c < mesh.n_cells(); ++c)
        for (int v = 0; v < n; ++v)
          {
            auto &of_vertex =
              material[mesh.corners.data()[std::size_t(c) * n + v]];
            const auto own = mesh.materials.data()[c];
            of_vertex = of_vertex == -1 || of_vertex == own ? own : several;
          }
      const auto &corners = mesh_tools::faces_of(mesh.cell_type);
      std::vector<std::pair<mesh_tools::FaceKey, MeshFace>> found;
      std::vector<int> vertices;
      for (int c = 0; c < mesh.n_cells(); ++c)
        for (std::size_t f = 0; f < corners.size(); ++f)
          {
            vertices.clear();
            for (const int v : corners[f])
              vertices.push_back(mesh.corners.data()[std::size_t(c) * n + v]);
            if (std::all_of(vertices.begin(), vertices.end(), [&](const int v) {
                  return material[v] == several;
                }))
              found.push_back(
                {mesh_tools::make_key(vertices), {c, static_cast<int>(f), 0}});
          }
      std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
        return a.first < b.first ||
               (a.first == b.first && goes_before(a.second, b.second));
      });
      for (std::size_t i = 0; i + 1 < found.size(); ++i)
        if (found[i].first == found[i + 1].first)
          for (const auto &[inside, beyond] :
               {std::pair(found[i].second, found[i + 1].second),
                std::pair(found[i + 1].second, found[i].second)})
            if (const auto id = mesh.materials.data()[beyond.cell];
                id != mesh.materials.data()[inside.cell])
              faces.push_back({inside.cell, inside.face, id});
    }

    std::vector<unsigned int>
    in_order(const std::size_t n)
    {
      std::vector<unsigned int> result;
      for (unsigned int i = 0; i < n; ++i)
        result.push_back(i);
      return result;
    }
  } // namespace


  template <int dim>
  CellNodes<dim>::CellNodes(
    const MeshArrays &mesh, const ElementNodes &nodes, const int n_components,
    const dealii::Mapping<dim> *const mapping,
    std::function<const Triangulation &()> triangulation,
    const Triangulate<dim> &parts)
    : arrays(&mesh), of_cells(nodes.of_cells.data()),
      n_known_nodes(nodes.n_nodes), n_c(n_components),
      triangulation(std::move(triangulation)),
      of_dofs(std::make_shared<const SharedDofs>())
  {
    set_element(make_element<dim>(mesh.cell_type, nodes.degree));
    if (mesh.backend() != Backend::host ||
        nodes.of_cells.backend() != Backend::host ||
        nodes.of_cells.size() != n_cells() * local.size())
      throw std::logic_error("the nodes do not belong to a mesh of the host");
    set_map(mapping, parts);
  }


  template <int dim>
  CellNodes<dim>::CellNodes(const dealii::Mapping<dim> &mapping,
                            const dealii::DoFHandler<dim> &dof_handler,
                            const Division &division,
                            std::shared_ptr<const SharedDofs> shared)
    : own_arrays(std::make_unique<const MeshArrays>(
        mesh_arrays(dof_handler.get_triangulation(), true))),
      arrays(own_arrays.get()),
      n_c(static_cast<int>(dof_handler.get_fe().n_components())),
      triangulation([&dof_handler]() -> const auto & {
        return dof_handler.get_triangulation();
      }),
      of_processes(division), of_dofs(std::move(shared))
  {
    set_element(dof_handler.get_fe().base_element(0).clone());
    NodeDofs numbers = nodes_of_cells(arrays->cell_type, dof_handler);
    own_nodes        = std::move(numbers.of_cells);
    dofs             = std::move(numbers.dofs);
    of_cells         = own_nodes.data();
    n_known_nodes    = static_cast<int>(dof_handler.n_dofs() / n_c);
    set_map(&mapping);
    if (dof_handler.get_triangulation().has_hanging_nodes())
      hanging = &dof_handler;
    if (division.n_processes() == 1)
      return;
    knowledge.resize(n_cells());
    for_active_cells(dof_handler.get_triangulation(), [&]() {
      return [&](const auto &cell) {
        knowledge[cell->active_cell_index()] =
          tessera::is_own(division, cell) ? own
          : tessera::is_known(cell)       ? known
                                          : unknown;
      };
    });
  }


  template <int dim>
  void
  CellNodes<dim>::set_element(
    std::unique_ptr<const dealii::FiniteElement<dim>> element)
  {
    fe    = std::move(element);
    local = to_local_order<dim>(arrays->cell_type, degree());
  }


  template <int dim>
  void
  CellNodes<dim>::set_map(const dealii::Mapping<dim> *const mapping,
                          const Triangulate<dim> &parts)
  {
    map_fe = make_element<dim>(cell_type(),
                               mapping == nullptr ? 1 : degree_of(*mapping));
    if (map_fe->degree == 1)
      return;
    const dealii::Quadrature<dim> points(map_fe->get_unit_support_points());
    curves.resize(n_cells() * points.size());
    const auto make_visit = [&]() {
      const auto flags = dealii::update_quadrature_points;
      return [this, n = points.size(),
              values = std::make_unique<dealii::FEValues<dim>>(
                *mapping, *map_fe, points, flags)](const auto &cell,
                                                   const std::size_t number) {
        values->reinit(cell);
        std::copy_n(values->get_quadrature_points().begin(), n,
                    curves.begin() + number * n);
      };
    };
    if (parts)
      return for_cells_of_parts(parts, n_cells(), make_visit);
    for_active_cells(triangulation(), [&]() {
      return [visit = make_visit()](const auto &cell) {
        visit(cell, cell->active_cell_index());
      };
    });
  }


  template <int dim>
  void
  CellNodes<dim>::map_points(const std::size_t cell,
                             std::vector<dealii::Point<dim>> &support) const
  {
    const std::size_t n = map_fe->n_dofs_per_cell();
    support.resize(n);
    if (!curves.empty())
      {
        std::copy_n(&curves[cell * n], n, support.begin());
        return;
      }
    const int *const corners = arrays->corners.data() + cell * n;
    for (std::size_t v = 0; v < n; ++v)
      std::copy_n(arrays->vertices.data() + std::size_t(corners[v]) * dim, dim,
                  support[v].begin_raw());
  }


  template <int dim>
  dealii::Point<dim>
  CellNodes<dim>::map(const std::vector<dealii::Point<dim>> &support,
                      const dealii::Point<dim> &unit,
                      dealii::Tensor<2, dim> *const jacobian) const
  {
    dealii::Point<dim> result;
    if (jacobian != nullptr)
      *jacobian = 0;
    for (unsigned int i = 0; i < support.size(); ++i)
      {
        result += map_fe->shape_value(i, unit) * support[i];
        if (jacobian != nullptr)
          *jacobian += outer_product(support[i], map_fe->shape_grad(i, unit));
      }
    return result;
  }


  template <int dim>
  int
  CellNodes<dim>::components_of(const std::size_t size,
                                const std::string &name) const
  {
    const std::size_t n = size / std::max(1, n_known_nodes);
    if (n == 0 || n * n_known_nodes != size)
      throw std::logic_error("the field " + name +
                             " is not one of the nodes of these cells");
    return static_cast<int>(n);
  }


  template <int dim>
  std::vector<dealii::Point<dim>>
  CellNodes<dim>::unit_nodes() const
  {
    std::vector<dealii::Point<dim>> result;
    for (const unsigned int place : local)
      result.push_back(fe->unit_support_point(place));
    return result;
  }


  template <int dim>
  std::set<unsigned int>
  CellNodes<dim>::boundary_ids() const
  {
    std::set<unsigned int> ids;
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      ids.insert(arrays->boundary.data()[f].id);
    return ids;
  }


  template <int dim>
  std::vector<MeshFace>
  CellNodes<dim>::boundary_faces(const std::set<unsigned int> &ids) const
  {
    std::vector<MeshFace> faces;
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      if (const MeshFace &face = arrays->boundary.data()[f];
          ids.count(face.id) > 0 && is_known(face.cell))
        faces.push_back(face);
    std::sort(faces.begin(), faces.end(), goes_before);
    return faces;
  }


  template <int dim>
  std::vector<MeshFace>
  CellNodes<dim>::faces_between_materials() const
  {
    const auto *const materials = arrays->materials.data();
    std::vector<MeshFace> faces;
    if (std::all_of(materials, materials + n_cells(),
                    [&](const auto m) { return m == materials[0]; }))
      return faces;
    if (own_arrays) // where cells may be smaller on one side
      for_active_cells(triangulation(), [&]() {
        return [&](const auto &cell) {
          for (const unsigned int f : cell->face_indices())
            if (lies_between_materials(cell, f))
#pragma omp critical(tessera_cell_nodes)
              faces.push_back({static_cast<int>(cell->active_cell_index()),
                               static_cast<int>(f),
                               cell->neighbor(f)->material_id()});
        };
      });
    else
      add_faces_between(faces, *arrays);
    std::sort(faces.begin(), faces.end(), goes_before);
    return faces;
  }


  template <int dim>
  std::vector<dealii::Point<dim>>
  CellNodes<dim>::points() const
  {
    const int n = nodes_per_cell();
    auto first  = parallel_vector<int>(n_known_nodes);
    for (int cell = n_cells() - 1; cell >= 0; --cell)
      for (int i = 0; i < n; ++i)
        first[nodes(cell)[i]] = cell;
    std::vector<dealii::Point<dim>> result(n_known_nodes);
#pragma omp parallel
    {
      CellValues<dim> values(*this, unit_nodes());
#pragma omp for schedule(static)
      for (int cell = 0; cell < n_cells(); ++cell)
        {
          values.reinit(cell);
          for (int i = 0; i < n; ++i)
            if (first[nodes(cell)[i]] == cell)
              result[nodes(cell)[i]] = values.point(i);
        }
    }
    return result;
  }


  template <int dim>
  CellValues<dim>::CellValues(const CellNodes<dim> &cells,
                              const std::vector<dealii::Point<dim>> &points)
    : of_cells(cells)
  {
    std::vector<unsigned int> places;
    for (int i = 0; i < cells.nodes_per_cell(); ++i)
      places.push_back(cells.place_of_dealii(i));
    of_nodes = shapes_at(points, cells.element(), places);
    of_map   = shapes_at(points, cells.map_element(),
                         in_order(cells.map_element().n_dofs_per_cell()));
  }


  template <int dim>
  void
  CellValues<dim>::reinit(const std::size_t cell)
  {
    current = cell;
    of_cells.map_points(cell, support);
  }


  template class CellNodes<2>;
  template class CellNodes<3>;
  template class CellValues<2>;
  template class CellValues<3>;
} // namespace tessera
