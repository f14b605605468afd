#include "mesh_tools.h"
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/grid/reference_cell.h>

#include <cstdint>
#include <unordered_map>

namespace tessera::mesh_tools
{
  namespace
  {
    using Tetrahedron = std::array<int, 4>;
    using Point       = dealii::Point<3>;

    struct Grid
    {
      std::vector<Point> vertices;
      std::vector<Tetrahedron> cells; ///< corners in Bey's order
      std::vector<dealii::types::material_id> materials;
      FaceIds faces; ///< boundary faces
      NodeSets node_sets;
      /// The given cells that these are parts of, [n_cells], and the corners as
      /// points of their reference cells, [n_cells][4], if the maps of given
      /// cells are quadratic; otherwise empty.
      std::vector<int> given;
      std::vector<Point> inside;
    };

    Grid
    grid_of(const Mesh<3> &mesh)
    {
      const auto &triangulation = mesh.triangulation();
      Grid grid;
      grid.node_sets = mesh.node_sets;
      std::vector<int> index(triangulation.n_vertices(), -1);
      const auto number = [&](const unsigned int v) {
        if (index[v] < 0)
          {
            index[v] = static_cast<int>(grid.vertices.size());
            grid.vertices.push_back(triangulation.get_vertices()[v]);
          }
        return index[v];
      };
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          Tetrahedron corners;
          for (int i = 0; i < 4; ++i)
            corners[i] = number(cell->vertex_index(i));
          grid.cells.push_back(corners);
          grid.materials.push_back(cell->material_id());
          for (const auto &face : cell->face_iterators())
            if (face->at_boundary())
              {
                const std::array<int, 3> of{{number(face->vertex_index(0)),
                                             number(face->vertex_index(1)),
                                             number(face->vertex_index(2))}};
                grid.faces.emplace_back(make_key(of), face->boundary_id());
              }
        }
      for (auto &[name, set] : grid.node_sets)
        renumber(set, index);
      return grid;
    }

    /// Gives a grid as fine as the given one the members for quadratic cells.
    void
    set_inside(Grid &grid, const dealii::Triangulation<3> &triangulation)
    {
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          const std::size_t c = grid.given.size();
          grid.given.push_back(cell->index());
          for (const int v : grid.cells[c])
            for (unsigned int w = 0; w < 4; ++w)
              if (grid.vertices[v] == cell->vertex(w))
                grid.inside.push_back(
                  cell->reference_cell().template vertex<3>(w));
        }
    }

    /// Moves the vertices of a grid to where the maps of the given cells take
    /// them, and returns the maps of its cells.
    std::shared_ptr<const QuadraticCells<3>>
    curve(Grid &grid, const QuadraticCells<3> &given)
    {
      const auto type = dealii::ReferenceCells::Tetrahedron;
      std::vector<Point> nodes;
      for (std::size_t c = 0; c < grid.cells.size(); ++c)
        {
          const Point *const corners = &grid.inside[4 * c];
          for (int i = 0; i < 4; ++i)
            grid.vertices[grid.cells[c][i]] =
              given.map(grid.given[c], corners[i]);
          for (const Point &support : given.support_points())
            {
              Point point;
              for (unsigned int v = 0; v < 4; ++v)
                point += type.d_linear_shape_function(support, v) * corners[v];
              nodes.push_back(given.map(grid.given[c], point));
            }
        }
      return std::make_shared<const QuadraticCells<3>>(CellType::tetrahedron,
                                                       std::move(nodes));
    }

    /// Orders the corners so that the shortest inner diagonal of the first
    /// refinement joins the midpoints of the edges 02 and 13.
    void
    order_corners(Tetrahedron &v, const std::vector<Point> &x)
    {
      const Tetrahedron orders[] = {{{v[0], v[1], v[2], v[3]}},
                                    {{v[0], v[2], v[1], v[3]}},
                                    {{v[1], v[0], v[2], v[3]}}};
      const auto length          = [&x](const Tetrahedron &t) {
        return (x[t[0]] + x[t[2]] - x[t[1]] - x[t[3]]).norm_square();
      };
      v = *std::min_element(std::begin(orders), std::end(orders),
                            [&](const Tetrahedron &a, const Tetrahedron &b) {
                              return length(a) < length(b);
                            });
    }

    /// Adds the middles of the edges of a set to it; `middles` has those of all
    /// edges of the mesh, by the number of the smaller end in the upper half of
    /// a key and that of the larger one in the lower half.
    void
    add_middles(NodeSet &set, const std::size_t n_vertices,
                const std::unordered_map<std::uint64_t, int> &middles)
    {
      if (set.fills)
        {
          std::vector<char> is_in(n_vertices, 0);
          for (const unsigned int v : set.vertices)
            is_in[v] = 1;
          for (const auto &[ends, middle] : middles)
            if (is_in[ends >> 32] != 0 && is_in[ends & 0xffffffffu] != 0)
              set.vertices.push_back(middle);
          return;
        }
      std::vector<std::array<unsigned int, 2>> halves;
      for (const auto &[a, b] : set.edges)
        {
          const auto ends =
            static_cast<std::uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
          const auto middle = middles.find(ends);
          if (middle == middles.end())
            continue; // no edge of the mesh
          const auto m = static_cast<unsigned int>(middle->second);
          set.vertices.push_back(m);
          halves.push_back({{a, m}});
          halves.push_back({{m, b}});
        }
      set.edges = std::move(halves);
    }

    /// Halves each edge. Four children of a cell are at its corners, and four
    /// around the diagonal of the octahedron between them.
    Grid
    refine_once(const Grid &coarse)
    {
      Grid fine;
      fine.vertices = coarse.vertices;
      fine.cells.reserve(8 * coarse.cells.size());
      fine.materials.reserve(8 * coarse.cells.size());
      fine.faces.reserve(4 * coarse.faces.size());
      std::unordered_map<std::uint64_t, int> middles;
      middles.reserve(2 * coarse.cells.size());
      const auto middle = [&](const int a, const int b) {
        const auto key = static_cast<std::uint64_t>(std::min(a, b)) << 32 |
                         static_cast<std::uint64_t>(std::max(a, b));
        const auto [entry, is_new] =
          middles.emplace(key, static_cast<int>(fine.vertices.size()));
        if (is_new)
          fine.vertices.push_back(
            dealii::Point<3>((coarse.vertices[a] + coarse.vertices[b]) / 2.));
        return entry->second;
      };
      for (std::size_t c = 0; c < coarse.cells.size(); ++c)
        {
          const auto &v = coarse.cells[c];
          const int m01 = middle(v[0], v[1]), m02 = middle(v[0], v[2]),
                    m03 = middle(v[0], v[3]), m12 = middle(v[1], v[2]),
                    m13 = middle(v[1], v[3]), m23 = middle(v[2], v[3]);
          const int all[]              = {v[0], v[1], v[2], v[3], m01,
                                          m02,  m03,  m12,  m13,  m23};
          constexpr int children[8][4] = {
            {0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3},
            {4, 5, 6, 8}, {4, 5, 7, 8}, {5, 6, 8, 9}, {5, 7, 8, 9}};
          for (const auto &child : children)
            fine.cells.push_back(
              {{all[child[0]], all[child[1]], all[child[2]], all[child[3]]}});
          if (!coarse.inside.empty())
            {
              const Point *const p = &coarse.inside[4 * c];
              const Point at[]     = {p[0],
                                      p[1],
                                      p[2],
                                      p[3],
                                      Point((p[0] + p[1]) / 2.),
                                      Point((p[0] + p[2]) / 2.),
                                      Point((p[0] + p[3]) / 2.),
                                      Point((p[1] + p[2]) / 2.),
                                      Point((p[1] + p[3]) / 2.),
                                      Point((p[2] + p[3]) / 2.)};
              for (const auto &child : children)
                for (const int corner : child)
                  fine.inside.push_back(at[corner]);
              fine.given.insert(fine.given.end(), 8, coarse.given[c]);
            }
          fine.materials.insert(fine.materials.end(), 8, coarse.materials[c]);
        }
      for (const auto &[key, id] : coarse.faces)
        {
          // Keys are sorted and end with -1 for faces of three corners.
          const int a = key[0], b = key[1], c = key[2];
          const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
          using Triangle = std::array<int, 3>;
          for (const Triangle &child :
               {Triangle{{a, ab, ca}}, Triangle{{ab, b, bc}},
                Triangle{{ca, bc, c}}, Triangle{{ab, bc, ca}}})
            fine.faces.emplace_back(make_key(child), id);
        }
      fine.node_sets = coarse.node_sets;
      for (auto &[name, set] : fine.node_sets)
        add_middles(set, coarse.vertices.size(), middles);
      return fine;
    }
  } // namespace


  void
  refine_tetrahedra(Mesh<3> &mesh, const int levels)
  {
    if (levels == 0)
      return;
    Grid grid = grid_of(mesh);
    for (auto &cell : grid.cells)
      order_corners(cell, grid.vertices);
    if (mesh.quadratic)
      set_inside(grid, mesh.triangulation());
    for (int level = 0; level < levels; ++level)
      grid = refine_once(grid);

    for (std::size_t c = 0; c < grid.cells.size(); ++c)
      {
        auto &v       = grid.cells[c];
        const auto &x = grid.vertices;
        if ((x[v[1]] - x[v[0]]) *
              dealii::cross_product_3d(x[v[2]] - x[v[0]], x[v[3]] - x[v[0]]) >=
            0.)
          continue;
        std::swap(v[0], v[1]);
        if (mesh.quadratic)
          std::swap(grid.inside[4 * c], grid.inside[4 * c + 1]);
      }
    if (mesh.quadratic)
      mesh.quadratic = curve(grid, *mesh.quadratic);
    std::vector<dealii::CellData<3>> cells(grid.cells.size(),
                                           dealii::CellData<3>(4));
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        cells[c].vertices.assign(grid.cells[c].begin(), grid.cells[c].end());
        cells[c].material_id = grid.materials[c];
      }
    create(mesh, grid.vertices, std::move(cells), std::move(grid.faces));
    mesh.node_sets = std::move(grid.node_sets);
  }
} // namespace tessera::mesh_tools
