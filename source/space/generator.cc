#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/space/generator.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>

namespace tessera
{
  namespace
  {
    using Index = std::array<int, 3>;

    void
    require_parameter(const bool condition, const std::string &sentence)
    {
      if (!condition)
        throw ParameterError(sentence);
    }

    Index
    operator+(const Index &a, const Index &b)
    {
      return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    }

    Index
    operator*(const int s, const Index &a)
    {
      return {s * a[0], s * a[1], s * a[2]};
    }

    /// A lattice of points, x fastest; it has one layer in two dimensions. It
    /// is a piece of a larger one, whose points at `first` and behind it it
    /// has.
    struct Lattice
    {
      Index size, first, whole;

      int
      count() const
      {
        return size[0] * size[1] * size[2];
      }

      /// The index in the piece of a point of the larger lattice.
      int
      index(const Index &i) const
      {
        return ((i[2] - first[2]) * size[1] + i[1] - first[1]) * size[0] +
               i[0] - first[0];
      }

      Index
      position(const int index) const
      {
        return first + Index{index % size[0], index / size[0] % size[1],
                             index / size[0] / size[1]};
      }

      /// The points of the larger lattice before the points of the piece, which
      /// has all of its layers.
      std::size_t
      before() const
      {
        return (std::size_t(first[2]) * whole[1] + first[1]) * whole[0];
      }

      bool
      at_boundary(const Index &i, const int dim) const
      {
        for (int d = 0; d < dim; ++d)
          if (i[d] == 0 || i[d] == whole[d] - 1)
            return true;
        return false;
      }
    };

    /// The parameters of the mesh by direction.
    struct Grid
    {
      int dim, degree;
      Index whole, tile; // boxes; 1 in directions that do not exist
      Index first, n;    // the first box that is made, and how many there are

      explicit Grid(const GeneratedMesh &m)
        : dim(dimension(m.cell_type)),
          degree(m.degree), whole{m.n_x, m.n_y, m.n_z},
          tile{m.tile_x, m.tile_y, m.tile_z}, first{}, n{m.n_x, m.n_y, m.n_z}
      {
        if (dim == 2)
          whole[2] = n[2] = tile[2] = 1;
        first[dim - 1] = m.first_layer;
        n[dim - 1] =
          m.n_layers == 0 ? whole[dim - 1] - m.first_layer : m.n_layers;
        for (int d = 0; d < dim; ++d)
          tile[d] = tile[d] == 0 ? n[d] : std::min(tile[d], n[d]);
      }

      std::string
      text(const Index &boxes) const
      {
        std::string result = std::to_string(boxes[0]);
        for (int d = 1; d < dim; ++d)
          result += " by " + std::to_string(boxes[d]);
        return result;
      }

      /// The lattice with `per_box` + 1 points per box and direction.
      Lattice
      lattice(const int per_box) const
      {
        const auto points = [&](const Index &boxes) {
          return Index{boxes[0] * per_box + 1, boxes[1] * per_box + 1,
                       dim == 3 ? boxes[2] * per_box + 1 : 1};
        };
        return {points(n), per_box * first, points(whole)};
      }
    };

    void
    check(const GeneratedMesh &m)
    {
      require_parameter(
        m.cell_type != CellType::line,
        "The cell type is line, legal are quadrilateral, hexahedron, "
        "triangle and tetrahedron.");
      const Grid grid(m);
      const int highest = max_degree(m.cell_type);
      require_parameter(m.n_x >= 1 && m.n_y >= 1 &&
                          (grid.dim == 2 || m.n_z >= 1),
                        "The mesh has " + grid.text(grid.whole) +
                          " cells, legal are 1 or more in each direction.");
      const int n_layers = grid.whole[grid.dim - 1];
      require_parameter(
        m.first_layer >= 0 && m.n_layers >= 0 && m.first_layer < n_layers &&
          m.n_layers <= n_layers - m.first_layer,
        std::to_string(m.n_layers) + " layers from layer " +
          std::to_string(m.first_layer) + " on are not in a mesh of " +
          std::to_string(n_layers) + ".");
      require_parameter(m.degree >= 1 && m.degree <= highest,
                        "The degree is " + std::to_string(m.degree) +
                          ", legal are 1 to " + std::to_string(highest) + ".");
      require_parameter(m.distortion >= 0 && m.distortion < 0.25,
                        "The distortion is " + std::to_string(m.distortion) +
                          ", legal are values from 0 to below 0.25.");
      require_parameter(
        m.tile_x >= 0 && m.tile_y >= 0 && (grid.dim == 2 || m.tile_z >= 0),
        "The tile has " + grid.text({m.tile_x, m.tile_y, m.tile_z}) +
          " cells, legal are 0 (all) or more in each direction.");
      // One index is left for the padding entry. Among the other counts, only
      // the number of tetrahedra, six per box, can be larger than the number of
      // dofs.
      double n_dofs = 1, n_cells = grid.dim == 3 ? 6 : 2;
      for (int d = 0; d < grid.dim; ++d)
        {
          n_dofs *= double(grid.n[d]) * m.degree + 1;
          n_cells *= grid.n[d];
        }
      require_parameter(
        std::max(n_dofs, is_simplex(m.cell_type) ? n_cells : 0) <
          std::numeric_limits<int>::max(),
        "A mesh of " + grid.text(grid.n) + " cells of degree " +
          std::to_string(m.degree) +
          " has more degrees of freedom than fit 32 bits.");
    }

    /// Returns a number in [-1,1) that depends on the arguments alone.
    double
    random_offset(const std::uint64_t seed, const std::uint64_t coordinate)
    {
      return double(mix(mix(seed) ^ coordinate) >> 11) * 0x1p-52 - 1;
    }

    void
    set_vertices(Connectivity &mesh, const Grid &grid, const GeneratedMesh &m)
    {
      const Lattice lattice = grid.lattice(1);
      const int dim         = grid.dim;
      const double h =
        1. / *std::max_element(grid.whole.begin(), grid.whole.end());
      const std::size_t before = dim * lattice.before();
      const double reach       = m.distortion * 2 / dim;
      mesh.n_vertices          = lattice.count();
      mesh.vertices.resize(std::size_t(dim) * mesh.n_vertices);
#pragma omp parallel for schedule(static)
      for (int v = 0; v < mesh.n_vertices; ++v)
        {
          const Index at    = lattice.position(v);
          const bool inside = !lattice.at_boundary(at, dim);
          for (int d = 0; d < dim; ++d)
            {
              const std::size_t i = std::size_t(dim) * v + d;
              mesh.vertices[i] =
                h * (at[d] +
                     (inside ? reach * random_offset(m.seed, before + i) : 0));
            }
        }
    }

    /// Constrains all nodes on the boundary of the domain if `dirichlet`.
    void
    set_dofs(Connectivity &mesh, const Grid &grid, const bool dirichlet)
    {
      const Lattice lattice = grid.lattice(grid.degree);
      mesh.n_dofs           = lattice.count();
      mesh.constrained.assign(mesh.n_dofs, 0);
      if (!dirichlet)
        return;
#pragma omp parallel for schedule(static)
      for (int i = 0; i < mesh.n_dofs; ++i)
        mesh.constrained[i] =
          lattice.at_boundary(lattice.position(i), grid.dim);
    }

    /// Writes all lattice points of a box; its corners if `per_box` is 1.
    void
    set_tensor_cell(int *const out, const Lattice &lattice, const Index &box,
                    const int per_box, const int dim)
    {
      int next = 0;
      for (int i2 = 0; i2 <= (dim == 3 ? per_box : 0); ++i2)
        for (int i1 = 0; i1 <= per_box; ++i1)
          for (int i0 = 0; i0 <= per_box; ++i0)
            out[next++] = lattice.index(per_box * box + Index{i0, i1, i2});
    }

    /// Returns simplex k of a box: it goes from one corner to the opposite one
    /// along the directions in the k-th order. The first corner has even
    /// coordinates, so that neighbours split their common face alike.
    std::array<Index, 4>
    simplex_corners(const Index &box, const int k, const int dim)
    {
      constexpr int orders[6][3]  = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0},
                                     {2, 1, 0}, {2, 0, 1}, {0, 2, 1}};
      std::array<Index, 4> corner = {};
      bool positive               = k % 2 == 0;
      for (int d = 0; d < dim; ++d)
        {
          corner[0][d] = box[d] + box[d] % 2;
          positive     = positive == (box[d] % 2 == 0);
        }
      for (int v = 0; v < dim; ++v)
        {
          const int d   = orders[k][v];
          corner[v + 1] = corner[v];
          corner[v + 1][d] += box[d] % 2 == 0 ? 1 : -1;
        }
      if (!positive)
        std::swap(corner[1], corner[2]);
      return corner;
    }

    void
    set_simplex(int *const dofs, int *const vertices, const Grid &grid,
                const std::array<Index, 4> &corner)
    {
      // Triangles have the first three edges of tetrahedra.
      constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                   {0, 3}, {1, 3}, {2, 3}};
      const Lattice nodes = grid.lattice(grid.degree), points = grid.lattice(1);
      const int n_corners = grid.dim + 1;
      for (int v = 0; v < n_corners; ++v)
        {
          vertices[v] = points.index(corner[v]);
          dofs[v]     = nodes.index(grid.degree * corner[v]);
        }
      if (grid.degree == 2)
        for (int e = 0; e < (grid.dim == 3 ? 6 : 3); ++e)
          dofs[n_corners + e] =
            nodes.index(corner[edges[e][0]] + corner[edges[e][1]]);
    }

    void
    set_box(Connectivity &mesh, const Grid &grid, const std::size_t number,
            const Index &box)
    {
      const int dim      = grid.dim;
      const int n        = mesh.dofs_per_cell();
      const int corners  = mesh.vertices_per_cell();
      const bool simplex = is_simplex(mesh.cell_type);
      const int in_box   = !simplex ? 1 : dim == 2 ? 2 : 6;
      for (int k = 0; k < in_box; ++k)
        {
          const std::size_t cell = number * in_box + k;
          int *const dofs        = &mesh.cell_dofs[cell * n];
          int *const vertices    = &mesh.cell_vertices[cell * corners];
          if (simplex)
            set_simplex(dofs, vertices, grid, simplex_corners(box, k, dim));
          else
            {
              set_tensor_cell(dofs, grid.lattice(grid.degree), box, grid.degree,
                              dim);
              set_tensor_cell(vertices, grid.lattice(1), box, 1, dim);
            }
        }
    }

    void
    set_cells(Connectivity &mesh, const Grid &grid)
    {
      const Index n = grid.n, tile = grid.tile;
      const Lattice tiles = {{1 + (n[0] - 1) / tile[0],
                              1 + (n[1] - 1) / tile[1],
                              1 + (n[2] - 1) / tile[2]},
                             {},
                             {}};
#pragma omp parallel for schedule(static)
      for (int t = 0; t < tiles.count(); ++t)
        {
          const Index place = tiles.position(t);
          Index first, end;
          for (int d = 0; d < 3; ++d)
            {
              first[d] = place[d] * tile[d];
              end[d]   = std::min(n[d] - first[d], tile[d]) + first[d];
            }
          // the boxes of the tiles before, full rows of tiles first
          std::size_t number = std::size_t(n[0]) * n[1] * first[2] +
                               std::size_t(end[2] - first[2]) *
                                 (std::size_t(n[0]) * first[1] +
                                  std::size_t(end[1] - first[1]) * first[0]);
          for (int z = first[2]; z < end[2]; ++z)
            for (int y = first[1]; y < end[1]; ++y)
              for (int x = first[0]; x < end[0]; ++x)
                set_box(mesh, grid, number++, grid.first + Index{x, y, z});
        }
    }
  } // namespace


  Connectivity
  generate(const GeneratedMesh &m)
  {
    check(m);
    const Grid grid(m);
    Connectivity mesh;
    mesh.cell_type = m.cell_type;
    mesh.degree    = m.degree;
    set_vertices(mesh, grid, m);
    set_dofs(mesh, grid, m.dirichlet);

    const std::size_t n_boxes = std::size_t(grid.n[0]) * grid.n[1] * grid.n[2];
    const std::size_t n_cells = n_boxes * (!is_simplex(m.cell_type) ? 1
                                           : grid.dim == 2          ? 2
                                                                    : 6);
    mesh.cell_dofs.resize(n_cells * mesh.dofs_per_cell());
    mesh.cell_vertices.resize(n_cells * mesh.vertices_per_cell());
    set_cells(mesh, grid);
    return mesh;
  }
} // namespace tessera
