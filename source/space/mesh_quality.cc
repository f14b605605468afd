#include "mesh_distortion.cuh"
#include "mesh_entities.h"

#include <utility>

namespace tessera
{
  namespace
  {
    /// Calls f(std::integral_constant<CellType, type>()).
    template <class F>
    void
    on_type(const CellType cell_type, const F &f)
    {
      internal::on_cell_type(cell_type, [&](const auto constant) {
        constexpr auto type = static_cast<CellType>(decltype(constant)::value);
        f(std::integral_constant<CellType, type>());
      });
    }

    /// The quality of cells, in the memory of a backend.
    struct Qualities
    {
      Qualities(const Backend backend, const int n)
        : values(backend, n), found(backend, 2)
      {}

      /// Returns the functor that finds them, once.
      template <CellType type>
      internal::QualityOfCells<type>
      of(const MeshArrays &mesh, const Array<double> &vertices)
      {
        return {mesh.corners.data(), vertices.data(), values.data(),
                found.data()};
      }

      WorstCell
      worst()
      {
        for_each(
          values.backend(), static_cast<std::int64_t>(values.size()),
          internal::FirstWorst{values.data(), found.data(), found.data() + 1});
        const auto cell = static_cast<int>(~internal::entry(found, 1));
        return {internal::entry(values, cell), cell};
      }

      Array<double> values;
      Array<std::uint64_t> found;
    };

    template <CellType type>
    WorstCell
    distort(MeshArrays &mesh, const double factor, const int seed)
    {
      using namespace internal;
      constexpr int dim     = MeshCell<type>::dim;
      const Backend backend = mesh.backend();
      const int n_cells = mesh.n_cells(), n_vertices = mesh.n_vertices();
      Array<std::uint64_t> nearest(backend, n_vertices),
        first(backend, n_vertices);
      Array<unsigned char> fixed(backend, n_vertices),
        halvings(backend, n_vertices), too_far(backend, n_vertices);
      const MovingVertices vertices{nearest.data(), first.data(), fixed.data(),
                                    halvings.data(), too_far.data()};
      Qualities given(backend, n_cells);
      for_each(
        backend, n_cells,
        EdgesOfCells<type>{given.of<type>(mesh, mesh.vertices), vertices});
      const WorstCell worst = given.worst();
      if (worst.quality <= smallest_quality)
        return worst;
      for_each(backend, static_cast<std::int64_t>(mesh.boundary.size()),
               FixBoundary<type>{mesh.boundary.data(), mesh.corners.data(),
                                 fixed.data()});
      Array<double> moved(backend, mesh.vertices.size());
      for (;;)
        {
          for_each(backend, n_vertices,
                   MoveVertex<dim>{vertices, mesh.vertices.data(), moved.data(),
                                   factor, static_cast<std::uint64_t>(seed)});
          Qualities now(backend, n_cells);
          Array<unsigned char> found(backend, 1);
          for_each(backend, n_cells,
                   SpoiledCells<type>{now.of<type>(mesh, moved),
                                      given.values.data(), vertices,
                                      found.data()});
          if (entry(found, 0) == 0)
            {
              mesh.vertices = std::move(moved);
              return now.worst();
            }
          for_each(backend, n_vertices, HalveSteps{vertices});
        }
    }
  } // namespace


  double
  cell_quality(const CellType type, const double *const corners)
  {
    double result = 0;
    on_type(type, [&](const auto of) {
      internal::MeshShape<decltype(of)::value> shape;
      std::memcpy(shape.x, corners, sizeof(shape.x));
      result = shape.quality();
    });
    return result;
  }


  WorstCell
  worst_cell(const MeshArrays &mesh)
  {
    WorstCell result{0, 0};
    on_type(mesh.cell_type, [&](const auto type) {
      Qualities all(mesh.backend(), mesh.n_cells());
      for_each(mesh.backend(), mesh.n_cells(),
               all.of<decltype(type)::value>(mesh, mesh.vertices));
      result = all.worst();
    });
    return result;
  }


  WorstCell
  distort(MeshArrays &mesh, const double factor, const int seed)
  {
    WorstCell result{0, 0};
    on_type(mesh.cell_type, [&](const auto type) {
      result = distort<decltype(type)::value>(mesh, factor, seed);
    });
    return result;
  }
} // namespace tessera
