#include "vtu_cells.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    /// Throws Error unless 32-bit numbers suffice.
    void
    check_count(const std::size_t n, const std::string &of)
    {
      if (n > std::numeric_limits<std::int32_t>::max())
        throw ParameterError(
          "A file of the solution would have " + std::to_string(n) + " " + of +
          ", but at most 2147483647 are possible; a lower value of "
          "Output/Subdivisions makes fewer.");
    }

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
    std::vector<int>
    own_cells(const CellNodes<dim> &cells)
    {
      std::vector<int> own;
      if (cells.division().n_processes() > 1)
        for (int c = 0; c < cells.n_cells(); ++c)
          if (cells.is_own(c))
            own.push_back(c);
      return own;
    }
  } // namespace


  template <int dim>
  VtuCells<dim>::VtuCells(const CellNodes<dim> &cells, const Fields &fields,
                          const int subdivisions)
    : cells(cells), fields(fields), own(own_cells(cells)),
      type(cells.element().reference_cell()),
      n_subdivisions(type.is_hyper_cube() ? subdivisions
                                          : std::min(subdivisions, 2)),
      cut(type, n_subdivisions), n_local(cut.points.size()),
      n_cells(cells.division().n_processes() > 1 ? own.size() : cells.n_cells())
  {
    const bool continuous = fields.derived.empty();
    if (continuous)
      {
        number_points();
        find_owners();
      }
    const std::size_t n_points = continuous ? n_numbers : n_cells * n_local;
    check_count(n_points, "points");
    check_count(n_cells * cut.parts.size() * cut.parts[0].size(),
                "corners of cells");
    points = parallel_vector<double>(3 * n_points);
    for_owners([&]() {
      return [&, in_cell = CellValues<dim>(cells, cut.points)](
               const std::size_t c) mutable {
        in_cell.reinit(cell(c));
        for_owned(c, [&](const std::size_t i, const std::size_t point) {
          const auto x = in_cell.point(i);
          for (int d = 0; d < dim; ++d)
            points[3 * point + d] = x[d];
        });
      };
    });
  }


  template <int dim>
  void
  VtuCells<dim>::number_points()
  {
    // Nodes of degree 1 and 2 are these points; others have their numbers.
    ElementNodes parts;
    const int *from = cells.nodes(0);
    n_numbers       = cells.n_nodes();
    if (n_subdivisions != cells.degree())
      {
        parts     = number_parts(cells.mesh(), n_subdivisions);
        from      = parts.of_cells.data();
        n_numbers = parts.n_nodes;
      }
    numbers = parallel_vector<int>(n_cells * n_local);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      std::copy_n(from + cell(c) * n_local, n_local, &numbers[c * n_local]);
    if (cells.division().n_processes() == 1)
      return;
    // Other processes have some of the points.
    std::vector<int> new_number(n_numbers, 0);
    for (const int number : numbers)
      new_number[number] = 1;
    n_numbers = 0;
    for (int &number : new_number)
      number = number != 0 ? static_cast<int>(n_numbers++) : -1;
    for (int &number : numbers)
      number = new_number[number];
  }


  template <int dim>
  void
  VtuCells<dim>::find_owners()
  {
    owners = std::vector<std::atomic<int>>(n_numbers);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      for (std::size_t i = 0; i < n_local; ++i)
        {
          const int own           = static_cast<int>(n_cells - c);
          std::atomic<int> &owner = owners[number(c, i)];
          int before              = owner.load(std::memory_order_relaxed);
          while (own > before && !owner.compare_exchange_weak(
                                   before, own, std::memory_order_relaxed))
            ;
        }
  }


  template <int dim>
  VtuGrid::Field
  VtuCells<dim>::at_points(const NodalField &field) const
  {
    const int n         = cells.components_of(field.values.size(), field.name),
              n_written = n == 1 ? 1 : 3;
    // At a node the value is the node's alone, also if another one is not
    // a number.
    const CellValues<dim> at(cells, cut.points);
    VtuGrid::Field result{
      field.name, n_written,
      parallel_vector<double>(points.size() / 3 * n_written)};
    for_owners([&]() {
      return [&](const std::size_t c) {
        const int *const nodes = cells.nodes(cell(c));
        for_owned(c, [&](const std::size_t i, const std::size_t point) {
          for (int a = 0; a < std::min(n, n_written); ++a)
            {
              double value = 0;
              for (const auto &shape : at.shapes(i))
                if (shape.value != 0.)
                  value += shape.value *
                           field.values[cells.place(nodes[shape.node], a, n)];
              result.values[point * n_written + a] = value;
            }
        });
      };
    });
    return result;
  }


  template <int dim>
  std::vector<VtuGrid::Field>
  VtuCells<dim>::derived(const PointFields<dim> &fields_at_points) const
  {
    std::vector<VtuGrid::Field> result;
    std::size_t n = 0; // numbers of a point
    for (const auto &[name, n_components] : fields_at_points.names)
      {
        const int n_written = n_components == 1 ? 1 : 3;
        result.push_back(
          {name, n_written,
           parallel_vector<double>(points.size() / 3 * n_written)});
        n += n_components;
      }
    const auto quantities =
      quantities_of(fields_at_points, cells, fields.nodal.front().values);
    for_owners([&]() {
      return [&, at_points = quantities->at(cut.points),
              values =
                std::vector<double>(n_local * n)](const std::size_t c) mutable {
        at_points(cell(c), values.data());
        for_owned(c, [&](const std::size_t i, const std::size_t point) {
          const double *from = &values[i * n];
          for (std::size_t f = 0; f < result.size(); ++f)
            {
              const int n_components = fields_at_points.names[f].second;
              std::copy_n(from, n_components,
                          &result[f].values[point * result[f].n_components]);
              from += n_components;
            }
        });
      };
    });
    return result;
  }


  template <int dim>
  VtuGrid
  VtuCells<dim>::grid() &&
  {
    VtuGrid grid;
    grid.cell_type              = cut.type;
    grid.n_corners              = static_cast<int>(cut.parts[0].size());
    grid.subdivisions           = type.is_hyper_cube() ? n_subdivisions : 1;
    const std::size_t n_of_cell = cut.parts.size() * grid.n_corners;
    grid.connectivity = parallel_vector<std::int32_t>(n_cells * n_of_cell);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < n_cells; ++c)
      {
        std::size_t place = c * n_of_cell;
        for (const auto &part : cut.parts)
          for (const int corner : part)
            grid.connectivity[place++] =
              static_cast<std::int32_t>(number(c, corner));
      }
    for (const NodalField &field : fields.nodal)
      grid.of_points.push_back(at_points(field));
    for (const auto &of_points : fields.derived)
      for (VtuGrid::Field &field : derived(of_points))
        grid.of_points.push_back(std::move(field));
    for (const auto &[name, values] : fields.cell)
      grid.of_cells.push_back(
        on_cells(name, 1, [this, &values = values](const std::size_t c, int) {
          return values[cell(c)];
        }));
    for (const auto &[name, vectors] : fields.cell_vectors)
      grid.of_cells.push_back(on_cells(
        name, 3, [this, &vectors = vectors](const std::size_t c, const int i) {
          return i < dim ? vectors[cell(c)][i] : 0.;
        }));
    grid.of_cells.push_back(
      on_cells("material_id", 1, [this](const std::size_t c, int) {
        return static_cast<double>(cells.mesh().materials.data()[cell(c)]);
      }));
    grid.points = std::move(points);
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
    auto new_numbers       = parallel_vector<int>(points.size() / 3, -1);
    const MeshArrays &mesh = cells.mesh();
    for (std::size_t f = 0; f < mesh.boundary.size(); ++f)
      {
        const MeshFace &face = mesh.boundary.data()[f];
        if (!cells.is_own(face.cell))
          continue;
        const auto place = std::lower_bound(own.begin(), own.end(), face.cell);
        const std::size_t c = own.empty() ? face.cell : place - own.begin();
        for (const auto &part : parts_of_faces[face.face])
          {
            for (const int corner : part)
              {
                const std::size_t point = number(c, corner);
                int &new_number         = new_numbers[point];
                if (new_number < 0)
                  {
                    new_number = static_cast<int>(grid.points.size() / 3);
                    grid.points.insert(grid.points.end(),
                                       points.begin() + 3 * point,
                                       points.begin() + 3 * point + 3);
                  }
                grid.connectivity.push_back(new_number);
              }
            ids.values.push_back(face.id);
          }
      }
    grid.of_cells.push_back(std::move(ids));
    return grid;
  }


  template class VtuCells<2>;
  template class VtuCells<3>;
} // namespace tessera
