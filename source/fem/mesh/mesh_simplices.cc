#include "mesh_tools.h"

#include <atomic>
#include <limits>
#include <stdexcept>

namespace tessera::mesh_tools
{
  namespace
  {
    using Triangle = std::array<int, 3>;

    /// Returns which corner of a face, in lexicographic order, comes first.
    int
    first_of(const std::array<std::int64_t, 4> &order)
    {
      return static_cast<int>(std::min_element(order.begin(), order.end()) -
                              order.begin());
    }

    /// Splits a quadrilateral with these corners, in lexicographic order, along
    /// the diagonal through corner `first`.
    std::array<Triangle, 2>
    split(const std::vector<int> &v, const int first)
    {
      if (first == 0 || first == 3)
        return {{{{v[0], v[1], v[3]}}, {{v[0], v[3], v[2]}}}};
      return {{{{v[0], v[1], v[2]}}, {{v[1], v[3], v[2]}}}};
    }

    /// The cells and the faces that cells of one type are cut into.
    template <int dim>
    class Cut
    {
    public:
      static constexpr int n_v     = 1 << dim; ///< corners of a cell
      static constexpr int n_parts = dim == 2 ? 2 : 6;
      static constexpr CellType type =
        dim == 2 ? CellType::triangle : CellType::tetrahedron;
      using Part  = std::array<int, dim + 1>; ///< as corners of the cell
      using Parts = std::array<Part, n_parts>;

      explicit Cut(const MeshArrays &mesh)
        : mesh(mesh), first(dim == 2 ? 0 : mesh.n_vertices())
      {
        const auto n = static_cast<std::int64_t>(mesh.corners.size());
#pragma omp parallel for schedule(static)
        for (std::size_t v = 0; v < first.size(); ++v)
          first[v] = std::numeric_limits<std::int64_t>::max();
#pragma omp parallel for schedule(static)
        for (std::int64_t i = 0; i < (dim == 2 ? 0 : n); ++i)
          {
            auto &smallest      = first[mesh.corners.data()[i]];
            std::int64_t before = smallest.load(std::memory_order_relaxed);
            while (i < before && !smallest.compare_exchange_weak(
                                   before, i, std::memory_order_relaxed))
              ;
          }
      }

      Parts
      parts(const int cell) const
      {
        std::vector<dealii::Point<dim>> corners;
        corners_of(mesh, cell, corners);
        Parts result;
        if constexpr (dim == 2)
          {
            // Takes the diagonal whose worse triangle is better, and among
            // equal ones, up to rounding, the first.
            const auto worst = [&](const std::array<Triangle, 2> &pair) {
              return std::min(quality(corners, pair[0]),
                              quality(corners, pair[1]));
            };
            const std::vector<int> all = {0, 1, 2, 3};
            const auto one = split(all, 0), other = split(all, 1);
            result = worst(one) >= (1 - 1e-10) * worst(other) ? one : other;
          }
        else
          {
            // The first corner forms cones with faces that do not have it.
            const int apex = first_corner(cell);
            int n          = 0;
            for (const auto &face : faces_of(mesh.cell_type))
              if (std::find(face.begin(), face.end(), apex) == face.end())
                for (const Triangle &t : triangles(cell, face))
                  result[n++] = {{apex, t[0], t[1], t[2]}};
          }
        for (Part &part : result)
          if (quality(corners, part) < 0.)
            std::swap(part[0], part[1]);
        return result;
      }

      /// Returns the triangles that both cells of a face of a hexahedron cut it
      /// into.
      std::array<Triangle, 2>
      triangles(const int cell, const std::vector<int> &face) const
      {
        std::array<std::int64_t, 4> order;
        for (int k = 0; k < 4; ++k)
          order[k] = first[vertex(cell, face[k])];
        return split(face, first_of(order));
      }

      int
      vertex(const int cell, const int corner) const
      {
        return mesh.corners.data()[std::size_t(cell) * n_v + corner];
      }

    private:
      static double
      quality(const std::vector<dealii::Point<dim>> &corners, const Part &part)
      {
        std::vector<dealii::Point<dim>> of_part;
        for (const int corner : part)
          of_part.push_back(corners[corner]);
        return cell_quality<dim>(type, of_part);
      }

      int
      first_corner(const int cell) const
      {
        int result = 0;
        for (int v = 1; v < n_v; ++v)
          if (first[vertex(cell, v)] < first[vertex(cell, result)])
            result = v;
        return result;
      }

      const MeshArrays &mesh;
      /// The place of each vertex among the corners of cells, which does not
      /// depend on its number; of hexahedra alone.
      std::vector<std::atomic<std::int64_t>> first;
    };


    /// Returns the part of a cell, and the face of it, that has these corners.
    template <int dim>
    MeshFace
    find_face(const typename Cut<dim>::Parts &parts,
              const std::array<int, dim> &wanted)
    {
      const auto &faces = faces_of(Cut<dim>::type);
      for (int p = 0; p < Cut<dim>::n_parts; ++p)
        for (int f = 0; f <= dim; ++f)
          if (std::all_of(faces[f].begin(), faces[f].end(), [&](const int v) {
                return std::count(wanted.begin(), wanted.end(), parts[p][v]) >
                       0;
              }))
            return {p, f, 0};
      throw std::logic_error("A face of a cell is none of its simplices");
    }


    template <int dim>
    MeshArrays
    simplices_of(const MeshArrays &mesh)
    {
      constexpr int n_parts = Cut<dim>::n_parts, n_faces = dim - 1;
      const Cut<dim> cut(mesh);
      const int n_cells   = mesh.n_cells();
      const std::size_t n = std::size_t(n_cells) * n_parts;
      MeshArrays result   = copy_to(Backend::host, mesh);
      result.cell_type    = Cut<dim>::type;
      result.corners      = Array<int>(Backend::host, n * (dim + 1));
      result.materials    = Array<unsigned int>(Backend::host, n);
      result.numbers      = Array<std::int64_t>(Backend::host, n);
      result.boundary =
        Array<MeshFace>(Backend::host, mesh.boundary.size() * n_faces);
#pragma omp parallel for schedule(static)
      for (int cell = 0; cell < n_cells; ++cell)
        {
          std::size_t at = std::size_t(cell) * n_parts;
          int k          = 0;
          for (const auto &part : cut.parts(cell))
            {
              for (int v = 0; v <= dim; ++v)
                result.corners.data()[at * (dim + 1) + v] =
                  cut.vertex(cell, part[v]);
              result.materials.data()[at] = mesh.materials.data()[cell];
              result.numbers.data()[at] =
                mesh.numbers.data()[cell] * n_parts + k++;
              ++at;
            }
        }
      const auto &faces = faces_of(mesh.cell_type);
#pragma omp parallel for schedule(static)
      for (std::size_t f = 0; f < mesh.boundary.size(); ++f)
        {
          const MeshFace &whole = mesh.boundary.data()[f];
          const auto parts      = cut.parts(whole.cell);
          const auto &corners   = faces[whole.face];
          const auto add        = [&](const int k,
                               const std::array<int, dim> &wanted) {
            MeshFace face = find_face<dim>(parts, wanted);
            face.cell += whole.cell * n_parts;
            face.id                                 = whole.id;
            result.boundary.data()[f * n_faces + k] = face;
          };
          if constexpr (dim == 2)
            add(0, {{corners[0], corners[1]}});
          else
            for (const int k : {0, 1})
              add(k, cut.triangles(whole.cell, corners)[k]);
        }
      return result;
    }
  } // namespace


  MeshArrays
  simplices_of(const MeshArrays &mesh)
  {
    return mesh.dim() == 2 ? simplices_of<2>(mesh) : simplices_of<3>(mesh);
  }
} // namespace tessera::mesh_tools
