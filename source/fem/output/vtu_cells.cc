#include "vtu_cells.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/numerics/data_postprocessor.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    /// Returns the place of a point among others.
    template <int dim>
    int
    place_of(const dealii::Point<dim> &point,
             const std::vector<dealii::Point<dim>> &points)
    {
      for (std::size_t i = 0; i < points.size(); ++i)
        if (point.distance_square(points[i]) < 1e-20)
          return static_cast<int>(i);
      throw std::logic_error("SolutionWriter: a point is missing in a cell");
    }

    template <int dim>
    std::unique_ptr<dealii::FiniteElement<dim>>
    make_point_element(const dealii::ReferenceCell &type, const int n)
    {
      if (!type.is_hyper_cube())
        return std::make_unique<dealii::FE_SimplexP<dim>>(n);
      return std::make_unique<dealii::FE_Q<dim>>(
        dealii::QIterated<1>(dealii::QTrapezoid<1>(), n));
    }
  } // namespace


  template <int dim>
  VtuCells<dim>::VtuCells(const dealii::Mapping<dim> &mapping,
                          const dealii::DoFHandler<dim> &dof_handler,
                          const Fields &fields, const int subdivisions,
                          const Division *const division)
    : mapping(mapping), dof_handler(dof_handler), fields(fields),
      triangulation(dof_handler.get_triangulation()),
      type(triangulation.get_reference_cells().front()),
      n_subdivisions(type.is_hyper_cube() ? subdivisions
                                          : std::min(subdivisions, 2)),
      cut(type, n_subdivisions), n_local(cut.points.size()),
      index(triangulation.n_active_cells(), -1)
  {
    for (const auto &cell : triangulation.active_cell_iterators())
      if (is_here(division, cell))
        {
          index[cell->active_cell_index()] = static_cast<int>(cells.size());
          cells.push_back(cell->active_cell_index());
        }
    const auto fe              = make_point_element<dim>(type, n_subdivisions);
    const std::size_t n_points = number_points(*fe);
    owners.assign(n_points, 0);
    for (std::size_t place = numbers.size(); place-- > 0;)
      owners[numbers[place]] = place;
    points.assign(3 * n_points, 0.);
    for_active_cells(triangulation, [&]() {
      return
        [&, at = dealii::FEValues<dim>(
              mapping, *fe, dealii::Quadrature<dim>(cut.points),
              dealii::update_quadrature_points)](const auto &cell) mutable {
          if (!owns_points(cell->active_cell_index()))
            return;
          at.reinit(cell);
          for_owned(cell->active_cell_index(),
                    [&](const std::size_t i, const std::size_t point) {
                      for (int d = 0; d < dim; ++d)
                        points[3 * point + d] = at.quadrature_point(i)[d];
                    });
        };
    });
  }


  template <int dim>
  std::size_t
  VtuCells<dim>::number_points(const dealii::FiniteElement<dim> &fe)
  {
    const bool continuous =
      fields.derived.empty() &&
      std::all_of(fields.nodal.begin(), fields.nodal.end(),
                  [this](const auto &field) {
                    return dofs_of(field).get_fe().conforms(
                      dealii::FiniteElementData<dim>::H1);
                  });
    numbers.resize(cells.size() * n_local);
    if (!continuous)
      {
        for (std::size_t place = 0; place < numbers.size(); ++place)
          numbers[place] = static_cast<int>(place);
        return numbers.size();
      }
    // A field may have its degrees of freedom at just these points.
    dealii::DoFHandler<dim> own;
    const dealii::DoFHandler<dim> *dofs = nullptr;
    for (const NodalField &field : fields.nodal)
      if (const auto &its = dofs_of(field).get_fe();
          its.n_components() == 1 &&
          its.get_unit_support_points() == fe.get_unit_support_points())
        dofs = &dofs_of(field);
    if (dofs == nullptr)
      {
        own.reinit(triangulation);
        own.distribute_dofs(fe);
        dofs = &own;
      }
    std::vector<int> places;
    for (const auto &point : fe.get_unit_support_points())
      places.push_back(place_of(point, cut.points));
    for_active_cells(*dofs, [&]() {
      return [&, indices = std::vector<dealii::types::global_dof_index>(
                   n_local)](const auto &cell) mutable {
        const int c = index[cell->active_cell_index()];
        if (c < 0)
          return;
        cell->get_dof_indices(indices);
        for (std::size_t i = 0; i < n_local; ++i)
          numbers[c * n_local + places[i]] = static_cast<int>(indices[i]);
      };
    });
    std::vector<int> new_number(dofs->n_dofs(), 0);
    for (const int number : numbers)
      new_number[number] = 1;
    int n_points = 0;
    for (int &number : new_number)
      number = number != 0 ? n_points++ : -1;
    for (int &number : numbers)
      number = new_number[number];
    return n_points;
  }


  template <int dim>
  VtuGrid::Field
  VtuCells<dim>::at_points(const NodalField &field) const
  {
    const auto &dofs = dofs_of(field);
    const auto &fe   = dofs.get_fe();
    const int n = fe.n_components(), n_written = n == 1 ? 1 : 3;
    const auto &element = fe.base_element(0);
    // The value at a point is a sum over few nodes; at a node it is that of
    // the node alone, also if another one is not a number.
    std::vector<std::vector<std::pair<unsigned int, double>>> sums(n_local);
    for (std::size_t i = 0; i < n_local; ++i)
      for (unsigned int k = 0; k < element.n_dofs_per_cell(); ++k)
        {
          double factor = element.shape_value(k, cut.points[i]);
          if (std::abs(factor - std::round(factor)) < 1e-13)
            factor = std::round(factor);
          if (factor != 0.)
            sums[i].emplace_back(k, factor);
        }
    VtuGrid::Field result{field.name, n_written, {}};
    result.values.assign(owners.size() * n_written, 0.);
    for_active_cells(dofs, [&]() {
      return [&, indices = std::vector<dealii::types::global_dof_index>(
                   fe.n_dofs_per_cell())](const auto &cell) mutable {
        const std::size_t c = cell->active_cell_index();
        if (!owns_points(c))
          return;
        cell->get_dof_indices(indices);
        for_owned(c, [&](const std::size_t i, const std::size_t point) {
          for (int a = 0; a < std::min(n, n_written); ++a)
            {
              double value = 0;
              for (const auto &[k, factor] : sums[i])
                value +=
                  factor *
                  field.values[indices[fe.component_to_system_index(a, k)]];
              result.values[point * n_written + a] = value;
            }
        });
      };
    });
    return result;
  }


  template <int dim>
  std::vector<VtuGrid::Field>
  VtuCells<dim>::derived() const
  {
    std::vector<VtuGrid::Field> result;
    for (const auto &postprocessor : fields.derived)
      {
        const std::size_t first = result.size();
        std::vector<std::pair<std::size_t, int>> places; // of its numbers
        for (const auto &name : postprocessor->get_names())
          {
            if (places.empty() || name != result.back().name)
              {
                result.push_back({name, 1, {}});
                places.emplace_back(result.size() - 1, 0);
                continue;
              }
            result.back().n_components = 3;
            places.emplace_back(result.size() - 1, places.back().second + 1);
          }
        for (std::size_t f = first; f < result.size(); ++f)
          result[f].values.assign(owners.size() * result[f].n_components, 0.);
        const auto &u = fields.nodal.front().values;
        for_active_cells(dof_handler, [&]() {
          return [&,
                  at = dealii::FEValues<dim>(
                    mapping, dof_handler.get_fe(),
                    dealii::Quadrature<dim>(cut.points),
                    dealii::update_values | dealii::update_gradients |
                      dealii::update_quadrature_points),
                  inputs = dealii::DataPostprocessorInputs::Scalar<dim>(),
                  values = std::vector<dealii::Vector<double>>(
                    n_local, dealii::Vector<double>(places.size()))](
                   const auto &cell) mutable {
            if (!owns_points(cell->active_cell_index()))
              return;
            at.reinit(cell);
            inputs.solution_values.resize(n_local);
            inputs.solution_gradients.resize(n_local);
            at.get_function_values(u, inputs.solution_values);
            at.get_function_gradients(u, inputs.solution_gradients);
            inputs.evaluation_points = at.get_quadrature_points();
            inputs.template set_cell<dim>(cell);
            postprocessor->evaluate_scalar_field(inputs, values);
            for_owned(cell->active_cell_index(), [&](const std::size_t i,
                                                     const std::size_t point) {
              for (std::size_t k = 0; k < places.size(); ++k)
                {
                  VtuGrid::Field &field = result[places[k].first];
                  field.values[point * field.n_components + places[k].second] =
                    values[i][k];
                }
            });
          };
        });
      }
    return result;
  }


  template <int dim>
  VtuGrid
  VtuCells<dim>::grid() const
  {
    VtuGrid grid;
    grid.cell_type            = cut.type;
    grid.n_corners            = static_cast<int>(cut.parts[0].size());
    grid.points               = points;
    grid.subdivisions         = type.is_hyper_cube() ? n_subdivisions : 1;
    const std::size_t n_cells = cells.size(),
                      n_here  = cut.parts.size() * grid.n_corners;
    grid.connectivity.resize(n_cells * n_here);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      {
        std::size_t place = c * n_here;
        for (const auto &part : cut.parts)
          for (const int corner : part)
            grid.connectivity[place++] = numbers[c * n_local + corner];
      }
    for (const NodalField &field : fields.nodal)
      grid.of_points.push_back(at_points(field));
    for (VtuGrid::Field &field : derived())
      grid.of_points.push_back(std::move(field));
    for (const auto &[name, values] : fields.cell)
      grid.of_cells.push_back(
        on_cells(name, 1, [&values = values](const std::size_t c, int) {
          return values[c];
        }));
    for (const auto &[name, vectors] : fields.cell_vectors)
      grid.of_cells.push_back(on_cells(
        name, 3, [&vectors = vectors](const std::size_t c, const int i) {
          return i < dim ? vectors[c][i] : 0.;
        }));
    std::vector<double> materials(triangulation.n_active_cells());
    for_active_cells(triangulation, [&]() {
      return [&](const auto &cell) {
        materials[cell->active_cell_index()] = cell->material_id();
      };
    });
    grid.of_cells.push_back(
      on_cells("material_id", 1, [&materials](const std::size_t c, int) {
        return materials[c];
      }));
    return grid;
  }


  template <int dim>
  VtuGrid
  VtuCells<dim>::boundary() const
  {
    VtuGrid grid;
    VtuGrid::Field ids{"boundary_id", 1, {}};
    // The points of faces, as places among the points of a cell.
    std::vector<std::vector<std::vector<int>>> parts_of_faces;
    for (const unsigned int f : type.face_indices())
      {
        const auto face = type.face_reference_cell(f);
        const CellParts<dim - 1> parts(face, n_subdivisions);
        std::vector<int> places;
        for (const auto &point : parts.points)
          {
            dealii::Point<dim> in_cell;
            for (const unsigned int v : face.vertex_indices())
              in_cell += face.d_linear_shape_function(point, v) *
                         type.vertex<dim>(type.face_to_cell_vertices(f, v, 1));
            places.push_back(place_of(in_cell, cut.points));
          }
        parts_of_faces.push_back(parts.parts);
        for (auto &part : parts_of_faces.back())
          for (int &corner : part)
            corner = places[corner];
        grid.cell_type = parts.type;
        grid.n_corners = static_cast<int>(parts.parts[0].size());
      }
    std::vector<int> numbers_here(owners.size(), -1);
    for (const auto &cell : boundary_cells(triangulation))
      for (const unsigned int f : cell->face_indices())
        if (const int c = index[cell->active_cell_index()];
            c >= 0 && cell->face(f)->at_boundary())
          for (const auto &part : parts_of_faces[f])
            {
              for (const int corner : part)
                {
                  const int point = numbers[c * n_local + corner];
                  int &number     = numbers_here[point];
                  if (number < 0)
                    {
                      number = static_cast<int>(grid.points.size() / 3);
                      grid.points.insert(grid.points.end(),
                                         points.begin() + 3 * point,
                                         points.begin() + 3 * point + 3);
                    }
                  grid.connectivity.push_back(number);
                }
              ids.values.push_back(cell->face(f)->boundary_id());
            }
    grid.of_cells.push_back(std::move(ids));
    return grid;
  }


  template class VtuCells<2>;
  template class VtuCells<3>;
} // namespace tessera
