#include "mesh_arrays.cuh"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>

#include "mesh_entities.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::internal
{
  namespace
  {
    void
    require(const bool condition, const std::string &sentence)
    {
      if (!condition)
        throw MeshError(sentence);
    }

    std::string
    text(const std::string &what, const std::int64_t number)
    {
      return what + ' ' + std::to_string(number);
    }

    void
    require_size(const std::size_t size, const std::size_t expected,
                 const std::string &name)
    {
      require(size == expected,
              text("The mesh has", size) + " entries of " + name +
                text(", but its counts ask for", expected) + ".");
    }

    template <class T>
    Array<T>
    copy_array(const Backend backend, const Array<T> &values)
    {
      Array<T> result(backend, values.size());
      if (values.size() == 0)
        return result;
      using runtime::Copy;
      const bool from_host = values.backend() == Backend::host;
      if (from_host && backend == Backend::host)
        {
          const T *const from = values.data();
          T *const to         = result.data();
#pragma omp parallel for schedule(static)
          for (std::size_t i = 0; i < values.size(); ++i)
            to[i] = from[i];
        }
      else
        runtime::copy(result.data(), values.data(), values.bytes(),
                      from_host                  ? Copy::host_to_device
                      : backend == Backend::host ? Copy::device_to_host
                                                 : Copy::device_to_device);
      return result;
    }

    /// Looks for bad items; see mesh_arrays.cuh.
    class Search
    {
    public:
      Search(const Backend backend, const std::int64_t n)
        : n(static_cast<int>(n)), bad(backend, n)
      {}

      /// Returns the first item that `make(bad, n)` finds bad, or -1.
      template <class Make>
      std::int64_t
      first(const Make &make)
      {
        for_each(bad.backend(), n, make(bad.data(), n));
        const int most =
          algorithms::maximum(bad.backend(), bad.data(), std::int64_t(n));
        return most == 0 ? -1 : n - most;
      }

    private:
      int n;
      Array<int> bad;
    };

    void
    check_sizes(const MeshArrays &mesh)
    {
      const std::size_t nv = mesh.corners_per_cell();
      require(mesh.dim() > 1, "The cells of the mesh are lines.");
      require(mesh.corners.size() > 0, "The mesh has no cells.");
      require(mesh.corners.size() % nv == 0,
              text("The mesh has", mesh.corners.size()) +
                text(" entries of corners, which is not a multiple of", nv) +
                ".");
      require_index(mesh.corners.size(), "corners of cells");
      const std::size_t n = mesh.n_cells();
      require(mesh.vertices.size() % mesh.dim() == 0,
              text("The mesh has", mesh.vertices.size()) +
                text(" coordinates, which is not a multiple of", mesh.dim()) +
                ".");
      require_index(mesh.vertices.size() / mesh.dim(), "vertices");
      require_index(mesh.boundary.size(), "boundary faces");
      require_size(mesh.materials.size(), n, "materials");
      require_size(mesh.numbers.size(), n, "numbers");
    }

    void
    check_vertices(const MeshArrays &mesh)
    {
      const Backend backend = mesh.backend();
      Search cells(backend, mesh.n_cells());
      Search vertices(backend, mesh.n_vertices());
      Array<unsigned char> used(backend, mesh.n_vertices());
      std::int64_t i = cells.first([&](int *const bad, const int n) {
        return BadCorners{mesh.corners.data(),
                          mesh.corners_per_cell(),
                          mesh.n_vertices(),
                          used.data(),
                          bad,
                          n};
      });
      if (i >= 0)
        {
          const int nv = mesh.corners_per_cell();
          for (int k = 0; k < nv; ++k)
            {
              const int v = entry(mesh.corners, i * nv + k);
              require(v >= 0 && v < mesh.n_vertices(),
                      text("Cell", i) + text(" has the corner", v) +
                        text(", legal are 0 to", mesh.n_vertices() - 1) + ".");
            }
          throw MeshError(text("Cell", i) + " has the same corner twice.");
        }
      i = vertices.first([&](int *const bad, const int n) {
        return BadVertices{mesh.vertices.data(), mesh.dim(), nullptr, bad, n};
      });
      require(i < 0,
              text("Vertex", i) + " has a coordinate that is not finite.");
      i = vertices.first([&](int *const bad, const int n) {
        return BadVertices{mesh.vertices.data(), mesh.dim(), used.data(), bad,
                           n};
      });
      require(i < 0, text("Vertex", i) + " belongs to no cell.");
    }

    template <CellType type>
    void
    check_shapes(const MeshArrays &mesh)
    {
      const CornerDeterminants<type> determinants{mesh.corners.data(),
                                                  mesh.vertices.data()};
      const std::int64_t cell =
        Search(mesh.backend(), mesh.n_cells())
          .first([&](int *const bad, const int n) {
            return BadShapes<type>{determinants, bad, n};
          });
      if (cell < 0)
        return;
      // The cell is copied to the host, where it is looked at once more.
      constexpr int nv = n_vertices(type), dim = dimension(type);
      int corner[nv];
      double points[nv * dim];
      for (int v = 0; v < nv; ++v)
        {
          corner[v]             = v;
          const std::int64_t at = entry(mesh.corners, cell * nv + v);
          for (int x = 0; x < dim; ++x)
            points[v * dim + x] = entry(mesh.vertices, at * dim + x);
        }
      const CornerDeterminants<type> of_cell{corner, points};
      double values[nv];
      for (int v = 0; v < nv; ++v)
        values[v] = of_cell.at_corner(0, v);
      const double smallest = *std::min_element(values, values + nv);
      require(*std::max_element(values, values + nv) >= 0,
              text("Cell", cell) +
                " is inverted: its corners have the order of a mirror image.");
      throw MeshError(
        text("Cell", cell) + " is degenerate: its smallest Jacobian is " +
        few_digits(smallest) + ", but must be positive at all corners.");
    }

    void
    check_faces(const MeshArrays &mesh, const int per_cell)
    {
      const Backend backend  = mesh.backend();
      const auto matches     = match_entities(mesh, mesh.dim() - 1);
      const int *const first = matches.first.data();
      const unsigned char *const n_sharing = matches.n_cells.data();
      const auto n    = static_cast<std::int64_t>(matches.first.size());
      const auto name = [per_cell](const std::int64_t place) {
        return text("Face", place % per_cell) +
               text(" of cell", place / per_cell);
      };
      Search places(backend, n);
      std::int64_t i = places.first([&](int *const bad, const int end) {
        return BadFaces{first, n_sharing, nullptr, bad, end};
      });
      if (i >= 0)
        {
          const int count = entry(matches.n_cells, entry(matches.first, i));
          throw MeshError(name(i) + text(" belongs to", count) +
                          (count == 255 ? " or more" : "") +
                          " cells, at most 2 are legal.");
        }
      Array<unsigned char> marks(backend, n);
      const auto n_faces = static_cast<std::int64_t>(mesh.boundary.size());
      i = Search(backend, n_faces).first([&](int *const bad, const int end) {
        return BadBoundaryFaces{mesh.boundary.data(),
                                mesh.n_cells(),
                                per_cell,
                                first,
                                n_sharing,
                                marks.data(),
                                bad,
                                end};
      });
      if (i >= 0)
        {
          const MeshFace face = entry(mesh.boundary, i);
          require(face.cell >= 0 && face.cell < mesh.n_cells() &&
                    face.face >= 0 && face.face < per_cell,
                  text("Boundary face", i) + text(" is face", face.face) +
                    text(" of cell", face.cell) +
                    ", which the mesh does not have.");
          throw MeshError(name(std::int64_t(face.cell) * per_cell + face.face) +
                          " is a boundary face, but belongs to two cells.");
        }
      i = places.first([&](int *const bad, const int end) {
        return BadFaces{first, n_sharing, marks.data(), bad, end};
      });
      require(i < 0,
              name(i) + " belongs to one cell alone, but is no boundary face.");

      // A face that is there twice is marked once: sorted numbers show it.
      std::vector<std::int64_t> faces(n_faces);
      const auto boundary = mesh.boundary.to_vector();
      std::transform(boundary.begin(), boundary.end(), faces.begin(),
                     [&](const MeshFace &face) {
                       return std::int64_t(face.cell) * per_cell + face.face;
                     });
      std::sort(faces.begin(), faces.end());
      const auto twice = std::adjacent_find(faces.begin(), faces.end());
      require(twice == faces.end(),
              twice == faces.end()
                ? ""
                : name(*twice) + " is twice among the boundary faces.");
    }
  } // namespace
} // namespace tessera::internal


namespace tessera
{
  void
  MeshArrays::check() const
  {
    using namespace internal;
    check_sizes(*this);
    check_vertices(*this);
    on_cell_type(cell_type, [&](const auto constant) {
      constexpr auto type = static_cast<CellType>(decltype(constant)::value);
      check_shapes<type>(*this);
      check_faces(*this, Faces<type>::n);
    });
  }


  MeshArrays
  copy_to(const Backend backend, const MeshArrays &mesh)
  {
    MeshArrays result;
    result.cell_type = mesh.cell_type;
    result.corners   = internal::copy_array(backend, mesh.corners);
    result.vertices  = internal::copy_array(backend, mesh.vertices);
    result.materials = internal::copy_array(backend, mesh.materials);
    result.numbers   = internal::copy_array(backend, mesh.numbers);
    result.boundary  = internal::copy_array(backend, mesh.boundary);
    return result;
  }
} // namespace tessera
