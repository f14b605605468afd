#pragma once

#include <tessera/base/attributes.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/local_entry.h>

#include <cstdint>

// What products by nodes hand to their loops, and the sums of rows, which both
// backends form in the same way.
namespace tessera
{
  /// What a thread computes in a product that goes over nodes.
  enum class NodeProduct
  {
    node_by_node, ///< the rows of a node
    dof_by_dof,   ///< the row of a degree of freedom
    gathered      ///< the same from what cells have stored before
  };

  /// The rows of a block of threads, or of a step of the host's loop.
  constexpr int rows_per_block = 128;

  template <class Number>
  struct NodeRows
  {
    NodeProduct product;
    int n_components;
    const std::int64_t *start;   ///< [n_rows + 1]
    const unsigned int *entries; ///< cell n_nodes + node
    int n_rows;                  ///< nodes
    unsigned int n_nodes, lanes;
    /// Cell matrices, or what cells have stored for their nodes.
    const Number *values;
    bool halves   = false; ///< of cell matrices
    bool diagonal = false; ///< sets y to the diagonal of A instead

    int
    n_items() const
    {
      return product == NodeProduct::node_by_node && !diagonal
               ? n_rows
               : n_rows * n_components;
    }

    /// True if rows add up one number of each cell.
    bool
    adds_up() const
    {
      return product == NodeProduct::gathered || diagonal;
    }
  };

  /// Sets sums[c] to entry c_0 + c of (A x) at a node, where `n_sums` are
  /// wanted of the node's m components.
  template <int n_sums, int m, class Number>
  TESSERA_HOST_DEVICE void
  sum_rows(const NodeRows<Number> &rows, const CellApply<Number> &apply,
           const int node, const int c_0, Number (&sums)[n_sums])
  {
    const std::int64_t nn = rows.n_nodes, n = nn * m, lanes = rows.lanes;
    for (Number &sum : sums)
      sum = Number(0);
    const std::int64_t end = rows.start[node + 1];
    for (std::int64_t k = rows.start[node]; k < end; ++k)
      {
        const unsigned int entry = rows.entries[k], cell = entry / rows.n_nodes;
        const std::int64_t row   = entry % rows.n_nodes;
        const std::int64_t batch = cell / rows.lanes, lane = cell % rows.lanes;
        const int *const dofs = apply.cells.dofs + batch * nn * lanes + lane;
        const Number *const values =
          rows.values + (batch * n + c_0 * nn + row) * n * lanes + lane;
        TESSERA_UNROLL_BY(4)
        for (int j = 0; j < static_cast<int>(rows.n_nodes); ++j)
          {
            const Number *const x = apply.x + m * dofs[j * lanes];
            TESSERA_UNROLL
            for (int d = 0; d < m; ++d)
              {
                const Number x_d = read_only(x + d);
                TESSERA_UNROLL
                for (int c = 0; c < n_sums; ++c)
                  sums[c] += values[(c * nn * n + d * nn + j) * lanes] * x_d;
              }
          }
      }
  }

  /// Returns the sum of what the cells of a node have stored for component c,
  /// or of entry (c, c) of their blocks on the diagonal.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  sum_gathered(const NodeRows<Number> &rows, const int node, const int c)
  {
    const int n         = static_cast<int>(rows.n_nodes) * rows.n_components;
    const int n_entries = rows.diagonal ? n_local_entries(rows.halves, n) : n;
    Number sum          = Number(0);
    const std::int64_t end = rows.start[node + 1];
    for (std::int64_t k = rows.start[node]; k < end; ++k)
      {
        const unsigned int entry = rows.entries[k], cell = entry / rows.n_nodes;
        const int i = static_cast<int>(c * rows.n_nodes + entry % rows.n_nodes);
        const int place = rows.diagonal ? local_entry(rows.halves, n, i, i) : i;
        sum +=
          rows.values[(std::int64_t(cell / rows.lanes) * n_entries + place) *
                        rows.lanes +
                      cell % rows.lanes];
      }
    return sum;
  }

  /// Stores (or adds, if apply.add) sum in entry i of y and returns what that
  /// adds to x . A x.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  put_row(const CellApply<Number> &apply, const std::int64_t i,
          const Number sum)
  {
    apply.y[i] = apply.add ? apply.y[i] + sum : sum;
    return apply.x == nullptr ? Number(0) : apply.x[i] * sum;
  }

  /// Works on row `item` of y, as the product of `rows` numbers them, and
  /// returns its part of x . A x.
  template <int n_sums, int m, class Number>
  TESSERA_HOST_DEVICE Number
  work_on_rows(const NodeRows<Number> &rows, const CellApply<Number> &apply,
               const std::int64_t item)
  {
    constexpr int turns = m / n_sums; // threads of a node
    const int node      = static_cast<int>(item / turns);
    const int c_0       = static_cast<int>(item % turns);
    Number sums[n_sums], product = Number(0);
    sum_rows<n_sums, m>(rows, apply, node, c_0, sums);
    TESSERA_UNROLL
    for (int c = 0; c < n_sums; ++c)
      product += put_row(apply, std::int64_t(m) * node + c_0 + c, sums[c]);
    return product;
  }

  /// Calls f(n_sums, m) with both as constants.
  template <class Number, class F>
  TESSERA_HOST void
  on_sums(const NodeRows<Number> &rows, const F &f)
  {
    using One      = std::integral_constant<int, 1>;
    using Two      = std::integral_constant<int, 2>;
    using Three    = std::integral_constant<int, 3>;
    const bool all = rows.product == NodeProduct::node_by_node;
    if (rows.n_components == 1)
      f(One(), One());
    else if (rows.n_components == 2)
      all ? f(Two(), Two()) : f(One(), Two());
    else
      all ? f(Three(), Three()) : f(One(), Three());
  }

  /// Computes all rows on the device, with a thread for each item.
  template <class Number>
  void
  apply_rows_of_nodes(const NodeRows<Number> &rows,
                      const CellApply<Number> &apply, Stream stream);
} // namespace tessera
