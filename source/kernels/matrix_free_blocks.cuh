#pragma once

#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>

#include "../operators/tuning.h"
#include "form_on_cell.cuh"

// Products on tetrahedra. A thread block has the nodes of a block
// of cells once each in shared memory (BlockNodes), and a thread has a cell.
namespace tessera
{
  /// The shared memory of a thread block. Numbers are first the functions that
  /// are evaluated, [function][node], and the vertices, [vertex][coordinate];
  /// then, in their place, what the cells computed, [component][node of a cell]
  /// [cell]. The nodes of the block stand behind as many numbers as there are.
  template <class F, class E, int n_in, bool stored, class Number>
  struct BlockMemory
  {
    using Node                   = BlockNodesView::Node;
    static constexpr int n_cells = BlockNodes::n_cells_of_block;
    static constexpr int dim     = stored ? 0 : E::dim;
    static constexpr int n_sums  = F::n_components * E::n * n_cells;
    static constexpr int most_read =
      (n_in * E::n + dim * E::n_vertices) * n_cells;

    alignas(8) unsigned short values[E::n * n_cells];
    alignas(8) Number numbers[most_read > n_sums ? most_read : n_sums];
    Node nodes[E::n * n_cells];

    TESSERA_HOST_DEVICE static int
    n_numbers(const BlockNodesView &view)
    {
      const int n_vertices =
        E::degree == 1 ? view.most_nodes : view.most_vertices;
      const int n_read = n_in * view.most_nodes + dim * n_vertices;
      return n_read > n_sums ? (n_read + 1) / 2 * 2 : n_sums;
    }

    static int
    bytes(const BlockNodesView &view)
    {
      return static_cast<int>(sizeof(values) +
                              sizeof(Number) * n_numbers(view) +
                              sizeof(Node) * view.most_nodes);
    }
  };

  /// A cell whose vertices are in shared memory.
  template <class E, class Number>
  struct CellOfBlock : DeviceCell<Number>
  {
    const Number *points; ///< [vertex][coordinate]
    int places[E::n];     ///< of nodes
    int vertex_places[E::n_vertices];

    TESSERA_DEVICE
    CellOfBlock(const CellApply<Number> &apply, const Number *const points,
                const bool stored)
      : DeviceCell<Number>(cell_of_thread(apply.cells, apply.blocks)),
        points(points)
    {
      const BlockNodesView &view = apply.cells.block_nodes;
      TESSERA_UNROLL_BY(E::n)
      for (int i = 0; i < E::n; ++i)
        places[i] = this->load(view.places, E::n, i);
      TESSERA_UNROLL
      for (int v = 0; v < E::n_vertices; ++v)
        vertex_places[v] = stored ? 0
                           : E::degree > 1
                             ? this->load(view.vertex_places, E::n_vertices, v)
                             : places[v];
    }

    TESSERA_DEVICE void
    vertices(const CellView<Number> &, Number (&x)[E::n_vertices][E::dim]) const
    {
      TESSERA_UNROLL
      for (int v = 0; v < E::n_vertices; ++v)
        TESSERA_UNROLL
      for (int d = 0; d < E::dim; ++d)
        x[v][d] = points[E::dim * vertex_places[v] + d];
    }
  };

  /// What a thread block does for its block of cells as a whole.
  template <class F, class E, int n_in, bool stored, class Number>
  struct BlockMember
  {
    using Memory           = BlockMemory<F, E, n_in, stored, Number>;
    using Node             = BlockNodesView::Node;
    static constexpr int b = F::n_components;

    Memory &memory;
    const CellApply<Number> &apply;
    const BlockNodesView &view;
    int block, n_nodes;
    std::int64_t first_node;
    Number *points;
    Node *nodes;

    TESSERA_DEVICE
    BlockMember(Memory &memory, const CellApply<Number> &apply)
      : memory(memory), apply(apply), view(apply.cells.block_nodes),
        block(number_of_block(apply.blocks))
    {
      first_node = view.start[block];
      n_nodes    = static_cast<int>(view.start[block + 1] - first_node);
      points     = memory.numbers + n_in * view.most_nodes;
      nodes =
        reinterpret_cast<Node *>(memory.numbers + Memory::n_numbers(view));
    }

    /// Calls work(k, load(k)) for the thread's share of 0, ..., n - 1, with
    /// `own` loads at a time.
    template <int own, class Load, class Work>
    TESSERA_DEVICE void
    for_each(const int n, const Load &load, const Work &work) const
    {
      constexpr int threads = Memory::n_cells;
      TESSERA_ROLLED
      for (int k = device::thread_index(); k < n; k += own * threads)
        {
          decltype(load(0)) loaded[own];
          TESSERA_UNROLL
          for (int j = 0; j < own; ++j)
            if (k + j * threads < n)
              loaded[j] = load(k + j * threads);
          TESSERA_UNROLL
          for (int j = 0; j < own; ++j)
            if (k + j * threads < n)
              work(k + j * threads, loaded[j]);
        }
    }

    TESSERA_DEVICE void
    start_point(const int k, const int vertex) const
    {
      TESSERA_UNROLL
      for (int d = 0; d < E::dim; ++d)
        device::copy_async(points + E::dim * k + d,
                           apply.cells.coordinates +
                             E::dim * std::int64_t(vertex) + d);
    }

    /// Starts to copy the functions at the nodes of the block, its vertices and
    /// the positions of its values.
    TESSERA_DEVICE void
    start_copies(const Number *const solution) const
    {
      for_each<E::degree == 1 ? 1 : 3>(
        n_nodes, [&](const int k) { return view.nodes[first_node + k]; },
        [&](const int k, const Node node) {
          nodes[k] = node;
          TESSERA_UNROLL
          for (int c = 0; c < n_in; ++c)
            device::copy_async(memory.numbers + c * view.most_nodes + k,
                               (c < b ? apply.x : solution) +
                                 b * std::int64_t(node.index) + c % b);
          if (!stored && E::degree == 1)
            start_point(k, node.index);
        });
      if constexpr (!stored && E::degree > 1)
        {
          const std::int64_t first = view.vertex_start[block];
          for_each<1>(
            static_cast<int>(view.vertex_start[block + 1] - first),
            [&](const int k) { return read_only(view.vertices + first + k); },
            [&](const int k, const int vertex) { start_point(k, vertex); });
        }
      using Values          = BlockNodesView::Values;
      constexpr int n_words = E::n * Memory::n_cells / 2;
      TESSERA_UNROLL
      for (int j = 0; j < n_words; j += Memory::n_cells)
        {
          const int k = j + device::thread_index();
          if (n_words % Memory::n_cells == 0 || k < n_words)
            device::copy_async(reinterpret_cast<Values *>(memory.values) + k,
                               view.values + n_words * std::int64_t(block) + k);
        }
    }

    /// Adds the sums of what the cells computed to y. Blocks of a colour have
    /// no node in common, so that their additions have one order.
    TESSERA_DEVICE void
    add_sums() const
    {
      constexpr int threads = Memory::n_cells, size = E::n * threads;
      TESSERA_ROLLED
      for (int k = device::thread_index(); k < n_nodes; k += threads)
        {
          const Node node = nodes[k];
          Number sum[b]{};
          TESSERA_UNROLL_BY(4)
          for (int j = k == 0 ? 0 : nodes[k - 1].end; j < node.end; ++j)
            {
              const Number *const value = memory.numbers + memory.values[j];
              TESSERA_UNROLL
              for (int c = 0; c < b; ++c)
                sum[c] += value[c * size];
            }
          Number *const to = apply.y + b * std::int64_t(node.index);
          TESSERA_UNROLL
          for (int c = 0; c < b; ++c)
            device::atomic_add(to + c, sum[c]);
        }
    }
  };

  /// y += A x. Bytes a cell: 4 n of places and values, and for degree 2 the 2
  /// n_vertices places of vertices; a node of a block: 8, x, and y read and
  /// written; a vertex of a block: its coordinates, and 4 for degree 2. Or, in
  /// place of vertices, stored Jacobians.
  template <class F, Quantity quantity, class E, bool stored, class Number>
  TESSERA_KERNEL(BlockNodes::n_cells_of_block,
                 (tuning::blocks_of_tetrahedra<F, E>))
  void matrix_free_tetrahedra(TESSERA_ARGUMENT(CellApply<Number>) apply,
                              TESSERA_ARGUMENT(FieldsView<Number>) fields_view,
                              TESSERA_ARGUMENT(ReferenceElement<E, Number>)
                                element)
  {
    using Work   = PointWork<F, quantity>;
    using Member = BlockMember<F, E, Work::n_in, stored, Number>;
    TESSERA_LARGE_SHARED(typename Member::Memory, memory);
    const Member member(memory, apply);
    const CellOfBlock<E, Number> cell(apply, member.points, stored);
    member.start_copies(fields_view.solution);
    device::wait_for_copies();
    device::barrier();

    RegisterValues<Work::n_in * E::n, Number> u;
    TESSERA_UNROLL_BY(Work::n_in * E::n)
    for (int i = 0; i < Work::n_in * E::n; ++i)
      u[i] =
        memory
          .numbers[i / E::n * member.view.most_nodes + cell.places[i % E::n]];
    Number r[F::n_components * E::n];
    form_on_cell<F, quantity, E, stored>(
      cell, apply.cells, fields_view, element,
      [&](const int q, Number(&k)[F::n_coefficients]) {
        read_coefficient<F>(cell, fields_view.coefficient, q, k);
      },
      u, r);
    if constexpr (quantity != Quantity::state)
      {
        device::barrier();
        TESSERA_UNROLL_BY(F::n_components * E::n)
        for (int i = 0; i < F::n_components * E::n; ++i)
          memory.numbers[i * Member::Memory::n_cells + device::thread_index()] =
            r[i];
        device::barrier();
        member.add_sums();
      }
    if constexpr (quantity == Quantity::product)
      sum_energy<Member::Memory::n_cells>(
        apply, cell.is_padding(apply.cells) ? Number(0) : energy(u, r));
  }

  template <class F, Quantity quantity, class E, bool stored, class Number>
  void
  launch_blocks(const CellApply<Number> &apply,
                const FieldsView<Number> &fields, const Stream stream)
  {
    using Memory =
      BlockMemory<F, E, PointWork<F, quantity>::n_in, stored, Number>;
    launch(matrix_free_tetrahedra<F, quantity, E, stored, Number>,
           {apply.blocks.n_blocks, BlockNodes::n_cells_of_block,
            Memory::bytes(apply.cells.block_nodes)},
           stream, apply, fields, reference_element<E, Number>());
  }
} // namespace tessera
