#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/reference_cell.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns the values of the polynomials of degree 2 in x that are 1 at 0,
    /// 1/2 or 1 and vanish at the other two; `node` is that place times 2.
    double
    value_on_line(const int node, const double x)
    {
      return node == 0   ? (1 - x) * (1 - 2 * x)
             : node == 1 ? 4 * x * (1 - x)
                         : x * (2 * x - 1);
    }

    /// Returns the factor of a shape function of a simplex for one of the
    /// barycentric coordinates, which is `node` / 2 at its support point.
    double
    factor_on_simplex(const int node, const double coordinate)
    {
      return node == 0   ? 1
             : node == 1 ? 2 * coordinate
                         : coordinate * (2 * coordinate - 1);
    }

    /// Returns the value of the shape function with this support point.
    template <int dim>
    double
    shape_value(const bool simplex, const dealii::Point<dim> &support,
                const dealii::Point<dim> &point)
    {
      double value = 1, rest = 1, support_rest = 1;
      for (int d = 0; d < dim; ++d)
        {
          const int node = static_cast<int>(2 * support[d] + 0.5);
          value *= simplex ? factor_on_simplex(node, point[d])
                           : value_on_line(node, point[d]);
          rest -= point[d];
          support_rest -= support[d];
        }
      return simplex ? value * factor_on_simplex(
                                 static_cast<int>(2 * support_rest + 0.5), rest)
                     : value;
    }

    /// Returns the corners of a cell as points of its parent's reference cell.
    template <int dim>
    std::vector<dealii::Point<dim>>
    corners_in_parent(
      const typename dealii::Triangulation<dim>::cell_iterator &cell)
    {
      const auto parent = cell->parent();
      const auto type   = cell->reference_cell();
      std::vector<dealii::Point<dim>> corners;
      if (type.is_hyper_cube())
        {
          unsigned int child = 0;
          while (parent->child_index(child) != cell->index())
            ++child;
          for (const unsigned int v : cell->vertex_indices())
            corners.push_back(
              dealii::Point<dim>((type.template vertex<dim>(child) +
                                  type.template vertex<dim>(v)) /
                                 2.));
          return corners;
        }
      // The children of a triangle join corners and middles of its lines.
      std::map<unsigned int, dealii::Point<dim>> places; // of vertices
      for (const unsigned int v : parent->vertex_indices())
        places[parent->vertex_index(v)] = type.template vertex<dim>(v);
      for (const unsigned int l : parent->line_indices())
        {
          const auto line = parent->line(l);
          places[line->child(0)->vertex_index(1)] =
            dealii::Point<dim>((places.at(line->vertex_index(0)) +
                                places.at(line->vertex_index(1))) /
                               2.);
        }
      for (const unsigned int v : cell->vertex_indices())
        corners.push_back(places.at(cell->vertex_index(v)));
      return corners;
    }

    /// Returns the point of the linear map with these corners.
    template <int dim>
    dealii::Point<dim>
    interpolate(const dealii::ReferenceCell &type,
                const std::vector<dealii::Point<dim>> &corners,
                const dealii::Point<dim> &point)
    {
      dealii::Point<dim> result;
      for (unsigned int v = 0; v < corners.size(); ++v)
        result += type.d_linear_shape_function(point, v) * corners[v];
      return result;
    }

    /// A map of deal.II whose support points are the nodes of QuadraticCells.
    template <int dim, class Base>
    class Curved : public Base
    {
    public:
      using Cell = typename dealii::Triangulation<dim>::cell_iterator;

      using Maps = std::shared_ptr<const QuadraticCells<dim>>;

      template <class Element>
      Curved(const Element &element, Maps cells, Maps parts)
        : Base(element), cells(std::move(cells)), parts(std::move(parts))
      {}

      std::unique_ptr<dealii::Mapping<dim>>
      clone() const override
      {
        return std::make_unique<Curved>(*this);
      }

    protected:
      std::vector<dealii::Point<dim>>
      compute_mapping_support_points(const Cell &cell) const override
      {
        if (parts && cell->user_index() > 0)
          return parts->nodes_of(static_cast<int>(cell->user_index()) - 1);
        return cells->nodes_of(cell);
      }

    private:
      Maps cells, parts;
    };
  } // namespace


  template <int dim>
  QuadraticCells<dim>::QuadraticCells(const CellType type, Points nodes)
    : type(type),
      support(make_element<dim>(type, 2)->get_unit_support_points()),
      nodes(std::move(nodes))
  {}


  template <int dim>
  dealii::Point<dim>
  QuadraticCells<dim>::map(const std::size_t coarsest,
                           const dealii::Point<dim> &point) const
  {
    const bool simplex = is_simplex(type);
    dealii::Point<dim> result;
    for (std::size_t i = 0; i < support.size(); ++i)
      result += shape_value(simplex, support[i], point) *
                nodes[coarsest * support.size() + i];
    return result;
  }


  template <int dim>
  typename QuadraticCells<dim>::Points
  QuadraticCells<dim>::corners_in_coarsest(Cell cell,
                                           std::size_t &coarsest) const
  {
    const auto shape = cell->reference_cell();
    Points corners;
    for (const unsigned int v : cell->vertex_indices())
      corners.push_back(shape.template vertex<dim>(v));
    for (; cell->level() > 0; cell = cell->parent())
      {
        const Points parent_corners = corners_in_parent<dim>(cell);
        for (auto &corner : corners)
          corner = interpolate(shape, parent_corners, corner);
      }
    coarsest = cell->index();
    return corners;
  }


  template <int dim>
  typename QuadraticCells<dim>::Points
  QuadraticCells<dim>::nodes_of(const int coarsest) const
  {
    const auto first = nodes.begin() + coarsest * support.size();
    return Points(first, first + support.size());
  }


  template <int dim>
  typename QuadraticCells<dim>::Points
  QuadraticCells<dim>::nodes_of(const Cell &cell) const
  {
    if (cell->level() == 0)
      return nodes_of(cell->index());
    std::size_t coarsest = 0;
    const Points corners = corners_in_coarsest(cell, coarsest);
    Points result;
    for (const auto &point : support)
      result.push_back(
        map(coarsest, interpolate(cell->reference_cell(), corners, point)));
    return result;
  }


  template <int dim>
  void
  QuadraticCells<dim>::place_vertices(
    dealii::Triangulation<dim> &triangulation) const
  {
    std::vector<char> is_placed(triangulation.n_vertices(), 0);
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        if (cell->level() == 0)
          continue;
        std::size_t coarsest = 0;
        const Points corners = corners_in_coarsest(cell, coarsest);
        for (const unsigned int v : cell->vertex_indices())
          if (!std::exchange(is_placed[cell->vertex_index(v)], 1))
            cell->vertex(v) = map(coarsest, corners[v]);
      }
  }


  template <int dim>
  QuadraticCells<dim>
  QuadraticCells<dim>::divided(const MeshArrays &mesh,
                               const MeshArrays &finer) const
  {
    const auto shape = make_element<dim>(type, 1)->reference_cell();
    const int n_v = mesh.corners_per_cell(), n_cells = mesh.n_cells();
    const std::size_t n = support.size(), n_children = std::size_t(1) << dim;
    Points of_children(n_cells * n_children * n);
#pragma omp parallel for schedule(static)
    for (int cell = 0; cell < n_cells; ++cell)
      {
        const int *const vertex =
          finer.corners.data() + cell * n_children * n_v;
        // Corner b of child a is in the middle between corners a and b.
        const auto place_of = [&](const int wanted) {
          int i = 0;
          while (i / n_v >= n_v || vertex[i] != wanted)
            ++i;
          return dealii::Point<dim>((shape.template vertex<dim>(i / n_v) +
                                     shape.template vertex<dim>(i % n_v)) /
                                    2.);
        };
        Points corners(n_v);
        for (std::size_t child = 0; child < n_children; ++child)
          {
            for (int v = 0; v < n_v; ++v)
              corners[v] = place_of(vertex[child * n_v + v]);
            for (std::size_t i = 0; i < n; ++i)
              of_children[(cell * n_children + child) * n + i] =
                map(cell, interpolate(shape, corners, support[i]));
          }
      }
    return {type, std::move(of_children)};
  }


  template <int dim>
  void
  QuadraticCells<dim>::place_vertices(MeshArrays &mesh) const
  {
    // The first nodes of a cell are its corners.
    const int n_v = mesh.corners_per_cell(), n_cells = mesh.n_cells();
    for (int cell = 0; cell < n_cells; ++cell)
      for (int v = 0; v < n_v; ++v)
        std::copy_n(
          nodes[cell * support.size() + v].begin_raw(), dim,
          mesh.vertices.data() +
            std::size_t(mesh.corners.data()[std::size_t(cell) * n_v + v]) *
              dim);
  }


  template <int dim>
  std::unique_ptr<dealii::Mapping<dim>>
  make_mapping(const std::shared_ptr<const QuadraticCells<dim>> &cells,
               const std::shared_ptr<const QuadraticCells<dim>> &parts)
  {
    const std::size_t n_of_simplex = (dim + 1) * (dim + 2) / 2;
    if (cells->support_points().size() == n_of_simplex)
      return std::make_unique<Curved<dim, dealii::MappingFE<dim>>>(
        dealii::FE_SimplexP<dim>(2), cells, parts);
    return std::make_unique<Curved<dim, dealii::MappingQ<dim>>>(2, cells,
                                                                parts);
  }


#define INSTANTIATE(dim)                                       \
  template class QuadraticCells<dim>;                          \
  template std::unique_ptr<dealii::Mapping<dim>> make_mapping( \
    const std::shared_ptr<const QuadraticCells<dim>> &,        \
    const std::shared_ptr<const QuadraticCells<dim>> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
