#include "array_meshes.h"
#include "test.h"

#include <tessera/base/error.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

using namespace tessera;
using test::HostMesh;

namespace
{
  /// Expects the mesh to be refused, on all backends, in a sentence that
  /// contains `words`, once its arrays are damaged.
  void
  expect_refused(const CellType type,
                 const std::function<void(HostMesh &)> &damage,
                 const std::string &words)
  {
    for (const Backend backend : test::backends())
      {
        const MeshArrays fine = test::random_arrays(type, 4, 3, 2);
        EXPECT_NO_THROW(copy_to(backend, fine).check());
        HostMesh host(fine);
        damage(host);
        MeshArrays mesh;
        mesh.cell_type = type;
        mesh.corners   = Array<int>(backend, host.cell_vertices);
        mesh.vertices  = Array<double>(backend, host.vertices);
        mesh.materials = Array<unsigned int>(backend, host.materials);
        mesh.numbers   = Array<std::int64_t>(backend, host.numbers);
        mesh.boundary  = Array<MeshFace>(backend, host.boundary);
        try
          {
            mesh.check();
            FAIL() << "accepted; expected: " << words;
          }
        catch (const MeshError &error)
          {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
              << error.what();
          }
      }
  }

  void
  expect_refused(const std::function<void(HostMesh &)> &damage,
                 const std::string &words)
  {
    for (const CellType type : test::cell_types)
      {
        SCOPED_TRACE(to_string(type));
        expect_refused(type, damage, words);
      }
  }

  int &
  corner(HostMesh &mesh, const int cell, const int v)
  {
    return mesh.cell_vertices[mesh.nv * cell + v];
  }
} // namespace

TEST(MeshChecks, Sizes)
{
  expect_refused([](HostMesh &m) { m.cell_vertices.clear(); }, "no cells");
  expect_refused([](HostMesh &m) { m.cell_vertices.pop_back(); },
                 "is not a multiple of");
  expect_refused([](HostMesh &m) { m.vertices.pop_back(); },
                 "coordinates, which is not a multiple of");
  expect_refused([](HostMesh &m) { m.materials.pop_back(); },
                 "entries of materials");
  expect_refused([](HostMesh &m) { m.numbers.push_back(0); },
                 "entries of numbers");
}

TEST(MeshChecks, CornersAndVertices)
{
  expect_refused(
    [](HostMesh &m) {
      corner(m, 7, 2) = m.n_vertices;
      corner(m, 9, 0) = -1;
    },
    "Cell 7 has the corner ");
  expect_refused([](HostMesh &m) { corner(m, 5, 1) = -1; },
                 "Cell 5 has the corner -1, legal are 0 to ");
  expect_refused([](HostMesh &m) { corner(m, 6, 0) = corner(m, 6, 2); },
                 "Cell 6 has the same corner twice.");
  expect_refused(
    [](HostMesh &m) {
      m.vertices[m.dim * 4 + 1] = std::numeric_limits<double>::quiet_NaN();
    },
    "Vertex 4 has a coordinate that is not finite.");
  expect_refused(
    [](HostMesh &m) {
      m.vertices.insert(m.vertices.end(), 3, 0.);
      m.vertices.resize(m.dim * (m.n_vertices + 1));
    },
    "belongs to no cell.");
}

TEST(MeshChecks, ShapesOfCells)
{
  // A mirror image.
  expect_refused(
    [](HostMesh &m) {
      std::swap(corner(m, 3, 1), corner(m, 3, 2));
      if (m.nv == 8)
        std::swap(corner(m, 3, 5), corner(m, 3, 6));
    },
    "Cell 3 is inverted");
  // A corner that is moved just behind the plane of its neighbours, or far.
  for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
    for (const double factor : {1.001, 2.})
      expect_refused(
        type,
        [&](HostMesh &m) {
          // All cells are moved apart, so that only one of them changes.
          HostMesh apart = m;
          apart.boundary.clear();
          apart.vertices.clear();
          for (int c = 0; c < m.n_cells; ++c)
            for (int v = 0; v < m.nv; ++v)
              {
                corner(apart, c, v) = m.nv * c + v;
                for (int d = 0; d < m.dim; ++d)
                  apart.vertices.push_back(m.point(corner(m, c, v))[d]);
              }
          double *const x = &apart.vertices[m.dim * m.nv * 2];
          for (int d = 0; d < m.dim; ++d)
            {
              double mean = 0;
              for (int k = 0; k < m.dim; ++k)
                mean += x[(m.dim << k) + d] / m.dim;
              x[d] += factor * (mean - x[d]);
            }
          m = apart;
        },
        "Cell 2 is degenerate: its smallest Jacobian is ");
  expect_refused(
    CellType::triangle,
    [](HostMesh &m) {
      for (int d = 0; d < 2; ++d)
        m.vertices[2 * corner(m, 0, 0) + d] =
          m.vertices[2 * corner(m, 0, 1) + d];
    },
    "Cell 0 is degenerate: its smallest Jacobian is 0,");
}

TEST(MeshChecks, Faces)
{
  // A third cell at a face: a copy of a cell.
  expect_refused(
    [](HostMesh &m) {
      for (int copy = 0; copy < 2; ++copy)
        {
          for (int v = 0; v < m.nv; ++v)
            m.cell_vertices.push_back(corner(m, m.n_cells - 1, v));
          m.materials.push_back(0);
          m.numbers.push_back(0);
        }
    },
    "cells, at most 2 are legal.");
  expect_refused([](HostMesh &m) { m.boundary[3].cell = m.n_cells; },
                 "Boundary face 3 is face ");
  expect_refused([](HostMesh &m) { m.boundary[3].cell = -1; },
                 "Boundary face 3 is face ");
  expect_refused(
    [](HostMesh &m) { m.boundary[2].face = test::n_faces(m.cell_type); },
    "Boundary face 2 is face ");
  expect_refused([](HostMesh &m) { m.boundary.push_back(m.boundary[4]); },
                 "is twice among the boundary faces.");
  expect_refused([](HostMesh &m) { m.boundary.pop_back(); },
                 "belongs to one cell alone, but is no boundary face.");
  expect_refused(
    [](HostMesh &m) {
      const auto faces = m.faces();
      for (int c = 0; c < m.n_cells; ++c)
        for (int f = 0; f < test::n_faces(m.cell_type); ++f)
          if (faces.at(m.face(c, f)) == 2)
            {
              m.boundary.push_back({c, f, 0});
              return;
            }
    },
    "is a boundary face, but belongs to two cells.");
}

TEST(MeshChecks, DegreesOfNodes)
{
  const MeshArrays mesh = test::random_arrays(CellType::triangle, 2, 1, 1);
  EXPECT_THROW(number(mesh, 0), ParameterError);
  EXPECT_THROW(number(mesh, 3), ParameterError);
}

TEST(MeshChecks, CurvedBoundaries)
{
  // A square whose edges bend outwards, and a cube with a bent side.
  for (const Backend backend : test::backends())
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      {
        const MeshArrays arrays =
          test::random_arrays(type, 1, 1, 1, 1, backend);
        const HostMesh coarse(arrays);
        int n_calls         = 0;
        const auto outwards = [](test::Position x, const int dim) {
          for (int d = 0; d < dim; ++d)
            x[d] += 0.0625 * (x[d] - 0.5) + 0.03125 * x[(d + 1) % dim];
          return x;
        };
        const MeshArrays finer = refine(arrays, [&](NewVertices &fresh) {
          const int dim = coarse.dim, size = dim == 2 ? 9 : 27;
          const bool all = fresh.dimension == dim;
          EXPECT_EQ(fresh.dimension, ++n_calls);
          EXPECT_EQ(fresh.cell_type, type);
          EXPECT_EQ(fresh.size(), all            ? 1
                                  : n_calls == 2 ? 6
                                  : dim == 2     ? 4
                                                 : 12);
          std::set<int> nodes;
          for (const auto place : fresh.places)
            {
              const int node = static_cast<int>(place % size);
              EXPECT_EQ(place / size, 0);
              nodes.insert(node);
              test::Position x = {0, 0, 0};
              int n            = 0; // corners around
              for (int v = 0; v < coarse.nv; ++v)
                {
                  int corner     = 0;
                  bool is_around = true;
                  for (int d = 0, stride = 1; d < dim; ++d, stride *= 3)
                    {
                      const int t = node / stride % 3, side = v >> d & 1;
                      corner += 2 * side * stride;
                      is_around = is_around && (t == 1 || t == 2 * side);
                    }
                  EXPECT_EQ(fresh.lattice[corner], coarse.corner(0, v));
                  for (int d = 0; d < dim && is_around; ++d)
                    x[d] += fresh.points[fresh.lattice[corner] * dim + d];
                  n += is_around;
                }
              EXPECT_EQ(n, 1 << fresh.dimension);
              for (int d = 0; d < dim; ++d)
                {
                  double &to = fresh.points[fresh.lattice[node] * dim + d];
                  x[d] /= n;
                  if (fresh.dimension == 1)
                    EXPECT_EQ(to, x[d]);
                }
              for (int d = 0; d < dim && !all; ++d)
                fresh.points[fresh.lattice[node] * dim + d] =
                  outwards(x, dim)[d];
            }
          EXPECT_EQ(std::int64_t(nodes.size()), fresh.size());
        });
        EXPECT_EQ(n_calls, coarse.dim);
        const HostMesh mesh(finer);
        // By transfinite interpolation, the middle is 1/2 of the sum over edges
        // less 1/4 of that over corners; in a cube, it is 1/8, -1/4 and 1/2 of
        // the sums over corners, edges and faces. One affine map moves middles.
        const test::Position middle = mesh.point(mesh.n_vertices - 1);
        const test::Position center = {0.5, 0.5, coarse.dim == 3 ? 0.5 : 0.};
        const test::Position moved  = outwards(center, coarse.dim);
        const double share          = coarse.dim == 2 ? 2 : 0;
        for (int d = 0; d < coarse.dim; ++d)
          EXPECT_NEAR(middle[d], center[d] + share * (moved[d] - center[d]),
                      1e-15);
        EXPECT_NO_THROW(finer.check());
      }
}

TEST(MeshChecks, TetrahedraKeepTheirQuality)
{
  RandomSequence random(5);
  for (int trial = 0; trial < 8; ++trial)
    {
      std::vector<double> points(12);
      for (double &x : points)
        x = random.uniform();
      std::vector<int> corners = {0, 1, 2, 3};
      MeshArrays mesh =
        test::make_arrays(CellType::tetrahedron, corners, points);
      if (HostMesh(mesh).volume(0) < 0)
        mesh = test::make_arrays(CellType::tetrahedron, {1, 0, 2, 3}, points);
      const double first = test::worst_shape(HostMesh(mesh));
      double before      = 0;
      for (int level = 1; level <= 4; ++level)
        {
          mesh             = refine(mesh);
          const double now = test::worst_shape(HostMesh(mesh));
          if (level == 4)
            EXPECT_NEAR(now, before, 1e-8 * before);
          EXPECT_LE(now, 4 * first);
          before = now;
        }
    }
}
