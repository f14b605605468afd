#include "cell_meshes.h"
#include "meshes.h"
#include "test.h"

#include <tessera/base/runtime.h>
#include <tessera/space/cell_data.h>

#include <algorithm>
#include <map>
#include <set>

// The nodes of blocks of cells are read back and compared with the space.
namespace tessera
{
  using namespace test;

  template <class T>
  std::vector<T>
  read_back(const T *from, const std::size_t size)
  {
    std::vector<T> values(size);
    runtime::copy(values.data(), from, size * sizeof(T),
                  runtime::Copy::device_to_host);
    return values;
  }

  std::vector<int>
  numbers_of_values(const BlockNodesView &view, const int n_blocks, const int n)
  {
    std::vector<int> numbers;
    for (const auto &two :
         read_back(view.values, std::size_t(n_blocks) * n * 64))
      numbers.insert(numbers.end(), {two.of[0], two.of[1]});
    return numbers;
  }

  /// The local indices of the nodes of blocks.
  std::vector<int>
  indices_of_nodes(const BlockNodesView &view, const int n_blocks)
  {
    std::vector<int> indices;
    for (const auto &node :
         read_back(view.nodes, read_back(view.start, n_blocks + 1)[n_blocks]))
      indices.push_back(node.index);
    return indices;
  }

  /// The list of a block, and where a cell finds its indices.
  struct HostLists
  {
    std::vector<std::int64_t> start;
    std::vector<int> indices;
    std::vector<unsigned short> places;

    HostLists(const std::int64_t *of_blocks, std::vector<int> listed,
              const unsigned short *of_cells, const int n_blocks, const int n)
      : start(read_back(of_blocks, n_blocks + 1)), indices(std::move(listed)),
        places(read_back(of_cells, std::size_t(n_blocks) * n * 128))
    {}

    /// The place of entry i of a cell.
    int
    place(const int cell, const int n, const int i) const
    {
      return places[(cell / 32 * n + i) * 32 + cell % 32];
    }
  };

  /// Every index of a block occurs once, the first `n_first` of cells come
  /// before others, and places lead to the indices of cells.
  void
  check_lists(const HostLists &lists, const std::vector<int> &of_cells,
              const int n_cells, const int n, const int n_first, const int most)
  {
    int longest = 0;
    for (int b = 0; b + 1 < static_cast<int>(lists.start.size()); ++b)
      {
        const auto first = lists.indices.begin() + lists.start[b],
                   last  = lists.indices.begin() + lists.start[b + 1];
        std::set<int> expected, leading;
        for (int cell = 128 * b; cell < 128 * (b + 1); ++cell)
          for (int i = 0; i < n; ++i)
            {
              const int index = of_cells[std::min(cell, n_cells - 1) * n + i];
              ASSERT_LT(lists.place(cell, n, i), last - first);
              ASSERT_EQ(first[lists.place(cell, n, i)], index)
                << "cell " << cell << " entry " << i;
              expected.insert(index);
              if (i < n_first)
                leading.insert(index);
            }
        ASSERT_EQ(last - first, static_cast<int>(expected.size()));
        const int n_leading = static_cast<int>(leading.size());
        EXPECT_TRUE(std::equal(first, first + n_leading, leading.begin()));
        EXPECT_TRUE(std::is_sorted(first + n_leading, last));
        longest = std::max(longest, static_cast<int>(last - first));
      }
    EXPECT_EQ(most, longest);
  }

  /// The sums of a block have every value of a real cell once, at its node, in
  /// increasing order.
  void
  check_sums(const HostLists &lists, const BlockNodesView &view,
             const int n_cells, const int n)
  {
    const int n_blocks = static_cast<int>(lists.start.size()) - 1;
    const auto nodes   = read_back(view.nodes, lists.indices.size());
    const auto values  = numbers_of_values(view, n_blocks, n);
    for (int b = 0; b < n_blocks; ++b)
      {
        int begin = 0;
        for (std::int64_t k = lists.start[b]; k < lists.start[b + 1]; ++k)
          {
            ASSERT_LT(begin, nodes[k].end);
            for (; begin < nodes[k].end; ++begin)
              {
                const int value = values[b * n * 128 + begin];
                const int cell  = 128 * b + value % 128;
                ASSERT_LT(cell, n_cells);
                ASSERT_EQ(lists.place(cell, n, value / 128),
                          k - lists.start[b]);
                if (begin > (k == lists.start[b] ? 0 : nodes[k - 1].end))
                  EXPECT_LT(values[b * n * 128 + begin - 1], value);
              }
          }
        EXPECT_EQ(begin, n * std::min(128, n_cells - 128 * b));
      }
  }

  void
  check(const Space &space, const Backend backend)
  {
    const CellData<double> cells(std::make_shared<const Space>(space), backend);
    ASSERT_FALSE(cells.block_nodes().empty());
    const BlockNodesView view = cells.block_nodes().view();
    const int n = space.dofs_per_cell(), nv = space.vertices_per_cell();
    const HostLists nodes(view.start, indices_of_nodes(view, cells.n_blocks()),
                          view.places, cells.n_blocks(), n);
    check_lists(nodes, space.cell_dofs, space.n_cells(), n, nv,
                view.most_nodes);
    check_sums(nodes, view, space.n_cells(), n);
    if (space.geometry != Geometry::vertices || space.degree == 1)
      return;
    const auto n_listed =
      read_back(view.vertex_start, cells.n_blocks() + 1).back();
    check_lists(HostLists(view.vertex_start, read_back(view.vertices, n_listed),
                          view.vertex_places, cells.n_blocks(), nv),
                space.cell_vertices, space.n_cells(), nv, nv,
                view.most_vertices);
    EXPECT_LT(view.most_vertices, view.most_nodes);
  }

  TEST(BlockNodes, AreTheSpaceAgain)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          if (backend == Backend::host)
            {
              const CellData<double> cells(
                std::make_shared<const Space>(build_space(
                  generated_mesh(CellType::tetrahedron, degree, 3, 3, 3))),
                backend);
              EXPECT_TRUE(cells.block_nodes().empty());
              continue;
            }
          for (const NamedMesh &named :
               awkward_meshes(CellType::tetrahedron, degree))
            for (const std::string numbering :
                 {"batch_interleaved", "lexicographic"})
              {
                SCOPED_TRACE(named.name + ", degree " + std::to_string(degree) +
                             ", " + numbering);
                check(build_space(named.mesh, numbering), backend);
              }
        }
  }

  TEST(BlockNodes, OfTwoTrianglesByHand)
  {
    // Vertices and then the middles of edges; cells meet at nodes 1, 2 and 4.
    Space space;
    space.cell_type     = CellType::triangle;
    space.degree        = 2;
    space.n_owned       = 9;
    space.cell_dofs     = {7, 1, 2, 0, 4, 5, 1, 8, 2, 3, 6, 4};
    space.cell_vertices = {0, 1, 2, 1, 3, 2};
    space.vertices      = {0, 0, 1, 0, 0, 1, 1, 1};
    space.mesh_cell     = {0, 1};
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        {
          const CellData<double> cells(std::make_shared<const Space>(space),
                                       backend);
          const BlockNodes blocks(*cells.shared_dofs(),
                                  cells.shared_vertices().get(), 2, 6, 3);
          const BlockNodesView view = blocks.view();
          EXPECT_EQ(read_back(view.start, 2),
                    (std::vector<std::int64_t>{0, 9}));
          EXPECT_EQ(indices_of_nodes(view, 1),
                    (std::vector<int>{1, 2, 7, 8, 0, 3, 4, 5, 6}));
          std::vector<int> ends;
          for (const auto &node : read_back(view.nodes, 9))
            ends.push_back(node.end);
          EXPECT_EQ(ends, (std::vector<int>{2, 4, 5, 6, 7, 8, 10, 11, 12}));
          auto values = numbers_of_values(view, 1, 6);
          values.resize(12);
          EXPECT_EQ(values, (std::vector<int>{1, 128, 256, 257, 0, 129, 384,
                                              385, 512, 641, 640, 513}));
          EXPECT_EQ(read_back(view.vertices, 4),
                    (std::vector<int>{0, 1, 2, 3}));
          EXPECT_EQ(view.most_nodes, 9);
          EXPECT_EQ(view.most_vertices, 4);
          const auto places = read_back(view.places, 6 * 128);
          for (const int lane : {1, 2, 31}) // padding is the last cell
            for (int i = 0; i < 6; ++i)
              EXPECT_EQ(places[32 * i + lane],
                        (std::vector<int>{0, 3, 1, 5, 8, 6})[i]);
          EXPECT_EQ(blocks.bytes(),
                    2 * 16 + 8 * 9 + 4 * 4 + 2 * 128 * (6 + 6 + 3));
        }
  }

  TEST(BlockNodes, OfOtherCellsAreEmpty)
  {
    for (const Backend backend : backends())
      for (const CellType type :
           {CellType::quadrilateral, CellType::hexahedron, CellType::triangle})
        EXPECT_TRUE(CellData<float>(std::make_shared<const Space>(build_space(
                                      generated_mesh(type, 2, 3, 3, 3))),
                                    backend)
                      .block_nodes()
                      .empty());
  }
} // namespace tessera
