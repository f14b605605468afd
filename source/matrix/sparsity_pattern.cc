#include <tessera/matrix/cells_of_rows.h>
#include <tessera/matrix/sparsity_pattern.h>

#include <omp.h>

#include <algorithm>

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

  SparsityPattern
  make_sparsity_pattern(const Space &space)
  {
    const int n                     = space.dofs_per_cell();
    const int n_rows                = space.n_stored();
    const CellsOfRows around        = list_cells_of_rows(space, n_rows);
    const std::int64_t *const start = around.start.data();

    SparsityPattern pattern;
    pattern.row_start.assign(n_rows + 1, 0);

    // Every thread makes the columns of a range of rows; the ranges are
    // concatenated afterwards.
    std::vector<std::vector<int>> parts(omp_get_max_threads());
#pragma omp parallel
    {
      std::vector<int> &mine = parts[omp_get_thread_num()];
      std::vector<int> row;
#pragma omp for schedule(static)
      for (int dof = 0; dof < n_rows; ++dof)
        {
          row.clear();
          for (std::int64_t c = start[dof]; c < start[dof + 1]; ++c)
            {
              const int *dofs =
                &space.cell_dofs[around.entries.data()[c] / n * std::size_t(n)];
              for (int j = 0; j < n; ++j)
                if (dofs[j] < n_rows)
                  row.push_back(dofs[j]);
            }
          std::sort(row.begin(), row.end());
          row.erase(std::unique(row.begin(), row.end()), row.end());
          mine.insert(mine.end(), row.begin(), row.end());
          pattern.row_start[dof + 1] = row.size();
        }
    }
    for (int dof = 0; dof < n_rows; ++dof)
      pattern.row_start[dof + 1] += pattern.row_start[dof];
    pattern.columns.reserve(pattern.n_nonzeros());
    for (std::vector<int> &part : parts)
      {
        pattern.columns.insert(pattern.columns.end(), part.begin(), part.end());
        part = {};
      }
    return pattern;
  }
} // namespace tessera
