#include <tessera/base/error.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/fem/input/expression.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <ostream>
#include <sstream>

namespace tessera
{
  namespace
  {
    /// Returns how far a point lies outside of the reference cell.
    template <int dim>
    double
    distance(const dealii::ReferenceCell &type, const dealii::Point<dim> &point)
    {
      double result = 0, sum = 0;
      for (int d = 0; d < dim; ++d)
        {
          result = std::max(result, -point[d]);
          if (type.is_hyper_cube())
            result = std::max(result, point[d] - 1);
          sum += point[d];
        }
      return type.is_hyper_cube() ? result : std::max(result, sum - 1);
    }

    /// Returns a point of the reference cell that is close to a point outside.
    template <int dim>
    dealii::Point<dim>
    close_point(const dealii::ReferenceCell &type, dealii::Point<dim> point)
    {
      double sum = 0;
      for (int d = 0; d < dim; ++d)
        {
          point[d] = std::max(0., type.is_hyper_cube() ? std::min(point[d], 1.)
                                                       : point[d]);
          sum += point[d];
        }
      return type.is_hyper_cube() || sum <= 1 ? point : point / sum;
    }

    /// Returns how far the edges of a cell at the boundary are from the curves
    /// that they approximate, at most. deal.II has middles of edges on curves
    /// for every type of cell, but not of faces; the curves of a file are in
    /// the mapping.
    template <int dim>
    double
    bulge(const dealii::Mapping<dim> &mapping,
          const typename dealii::Triangulation<dim>::active_cell_iterator &cell)
    {
      double result   = 0;
      const auto type = cell->reference_cell();
      for (const unsigned int f : cell->face_indices())
        {
          const auto face = cell->face(f);
          if (!face->at_boundary())
            continue;
          const auto corner = [&](const unsigned int v) {
            return type.template vertex<dim>(
              type.face_to_cell_vertices(f, v, 1));
          };
          for (unsigned int l = 0; l < (dim == 2 ? 1 : face->n_lines()); ++l)
            {
              const auto edge = [&]() {
                if constexpr (dim == 2)
                  return face;
                else
                  return face->line(l);
              }();
              result =
                std::max(result, edge->center(true).distance(edge->center()));
            }
          for (const unsigned int v : face->vertex_indices())
            for (unsigned int w = 0; w < v; ++w)
              {
                // Corners that no edge joins have the middle of a face.
                const dealii::Point<dim> middle((corner(v) + corner(w)) / 2.);
                dealii::Point<dim> straight;
                for (const unsigned int u : cell->vertex_indices())
                  straight +=
                    type.d_linear_shape_function(middle, u) * cell->vertex(u);
                result = std::max(
                  result, straight.distance(
                            mapping.transform_unit_to_real_cell(cell, middle)));
              }
        }
      return result;
    }
  } // namespace


  template <int dim>
  PointLocator<dim>::PointLocator(
    const dealii::Mapping<dim> &mapping,
    const dealii::Triangulation<dim> &triangulation,
    const std::vector<dealii::Point<dim>> &points,
    const Division *const division)
    : division(division), points(points),
      places(points.size(), {triangulation.end(), dealii::Point<dim>(),
                             std::numeric_limits<double>::infinity()})
  {
    namespace index = boost::geometry::index;
    using Entry     = std::pair<dealii::Point<dim>, std::size_t>;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < points.size(); ++i)
      entries.emplace_back(points[i], i);
    const auto tree = dealii::pack_rtree(entries);

    std::vector<Entry> found;
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        if (!is_here(division, cell))
          continue;
        // The box is extended for points that are `near` and for curved sides,
        // which may leave the box of the vertices.
        auto box    = mapping.get_bounding_box(cell);
        double side = 0;
        for (int d = 0; d < dim; ++d)
          side = std::max(side, box.side_length(d));
        box.extend(0.6 * side);
        found.clear();
        tree.query(index::intersects(box), std::back_inserter(found));
        for (const auto &[point, i] : found)
          {
            if (places[i].distance == 0)
              continue;
            try
              {
                const auto unit =
                  mapping.transform_real_to_unit_cell(cell, point);
                const double d = distance(cell->reference_cell(), unit);
                // deal.II does not say that it has found no point of a curved
                // triangle or tetrahedron.
                const auto there =
                  mapping.transform_unit_to_real_cell(cell, unit);
                if (d < places[i].distance &&
                    there.distance(point) < 1e-6 * side)
                  places[i] = {cell, unit, d};
              }
            catch (
              const typename dealii::Mapping<dim>::ExcTransformationFailed &)
              {}
          }
      }
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        Place &place = places[i];
        if (inside(i) || !std::isfinite(place.distance))
          continue;
        place.length = points[i].distance(mapping.transform_unit_to_real_cell(
          place.cell, close_point(place.cell->reference_cell(), place.point)));
        place.behind_curve =
          place.length <= 2 * bulge<dim>(mapping, place.cell);
      }
    if (division != nullptr)
      agree();
  }


  template <int dim>
  void
  PointLocator<dim>::agree()
  {
    const std::size_t n_parts = division->processes().size(),
                      self    = division->rank();
    std::vector<double> distances(places.size() * n_parts, 0.);
    for (std::size_t i = 0; i < places.size(); ++i)
      distances[i * n_parts + self] = places[i].distance;
    sum_up(division, distances);
    std::vector<double> found(places.size() * 3, 0.);
    for (std::size_t i = 0; i < places.size(); ++i)
      {
        const auto first = distances.begin() + i * n_parts;
        Place &place     = places[i];
        place.is_local =
          std::size_t(std::min_element(first, first + n_parts) - first) == self;
        if (place.is_local)
          {
            found[3 * i]     = place.distance;
            found[3 * i + 1] = place.length;
            found[3 * i + 2] = place.behind_curve ? 1. : 0.;
          }
      }
    sum_up(division, found);
    for (std::size_t i = 0; i < places.size(); ++i)
      {
        places[i].distance     = found[3 * i];
        places[i].length       = found[3 * i + 1];
        places[i].behind_curve = found[3 * i + 2] > 0.;
      }
  }


  template <int dim>
  void
  PointLocator<dim>::check(const std::size_t point, const std::string &entry,
                           std::ostream *const out) const
  {
    if (inside(point))
      return;
    std::ostringstream sentence;
    sentence << std::setprecision(3) << "point "
             << place<dim>(points[point].begin_raw()) << " of '" << entry
             << "' is outside of the mesh";
    if (std::isfinite(places[point].distance))
      sentence << ", about " << places[point].length
               << " from its closest cell";
    if (!near(point))
      throw ParameterError("The " + sentence.str() + '.');
    if (out != nullptr)
      *out << "note: the " << sentence.str()
           << ", whose boundary is curved; u is continued from there."
           << std::endl;
  }


  template <int dim>
  typename dealii::DoFHandler<dim>::active_cell_iterator
  PointLocator<dim>::cell_of(const std::size_t point,
                             const dealii::DoFHandler<dim> &dof_handler) const
  {
    const Cell &cell = places[point].cell;
    return {&dof_handler.get_triangulation(), cell->level(), cell->index(),
            &dof_handler};
  }


  template <int dim>
  void
  PointLocator<dim>::share_values(std::vector<double> &values,
                                  const std::size_t n) const
  {
    sum_up(division, values);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!near(i))
        std::fill_n(&values[i * n], n,
                    std::numeric_limits<double>::quiet_NaN());
  }


  template <int dim>
  template <class Visit>
  void
  PointLocator<dim>::for_shape_values(
    const dealii::DoFHandler<dim> &dof_handler, const Visit &visit) const
  {
    const auto &fe = dof_handler.get_fe();
    std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
    for (std::size_t i = 0; i < places.size(); ++i)
      if (near(i) && places[i].is_local)
        {
          cell_of(i, dof_handler)->get_dof_indices(dofs);
          for (std::size_t j = 0; j < dofs.size(); ++j)
            visit(i, fe.system_to_component_index(j).first, dofs[j],
                  fe.shape_value(j, places[i].point));
        }
  }


  template <int dim>
  std::vector<double>
  PointLocator<dim>::values(const dealii::DoFHandler<dim> &dof_handler,
                            const dealii::Vector<double> &u) const
  {
    const std::size_t n = dof_handler.get_fe().n_components();
    std::vector<double> result(places.size() * n, 0.);
    for_shape_values(dof_handler, [&](const std::size_t i, const unsigned int c,
                                      const auto dof, const double phi) {
      result[i * n + c] += u[dof] * phi;
    });
    share_values(result, n);
    return result;
  }


  template <int dim>
  std::vector<double>
  PointLocator<dim>::values_in_cells(
    const dealii::DoFHandler<dim> &dof_handler,
    const DerivedQuantities<dim> &derived) const
  {
    const std::size_t n = derived.columns().size();
    std::vector<double> result(places.size() * n, 0.);
    std::map<unsigned int, std::vector<std::size_t>> points_of_cells;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (near(i) && places[i].is_local)
        points_of_cells[cell_index(i)].push_back(i);
    for (const auto &[cell, of_cell] : points_of_cells)
      {
        std::vector<dealii::Point<dim>> in_cell;
        for (const std::size_t i : of_cell)
          in_cell.push_back(places[i].point);
        std::vector<double> values(of_cell.size() * n);
        derived.at(in_cell)(cell_of(of_cell.front(), dof_handler),
                            values.data());
        for (std::size_t k = 0; k < of_cell.size(); ++k)
          std::copy_n(&values[k * n], n, &result[of_cell[k] * n]);
      }
    share_values(result, n);
    return result;
  }


  template <int dim>
  void
  PointLocator<dim>::add_loads(const dealii::DoFHandler<dim> &dof_handler,
                               const std::vector<double> &forces,
                               dealii::Vector<double> &loads) const
  {
    const std::size_t n = dof_handler.get_fe().n_components();
    for_shape_values(dof_handler, [&](const std::size_t i, const unsigned int c,
                                      const auto dof, const double phi) {
      loads[dof] += forces[i * n + c] * phi;
    });
  }


  template class PointLocator<2>;
  template class PointLocator<3>;
} // namespace tessera
