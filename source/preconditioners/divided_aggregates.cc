#include "divided_aggregates.h"

#include <tessera/matrix/sparse_product.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera
{
  namespace
  {
    constexpr Backend host = Backend::host;

    /// Returns the matrix with which the columns of ghosts are removed: the
    /// identity, and no entries in the rows of ghosts.
    SparseRows
    owned_columns(const RowsView &A)
    {
      const int b = A.column_block;
      SparseRows result;
      result.n_rows    = A.n_columns;
      result.n_columns = A.n_rows;
      result.row_block = result.column_block = b;
      result.row_start = Array<std::int64_t>(host, A.n_columns + 1);
      result.columns   = Array<int>(host, A.n_rows);
      result.values    = Array<double>(host, result.n_nonzeros());
      for (int node = 0; node <= A.n_columns; ++node)
        result.row_start.data()[node] = std::min(node, A.n_rows);
      std::iota(result.columns.data(), result.columns.data() + A.n_rows, 0);
      for (std::int64_t i = 0; i < std::int64_t(A.n_rows) * b; ++i)
        result.values.data()[i * b + i % b] = 1;
      return result;
    }
  } // namespace


  PartExchange
  exchange_of(const Messages &messages, const DividedNodes &nodes)
  {
    if (nodes.first.empty())
      return {};
    return {
      [&](double *const values, const int n) {
        import_values(messages, nodes.shared, nodes.n_owned(), values, n);
      },
      [&](double *const value) { *value = sum_over_parts(messages, *value); }};
  }


  DividedRows
  in_blocks(const Messages &messages, const RowsView &single,
            const DividedNodes &nodes, const int b)
  {
    std::vector<std::int64_t> first, ghosts;
    for (const std::int64_t number : nodes.first)
      first.push_back(number / b);
    for (std::size_t k = 0; k < nodes.ghosts.size(); k += b)
      ghosts.push_back(nodes.ghosts[k] / b);
    DividedRows result;
    result.nodes = share_nodes(messages, std::move(first), std::move(ghosts));
    result.rows  = make_block_pattern(single, b, host);
    place_in_blocks(single, result.rows);
    return result;
  }


  Aggregates
  aggregates_of_part(const RowsView &A, const StrongGraph &graph)
  {
    const SparseRows kept = owned_columns(A);
    SparseRows owned      = product_pattern(A, kept.view(), host);
    multiply(A, kept.view(), owned);
    const std::int64_t *const start = graph.row_start.data();
    const RowsView known{A.n_rows, A.n_columns,          1,      1,
                         start,    graph.columns.data(), nullptr};
    RowsView single  = kept.view();
    single.row_block = single.column_block = 1;
    SparseRows neighbours = product_pattern(known, single, host);
    StrongGraph of_part{
      graph.measure, graph.threshold, Array<double>(host, A.n_rows),
      std::move(neighbours.row_start), std::move(neighbours.columns)};
    std::copy_n(graph.sizes.data(), A.n_rows, of_part.sizes.data());
    Aggregates result      = make_aggregates(owned.view(), of_part);
    std::vector<int> roots = result.roots.to_vector();
    int *const of_node     = result.of_node.data();
    const int none         = result.n;
    for (int node = 0; node < A.n_rows; ++node)
      if (of_node[node] == none && start[node] < start[node + 1])
        roots.push_back(node);
    result.n = static_cast<int>(roots.size());
    std::replace(of_node, of_node + A.n_rows, none, result.n);
    for (int a = none; a < result.n; ++a)
      of_node[roots[a]] = a;
    result.roots = Array<int>(host, roots);
    return result;
  }


  DividedNodes
  know_aggregates(const Messages &messages, const DividedNodes &nodes,
                  Aggregates &aggregates)
  {
    constexpr std::int64_t none = -1;
    auto first                  = number_nodes(messages, aggregates.n);
    const int n_owned = nodes.n_owned(), n = n_owned + nodes.n_ghosts();
    std::vector<std::int64_t> numbers(n, none);
    for (int node = 0; node < n_owned; ++node)
      if (aggregates.of_node.data()[node] < aggregates.n)
        numbers[node] = first[nodes.part] + aggregates.of_node.data()[node];
    import_values(messages, nodes.shared, n_owned, numbers.data());
    NumberedRows rows; // of a known node with an aggregate
    for (const std::int64_t number : numbers)
      {
        if (number != none)
          rows.columns.push_back(number);
        rows.row_start.push_back(std::int64_t(rows.columns.size()));
      }
    rows.values.resize(rows.columns.size());
    DividedRows known  = divide_rows(messages, rows, std::move(first));
    aggregates.n       = known.rows.n_columns;
    aggregates.of_node = Array<int>(host, n);
    for (int node = 0; node < n; ++node)
      aggregates.of_node.data()[node] =
        numbers[node] == none ? aggregates.n
                              : known.rows.columns.data()[rows.row_start[node]];
    return std::move(known.nodes);
  }


  std::vector<double>
  gather_all(const Messages &messages, const double *const values,
             const std::size_t n)
  {
    Messages::Bytes mine;
    append(mine, values, n);
    std::vector<double> result;
    for (const Messages::Bytes &bytes : messages.gather(mine))
      MessageReader(bytes).append_to(result, bytes.size() / sizeof(double));
    return result;
  }


  SparseMatrix
  some_rows(const SparseMatrix &matrix, const std::int64_t first, const int n)
  {
    const auto &start        = matrix.pattern.row_start;
    const std::int64_t begin = start[first], end = start[first + n];
    SparseMatrix result;
    result.n_columns = matrix.n_columns;
    for (std::int64_t row = first; row <= first + n; ++row)
      result.pattern.row_start.push_back(start[row] - begin);
    result.pattern.columns.assign(matrix.pattern.columns.begin() + begin,
                                  matrix.pattern.columns.begin() + end);
    result.values.assign(matrix.values.begin() + begin,
                         matrix.values.begin() + end);
    return result;
  }
} // namespace tessera
