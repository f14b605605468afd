#include <tessera/base/algorithms.h>
#include <tessera/base/device_memory.h>
#include <tessera/space/block_nodes.h>

#include <stdexcept>

#include "block_nodes_kernels.h"

namespace tessera
{
  BlockNodes::Lists
  BlockNodes::list(const Array<int> &of_cells, const int n_cells, const int n,
                   const int n_vertices)
  {
    const std::size_t size = of_cells.size();
    const int n_blocks     = static_cast<int>(size / n / n_cells_of_block);
    Array<int> n_nodes(Backend::cuda, n_blocks);
    BlockLists to{};
    to.of_cells   = of_cells.data();
    to.n_cells    = n_cells;
    to.n_blocks   = n_blocks;
    to.n          = n;
    to.n_vertices = n_vertices;
    to.n_nodes    = n_nodes.data();
    list_block_nodes(to);

    const std::int64_t total = algorithms::sum(n_nodes.data(), n_blocks);
    Lists lists;
    lists.most  = algorithms::maximum(n_nodes.data(), n_blocks);
    lists.start = Array<std::int64_t>(Backend::cuda, n_blocks + std::size_t(1));
    algorithms::exclusive_scan(n_nodes.data(), lists.start.data(), n_blocks);
    lists.places = Array<unsigned short>(Backend::cuda, size);
    to.start     = lists.start.data();
    to.places    = lists.places.data();
    if (nodes.size() == 0)
      {
        nodes     = Array<BlockNodesView::Node>(Backend::cuda, total);
        values    = Array<BlockNodesView::Values>(Backend::cuda, size / 2);
        to.nodes  = nodes.data();
        to.values = values.data();
      }
    else
      {
        vertices    = Array<int>(Backend::cuda, total);
        to.vertices = vertices.data();
      }
    list_block_nodes(to);
    return lists;
  }

  BlockNodes::BlockNodes(const Array<int> &dofs,
                         const Array<int> *const vertices_of_cells,
                         const int n_cells, const int n, const int n_vertices)
  {
    if (n > most_nodes_of_cell)
      throw std::logic_error("BlockNodes: cells with too many nodes");
    of_nodes = list(dofs, n_cells, n, n_vertices);
    if (vertices_of_cells != nullptr)
      of_vertices = list(*vertices_of_cells, n_cells, n_vertices, n_vertices);
    internal::finish_arrays(Backend::cuda);
  }

  BlockNodesView
  BlockNodes::view() const
  {
    return {of_nodes.start.data(),     nodes.data(),
            of_nodes.places.data(),    values.data(),
            of_vertices.start.data(),  vertices.data(),
            of_vertices.places.data(), of_nodes.most,
            of_vertices.most};
  }

  std::size_t
  BlockNodes::bytes() const
  {
    std::size_t sum = nodes.bytes() + values.bytes() + vertices.bytes();
    for (const Lists *const lists : {&of_nodes, &of_vertices})
      sum += lists->start.bytes() + lists->places.bytes();
    return sum;
  }
} // namespace tessera
