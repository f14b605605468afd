#include "mesh_tools.h"

namespace tessera::mesh_tools
{
  namespace
  {
    using Triangle = std::array<int, 3>;

    /// Splits a face, corners in lexicographic order, into two triangles. The
    /// diagonal goes through the smallest corner, so that both cells of a face
    /// split it alike.
    std::array<Triangle, 2>
    split(const std::array<int, 4> &v)
    {
      const auto smallest = std::min_element(v.begin(), v.end()) - v.begin();
      if (smallest == 0 || smallest == 3)
        return {{{{v[0], v[1], v[3]}}, {{v[0], v[3], v[2]}}}};
      return {{{{v[0], v[1], v[2]}}, {{v[1], v[3], v[2]}}}};
    }

    /// A mesh of simplices that is being built.
    template <int dim>
    struct Simplices
    {
      std::vector<dealii::Point<dim>> vertices;
      std::vector<dealii::CellData<dim>> cells;
      FaceIds faces;

      double
      quality(const std::vector<unsigned int> &v) const
      {
        std::vector<dealii::Point<dim>> corners;
        for (const unsigned int i : v)
          corners.push_back(vertices[i]);
        return cell_quality<dim>(
          dim == 2 ? CellType::triangle : CellType::tetrahedron, corners);
      }

      void
      add(std::vector<unsigned int> v, const dealii::types::material_id id)
      {
        if (quality(v) < 0.)
          std::swap(v[0], v[1]);
        cells.emplace_back(dim + 1);
        cells.back().vertices    = v;
        cells.back().material_id = id;
      }
    };
  } // namespace


  template <int dim>
  void
  make_simplices(Mesh<dim> &mesh)
  {
    const auto &triangulation = mesh.triangulation();
    Simplices<dim> result;
    std::vector<int> index(triangulation.n_vertices(), -1);
    for (unsigned int v = 0; v < index.size(); ++v)
      if (triangulation.vertex_used(v))
        {
          index[v] = static_cast<int>(result.vertices.size());
          result.vertices.push_back(triangulation.get_vertices()[v]);
        }
    const auto &faces =
      faces_of(dim == 2 ? CellType::quadrilateral : CellType::hexahedron);
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        std::vector<int> v;
        for (const unsigned int i : cell->vertex_indices())
          v.push_back(index[cell->vertex_index(i)]);
        const auto id = cell->material_id();
        if constexpr (dim == 2)
          {
            // Takes the diagonal whose worse triangle is better.
            using Corners = std::vector<unsigned int>;
            const auto at = [&v](const int a, const int b, const int c) {
              return Corners{static_cast<unsigned int>(v[a]),
                             static_cast<unsigned int>(v[b]),
                             static_cast<unsigned int>(v[c])};
            };
            const std::array<Corners, 2> one{{at(0, 1, 3), at(0, 3, 2)}},
              other{{at(0, 1, 2), at(1, 3, 2)}};
            const auto worst = [&result](const std::array<Corners, 2> &pair) {
              return std::min(result.quality(pair[0]), result.quality(pair[1]));
            };
            for (const auto &corners : worst(one) >= worst(other) ? one : other)
              result.add(corners, id);
          }
        const int smallest = *std::min_element(v.begin(), v.end());
        for (unsigned int f = 0; f < faces.size(); ++f)
          {
            std::vector<int> corners;
            for (const int i : faces[f])
              corners.push_back(v[i]);
            const bool boundary = cell->face(f)->at_boundary();
            const auto face_id  = cell->face(f)->boundary_id();
            if constexpr (dim == 2)
              {
                if (boundary)
                  result.faces.emplace_back(make_key(corners), face_id);
              }
            else
              // The smallest corner forms cones with faces that do not have it.
              for (const Triangle &triangle :
                   split({{corners[0], corners[1], corners[2], corners[3]}}))
                {
                  if (boundary)
                    result.faces.emplace_back(make_key(triangle), face_id);
                  if (std::find(corners.begin(), corners.end(), smallest) ==
                      corners.end())
                    result.add({static_cast<unsigned int>(smallest),
                                static_cast<unsigned int>(triangle[0]),
                                static_cast<unsigned int>(triangle[1]),
                                static_cast<unsigned int>(triangle[2])},
                               id);
                }
          }
      }
    mesh.curved    = false;
    mesh.quadratic = nullptr;
    for (auto &[name, set] : mesh.node_sets)
      {
        set = active_part(triangulation, set);
        renumber(set, index);
      }
    create(mesh, result.vertices, std::move(result.cells),
           std::move(result.faces));
  }


  template void
  make_simplices(Mesh<2> &);
  template void
  make_simplices(Mesh<3> &);
} // namespace tessera::mesh_tools
