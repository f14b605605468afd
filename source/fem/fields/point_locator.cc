#include "point_field.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/fem/input/expression.h>

#include <deal.II/numerics/rtree.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>

namespace tessera
{
  namespace
  {
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
    bulge(const CellNodes<dim> &cells,
          const typename dealii::Triangulation<dim>::active_cell_iterator &cell)
    {
      double result   = 0;
      const auto type = cell->reference_cell();
      std::vector<dealii::Point<dim>> support;
      cells.map_points(cell->active_cell_index(), support);
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
                  result, straight.distance(cells.map(support, middle)));
              }
        }
      return result;
    }
  } // namespace


  template <int dim>
  std::optional<dealii::Point<dim>>
  PointLocator<dim>::in_reference_cell(const std::size_t cell,
                                       const dealii::Point<dim> &point) const
  {
    std::vector<dealii::Point<dim>> support;
    cells.map_points(cell, support);
    dealii::Tensor<2, dim> jacobian;
    dealii::Point<dim> unit =
      cells.element().reference_cell().template barycenter<dim>();
    auto missing = point - cells.map(support, unit, &jacobian);
    for (int step = 0; step < 30; ++step)
      {
        if (!(std::abs(determinant(jacobian)) > 0))
          return {};
        const auto change = invert(jacobian) * missing;
        if (change.norm() < 1e-13)
          return unit;
        // A step that makes it worse is too long.
        for (double length = 1;; length /= 2)
          {
            if (length < 1e-3)
              return {};
            const dealii::Point<dim> next(unit + length * change);
            const auto rest = point - cells.map(support, next, &jacobian);
            if (rest.norm() > missing.norm() && length * change.norm() > 1e-11)
              continue;
            unit    = next;
            missing = rest;
            break;
          }
      }
    return unit;
  }


  template <int dim>
  PointLocator<dim>::PointLocator(const CellNodes<dim> &cells,
                                  const std::vector<dealii::Point<dim>> &points)
    : cells(cells), points(points), places(points.size())
  {
    namespace index = boost::geometry::index;
    using Entry     = std::pair<dealii::Point<dim>, std::size_t>;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < points.size(); ++i)
      entries.emplace_back(points[i], i);
    const auto tree = dealii::pack_rtree(entries);

    // Threads find cells whose boxes have points, in the order of cells.
    struct Candidate
    {
      std::size_t cell, point;
      double side;
    };
    std::vector<std::vector<Candidate>> of_threads(omp_get_max_threads());
#pragma omp parallel
    {
      auto &candidates = of_threads[omp_get_thread_num()];
      std::vector<Entry> found;
      std::vector<dealii::Point<dim>> support;
#pragma omp for schedule(static)
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        {
          if (!cells.is_own(cell))
            continue;
          // The box is extended for points that are `near` and for curved
          // sides, which may leave the box of the points of the map.
          cells.map_points(cell, support);
          dealii::BoundingBox<dim> box(support);
          double side = 0;
          for (int d = 0; d < dim; ++d)
            side = std::max(side, box.side_length(d));
          box.extend(0.6 * side);
          found.clear();
          tree.query(index::intersects(box), std::back_inserter(found));
          for (const auto &[point, i] : found)
            candidates.push_back({std::size_t(cell), i, side});
        }
    }
    const auto type = cells.element().reference_cell();
    std::vector<dealii::Point<dim>> support;
    for (const auto &candidates : of_threads)
      for (const auto &[cell, i, side] : candidates)
        {
          if (places[i].distance == 0)
            continue;
          const auto unit = in_reference_cell(cell, points[i]);
          if (!unit)
            continue;
          const double d = distance_to_cell(type.is_simplex(), *unit);
          cells.map_points(cell, support);
          if (d < places[i].distance &&
              cells.map(support, *unit).distance(points[i]) < 1e-6 * side)
            places[i] = {cell, *unit, d};
        }
    measure_outside();
    agree();
  }


  template <int dim>
  void
  PointLocator<dim>::measure_outside()
  {
    const auto type = cells.element().reference_cell();
    std::vector<dealii::Point<dim>> support;
    std::map<std::size_t, std::vector<std::size_t>> outside; // points of cells
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        Place &place = places[i];
        if (inside(i) || !std::isfinite(place.distance))
          continue;
        cells.map_points(place.cell, support);
        place.length = points[i].distance(
          cells.map(support, close_point(type, place.point)));
        outside[place.cell].push_back(i);
      }
    const auto *const mesh = outside.empty() ? nullptr : cells.curved_mesh();
    if (mesh == nullptr)
      return;
    for (const auto &cell : mesh->active_cell_iterators())
      if (const auto found = outside.find(cell->active_cell_index());
          found != outside.end())
        {
          const double most = 2 * bulge(cells, cell);
          for (const std::size_t i : found->second)
            places[i].behind_curve = places[i].length <= most;
        }
  }


  template <int dim>
  void
  PointLocator<dim>::agree()
  {
    const Division &division  = cells.division();
    const std::size_t n_parts = division.n_processes(), self = division.rank();
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
  void
  PointLocator<dim>::share_values(std::vector<double> &values,
                                  const std::size_t n) const
  {
    sum_up(cells.division(), values);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!near(i))
        std::fill_n(&values[i * n], n,
                    std::numeric_limits<double>::quiet_NaN());
  }


  template <int dim>
  template <class Visit>
  void
  PointLocator<dim>::for_shape_values(const Visit &visit) const
  {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (near(i) && places[i].is_local)
        {
          const CellValues<dim> values(cells, {places[i].point});
          for (const auto &shape : values.shapes(0))
            visit(i, cells.nodes(places[i].cell)[shape.node], shape.value);
        }
  }


  template <int dim>
  std::vector<double>
  PointLocator<dim>::values(const dealii::Vector<double> &u) const
  {
    const int n = cells.components_of(u.size(), "u");
    std::vector<double> result(places.size() * n, 0.);
    for_shape_values(
      [&](const std::size_t i, const int node, const double phi) {
        for (int c = 0; c < n; ++c)
          result[i * n + c] += u[cells.place(node, c, n)] * phi;
      });
    share_values(result, n);
    return result;
  }


  template <int dim>
  std::vector<double>
  PointLocator<dim>::values_in_cells(
    const DerivedQuantities<dim> &derived) const
  {
    const std::size_t n = derived.columns().size();
    std::vector<double> result(places.size() * n, 0.);
    std::map<std::size_t, std::vector<std::size_t>> points_of_cells;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (near(i) && places[i].is_local)
        points_of_cells[cell(i)].push_back(i);
    for (const auto &[cell, of_cell] : points_of_cells)
      {
        std::vector<dealii::Point<dim>> in_cell;
        for (const std::size_t i : of_cell)
          in_cell.push_back(places[i].point);
        std::vector<double> values(of_cell.size() * n);
        derived.at(in_cell)(cell, values.data());
        for (std::size_t k = 0; k < of_cell.size(); ++k)
          std::copy_n(&values[k * n], n, &result[of_cell[k] * n]);
      }
    share_values(result, n);
    return result;
  }


  template <int dim>
  void
  PointLocator<dim>::add_loads(const std::vector<double> &forces,
                               dealii::Vector<double> &loads) const
  {
    const int n = cells.n_components();
    for_shape_values(
      [&](const std::size_t i, const int node, const double phi) {
        for (int c = 0; c < n; ++c)
          loads[cells.dof(node, c)] += forces[i * n + c] * phi;
      });
  }


  template class PointLocator<2>;
  template class PointLocator<3>;
} // namespace tessera
