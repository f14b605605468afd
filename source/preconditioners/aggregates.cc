#include <tessera/base/algorithms.h>
#include <tessera/preconditioners/aggregates.h>

#include <algorithm>

#include "aggregates.cuh"

namespace tessera
{
  namespace
  {
    /// Rounds after which a graph that is not symmetric is given up; others
    /// need fewer than ten.
    constexpr int max_rounds = 100;

    /// The list of nodes, or of items of a list, for which `stays` is 1.
    Array<int>
    keep(const int *const items, const Array<int> &stays, const std::size_t n)
    {
      const Backend backend = stays.backend();
      Array<std::int64_t> place(backend, n + 1);
      algorithms::exclusive_scan(backend, stays.data(), place.data(),
                                 std::int64_t(n));
      Array<int> kept(backend, last_of(place));
      for_each(backend, std::int64_t(n),
               KeepItems{items, stays.data(), place.data(), kept.data()});
      return kept;
    }

    /// Makes aggregates of the nodes that have none.
    class RootFinder
    {
    public:
      RootFinder(const StrongGraph &graph, const Backend backend)
        : graph(graph), backend(backend), n(graph.n_nodes()),
          root_of(backend, n), joined(backend, n), states(backend, n),
          least(backend, n), stays(backend, n)
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
        for_each(backend, n, IsRoot{root_of.data(), stays.data()});
        const auto numbers      = starts_of(stays);
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
        for_each(backend, n,
                 OpenNodes{graph.row_start.data(), root_of.data(),
                           states.data(), least.data(), stays.data()});
        Array<int> undecided = keep(nullptr, stays, n);
        Array<int> near      = keep(nullptr, stays, n);
        for (int round = 0; undecided.size() > 0 && round < max_rounds; ++round)
          {
            for_each(backend, std::int64_t(undecided.size()),
                     DrawPriorities{undecided.data(), round, states.data()});
            for_each(backend, std::int64_t(near.size()),
                     LeastOfNeighbours{near.data(), graph.row_start.data(),
                                       graph.columns.data(), states.data(),
                                       least.data(), stays.data()});
            near = keep(near.data(), stays, near.size());
            for_each(backend, std::int64_t(undecided.size()),
                     DecideRoots{undecided.data(), graph.row_start.data(),
                                 graph.columns.data(), least.data(),
                                 states.data(), stays.data()});
            undecided = keep(undecided.data(), stays, undecided.size());
          }
      }

      const StrongGraph &graph;
      Backend backend;
      int n;
      Array<int> root_of, joined;
      Array<std::uint64_t> states, least;
      Array<int> stays;
    };
  } // namespace


  StrongGraph
  make_strong_graph(const RowsView &A, const StrengthMeasure measure,
                    const double threshold, const Backend backend,
                    const PartExchange *const parts)
  {
    StrongGraph result{
      measure, threshold, Array<double>(backend, A.n_columns), {}, {}};
    for_each(backend, A.n_rows, SizeOfNode{A, measure, result.sizes.data()});
    if (parts != nullptr)
      parts->import(result.sizes.data(), 1);
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
