#include "array_meshes.h"
#include "test.h"

#include <tessera/base/error.h>

#include <omp.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>

using namespace tessera;
using test::HostMesh;
using test::Position;

namespace
{
  /// Calls f(mesh) for meshes of 1, 31, 33 and more boxes of all types.
  void
  for_each_mesh(const std::function<void(const MeshArrays &)> &f,
                const Backend backend = Backend::host)
  {
    for (const CellType type : test::cell_types)
      for (const auto &[n_x, n_y, n_z] :
           {std::array{1, 1, 1}, {31, 1, 1}, {3, 11, 1}, {3, 2, 4}})
        {
          SCOPED_TRACE(to_string(type) + ", " + std::to_string(n_x) + " by " +
                       std::to_string(n_y) + " by " + std::to_string(n_z));
          f(test::random_arrays(type, n_x, n_y, n_z, n_x, backend));
        }
  }

  /// Expects equal bits.
  template <class T>
  void
  expect_same(const Array<T> &a, const Array<T> &b)
  {
    const auto x = a.to_vector(), y = b.to_vector();
    ASSERT_EQ(x.size(), y.size());
    EXPECT_EQ(x.empty() ? 0 : std::memcmp(x.data(), y.data(), a.bytes()), 0);
  }

  void
  expect_same(const MeshArrays &a, const MeshArrays &b)
  {
    EXPECT_EQ(a.cell_type, b.cell_type);
    expect_same(a.corners, b.corners);
    expect_same(a.vertices, b.vertices);
    expect_same(a.materials, b.materials);
    expect_same(a.numbers, b.numbers);
    expect_same(a.boundary, b.boundary);
  }

  /// V - E + F - C of a mesh without holes.
  int
  euler_number(const HostMesh &mesh)
  {
    const int n_edges = mesh.edges().size(), n_faces = mesh.faces().size();
    return mesh.dim == 2 ? mesh.n_vertices - n_edges + mesh.n_cells
                         : mesh.n_vertices - n_edges + n_faces - mesh.n_cells;
  }

  Position
  mean(const HostMesh &mesh, const std::set<int> &vertices)
  {
    Position sum = {0, 0, 0};
    for (const int v : vertices)
      for (int d = 0; d < 3; ++d)
        sum[d] += mesh.point(v)[d] / vertices.size();
    return sum;
  }

  double
  distance(const Position &a, const Position &b)
  {
    return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) +
                     (a[1] - b[1]) * (a[1] - b[1]) +
                     (a[2] - b[2]) * (a[2] - b[2]));
  }

  /// Returns the quality of a cell by its definition.
  double
  quality(const HostMesh &mesh, const int cell)
  {
    const auto &reference = test::reference_cell(mesh.cell_type, 1);
    const int dim = mesh.dim, n = dim == 2 ? 2 : 3; // points a direction
    const bool simple = is_simplex(mesh.cell_type);
    double smallest   = 2;
    for (int i = 0; i < (simple ? dim + 1 : dim == 2 ? 4 : 27); ++i)
      {
        const Position xi = {i % n / (n - 1.), i / n % n / (n - 1.),
                             i / n / n / (n - 1.)};
        const auto point  = test::map_point(mesh, reference, cell, xi);
        const auto &j     = point.jacobian;
        double lengths = 1, determinant = 0;
        for (int k = 0; k < 3; ++k)
          {
            lengths *= std::sqrt(j[0][k] * j[0][k] + j[1][k] * j[1][k] +
                                 j[2][k] * j[2][k]);
            determinant += j[0][k] * (j[1][(k + 1) % 3] * j[2][(k + 2) % 3] -
                                      j[1][(k + 2) % 3] * j[2][(k + 1) % 3]);
          }
        if (simple)
          {
            lengths = std::sqrt(dim == 2 ? 0.75 : 0.5);
            for (int v = 0; v < mesh.nv; ++v)
              if (v != i)
                lengths *= distance(mesh.point(mesh.corner(cell, v)),
                                    mesh.point(mesh.corner(cell, i)));
          }
        smallest = std::min(smallest, determinant / lengths);
      }
    return smallest;
  }

  constexpr double tolerance = 1e-15; // of sums of 8 terms below 1
} // namespace

TEST(MeshArrays, FinerMeshesAreConforming)
{
  for (const Backend backend : test::backends())
    for_each_mesh(
      [](const MeshArrays &coarse) {
        coarse.check();
        const MeshArrays arrays = refine(coarse);
        arrays.check();
        const HostMesh before(coarse), mesh(arrays);
        EXPECT_EQ(mesh.n_cells, before.n_cells << mesh.dim);
        EXPECT_EQ(euler_number(mesh), 1);
        const int n_faces = before.faces().size();
        EXPECT_EQ(mesh.n_vertices,
                  before.n_vertices + int(before.edges().size()) +
                    (mesh.nv == 4 && mesh.dim == 2 ? before.n_cells
                     : mesh.nv == 8                ? n_faces + before.n_cells
                                                   : 0));
        std::size_t n_single = 0;
        for (const auto &[face, n_cells] : mesh.faces())
          {
            EXPECT_LE(n_cells, 2);
            n_single += n_cells == 1;
          }
        EXPECT_EQ(n_single, mesh.boundary.size());
        EXPECT_EQ(n_single, before.boundary.size() << (mesh.dim - 1));
      },
      backend);
}

TEST(MeshArrays, ChildrenFillTheirParents)
{
  for_each_mesh([](const MeshArrays &coarse) {
    const HostMesh parents(coarse), mesh(refine(coarse));
    const auto &corners = test::reference_cell(mesh.cell_type, 1);
    const int n         = 1 << mesh.dim;
    for (int c = 0; c < parents.n_cells; ++c)
      {
        double volume = 0;
        for (int k = 0; k < n; ++k)
          {
            EXPECT_EQ(mesh.materials[n * c + k], parents.materials[c]);
            EXPECT_EQ(mesh.numbers[n * c + k], n * parents.numbers[c] + k);
            volume += mesh.volume(n * c + k);
            EXPECT_GT(mesh.volume(n * c + k), 0);
            for (int v = 0; v < mesh.nv && !is_simplex(mesh.cell_type); ++v)
              {
                Position xi = {0, 0, 0};
                for (int d = 0; d < mesh.dim; ++d)
                  xi[d] = ((k >> d & 1) + (v >> d & 1)) * 0.5;
                EXPECT_LE(distance(mesh.point(mesh.corner(n * c + k, v)),
                                   test::map_point(parents, corners, c, xi).x),
                          tolerance);
              }
          }
        EXPECT_NEAR(volume, parents.volume(c), tolerance);
      }
    for (int v = 0; v < parents.n_vertices; ++v)
      EXPECT_EQ(mesh.point(v), parents.point(v));
  });
}

TEST(MeshArrays, BoundaryFacesAreInherited)
{
  for_each_mesh([](const MeshArrays &coarse) {
    const HostMesh parents(coarse), mesh(refine(coarse));
    const int n = 1 << (mesh.dim - 1);
    for (std::size_t f = 0; f < parents.boundary.size(); ++f)
      {
        const MeshFace &parent = parents.boundary[f];
        const auto of_parent   = parents.face(parent.cell, parent.face);
        // All corners of children are corners, middles of two, or the middle.
        std::vector<Position> legal = {mean(parents, of_parent)};
        for (const int a : of_parent)
          for (const int b : of_parent)
            legal.push_back(mean(parents, {a, b}));
        std::set<std::set<int>> children;
        for (int k = 0; k < n; ++k)
          {
            const MeshFace &child = mesh.boundary[n * f + k];
            EXPECT_EQ(child.id, parent.id);
            EXPECT_EQ(child.cell >> mesh.dim, parent.cell);
            const auto of_child = mesh.face(child.cell, child.face);
            children.insert(of_child);
            for (const int v : of_child)
              EXPECT_TRUE(
                std::any_of(legal.begin(), legal.end(), [&](const auto &x) {
                  return distance(x, mesh.point(v)) < tolerance;
                }));
          }
        EXPECT_EQ(int(children.size()), n);
      }
  });
}

TEST(MeshArrays, NodesOfNeighboursAreAtOnePlace)
{
  for (const Backend backend : test::backends())
    for_each_mesh(
      [](const MeshArrays &mesh) {
        const HostMesh host(mesh);
        const int n_edges = host.edges().size();
        const int n_faces = host.dim == 3 ? host.faces().size() : 0;
        for (int p = 1; p <= max_degree(mesh.cell_type); ++p)
          {
            SCOPED_TRACE("degree " + std::to_string(p));
            const ElementNodes nodes = number(mesh, p);
            const int inner          = is_simplex(mesh.cell_type) ? 0 : p - 1;
            EXPECT_EQ(nodes.n_nodes,
                      host.n_vertices + (p - 1) * n_edges +
                        inner *
                          (host.dim == 2
                             ? inner * host.n_cells
                             : inner * n_faces + inner * inner * host.n_cells));
            const Connectivity flat =
              connectivity(mesh, nodes, std::vector<char>(nodes.n_nodes, 0));
            std::vector<Position> where(flat.n_dofs, {-1, -1, -1});
            for (int c = 0; c < flat.n_cells(); ++c)
              for (int i = 0; i < flat.dofs_per_cell(); ++i)
                {
                  const auto x = test::node_position(flat, c, i);
                  Position &known =
                    where[flat.cell_dofs[flat.dofs_per_cell() * c + i]];
                  if (known[0] == -1)
                    known = x;
                  EXPECT_LE(distance(known, x), 4 * tolerance);
                }
            EXPECT_NO_THROW(build_space(flat));

            // Nodes of faces have the order of the face's own element.
            const test::ReferenceCell face(face_type(mesh.cell_type), p);
            const test::ReferenceCell linear(face.type, 1);
            const auto of_faces = nodes.of_faces.to_vector();
            for (std::size_t f = 0; f < host.boundary.size(); ++f)
              for (int i = 0; i < face.n; ++i)
                {
                  Position x     = {0, 0, 0};
                  const auto &of = host.boundary[f];
                  const auto local =
                    test::face_corners(host.cell_type, of.face);
                  for (std::size_t v = 0; v < local.size(); ++v)
                    for (int d = 0; d < 3; ++d)
                      x[d] += linear.value(v, face.nodes[i]) *
                              host.point(host.corner(of.cell, local[v]))[d];
                  EXPECT_LE(distance(x, where[of_faces[face.n * f + i]]),
                            4 * tolerance);
                }
          }
      },
      backend);
}

TEST(MeshArrays, BoundaryNodesAndFacesHaveTheIdsAskedFor)
{
  for (const Backend backend : test::backends())
    for_each_mesh(
      [](const MeshArrays &mesh) {
        const ElementNodes nodes = number(mesh, 2);
        const auto given = nodes_on_boundaries(mesh, nodes, {2, 0}).to_vector();
        const BoundaryFaces faces = boundary_faces(mesh, nodes, {2, 0});
        std::vector<char> expected(nodes.n_nodes, 0);
        for (const int node : faces.dofs)
          expected[node] = 1;
        EXPECT_EQ(given, expected);
        std::size_t k        = 0;
        const auto boundary  = mesh.boundary.to_vector();
        const auto all_nodes = nodes.of_faces.to_vector();
        const int n          = n_nodes(faces.face_type, 2);
        for (std::size_t f = 0; f < boundary.size(); ++f)
          if (boundary[f].id != 1)
            {
              ASSERT_LT(k, faces.cells.size());
              EXPECT_EQ(faces.boundary_ids[k], boundary[f].id);
              EXPECT_EQ(faces.cells[k], boundary[f].cell);
              EXPECT_TRUE(std::equal(&all_nodes[n * f], &all_nodes[n * f] + n,
                                     &faces.dofs[n * k]));
              ++k;
            }
        EXPECT_EQ(int(k), faces.n_faces());
      },
      backend);
}

TEST(MeshArrays, InnerVerticesMoveAndTheWorstCellIsFound)
{
  const int threads = omp_get_max_threads();
  for (const Backend backend : test::backends())
    for (const CellType type : test::cell_types)
      {
        const MeshArrays host = test::random_arrays(type, 5, 4, 3);
        MeshArrays moved      = copy_to(backend, host),
                   same       = copy_to(Backend::host, host);
        const WorstCell worst = distort(moved, 0.25, 3);
        const HostMesh before(host), after(moved);
        EXPECT_NEAR(worst.quality, quality(after, worst.cell), 20 * tolerance);
        for (int c = 0; c < after.n_cells; ++c)
          EXPECT_GE(quality(after, c), std::max(worst.quality - 20 * tolerance,
                                                0.2499 * quality(before, c)));
        std::set<int> fixed;
        for (const MeshFace &face : before.boundary)
          for (const int v : before.face(face.cell, face.face))
            fixed.insert(v);
        for (int v = 0; v < before.n_vertices; ++v)
          EXPECT_EQ(before.point(v) == after.point(v), fixed.count(v) > 0);
        omp_set_num_threads(threads + 1);
        EXPECT_EQ(distort(same, 0.25, 3).quality, worst.quality);
        omp_set_num_threads(threads);
        expect_same(same, moved);
        EXPECT_EQ(worst_cell(same).cell, worst.cell);
        moved.vertices = Array<double>(backend, before.vertices.size());
        EXPECT_LE(distort(moved, 0.25, 3).quality, smallest_quality);
        EXPECT_EQ(HostMesh(moved).point(0), Position()); // they stay
      }
}

TEST(MeshArrays, BackendsAndThreadsGiveTheSameBits)
{
  for (const Backend backend : test::backends())
    for (const CellType type : test::cell_types)
      {
        const int threads      = omp_get_max_threads();
        const MeshArrays host  = test::random_arrays(type, 5, 4, 3);
        const MeshArrays there = copy_to(backend, host);
        expect_same(host, there);
        omp_set_num_threads(3);
        const MeshArrays finer   = refine(there);
        const ElementNodes nodes = number(finer, 2);
        omp_set_num_threads(1);
        const MeshArrays finer_1   = refine(host);
        const ElementNodes nodes_1 = number(finer_1, 2);
        omp_set_num_threads(threads);
        EXPECT_EQ(finer.backend(), backend);
        expect_same(finer, finer_1);
        expect_same(copy_to(Backend::host, finer), finer_1);
        EXPECT_EQ(nodes.n_nodes, nodes_1.n_nodes);
        expect_same(nodes.of_cells, nodes_1.of_cells);
        expect_same(nodes.of_faces, nodes_1.of_faces);
      }
}

TEST(MeshArrays, ManyCellsAtAVertex)
{
  // A fan of triangles around vertex 0, and a cone over it.
  for (const Backend backend : test::backends())
    for (const int n : {5, 33, 100})
      for (const int dim : {2, 3})
        {
          std::vector<double> points = {0, 0};
          std::vector<int> corners;
          const int apex = n + 1;
          if (dim == 3)
            points.push_back(0);
          for (int k = 0; k < n; ++k)
            {
              points.push_back(std::cos(2 * M_PI * k / n));
              points.push_back(std::sin(2 * M_PI * k / n));
              if (dim == 3)
                points.push_back(0);
              corners.insert(corners.end(), {0, 1 + k, 1 + (k + 1) % n});
              if (dim == 3)
                corners.push_back(apex);
            }
          if (dim == 3)
            points.insert(points.end(), {0, 0, 1});
          const MeshArrays mesh = test::make_arrays(
            dim == 2 ? CellType::triangle : CellType::tetrahedron, corners,
            points, backend);
          mesh.check();
          refine(mesh).check();
          EXPECT_EQ(euler_number(HostMesh(refine(mesh))), 1);
        }
}
