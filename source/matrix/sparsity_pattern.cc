#include <tessera/base/parallel_vector.h>
#include <tessera/matrix/cells_of_rows.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <algorithm>
#include <cstddef>

namespace tessera
{
  int
  SparsityPattern::max_row_length() const
  {
    std::int64_t longest = 0;
#pragma omp parallel for schedule(static) reduction(max : longest)
    for (int row = 0; row < n_rows(); ++row)
      longest = std::max(longest, row_start[row + 1] - row_start[row]);
    return static_cast<int>(longest);
  }

  namespace
  {
    /// The columns of a row, each of them once. A column
    /// stands behind its row in the table, so that rows need not clear it.
    class ColumnsOfRow
    {
    public:
      /// Begins a row with at most so many columns.
      void
      begin(const int new_row, const std::size_t most)
      {
        row = std::uint64_t(new_row) << 32;
        columns.clear();
        if (table.size() >= 2 * most)
          return;
        for (bits = 4; (std::size_t(1) << bits) < 2 * most;)
          ++bits;
        table.assign(std::size_t(1) << bits, ~std::uint64_t(0));
      }

      void
      add(const int column)
      {
        const std::uint64_t entry = row | std::uint32_t(column);
        std::size_t at = (std::uint32_t(column) * 0x9e3779b1u) >> (32 - bits);
        for (; table[at] >> 32 == row >> 32; at = (at + 1) & (table.size() - 1))
          if (table[at] == entry)
            return;
        table[at] = entry;
        columns.push_back(column);
      }

      const std::vector<int> &
      sorted()
      {
        std::sort(columns.begin(), columns.end());
        return columns;
      }

    private:
      std::uint64_t row = 0;
      int bits          = 0; ///< of the size of the table
      std::vector<std::uint64_t> table;
      std::vector<int> columns;
    };
  } // namespace


  SparsityPattern
  make_sparsity_pattern(const Space &space)
  {
    const int n                     = space.dofs_per_cell();
    const int n_rows                = space.n_stored();
    const CellsOfRows around        = list_cells_of_rows(space, n_rows);
    const std::int64_t *const start = around.start.data();

    SparsityPattern pattern;
    pattern.row_start = parallel_vector<std::int64_t>(std::size_t(n_rows) + 1);

    // Threads make the columns of pieces of the rows, which are concatenated
    // afterwards.
    constexpr int piece_size = 1 << 14;
    const int n_pieces       = (n_rows + piece_size - 1) / piece_size;
    std::vector<std::vector<int>> pieces(n_pieces);
#pragma omp parallel
    {
      ColumnsOfRow row;
#pragma omp for schedule(static)
      for (int piece = 0; piece < n_pieces; ++piece)
        for (int dof = piece * piece_size;
             dof < std::min<std::int64_t>(n_rows, (piece + 1L) * piece_size);
             ++dof)
          {
            row.begin(dof, n * (start[dof + 1] - start[dof]));
            for (std::int64_t c = start[dof]; c < start[dof + 1]; ++c)
              {
                const int *dofs =
                  &space
                     .cell_dofs[around.entries.data()[c] / n * std::size_t(n)];
                for (int j = 0; j < n; ++j)
                  if (dofs[j] < n_rows)
                    row.add(dofs[j]);
              }
            const std::vector<int> &columns = row.sorted();
            pieces[piece].insert(pieces[piece].end(), columns.begin(),
                                 columns.end());
            pattern.row_start[dof + 1] =
              static_cast<std::int64_t>(pieces[piece].size());
          }
    }
    std::vector<std::int64_t> first(n_pieces + 1, 0);
    for (int piece = 0; piece < n_pieces; ++piece)
      first[piece + 1] =
        first[piece] + static_cast<std::int64_t>(pieces[piece].size());
    pattern.columns = parallel_vector<int>(first.back());
#pragma omp parallel for schedule(static)
    for (int piece = 0; piece < n_pieces; ++piece)
      {
        std::copy(pieces[piece].begin(), pieces[piece].end(),
                  pattern.columns.begin() + first[piece]);
        pieces[piece] = {};
        for (int dof = piece * piece_size;
             dof < std::min<std::int64_t>(n_rows, (piece + 1L) * piece_size);
             ++dof)
          pattern.row_start[dof + 1] += first[piece];
      }
    return pattern;
  }
} // namespace tessera
