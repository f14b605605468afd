#include <tessera/preconditioners/divided_levels.h>
#include <tessera/preconditioners/smoothed_prolongation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "algebraic_levels.cuh"

namespace tessera
{
  struct DividedLevels::State
  {
    DividedRows A;
    NearNullSpace near; ///< of owned rows
    int n_aggregated = 0;

    std::int64_t
    n_rows_of_all() const
    {
      return A.nodes.n_all() * A.rows.row_block;
    }
  };


  namespace
  {
    constexpr Backend host = Backend::host;

    /// Returns rows of single entries in blocks of nodes.
    DividedRows
    in_blocks(const Messages &messages, const DividedRows &single, const int b)
    {
      std::vector<std::int64_t> first, ghosts;
      for (const std::int64_t number : single.nodes.first)
        first.push_back(number / b);
      for (std::size_t k = 0; k < single.nodes.ghosts.size(); k += b)
        ghosts.push_back(single.nodes.ghosts[k] / b);
      DividedRows result;
      result.nodes = share_nodes(messages, std::move(first), std::move(ghosts));
      result.rows  = make_block_pattern(single.rows.view(), b, host);
      place_in_blocks(single.rows.view(), result.rows);
      return result;
    }

    /// Removes the columns of ghosts.
    SparseRows
    without_ghosts(const RowsView &A)
    {
      Array<int> lengths(host, A.n_rows);
      const auto n_kept = [&](const int row) {
        int n = 0; // ghosts come last
        while (n < A.length(row) && A.columns_of(row)[n] < A.n_rows)
          ++n;
        return n;
      };
      for (int row = 0; row < A.n_rows; ++row)
        lengths.data()[row] = n_kept(row);
      SparseRows result;
      result.n_rows = result.n_columns = A.n_rows;
      result.row_block                 = A.row_block;
      result.column_block              = A.column_block;
      result.row_start                 = starts_of(lengths);
      result.columns = Array<int>(host, last_of(result.row_start));
      if (A.values != nullptr)
        result.values = Array<double>(host, result.n_nonzeros());
      int *column   = result.columns.data();
      double *value = result.values.data();
      for (int row = 0; row < A.n_rows; ++row)
        {
          const int n = lengths.data()[row];
          column      = std::copy_n(A.columns_of(row), n, column);
          if (A.values != nullptr)
            for (int i = 0; i < A.row_block; ++i)
              value =
                std::copy_n(A.values_of(row, i), n * A.column_block, value);
        }
      return result;
    }

    /// Makes aggregates of owned nodes. A node that could only join nodes of
    /// other parts makes one of its own.
    Aggregates
    aggregates_of_part(const RowsView &A, const StrongGraph &graph)
    {
      const SparseRows within =
        without_ghosts({A.n_rows, A.n_columns, 1, 1, graph.row_start.data(),
                        graph.columns.data(), nullptr});
      const SparseRows owned = without_ghosts(A);
      StrongGraph of_part{
        graph.measure, graph.threshold, Array<double>(host, A.n_rows),
        Array<std::int64_t>(host, within.row_start.to_vector()),
        Array<int>(host, within.columns.to_vector())};
      std::copy_n(graph.sizes.data(), A.n_rows, of_part.sizes.data());
      Aggregates result               = make_aggregates(owned.view(), of_part);
      std::vector<int> roots          = result.roots.to_vector();
      const std::int64_t *const start = graph.row_start.data();
      int *const of_node              = result.of_node.data();
      const int none                  = result.n;
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

    /// The aggregates of the nodes that a part knows, by number.
    struct KnownAggregates
    {
      DividedNodes nodes;    ///< of the coarser level; nothing is shared
      Aggregates aggregates; ///< in [owned | ghosts]

      KnownAggregates(const Messages &messages, const PartExchange &parts,
                      const Aggregates &owned, const int n_known)
        : nodes{number_nodes(messages, owned.n), messages.part(), {}, {}}
      {
        constexpr double none = -1;
        std::vector<double> numbers(n_known, none);
        const int n_owned        = static_cast<int>(owned.of_node.size());
        const std::int64_t first = nodes.first[nodes.part];
        for (int node = 0; node < n_owned; ++node)
          if (owned.of_node.data()[node] < owned.n)
            numbers[node] =
              static_cast<double>(first + owned.of_node.data()[node]);
        parts.import(numbers.data(), 1);
        std::vector<std::int64_t> &ghosts = nodes.ghosts;
        for (int node = n_owned; node < n_known; ++node)
          if (numbers[node] != none)
            ghosts.push_back(static_cast<std::int64_t>(numbers[node]));
        std::sort(ghosts.begin(), ghosts.end());
        ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
        aggregates.n       = owned.n + nodes.n_ghosts();
        aggregates.of_node = Array<int>(host, n_known);
        for (int node = 0; node < n_known; ++node)
          {
            const auto number = static_cast<std::int64_t>(numbers[node]);
            aggregates.of_node.data()[node] =
              numbers[node] == none ? aggregates.n
              : nodes.owns(number)
                ? static_cast<int>(number - first)
                : owned.n +
                    static_cast<int>(
                      std::lower_bound(ghosts.begin(), ghosts.end(), number) -
                      ghosts.begin());
          }
      }
    };

    /// Returns modes one after the other from [n_rows][n_modes].
    NearNullSpace
    mode_by_mode(const Array<double> &modes, const int n_modes)
    {
      const std::size_t n = modes.size() / n_modes;
      NearNullSpace result{n_modes, std::vector<double>(modes.size())};
      for (std::size_t row = 0; row < n; ++row)
        for (int l = 0; l < n_modes; ++l)
          result.modes[n * l + row] = modes.data()[row * n_modes + l];
      return result;
    }

    /// Returns the modes of the rows of all parts.
    NearNullSpace
    gather_modes(const Messages &messages, const NearNullSpace &of_part)
    {
      NearNullSpace result{of_part.n, {}};
      const std::size_t n =
        of_part.n == 0 ? 0 : of_part.modes.size() / of_part.n;
      for (int l = 0; l < of_part.n; ++l)
        {
          Messages::Bytes mine;
          append(mine, of_part.modes.data() + n * l, n);
          for (const Messages::Bytes &bytes : messages.gather(mine))
            MessageReader(bytes).append_to(result.modes,
                                           bytes.size() / sizeof(double));
        }
      return result;
    }

    /// Returns n rows of a matrix from one on.
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

    double
    nonzeros_of_all(const Messages &messages, const SparseRows &rows)
    {
      return sum_over_parts(messages, static_cast<double>(rows.n_nonzeros()));
    }
  } // namespace


  DividedLevels::DividedLevels(const std::shared_ptr<const Messages> &messages,
                               std::shared_ptr<const Transport> transport,
                               DividedRows A, const Backend backend,
                               const DividedLevelsOptions &given,
                               const NumberedRows *const first,
                               const std::vector<std::int64_t> &first_rows)
    : messages(messages), carrier(std::move(transport)), backend(backend),
      options(given)
  {
    const auto start = std::chrono::steady_clock::now();
    State state{std::move(A), std::move(options.near_null_space)};
    options.first = nullptr;
    check(state);
    const double of_finest = nonzeros_of_all(*messages, state.A.rows);
    complexity             = of_finest;
    if (first != nullptr)
      add_level(state, *first, first_rows, options.n_components);
    messages->collectively([&]() {
      AggregationOptions of_level = options;
      of_level.near_null_space    = state.near;
      check_options(of_level, state.A.rows.n_rows);
    });
    while (state.n_rows_of_all() > options.max_gathered &&
           static_cast<int>(of_parts.size()) + 2 < options.max_levels &&
           add_aggregates(state))
      ;
    gather(state);
    complexity /= of_finest;
    set_up_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
  }


  /// Compares A and its transpose in the way of AlgebraicLevels.
  void
  DividedLevels::check(const State &finest) const
  {
    const DividedNodes &nodes = finest.A.nodes;
    const RowsView A          = finest.A.rows.view();
    messages->collectively([&]() {
      if (nodes.n_all() == 0)
        refuse_levels("it has no rows, of which there must be one at least.");
      check_entries(A, host, nodes.first[nodes.part]);
    });
    std::vector<double> x(A.n_columns), y(A.n_columns), difference(A.n_rows),
      size(A.n_rows);
    for (int i = 0; i < A.n_columns; ++i)
      {
        x[i] = HashedVectors::x_at(nodes.number(i));
        y[i] = HashedVectors::y_at(nodes.number(i));
      }
    double sums[3] = {0, 0, static_cast<double>(finest.A.rows.n_nonzeros())};
    const CompareTranspose compare{A, x.data(), y.data(), difference.data(),
                                   size.data()};
    for (int row = 0; row < A.n_rows; ++row)
      {
        compare(row);
        sums[0] += difference[row];
        sums[1] += size[row];
      }
    for (double &sum : sums)
      sum = sum_over_parts(*messages, sum);
    if (std::abs(sums[0]) > 1e-4 * sums[1] / std::sqrt(sums[2]))
      refuse_levels("it is not symmetric.");
  }


  void
  DividedLevels::add_level(State &state, const NumberedRows &P,
                           const std::vector<std::int64_t> &first,
                           const int group)
  {
    DividedProduct product =
      divided_galerkin_product(*messages, state.A, P, first, group);
    state.A                   = std::move(product.matrix);
    const DividedNodes &nodes = state.A.nodes;
    const int b               = state.A.rows.row_block;
    of_parts.push_back({to_host(product.prolongation), to_host(state.A.rows),
                        nodes.n_ghosts() * b,
                        entries_of_nodes(nodes.shared, b)});
    complexity += nonzeros_of_all(*messages, state.A.rows);
  }


  bool
  DividedLevels::add_aggregates(State &state)
  {
    const int b = options.n_components;
    if (state.n_aggregated == 0 && b > 1)
      state.A = in_blocks(*messages, state.A, b);
    const RowsView A          = state.A.rows.view();
    const DividedNodes &nodes = state.A.nodes;
    const int n_modes         = state.near.n > 0 ? state.near.n : b;
    const int of_node         = A.row_block * n_modes;
    const PartExchange parts{
      [&](double *const values, const int n) {
        import_values(*messages, nodes.shared, A.n_rows, values, n);
      },
      [&](double *const value) { *value = sum_over_parts(*messages, *value); }};

    Array<double> modes(host, std::size_t(A.n_columns) * of_node);
    for_each(host, std::int64_t(A.n_rows) * A.row_block,
             BeginModes{A, state.near.n > 0 ? state.near.modes.data() : nullptr,
                        n_modes, modes.data()});
    parts.import(modes.data(), of_node);
    StrongGraph graph;
    Aggregates owned;
    std::int64_t n_coarse = 0;
    const auto make       = [&](const StrengthMeasure measure,
                          const double threshold) {
      graph    = make_strong_graph(A, measure, threshold, host, parts);
      owned    = aggregates_of_part(A, graph);
      n_coarse = sum_over_parts(*messages, std::int64_t(owned.n));
    };
    if (of_node == 1)
      make(StrengthMeasure::to_largest, part_of_largest);
    if (n_coarse == 0) // there are blocks, or all entries are positive
      make(StrengthMeasure::to_diagonal,
           std::ldexp(options.threshold, -state.n_aggregated));
    if (n_coarse == 0 || n_coarse * n_modes >= state.n_rows_of_all())
      return false;
    OrthonormalModes orthonormal =
      orthonormalize(owned, A.row_block, n_modes, modes);
    const KnownAggregates known(*messages, parts, owned, A.n_columns);
    parts.import(orthonormal.q.data(), of_node);
    const double weight =
      options.damping /
      largest_eigenvalue(A, options.lanczos_steps, host, parts);
    const SparseRows P = smoothed_prolongation(A, graph, known.aggregates,
                                               modes, orthonormal, weight);
    add_level(state, number_columns(P.view(), known.nodes), known.nodes.first,
              1);
    state.near = mode_by_mode(orthonormal.r, n_modes);
    ++state.n_aggregated;
    return true;
  }


  void
  DividedLevels::gather(const State &state)
  {
    const DividedRows &A            = state.A;
    const DividedNodes &nodes       = A.nodes;
    const int b                     = A.rows.row_block;
    AlgebraicLevelsOptions of_level = options;
    of_level.n_components = state.n_aggregated > 0 ? b : options.n_components;
    of_level.near_null_space = gather_modes(*messages, state.near);
    of_level.threshold  = std::ldexp(options.threshold, -state.n_aggregated);
    of_level.max_levels = // there is one below at least
      std::max(2, options.max_levels - static_cast<int>(of_parts.size()));
    {
      const SparseMatrix whole = to_host(gather_rows(
        *messages, number_columns(A.rows.view(), nodes), nodes.n_all()));
      of_all = std::make_unique<AlgebraicLevels>(whole, backend, of_level);
    }
    to_divided = some_rows(to_host(of_all->levels().front().prolongation),
                           nodes.first[nodes.part] * b, nodes.n_owned() * b);
    for (const AlgebraicLevel &level : of_all->levels())
      complexity += static_cast<double>(level.matrix.n_nonzeros());
  }
} // namespace tessera
