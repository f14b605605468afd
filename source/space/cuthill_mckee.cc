#include "numbering.h"

#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tessera::internal
{
  namespace
  {
    /// The graph of the matrix, represented by the cells that it comes from.
    class Graph
    {
    public:
      Graph(const Connectivity &mesh, const std::vector<Place> &place)
        : n(mesh.dofs_per_cell()), start(std::size_t(mesh.n_dofs) + 1, 0),
          cell_dofs(mesh.cell_dofs), place(place),
          n_neighbours(parallel_vector<int>(mesh.n_dofs)),
          seen_dof(mesh.n_dofs, 0), seen_cell(mesh.n_cells(), 0)
      {
        for (const int dof : cell_dofs)
          ++start[dof + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        cells = parallel_vector<int>(cell_dofs.size());
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t k = 0; k < cell_dofs.size(); ++k)
          cells[next[cell_dofs[k]]++] = static_cast<int>(k / n);
        count_neighbours();
      }

      /// Orders all that can be reached from `first` by Cuthill and McKee. Sets
      /// `last_level` to the first place of the farthest ones, and `n_levels`
      /// to the number of distances.
      void
      search(const int first, std::vector<int> &order, std::size_t &last_level,
             int &n_levels)
      {
        ++turn;
        order.assign(1, first);
        seen_dof[first] = turn;
        n_levels        = 0;
        for (std::size_t begin = 0, end = 1; begin < end; end = order.size())
          {
            last_level = begin;
            ++n_levels;
            for (; begin < end; ++begin)
              add_neighbours(order[begin], order);
          }
      }

      /// Orders all that can be reached from `first`, beginning at an end.
      /// Searches are repeated while the number of distances grows.
      std::vector<int>
      order_from_end(const int first)
      {
        std::vector<int> order, candidate;
        std::size_t last_level = 0;
        int n_levels = 0, n_before = 0;
        search(first, order, last_level, n_levels);
        do
          {
            n_before      = n_levels;
            const int end = *std::min_element(
              order.begin() + last_level, order.end(),
              [&](const int a, const int b) { return before(a, b); });
            search(end, candidate, last_level, n_levels);
            order.swap(candidate);
        } while (n_levels > n_before);
        return order;
      }

    private:
      bool
      before(const int a, const int b) const
      {
        return n_neighbours[a] != n_neighbours[b]
                 ? n_neighbours[a] < n_neighbours[b]
                 : a < b;
      }

      /// Once a degree of freedom has had its turn, all owned ones of its cells
      /// are seen; therefore a search looks at each cell once.
      void
      add_neighbours(const int dof, std::vector<int> &order)
      {
        const std::size_t old_size = order.size();
        for (std::size_t k = start[dof]; k < start[dof + 1]; ++k)
          if (seen_cell[cells[k]] != turn)
            {
              seen_cell[cells[k]] = turn;
              for (std::size_t i = n * cells[k]; i < n * (cells[k] + 1); ++i)
                if (const int other = cell_dofs[i];
                    place[other] == Place::owned && seen_dof[other] != turn)
                  {
                    seen_dof[other] = turn;
                    order.push_back(other);
                  }
            }
        std::sort(order.begin() + old_size, order.end(),
                  [&](const int a, const int b) { return before(a, b); });
      }

      void
      count_neighbours()
      {
        const int n_dofs = static_cast<int>(place.size());
#pragma omp parallel
        {
          std::vector<int> counted(n_dofs, -1);
#pragma omp for schedule(static)
          for (int dof = 0; dof < n_dofs; ++dof)
            {
              int count = 0;
              for (std::size_t k = start[dof]; k < start[dof + 1]; ++k)
                for (std::size_t i = n * cells[k]; i < n * (cells[k] + 1); ++i)
                  if (place[cell_dofs[i]] == Place::owned)
                    count += std::exchange(counted[cell_dofs[i]], dof) != dof;
              n_neighbours[dof] = count;
            }
        }
      }

      const std::size_t n;
      std::vector<std::size_t> start; ///< first entry of each dof in `cells`
      std::vector<int> cells;
      const std::vector<int> &cell_dofs;
      const std::vector<Place> &place;
      std::vector<int> n_neighbours;
      std::vector<int> seen_dof, seen_cell; ///< number of the last search
      int turn = 0;
    };

    /// Returns the owned degrees of freedom in the reverse order of Cuthill and
    /// McKee, followed by the others in their old order. The graph is the
    /// matrix's: its edges are pairs of owned degrees of freedom of a cell.
    ///
    /// The order starts at an end of the graph and goes by distance from there.
    /// Degrees of freedom of one distance are ordered by the neighbour that was
    /// numbered first, then by the number of their own neighbours, then by
    /// their index; the whole order is then reversed (A. George, J. W. Liu,
    /// Computer solution of large sparse positive definite systems, 1981,
    /// chapter 4). An end is found by going from the first index to the
    /// farthest one, from there to the farthest one, and so on while the
    /// distance grows. Connected components come one after the other.
    /// Everything but counting the neighbours costs O(n_cells n).
    std::vector<int>
    order_by_cuthill_mckee(const Connectivity &mesh,
                           const std::vector<Place> &place)
    {
      Graph graph(mesh, place);
      std::vector<char> has_turn(mesh.n_dofs, 0);
      std::vector<int> order;
      order.reserve(mesh.n_dofs);
      for (int dof = 0; dof < mesh.n_dofs; ++dof)
        if (place[dof] == Place::owned && !has_turn[dof])
          for (const int reached : graph.order_from_end(dof))
            {
              has_turn[reached] = 1;
              order.push_back(reached);
            }
      std::reverse(order.begin(), order.end());
      for (int dof = 0; dof < mesh.n_dofs; ++dof)
        if (place[dof] != Place::owned)
          order.push_back(dof);
      return order;
    }

    NumberingDescriptor
    describe_cuthill_mckee()
    {
      NumberingDescriptor d{
        "cuthill_mckee",
        "reverse Cuthill-McKee, for a small bandwidth: by distance from one "
        "end of the graph of the matrix, nodes with few neighbours first, then "
        "backwards",
        "GeorgeLiu1981, chapter 4"};
      d.number = [](const Space &space, const Connectivity &mesh,
                    const std::vector<Place> &place) {
        return number_in_order(space, mesh, place,
                               order_by_cuthill_mckee(mesh, place));
      };
      return d;
    }

    const Registration<NumberingDescriptor> cuthill_mckee_registration(
      describe_cuthill_mckee);
  } // namespace
} // namespace tessera::internal
