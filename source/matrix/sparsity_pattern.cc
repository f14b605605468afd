#include <tessera/matrix/sparsity_pattern.h>

#include <omp.h>

#include <algorithm>

namespace tessera
{
  int
  SparsityPattern::max_row_length() const
  {
    std::int64_t longest = 0;
    for (int row = 0; row < n_rows(); ++row)
      longest = std::max(longest, row_start[row + 1] - row_start[row]);
    return static_cast<int>(longest);
  }

  namespace
  {
    /// The cells of every owned degree of freedom, as rows of a table.
    void
    cells_of_dofs(const Space &space, std::vector<std::int64_t> &start,
                  std::vector<int> &cells)
    {
      const int n = space.dofs_per_cell();
      start.assign(space.n_owned + 1, 0);
      for (const int dof : space.cell_dofs)
        if (dof < space.n_owned)
          ++start[dof + 1];
      for (int dof = 0; dof < space.n_owned; ++dof)
        start[dof + 1] += start[dof];
      cells.resize(start.back());
      std::vector<std::int64_t> next(start.begin(), start.end() - 1);
      for (std::size_t k = 0; k < space.cell_dofs.size(); ++k)
        if (space.cell_dofs[k] < space.n_owned)
          cells[next[space.cell_dofs[k]]++] = static_cast<int>(k / n);
    }
  } // namespace

  SparsityPattern
  make_sparsity_pattern(const Space &space)
  {
    const int n = space.dofs_per_cell();
    std::vector<std::int64_t> start;
    std::vector<int> cells;
    cells_of_dofs(space, start, cells);

    SparsityPattern pattern;
    pattern.row_start.assign(space.n_owned + 1, 0);

    // Every thread makes the columns of a range of rows; then they are put
    // behind one another.
    std::vector<std::vector<int>> parts(omp_get_max_threads());
#pragma omp parallel
    {
      std::vector<int> &mine = parts[omp_get_thread_num()];
      std::vector<int> row;
#pragma omp for schedule(static)
      for (int dof = 0; dof < space.n_owned; ++dof)
        {
          row.clear();
          for (std::int64_t c = start[dof]; c < start[dof + 1]; ++c)
            for (int j = 0; j < n; ++j)
              {
                const int column =
                  space.cell_dofs[static_cast<std::size_t>(cells[c]) * n + j];
                if (column < space.n_owned)
                  row.push_back(column);
              }
          std::sort(row.begin(), row.end());
          row.erase(std::unique(row.begin(), row.end()), row.end());
          mine.insert(mine.end(), row.begin(), row.end());
          pattern.row_start[dof + 1] = row.size();
        }
    }
    for (int dof = 0; dof < space.n_owned; ++dof)
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
