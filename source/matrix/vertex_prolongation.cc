#include <tessera/matrix/vertex_prolongation.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vertex_space.h"

namespace tessera
{
  namespace
  {
    /// Hanging vertices that follow from others in so many steps are left out.
    constexpr int most_steps = 8;

    /// For each owned node, a cell from whose vertices its value follows, and
    /// its place there.
    class NodesInCells
    {
    public:
      explicit NodesInCells(const Space &space)
        : space(space), n(space.dofs_per_cell()), nv(space.vertices_per_cell()),
          values(vertex_functions_at_nodes(space)),
          node_of_vertex(places_of_vertices(space, values)),
          place(space.n_owned, -1)
      {
        choose();
      }

      /// Calls f(vertex of the cell, value of its function) for the vertices
      /// that the value of a node follows from.
      template <class F>
      void
      for_vertices(const int node, const F &f) const
      {
        const std::int64_t at = place[node];
        for (int v = 0; at >= 0 && v < nv; ++v)
          if (const double value = values[at % n * nv + v];
              std::abs(value) > least_weight)
            f(at / n * nv + v, value);
      }

      /// Returns the local index of the node at a vertex of a cell.
      int
      node_at(const std::int64_t vertex) const
      {
        return space.cell_dofs[vertex / nv * n + node_of_vertex[vertex % nv]];
      }

    private:
      /// Prefers cells of which few vertices hang, and among them large ones:
      /// a hanging vertex follows from nodes of a larger cell.
      void
      choose()
      {
        if (space.n_hanging == 0)
          {
            for (std::int64_t k = space.cell_dofs.size() - 1; k >= 0; --k)
              if (space.cell_dofs[k] < space.n_owned)
                place[space.cell_dofs[k]] = k;
            return;
          }
        std::vector<int> least(space.n_owned, std::numeric_limits<int>::max());
        std::vector<double> largest(space.n_owned, 0.);
        for (std::int64_t cell = 0; cell < space.n_cells(); ++cell)
          {
            const double size = diagonal(cell);
            for (int i = 0; i < n; ++i)
              {
                const int node = space.cell_dofs[cell * n + i];
                if (node >= space.n_owned)
                  continue;
                int n_hanging = 0;
                for (int v = 0; v < nv; ++v)
                  if (std::abs(values[i * nv + v]) > least_weight &&
                      is_hanging(node_at(cell * nv + v)))
                    ++n_hanging;
                if (n_hanging < least[node] ||
                    (n_hanging == least[node] && size > largest[node]))
                  {
                    least[node]   = n_hanging;
                    largest[node] = size;
                    place[node]   = cell * n + i;
                  }
              }
          }
      }

      bool
      is_hanging(const int node) const
      {
        const int first = space.n_owned + space.n_ghosts;
        return node >= first && node < first + space.n_hanging;
      }

      /// Returns the square of the distance of the first vertex from the last
      /// one.
      double
      diagonal(const std::int64_t cell) const
      {
        const int dim   = space.dim();
        const int first = space.cell_vertices[cell * nv];
        const int last  = space.cell_vertices[cell * nv + nv - 1];
        double sum      = 0;
        for (int d = 0; d < dim; ++d)
          {
            const double step = space.vertices[std::size_t(dim) * last + d] -
                                space.vertices[std::size_t(dim) * first + d];
            sum += step * step;
          }
        return sum;
      }

      const Space &space;
      const int n, nv;
      const std::vector<double> values;      ///< [n][nv]
      const std::vector<int> node_of_vertex; ///< [nv]
      std::vector<std::int64_t> place;       ///< [n_owned]: cell n + i
    };

    /// Columns and values, in any order; values of a column are to be added.
    using Row = std::vector<std::pair<std::int64_t, double>>;

    /// Appends the sums of the values of each column.
    void
    append(NumberedRows &rows, Row &row)
    {
      std::sort(row.begin(), row.end());
      for (std::size_t k = 0; k < row.size(); ++k)
        if (k > 0 && row[k].first == row[k - 1].first)
          rows.values.back() += row[k].second;
        else
          {
            rows.columns.push_back(row[k].first);
            rows.values.push_back(row[k].second);
          }
      rows.row_start.push_back(static_cast<std::int64_t>(rows.values.size()));
      row.clear();
    }

    /// Returns where part t of n begins among so many things.
    int
    part_begin(const int n_things, const int t, const int n)
    {
      return static_cast<int>(std::int64_t(n_things) * t / n);
    }

    /// Finds the entries of rows of the prolongation.
    class Rows
    {
    public:
      Rows(const Space &space, const std::vector<std::int64_t> &numbers,
           const std::vector<char> &is_given)
        : space(space), nodes(space), numbers(numbers), is_given(is_given)
      {}

      /// Adds a multiple of the row of an owned entry.
      void
      add(Row &row, const int entry, const double weight,
          const int steps = 0) const
      {
        if (is_given[entry])
          return;
        const int nc = space.n_components;
        nodes.for_vertices(
          entry / nc, [&](const std::int64_t vertex, const double value) {
            add_vertex(row, nodes.node_at(vertex) * nc + entry % nc,
                       weight * value, steps);
          });
      }

    private:
      void
      add_vertex(Row &row, const int entry, const double weight,
                 const int steps) const
      {
        const int nc     = space.n_components;
        const int n_free = (space.n_owned + space.n_ghosts) * nc;
        if (entry < n_free)
          {
            if (!is_given[entry] && numbers[entry / nc] >= 0)
              row.emplace_back(numbers[entry / nc] * nc + entry % nc, weight);
            return;
          }
        const LinearConstraints &hanging = space.hanging;
        const auto found =
          std::lower_bound(hanging.entry.begin(), hanging.entry.end(), entry);
        if (found == hanging.entry.end() || *found != entry ||
            steps == most_steps)
          return;
        const std::size_t k = found - hanging.entry.begin();
        for (std::int64_t m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
          {
            const int source    = hanging.source[m];
            const double factor = weight * hanging.weight[m];
            if (source < space.n_owned * nc)
              add(row, source, factor, steps + 1);
            else if (source < n_free && !is_given[source])
              row.emplace_back(-1 - std::int64_t(source), factor);
          }
      }

      const Space &space;
      const NodesInCells nodes;
      const std::vector<std::int64_t> &numbers;
      const std::vector<char> &is_given;
    };
  } // namespace


  std::vector<double>
  node_positions(const Space &space)
  {
    const NodesInCells nodes(space);
    const int dim = space.dim();
    std::vector<double> positions(std::size_t(space.n_owned) * dim, 0.);
#pragma omp parallel for schedule(static)
    for (int node = 0; node < space.n_owned; ++node)
      nodes.for_vertices(node,
                         [&](const std::int64_t vertex, const double value) {
                           const std::size_t from = space.cell_vertices[vertex];
                           for (int d = 0; d < dim; ++d)
                             positions[std::size_t(node) * dim + d] +=
                               value * space.vertices[from * dim + d];
                         });
    return positions;
  }


  std::vector<int>
  vertex_nodes(const Space &space)
  {
    std::vector<char> has_vertex(space.n_owned, 0);
    {
      const NodesInCells nodes(space);
      const std::int64_t n = space.cell_vertices.size();
      for (std::int64_t vertex = 0; vertex < n; ++vertex)
        if (const int node = nodes.node_at(vertex); node < space.n_owned)
          has_vertex[node] = 1;
    }
    std::vector<int> result;
    for (int node = 0; node < space.n_owned; ++node)
      if (has_vertex[node] != 0)
        result.push_back(node);
    return result;
  }


  NumberedRows
  vertex_rows(const Space &space, const std::vector<std::int64_t> &numbers,
              const std::vector<char> &is_given)
  {
    const Rows rows(space, numbers, is_given);
    const int n_entries = space.n_owned * space.n_components;
    // Every thread makes rows beside each other, which follow one another.
    std::vector<NumberedRows> of_threads(omp_get_max_threads());
#pragma omp parallel
    {
      const int n = omp_get_num_threads(), t = omp_get_thread_num();
      NumberedRows &result = of_threads[t];
      Row row;
      for (int entry = part_begin(n_entries, t, n);
           entry < part_begin(n_entries, t + 1, n); ++entry)
        {
          rows.add(row, entry, 1.);
          append(result, row);
        }
    }
    NumberedRows result;
    std::vector<std::size_t> first_row(1, 0), first(1, 0);
    for (const NumberedRows &part : of_threads)
      {
        first_row.push_back(first_row.back() + part.n_rows());
        first.push_back(first.back() + part.values.size());
      }
    result.row_start.resize(first_row.back() + 1, 0);
    result.columns.resize(first.back());
    result.values.resize(first.back());
#pragma omp parallel for schedule(static, 1)
    for (std::size_t t = 0; t < of_threads.size(); ++t)
      {
        const NumberedRows &part = of_threads[t];
        std::copy(part.columns.begin(), part.columns.end(),
                  result.columns.begin() + first[t]);
        std::copy(part.values.begin(), part.values.end(),
                  result.values.begin() + first[t]);
        for (int row = 0; row < part.n_rows(); ++row)
          result.row_start[first_row[t] + row + 1] =
            part.row_start[row + 1] + static_cast<std::int64_t>(first[t]);
      }
    return result;
  }


  NumberedRows
  insert_rows_of_ghosts(const Messages &messages, const Space &space,
                        const SharedNodes &shared, NumberedRows rows)
  {
    const SharedNodes entries = entries_of_nodes(shared, space.n_components);
    const auto stands_for_row = [](const std::int64_t column) {
      return column < 0;
    };
    for (int step = 0; step <= most_steps; ++step)
      {
        const std::int64_t n_left = std::count_if(
          rows.columns.begin(), rows.columns.end(), stands_for_row);
        if (sum_over_parts(messages, n_left) == 0)
          break;
        const NumberedRows ghosts = fetch_rows(messages, entries, rows);
        NumberedRows next;
        Row row;
        for (int i = 0; i < rows.n_rows(); ++i)
          {
            for (auto k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k)
              {
                const std::int64_t column = rows.columns[k];
                if (column >= 0)
                  {
                    row.emplace_back(column, rows.values[k]);
                    continue;
                  }
                const int ghost = static_cast<int>(-1 - column) -
                                  space.n_owned * space.n_components;
                const auto begin = ghosts.row_start[ghost],
                           end   = ghosts.row_start[ghost + 1];
                // Columns increase. The row of the owner may wait for others.
                const bool waits = begin < end && ghosts.columns[begin] < 0;
                if (waits && step < most_steps)
                  row.emplace_back(column, rows.values[k]);
                for (auto m = begin; m < end && !waits; ++m)
                  row.emplace_back(ghosts.columns[m],
                                   rows.values[k] * ghosts.values[m]);
              }
            append(next, row);
          }
        rows = std::move(next);
      }
    return rows;
  }
} // namespace tessera
