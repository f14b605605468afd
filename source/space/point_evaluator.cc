#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "point_evaluator.cuh"
#include "point_tables.h"

namespace tessera
{
  using namespace internal;

  namespace
  {
    /// Calls of `PointSums` whose results wait in backend memory.
    constexpr std::size_t max_calls = 4096;

    /// True if the cells have indices of vertices as kernels read them.
    bool
    has_corners(const CellData<double> &cells)
    {
      return cells.backend() == Backend::cuda &&
             cells.space().geometry == Geometry::vertices;
    }

    PointPlaces
    places_of(const CellData<double> &cells, const int first_cell,
              const int n_points)
    {
      return {cells.lanes(), first_cell, cells.space().n_cells(), n_points};
    }

    /// Returns the tables of all functions at all points of a cell, from the
    /// tables of one direction; tables of simplices are such.
    InterpolationTables
    all_directions(const InterpolationTables &t)
    {
      if (is_simplex(t.cell_type))
        return t;
      const int dim  = dimension(t.cell_type);
      const auto all = [dim](const int n) {
        return static_cast<int>(std::lround(std::pow(n, dim)));
      };
      const int n = all(t.n), m = all(t.m);
      InterpolationTables result{t.cell_type, n, m, std::vector<double>(n * m),
                                 std::vector<double>(dim * n * m)};
      for (int i = 0; i < n; ++i)
        for (int q = 0; q < m; ++q)
          for (int table = 0; table <= dim; ++table) // values, derivatives
            {
              double product = 1;
              for (int d = 0, rest_i = i, rest_q = q; d < dim;
                   ++d, rest_i /= t.n, rest_q /= t.m)
                {
                  const int entry = rest_i % t.n * t.m + rest_q % t.m;
                  product *=
                    d == table - 1 ? t.gradients[entry] : t.values[entry];
                }
              (table == 0 ? result.values[i * m + q]
                          : result.gradients[((table - 1) * n + i) * m + q]) =
                product;
            }
      return result;
    }
  } // namespace


  PointEvaluator::PointEvaluator(std::shared_ptr<const CellData<double>> cells,
                                 const QuadratureRule &rule,
                                 const int n_components,
                                 const int points_at_once)
    : of_cells(std::move(cells)), n_components(n_components)
  {
    const Space &space       = of_cells->space();
    const Backend backend    = of_cells->backend();
    const PointTables tables = point_tables(space, rule);
    const auto function      = all_directions(tables.function),
               map           = all_directions(tables.map);
    n_functions              = function.n;
    n_map_functions          = map.n;
    batches_at_once = std::max(1, points_at_once / (of_cells->lanes() * map.m));
    if (space.geometry == Geometry::quadrature)
      map_nodes = Array<double>(backend, space.points);
    else if (!has_corners(*of_cells))
      {
        corners   = Array<int>(backend, space.cell_vertices);
        map_nodes = Array<double>(backend, space.vertices);
      }
    if (n_components > 0)
      {
        values    = Array<double>(backend, function.values);
        gradients = Array<double>(backend, function.gradients);
      }
    map_values    = Array<double>(backend, map.values);
    map_gradients = Array<double>(backend, map.gradients);
    weights       = Array<double>(backend, tables.weights);
  }


  PointEvaluator::PointEvaluator(
    const std::shared_ptr<const CellData<double>> &cells,
    const int n_components)
    : PointEvaluator(cells, own_rule(cells->space()), n_components)
  {}


  PointPiece
  PointEvaluator::make_piece() const
  {
    const int dim = of_cells->space().dim();
    PointPiece piece;
    piece.pitch =
      std::int64_t(std::min(of_cells->n_batches(), batches_at_once)) *
      n_points() * of_cells->lanes();
    const auto array = [&](const int n) {
      return Array<double>(of_cells->backend(),
                           static_cast<std::size_t>(n * piece.pitch));
    };
    piece.dx        = array(1);
    piece.x         = array(dim);
    piece.values    = array(n_components);
    piece.gradients = array(n_components * dim);
    return piece;
  }


  void
  PointEvaluator::evaluate(const double *const u, const int number,
                           PointPiece &piece, const Stream stream) const
  {
    const int first = number * batches_at_once;
    const int n_batches =
      std::min(batches_at_once, of_cells->n_batches() - first);
    piece.first_cell = first * of_cells->lanes();
    piece.n          = std::int64_t(n_batches) * n_points() * of_cells->lanes();
    if (of_cells->space().dim() == 2)
      evaluate_in<2>(u, piece, stream);
    else
      evaluate_in<3>(u, piece, stream);
  }


  template <int dim>
  void
  PointEvaluator::evaluate_in(const double *const u, PointPiece &piece,
                              const Stream stream) const
  {
    const auto view   = of_cells->view(Conflict::none);
    const bool packed = has_corners(*of_cells);
    for_each(of_cells->backend(), piece.n,
             EvaluateAtPoint<dim>{
               places_of(*of_cells, piece.first_cell, n_points()), view.dofs,
               packed ? view.vertices : corners.data(), packed,
               packed ? view.coordinates : map_nodes.data(), u, values.data(),
               gradients.data(), map_values.data(), map_gradients.data(),
               weights.data(), n_functions, n_map_functions, n_components,
               piece.pitch, piece.dx.data(), piece.x.data(),
               piece.values.data(), piece.gradients.data()},
             stream);
  }


  PointSums::PointSums(const Backend backend, const int n_sums)
    : sums(n_sums), results(backend, 2 * max_calls), counter(backend, 1)
  {}


  GridSum
  PointSums::next(const int k, const std::int64_t n)
  {
    if (of_call.size() == max_calls)
      fetch();
    const int n_blocks = pass_blocks(results.backend(), n);
    if (partial.size() < 2 * std::size_t(n_blocks))
      partial = Array<double>(results.backend(), 2 * n_blocks);
    of_call.push_back(k);
    return {partial.data(), counter.data(),
            results.data() + 2 * (of_call.size() - 1), n_blocks};
  }


  void
  PointSums::add_squares(const int k, const std::int64_t n,
                         const double *const w, const double *const a,
                         const double *const b)
  {
    pass_over(results.backend(), n, WeightedSquares{{}, w, a, b}, next(k, n),
              {});
  }


  void
  PointSums::add(const int k, const std::int64_t n, const double *const w,
                 const double *const f)
  {
    pass_over(results.backend(), n, WeightedValues{{}, w, f}, next(k, n), {});
  }


  void
  PointSums::fetch()
  {
    const auto values = results.to_vector();
    for (std::size_t i = 0; i < of_call.size(); ++i)
      for (int s = 0; s < 2; ++s)
        sums[of_call[i] + s] += values[2 * i + s];
    of_call.clear();
  }


  std::vector<double>
  PointSums::totals()
  {
    fetch();
    return sums;
  }


  void
  PointMaximum::add(const std::int64_t n, const double *const a,
                    const double *const b)
  {
    for_each(largest.backend(), n, LargestDifference{a, b, largest.data()});
  }


  double
  PointMaximum::total() const
  {
    const std::uint64_t bits = largest.to_vector()[0];
    double result            = 0;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
  }


  PackedCoefficient::PackedCoefficient(
    std::shared_ptr<const CellData<double>> cells, const int n_components,
    const bool per_cell)
    : of_cells(std::move(cells)),
      n_points(per_cell ? 1 : of_cells->space().points_per_cell()),
      n_components(n_components),
      packed(of_cells->backend(), std::size_t(of_cells->n_batches()) *
                                    of_cells->lanes() * n_points * n_components)
  {}


  void
  PackedCoefficient::set(const PointPiece &piece, const int c,
                         const double *const values, const std::int64_t stride,
                         const unsigned char *const numbers, const int which)
  {
    for_each(packed.backend(), piece.n,
             SetComponent{values, stride, numbers, which, c, n_components,
                          places_of(*of_cells, piece.first_cell, n_points),
                          packed.data()});
  }


  bool
  PackedCoefficient::is_good(const Legal legal) const
  {
    const auto n = static_cast<std::int64_t>(packed.size()) / n_components;
    const Backend backend = packed.backend();
    const int n_blocks    = pass_blocks(backend, n);
    Array<double> partial(backend, n_blocks), result(backend, 1);
    Array<unsigned int> counter(backend, 1);
    pass_over(backend, n,
              BadValues{{},
                        packed.data(),
                        of_cells->lanes(),
                        n_components,
                        legal == Legal::positive,
                        legal == Legal::not_negative},
              {partial.data(), counter.data(), result.data(), n_blocks}, {});
    return result.to_vector()[0] == 0;
  }


  std::vector<double>
  PackedCoefficient::in_cells(const std::vector<int> &cells) const
  {
    const int n_entries   = n_points * n_components;
    const Backend backend = packed.backend();
    const Array<int> list(backend, cells);
    Array<double> values(backend, cells.size() * n_entries);
    for_each(backend, static_cast<std::int64_t>(values.size()),
             CopyCells{places_of(*of_cells, 0, n_points), packed.data(),
                       list.data(), n_entries, values.data()});
    return values.to_vector();
  }


  std::vector<double>
  values_of_cells(const Coefficient &c, const std::vector<int> &cells,
                  const int n_points)
  {
    if (c.packed)
      return c.packed->in_cells(cells);
    const int n = c.n_components;
    std::vector<double> result(cells.size() * n_points * n);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (int q = 0; q < n_points; ++q)
        {
          const std::size_t cell  = cells[i];
          const std::size_t place = c.kind == Coefficient::Kind::uniform ? 0
                                    : c.kind == Coefficient::Kind::per_cell
                                      ? cell
                                      : cell * n_points + q;
          std::copy_n(&c.values[place * n], n, &result[(i * n_points + q) * n]);
        }
    return result;
  }


  Coefficient
  values_at_points(const std::shared_ptr<const CellData<double>> &cells,
                   const std::vector<double> &u)
  {
    const int n = cells->space().n_components;
    const PointEvaluator points(cells, n);
    const Array<double> on_backend(cells->backend(), u);
    const auto packed = std::make_shared<PackedCoefficient>(cells, n);
    PointPiece piece  = points.make_piece();
    for (int p = 0; p < points.n_pieces(); ++p)
      {
        points.evaluate(on_backend.data(), p, piece);
        for (int c = 0; c < n; ++c)
          packed->set(piece, c, piece.values.data() + c * piece.pitch, 1);
      }
    if (cells->backend() == Backend::cuda) // the piece is in use
      runtime::synchronize({});
    return {Coefficient::Kind::per_quadrature_point, n, {}, packed};
  }


  std::array<double, 2>
  integrals(const PackedCoefficient &c)
  {
    const PointEvaluator points(c.cells(), 0);
    PointPiece piece = points.make_piece();
    PointSums sums(c.values().backend(), 2);
    for (int p = 0; p < points.n_pieces(); ++p)
      {
        points.evaluate(nullptr, p, piece);
        sums.add(0, piece.n, piece.dx.data(),
                 c.values().data() +
                   std::int64_t(piece.first_cell) * points.n_points());
      }
    const auto totals = sums.totals();
    return {totals[0], totals[1]};
  }


  Coefficient
  on_host(const Coefficient &c)
  {
    if (!c.packed)
      return c;
    std::vector<int> cells(c.packed->cells()->space().n_cells());
    std::iota(cells.begin(), cells.end(), 0);
    return {c.kind, c.n_components, c.packed->in_cells(cells)};
  }
} // namespace tessera
