#include <tessera/base/algorithms.h>
#include <tessera/preconditioners/aggregates.h>

#include <algorithm>

#include "aggregates.cuh"

namespace tessera
{
  namespace
  {
    /// Rounds after which a graph that is not symmetric is given up; others
    /// need fewer than ten. Every few rounds are followed by a look whether
    /// that was all, which a device waits for.
    constexpr int max_rounds = 100, rounds_at_a_time = 4;

    /// Makes aggregates of the nodes that have none.
    class RootFinder
    {
    public:
      RootFinder(const StrongGraph &graph, const Backend backend)
        : graph(graph), backend(backend), n(graph.n_nodes()),
          root_of(backend, n), joined(backend, n), states(backend, n),
          least(backend, n), marks(backend, n)
      {
        static_assert(OpenNeighbours::no_root == -1, "all bits are set");
        if (backend == Backend::cuda)
          runtime::fill_async(root_of.data(), 0xff, root_of.bytes(), {});
        else
          std::fill_n(root_of.data(), n, OpenNeighbours::no_root);
      }

      void
      make_aggregates(const bool half_are_open)
      {
        find_roots();
        for_each(
          backend, n,
          JoinRoots{open(), states.data(), half_are_open, joined.data()});
        std::swap(root_of, joined);
      }

      void
      join_others(const Strength &strength)
      {
        for_each(backend, n, JoinStrongest{strength, open(), joined.data()});
        std::swap(root_of, joined);
        if (strength.measure == StrengthMeasure::to_diagonal)
          return;
        for_each(backend, n,
                 JoinLargest{strength, root_of.data(), joined.data()});
        std::swap(root_of, joined);
      }

      Aggregates
      number()
      {
        for_each(backend, n, IsRoot{root_of.data(), marks.data()});
        const auto numbers      = starts_of(marks);
        const auto n_aggregates = static_cast<int>(last_of(numbers));
        Aggregates result{n_aggregates, Array<int>(backend, n),
                          Array<int>(backend, n_aggregates)};
        for_each(backend, n,
                 NumberAggregates{root_of.data(), numbers.data(), result.n,
                                  result.of_node.data(), result.roots.data()});
        if (backend == Backend::cuda)
          runtime::synchronize({});
        return result;
      }

    private:
      OpenNeighbours
      open() const
      {
        return {graph.row_start.data(), graph.columns.data(), root_of.data()};
      }

      void
      find_roots()
      {
        const std::int64_t *const row_start = graph.row_start.data();
        const int *const columns            = graph.columns.data();
        for_each(
          backend, n,
          OpenNodes{row_start, root_of.data(), states.data(), least.data()});
        for (int round = 0; round < max_rounds;)
          {
            for (int i = 0; i < rounds_at_a_time; ++i, ++round)
              {
                for_each(backend, n,
                         LeastOfNeighbours{row_start, columns, states.data(),
                                           least.data()});
                for_each(backend, n,
                         DecideRoots{round + 1, row_start, columns,
                                     least.data(), states.data(),
                                     marks.data()});
              }
            if (algorithms::maximum(backend, marks.data(), n) == 0)
              break;
          }
      }

      const StrongGraph &graph;
      Backend backend;
      int n;
      Array<int> root_of, joined;
      Array<std::uint64_t> states, least;
      Array<int> marks;
    };
  } // namespace


  StrongGraph
  make_strong_graph(const RowsView &A, const StrengthMeasure measure,
                    const double threshold, const Backend backend,
                    const PartExchange &parts)
  {
    StrongGraph result{
      measure, threshold, Array<double>(backend, A.n_columns), {}, {}};
    for_each(backend, A.n_rows, SizeOfNode{A, measure, result.sizes.data()});
    parts.import(result.sizes.data(), 1);
    const Strength strength = strength_of(A, result);
    Array<int> count(backend, A.n_rows);
    for_each(backend, A.n_rows,
             StrongNeighbours{strength, count.data(), nullptr, nullptr});
    result.row_start = starts_of(count);
    result.columns   = Array<int>(backend, last_of(result.row_start));
    for_each(backend, A.n_rows,
             StrongNeighbours{strength, nullptr, result.row_start.data(),
                              result.columns.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return result;
  }


  Aggregates
  make_aggregates(const RowsView &A, const StrongGraph &graph)
  {
    RootFinder finder(graph, graph.row_start.backend());
    finder.make_aggregates(false);
    finder.make_aggregates(true);
    finder.join_others(strength_of(A, graph));
    return finder.number();
  }
} // namespace tessera
