#include "manifold_of_mesh.h"
#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <deal.II/grid/manifold.h>

#include <atomic>
#include <exception>

namespace tessera::mesh_tools
{
  namespace
  {
    /// The nodes around the middle of a line, a quadrilateral or a hexahedron
    /// in its lattice (`NewVertices`), in deal.II's order: corners, lines,
    /// faces. Transfinite interpolation has a weight for each of these.
    struct Surroundings
    {
      std::vector<int> corners, lines, faces;
      double of_corners, of_lines, of_faces; ///< weights
    };

    const Surroundings &
    surroundings(const int dimension)
    {
      static const Surroundings line          = {{0, 2}, {}, {}, 0.5, 0, 0},
                                quadrilateral = {{0, 2, 6, 8}, {3, 5, 1, 7}, {},
                                                 -0.25,        0.5,          0},
                                hexahedron    = {
                                     {0, 2, 6, 8, 18, 20, 24, 26},
                                     {3, 5, 1, 7, 21, 23, 19, 25, 9, 11, 15, 17},
                                     {12, 14, 10, 16, 4, 22},
                                     0.125,
                                     -0.25,
                                     0.5};
      return dimension == 1   ? line
             : dimension == 2 ? quadrilateral
                              : hexahedron;
    }

    constexpr int strides[] = {1, 3, 9};
  } // namespace


  template <int dim>
  CoarseManifolds<dim>::CoarseManifolds(
    const dealii::Triangulation<dim> &coarse)
    : ids(std::size_t(coarse.n_active_cells()) * size,
          dealii::numbers::flat_manifold_id)
  {
    const Surroundings &of_cell = surroundings(dim);
    for (const auto &cell : coarse.active_cell_iterators())
      {
        auto *const of = &ids[cell->active_cell_index() * size];
        of[size / 2]   = cell->manifold_id();
        for (std::size_t l = 0; l < of_cell.lines.size(); ++l)
          of[of_cell.lines[l]] = cell->line(l)->manifold_id();
        for (std::size_t f = 0; f < of_cell.faces.size(); ++f)
          of[of_cell.faces[f]] = cell->face(f)->manifold_id();
      }
    for (auto &id : ids)
      if (id != dealii::numbers::flat_manifold_id && manifolds.count(id) == 0)
        {
          const auto *const manifold = &coarse.get_manifold(id);
          if (dynamic_cast<const dealii::FlatManifold<dim> *>(manifold) ==
              nullptr)
            manifolds[id] = manifold;
          else
            id = dealii::numbers::flat_manifold_id;
        }
  }


  template <int dim>
  dealii::types::manifold_id
  CoarseManifolds<dim>::id_of(const std::int64_t cell, const int node,
                              const int levels) const
  {
    const std::int64_t whole = cell >> dim * levels;
    int in_whole             = 0; // the node of the coarse cell's lattice
    for (int d = 0; d < dim; ++d)
      {
        const int t = node / strides[d] % 3;
        int place   = 0; // of the cell in this direction
        for (int level = levels; level-- > 0;)
          place = 2 * place + static_cast<int>(cell >> (dim * level + d) & 1);
        place += t / 2;
        in_whole += strides[d] * (t == 1                 ? 1
                                  : place == 0           ? 0
                                  : place == 1 << levels ? 2
                                                         : 1);
      }
    return ids[whole * size + in_whole];
  }


  template <int dim>
  void
  CoarseManifolds<dim>::place(NewVertices &fresh, const int levels,
                              const std::string &source) const
  {
    const Surroundings &around = surroundings(fresh.dimension);
    std::atomic<bool> fails(false);
#pragma omp parallel
    {
      std::vector<dealii::Point<dim>> points;
      std::vector<double> weights;
#pragma omp for schedule(dynamic, 256)
      for (std::int64_t i = 0; i < fresh.size(); ++i)
        {
          const std::int64_t cell = fresh.places[i] / size;
          const int node          = static_cast<int>(fresh.places[i] % size);
          const auto manifold     = manifolds.find(id_of(cell, node, levels));
          if (manifold == manifolds.end())
            continue;
          int step[dim] = {}, n = 0; // along the free directions
          int first = node;          // with 0 there
          for (const int stride : strides)
            if (stride < size && node / stride % 3 == 1)
              {
                step[n++] = stride;
                first -= stride;
              }
          const auto point = [&](const int local) {
            int at = first;
            for (int k = 0; k < n; ++k)
              at += local / strides[k] % 3 * step[k];
            dealii::Point<dim> x;
            std::copy_n(fresh.points +
                          std::size_t(fresh.lattice[cell * size + at]) * dim,
                        dim, x.begin_raw());
            return x;
          };
          points.clear();
          weights.clear();
          const auto add = [&](const std::vector<int> &nodes,
                               const double weight) {
            for (const int local : nodes)
              {
                points.push_back(point(local));
                weights.push_back(weight);
              }
          };
          add(around.corners, around.of_corners);
          add(around.lines, around.of_lines);
          add(around.faces, around.of_faces);
          try
            {
              const auto x = manifold->second->get_new_point(
                dealii::make_array_view(points),
                dealii::make_array_view(weights));
              std::copy_n(x.begin_raw(), dim,
                          fresh.points +
                            std::size_t(fresh.lattice[cell * size + node]) *
                              dim);
            }
          catch (const std::exception &)
            {
              fails = true;
            }
        }
    }
    if (fails)
      refuse_curves(source);
  }


  template <int dim>
  void
  CoarseManifolds<dim>::attach(dealii::Triangulation<dim> &triangulation,
                               const std::vector<int> &cells,
                               const int levels) const
  {
    const Surroundings &of_cell = surroundings(dim);
    for (const auto &[id, manifold] : manifolds)
      triangulation.set_manifold(id, ManifoldOfMesh<dim>(*manifold));
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        const int whole = cells[cell->active_cell_index()];
        cell->set_manifold_id(id_of(whole, size / 2, levels));
        for (std::size_t l = 0; l < of_cell.lines.size(); ++l)
          cell->line(l)->set_manifold_id(
            id_of(whole, of_cell.lines[l], levels));
        for (std::size_t f = 0; f < of_cell.faces.size(); ++f)
          cell->face(f)->set_manifold_id(
            id_of(whole, of_cell.faces[f], levels));
      }
  }


  template class CoarseManifolds<2>;
  template class CoarseManifolds<3>;
} // namespace tessera::mesh_tools
