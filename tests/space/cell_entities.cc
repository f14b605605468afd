#include "cell_meshes.h"
#include "meshes.h"
#include "test.h"

#include <tessera/base/runtime.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/element.h>
#include <tessera/space/node_cells.cuh>

#include <utility>

// Degrees of freedom and vertices are read back by entities, as kernels read
// them.
namespace tessera
{
  using namespace test;

  template <class T>
  std::vector<T>
  to_host(const T *from, const std::size_t size, const Backend backend)
  {
    std::vector<T> values(size);
    if (backend == Backend::cuda)
      runtime::copy(values.data(), from, size * sizeof(T),
                    runtime::Copy::device_to_host);
    return values;
  }

  /// Copies of the arrays, on the host.
  template <class Number>
  struct HostEntities
  {
    const CellData<Number> cells;
    std::vector<int> indices;
    std::vector<InnerNodes> inner;
    std::vector<Number> coordinates;

    HostEntities(const Space &space, const Backend backend)
      : cells(std::make_shared<const Space>(space), backend)
    {
      if (cells.entities().empty())
        return;
      const EntityView<Number> view = cells.entities().view();
      const int n_entries = CellEntities<Number>::n_entries(space.degree);
      indices             = to_host(
                    view.indices, std::size_t(cells.n_batches()) * n_entries * 32, backend);
      inner = to_host(view.inner, cells.n_batches(), backend);
      if (space.geometry == Geometry::vertices)
        coordinates = to_host(view.coordinates,
                              2 * (std::size_t(space.n_local()) + 3), backend);
    }

    EntityView<Number>
    view() const
    {
      return {indices.data(), inner.data(), coordinates.data(),
              cells.space().padding_index()};
    }
  };

  template <class E, class Number>
  void
  check_cells(const Space &space, const EntityView<Number> &entities)
  {
    CellView<Number> view{};
    view.n_cells  = space.n_cells();
    view.entities = entities;
    for (int c = 0; c < (space.n_cells() + 127) / 128 * 128; ++c)
      {
        EntityCell<E, Number> cell(DeviceCell<Number>(view, c), view);
        cell.reread();
        const bool padding = c >= space.n_cells();
        for (int i = 0; i < E::n; ++i)
          ASSERT_EQ(cell.index(i), padding ? space.padding_index()
                                           : space.cell_dofs[c * E::n + i])
            << "cell " << c << " node " << i;
        if (space.geometry != Geometry::vertices)
          continue;
        Number x[4][2];
        cell.vertices(view, x);
        for (int v = 0; v < 4; ++v)
          for (int d = 0; d < 2; ++d)
            ASSERT_EQ(
              x[v][d],
              padding
                ? Number(v >> d & 1)
                : Number(
                    space.vertices[2 * space.cell_vertices[4 * c + v] + d]))
              << "cell " << c << " vertex " << v;
      }
  }

  template <class Number>
  void
  check(const Space &space, const Backend backend)
  {
    const HostEntities<Number> entities(space, backend);
    ASSERT_FALSE(entities.cells.entities().empty());
    on_element(space.cell_type, space.degree, [&](const auto element) {
      using E = std::decay_t<decltype(element)>;
      if constexpr (E::cell_type == CellType::quadrilateral && E::degree > 1)
        check_cells<E, Number>(space, entities.view());
    });
  }

  bool
  suits(const Space &space, const Backend backend)
  {
    const CellData<double> cells(std::make_shared<const Space>(space), backend);
    return !cells.entities().empty();
  }

  /// Returns the backends that have entities; the host has none.
  std::vector<Backend>
  devices()
  {
    std::vector<Backend> result;
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        result.push_back(backend);
      else
        EXPECT_FALSE(suits(build_space(generated_mesh(3, 4, 5)), backend));
    return result;
  }

  TEST(CellEntities, AreTheSpaceAgain)
  {
    for (const Backend backend : devices())
      for (const int degree : test::degrees(CellType::quadrilateral, 2))
        for (const int cells_a_row : {1, 3, 31, 33, 40})
          for (const int rows : {1, 3, 11})
            for (const std::string numbering :
                 {"batch_interleaved", "aligned", "blocked_aligned"})
              {
                SCOPED_TRACE(std::to_string(degree) + " " +
                             std::to_string(cells_a_row) + "x" +
                             std::to_string(rows) + " " + numbering);
                const auto space = build_space(
                  generated_mesh(degree, cells_a_row, rows, degree == 3),
                  numbering);
                // Batches of blocked_aligned may have several blocks.
                if (numbering != "blocked_aligned" || suits(space, backend))
                  {
                    check<double>(space, backend);
                    check<float>(space, backend);
                  }
              }
  }

  TEST(CellEntities, OfAwkwardMeshes)
  {
    for (const Backend backend : devices())
      {
        int n_checked = 0;
        for (const int degree : test::degrees(CellType::quadrilateral, 2))
          for (const NamedMesh &named :
               awkward_meshes(CellType::quadrilateral, degree))
            {
              SCOPED_TRACE(named.name + ", degree " + std::to_string(degree));
              const auto space = build_space(named.mesh);
              // If cells see edges in either direction, the nodes of an edge
              // need not be at equal distances.
              if (degree > 2 && !suits(space, backend))
                continue;
              ++n_checked;
              check<double>(space, backend);
              check<float>(space, backend);
            }
        EXPECT_GE(n_checked, 10);
      }
  }

  TEST(CellEntities, OfTwoCellsByHand)
  {
    // There is a vertex per corner, a node per edge, and adjacent inner nodes.
    Space space;
    space.degree        = 2;
    space.n_owned       = 15;
    space.cell_dofs     = {2, 5,  3,  6, 0, 7,  4, 8,  9, //
                           3, 10, 11, 7, 1, 12, 9, 13, 14};
    space.cell_vertices = {0, 1, 3, 4, 1, 2, 4, 5};
    space.vertices      = {0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1};
    space.mesh_cell     = {0, 1};
    const std::vector<std::pair<int, int>> expected = {
      {2, 3}, {3, 11}, {4, 9},  {9, 14},  // vertices
      {6, 7}, {7, 12}, {5, 10}, {8, 13}}; // edges
    using Entities = CellEntities<double>;
    EXPECT_EQ(Entities::index_bytes(2, 2), 2 * 32 + 16);
    EXPECT_EQ(Entities::index_bytes(4, 33), 33 * 36 + 2 * 16);
    for (const Backend backend : devices())
      {
        const HostEntities<double> found(space, backend);
        const Entities &entities = found.cells.entities();
        ASSERT_FALSE(entities.empty());
        const EntityView<double> view = found.view();
        for (int k = 0; k < 8; ++k)
          {
            EXPECT_EQ(view.indices[32 * k], expected[k].first) << k;
            EXPECT_EQ(view.indices[32 * k + 1], expected[k].second) << k;
            EXPECT_EQ(view.indices[32 * k + 2], 15) << k;
          }
        EXPECT_EQ(view.inner[0].first, 0);
        EXPECT_EQ(view.inner[0].per_lane, 1);
        EXPECT_EQ(view.inner[0].n_cells, 2);
        EXPECT_EQ(view.inner[1].n_cells, 0);
        EXPECT_EQ(view.coordinates[2 * 11], 2);
        EXPECT_EQ(view.coordinates[2 * 11 + 1], 0);
        EXPECT_EQ(entities.bytes(), 4 * (8 * 32 * 4 + 16) + 8 * 2 * (16 + 3));
      }
  }

  TEST(CellEntities, WhatDoesNotSuitHasNone)
  {
    for (const Backend backend : devices())
      for (const int degree : {2, 3, 4})
        {
          const auto mesh = generated_mesh(degree, 33, 3);
          for (const std::string numbering :
               {"cell_first_touch", "lexicographic", "cuthill_mckee",
                "hierarchical"})
            EXPECT_FALSE(suits(build_space(mesh, numbering), backend))
              << degree << " " << numbering;

          // One node is at another place.
          Space space = build_space(mesh);
          ASSERT_TRUE(suits(space, backend));
          const int n1 = degree + 1;
          Space inner = space, edge = space;
          std::swap(inner.cell_dofs[n1 * n1 * 40 + n1 + 1],
                    inner.cell_dofs[n1 * n1 * 41 + n1 + 1]);
          EXPECT_FALSE(suits(inner, backend));
          if (degree > 2)
            {
              std::swap(edge.cell_dofs[1], edge.cell_dofs[2]);
              EXPECT_EQ(suits(edge, backend), degree == 3);
              // A distance has one byte.
              for (const int distance : {-129, -128, 127, 128})
                {
                  edge.cell_dofs[1] = edge.cell_dofs[2] - distance;
                  const bool fits   = distance == -128 || distance == 127;
                  EXPECT_EQ(suits(edge, backend), degree == 3 && fits)
                    << distance;
                  if (degree == 3 && fits)
                    check<double>(edge, backend);
                }
            }

          // A degree of freedom occurs at two places, as on a periodic mesh.
          Space periodic                  = space;
          periodic.cell_dofs[n1 * n1 * 5] = periodic.cell_dofs[0];
          EXPECT_FALSE(suits(periodic, backend));
          periodic.geometry = Geometry::affine;
          EXPECT_TRUE(suits(periodic, backend));
        }
    for (const Backend backend : devices())
      {
        EXPECT_FALSE(suits(build_space(generated_mesh(1, 33, 3)), backend));
        EXPECT_FALSE(
          suits(build_space(generated_mesh(CellType::hexahedron, 2, 3, 3, 3)),
                backend));
      }
  }
} // namespace tessera
