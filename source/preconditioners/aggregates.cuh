#pragma once

#include <tessera/base/random.h>

#include "strength.cuh"

namespace tessera
{
  /// A node and its strong neighbours as far as they have no aggregate yet.
  struct OpenNeighbours
  {
    const std::int64_t *row_start;
    const int *columns;
    const int *root_of; ///< [n_nodes]: the root of the aggregate, or no_root

    static constexpr int no_root = -1;

    /// Calls f(neighbour) until it returns false.
    template <class F>
    TESSERA_HOST_DEVICE void
    visit(const int node, const F &f) const
    {
      for (std::int64_t k = row_start[node]; k < row_start[node + 1]; ++k)
        if (root_of[columns[k]] == no_root && !f(columns[k]))
          return;
    }
  };

  /// The states of nodes: a priority while nothing is decided. Priorities of
  /// different nodes differ.
  struct RootState
  {
    static constexpr std::uint64_t root = 0, closed = 1, undecided = 2,
                                   no_root = ~std::uint64_t(0);

    TESSERA_HOST_DEVICE static bool
    is_undecided(const std::uint64_t state)
    {
      return state >= undecided && state < no_root;
    }

    TESSERA_HOST_DEVICE static std::uint64_t
    priority(const int node, const int round)
    {
      const std::uint64_t hash =
        mix((static_cast<std::uint64_t>(round) << 32) + node);
      return (hash >> 34 << 32) + (std::uint64_t(1) << 62) +
             static_cast<std::uint64_t>(node);
    }
  };

  /// Begins to look for roots among the open nodes, which have strong
  /// neighbours but no aggregate yet.
  struct OpenNodes
  {
    const std::int64_t *row_start;
    const int *root_of;
    std::uint64_t *states, *least;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      const bool open = root_of[node] == OpenNeighbours::no_root &&
                        row_start[node] + 1 < row_start[node + 1];
      states[node] = open ? RootState::priority(static_cast<int>(node), 0)
                          : RootState::no_root;
      least[node]  = open ? RootState::undecided : RootState::closed;
    }
  };

  /// The least state of a node and its neighbours; `no_root` next to a root,
  /// which stays so.
  struct LeastOfNeighbours
  {
    const std::int64_t *row_start;
    const int *columns;
    const std::uint64_t *states;
    std::uint64_t *least;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      if (!RootState::is_undecided(least[node]))
        return;
      std::uint64_t result = RootState::no_root;
      for (std::int64_t k = row_start[node];
           k < row_start[node + 1] && result != RootState::root; ++k)
        if (states[columns[k]] < result)
          result = states[columns[k]];
      least[node] = result == RootState::root ? RootState::no_root : result;
    }
  };

  /// A node becomes a root if its priority is the least within two steps, can
  /// be none if a root is, and otherwise gets a new priority for the next
  /// round. Nodes that are not open have `closed` as least state.
  struct DecideRoots
  {
    int next_round;
    const std::int64_t *row_start;
    const int *columns;
    const std::uint64_t *least;
    std::uint64_t *states;
    int *is_undecided;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      const std::uint64_t mine = states[node];
      is_undecided[node]       = 0;
      if (!RootState::is_undecided(mine))
        return;
      bool is_least = true, is_near_root = false;
      for (std::int64_t k = row_start[node];
           k < row_start[node + 1] && !is_near_root; ++k)
        {
          const std::uint64_t other = least[columns[k]];
          is_near_root              = other == RootState::no_root;
          is_least = is_least && (other == mine || other == RootState::closed);
        }
      if (is_near_root)
        states[node] = RootState::no_root;
      else if (is_least)
        states[node] = RootState::root;
      else
        {
          is_undecided[node] = 1;
          states[node] =
            RootState::priority(static_cast<int>(node), next_round);
        }
    }
  };

  /// Open nodes with a root among their neighbours join it. With
  /// `half_are_open`, roots make no aggregate if most of their neighbours have
  /// one already.
  struct JoinRoots
  {
    OpenNeighbours open;
    const std::uint64_t *states;
    bool half_are_open;
    int *joined; ///< [n_nodes]: the new root_of

    TESSERA_HOST_DEVICE bool
    is_accepted(const int root) const
    {
      if (!half_are_open)
        return true;
      std::int64_t n_open = -1; // the root itself
      open.visit(root, [&](int) {
        ++n_open;
        return true;
      });
      return 2 * n_open >= open.row_start[root + 1] - open.row_start[root] - 1;
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int node = static_cast<int>(i);
      int root       = open.root_of[node];
      if (root == OpenNeighbours::no_root)
        open.visit(node, [&](const int neighbour) {
          if (states[neighbour] != RootState::root)
            return true;
          if (is_accepted(neighbour))
            root = neighbour;
          return false;
        });
      joined[node] = root;
    }
  };

  /// Nodes that are left join the aggregate with the strongest ties.
  struct JoinStrongest
  {
    Strength strength;
    OpenNeighbours open;
    int *joined;

    /// Returns whether a neighbour before entry k has this root.
    TESSERA_HOST_DEVICE bool
    has_been(const int root, const int node, const std::int64_t k) const
    {
      for (std::int64_t l = open.row_start[node]; l < k; ++l)
        if (open.root_of[open.columns[l]] == root)
          return true;
      return false;
    }

    TESSERA_HOST_DEVICE double
    ties(const int node, const int root) const
    {
      const RowsView &a = strength.a;
      double sum        = 0;
      for (int k = 0; k < a.length(node); ++k)
        {
          const int column = a.columns_of(node)[k];
          if (open.root_of[column] == root && strength.is_strong(node, k))
            sum +=
              strength.square_of_coupling(node, k) / strength.sizes[column];
        }
      return sum;
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int node = static_cast<int>(i);
      int root       = open.root_of[node];
      if (root == OpenNeighbours::no_root)
        {
          double strongest = 0;
          for (std::int64_t k = open.row_start[node];
               k < open.row_start[node + 1]; ++k)
            {
              const int other = open.root_of[open.columns[k]];
              if (other == OpenNeighbours::no_root || other == root ||
                  has_been(other, node, k))
                continue;
              const double sum = ties(node, other);
              if (sum > strongest)
                {
                  strongest = sum;
                  root      = other;
                }
            }
        }
      joined[node] = root;
    }
  };

  /// Nodes without strong neighbours follow their largest coupling to a node
  /// that has an aggregate. On this way the largest couplings grow at least by
  /// the factor 1 / threshold^2 with each step, so that it is short and has an
  /// end.
  struct JoinLargest
  {
    static constexpr int max_steps = 100;

    Strength strength;
    const int *root_of;
    int *joined;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const RowsView &a = strength.a;
      int node          = static_cast<int>(i);
      for (int step = 0;
           step < max_steps && root_of[node] == OpenNeighbours::no_root &&
           strength.sizes[node] < Strength::left_out;
           ++step)
        {
          int next = node;
          for (int k = 0; k < a.length(node); ++k)
            if (a.columns_of(node)[k] != node &&
                -a.values_of(node, 0)[k] == strength.sizes[node])
              next = a.columns_of(node)[k];
          if (next == node)
            break;
          node = next;
        }
      joined[i] = root_of[node];
    }
  };

  struct IsRoot
  {
    const int *root_of;
    int *is_root;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      is_root[node] = root_of[node] == node ? 1 : 0;
    }
  };

  struct NumberAggregates
  {
    const int *root_of;
    const std::int64_t *number;
    int n;
    int *aggregate_of, *roots;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      const int root = root_of[node];
      if (root == node)
        roots[number[root]] = root;
      aggregate_of[node] =
        root == OpenNeighbours::no_root ? n : static_cast<int>(number[root]);
    }
  };
} // namespace tessera
