#pragma once

#include <tessera/base/leave_larger.h>
#include <tessera/base/parallel_vector.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::internal
{
  /// The order in which the nodes of cells are visited: batch by batch; in a
  /// batch, group by group of nodes; in a group, cell by cell and node by node.
  struct Visit
  {
    const std::vector<int> &cells; ///< some cells of the mesh, or all
    std::vector<int> batches;      ///< [n_batches + 1], starts in `cells`
    /// Local node numbers; every node is in exactly one group.
    std::vector<std::vector<int>> groups;

    /// Calls `visit(index)` for the entries of `cell_indices`, [n_cells][n], of
    /// the batches [first_batch, last_batch).
    template <class F>
    void
    operator()(const std::vector<int> &cell_indices, const int first_batch,
               const int last_batch, const F &visit) const
    {
      std::size_t n = 0;
      for (const std::vector<int> &group : groups)
        n += group.size();
      for (int b = first_batch; b < last_batch; ++b)
        for (const std::vector<int> &group : groups)
          {
            const int *const first = group.data();
            const int *const last  = first + group.size();
            const int *const end   = cells.data() + batches[b + 1];
            for (const int *cell = cells.data() + batches[b]; cell < end;
                 ++cell)
              for (const int *i = first; i < last; ++i)
                visit(cell_indices[n * *cell + *i]);
          }
    }

    /// Cuts the batches into pieces with about the same number of cells.
    /// Returns the first batch of each piece, and the end.
    std::vector<int>
    pieces() const
    {
      constexpr int piece_size = 4096;
      std::vector<int> first   = {0};
      for (std::size_t b = 1; b < batches.size(); ++b)
        if (batches[b] - batches[first.back()] >= piece_size ||
            b + 1 == batches.size())
          first.push_back(static_cast<int>(b));
      return first;
    }
  };

  /// Numbers the indices in [0, n) in the order in which cells touch them first
  /// when visited in the order of `visit`. The indices of kind k are counted
  /// from start[k]. Returns the number of every index, or -1 if no cell touches
  /// it.
  ///
  /// Threads work on pieces of the list of cells at the same time: an index
  /// belongs to the first piece that touches it, is numbered from 0 within that
  /// piece, and is then moved behind the indices of earlier pieces. The result
  /// does not depend on the pieces.
  template <std::size_t n_kinds, class Kind>
  std::vector<int>
  number_by_first_touch(const int n, const std::vector<int> &cell_indices,
                        const Visit &visit,
                        const std::array<int, n_kinds> &start, const Kind &kind)
  {
    const std::vector<int> first = visit.pieces();
    const int n_pieces           = static_cast<int>(first.size()) - 1;

    // Holds n_pieces - owner, so that 0 means that no piece owns the index.
    auto owner = parallel_vector<int>(n);
#pragma omp parallel for schedule(static)
    for (int piece = 0; piece < n_pieces; ++piece)
      visit(cell_indices, first[piece], first[piece + 1], [&](const int index) {
        leave_larger(owner[index], n_pieces - piece);
      });

    auto number = parallel_vector<int>(n, -1);
    std::vector<std::array<int, n_kinds>> begin(n_pieces);
#pragma omp parallel for schedule(static)
    for (int piece = 0; piece < n_pieces; ++piece)
      {
        std::array<int, n_kinds> count{};
        visit(cell_indices, first[piece], first[piece + 1],
              [&](const int index) {
                if (owner[index] == n_pieces - piece && number[index] < 0)
                  number[index] = count[kind(index)]++;
              });
        begin[piece] = count;
      }

    std::array<int, n_kinds> next = start;
    for (auto &of_piece : begin)
      for (std::size_t k = 0; k < n_kinds; ++k)
        next[k] += std::exchange(of_piece[k], next[k]);
#pragma omp parallel for schedule(static)
    for (int index = 0; index < n; ++index)
      if (number[index] >= 0)
        number[index] += begin[n_pieces - owner[index]][kind(index)];
    return number;
  }
} // namespace tessera::internal
