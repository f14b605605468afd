#include <tessera/base/algorithms.h>
#include <tessera/base/counted.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/matrix/sparse_product.h>
#include <tessera/preconditioners/algebraic_levels.h>
#include <tessera/preconditioners/smoothed_prolongation.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "algebraic_levels.cuh"

namespace tessera
{
  namespace
  {
    void
    check_rows(const RowsView &A, const Backend backend)
    {
      if (A.n_rows == 0 || A.n_rows != A.n_columns)
        refuse_levels(
          "it has " + std::to_string(A.n_rows) + " rows and " +
          std::to_string(A.n_columns) +
          " columns, of which there must be as many and one at least.");
      check_entries(A, backend);
    }

    /// Compares x . A y and y . A x for hashed vectors: their difference, to
    /// which rounding of the entries to float contributes, against what signs
    /// at random make of the terms.
    void
    check_symmetric(const RowsView &A, const std::int64_t n_entries,
                    const Backend backend)
    {
      const int n = A.n_rows;
      Array<double> x(backend, n), y(backend, n), difference(backend, n),
        size(backend, n);
      for_each(backend, n, HashedVectors{x.data(), y.data()});
      for_each(backend, n,
               CompareTranspose{A, x.data(), y.data(), difference.data(),
                                size.data()});
      const double of_random_signs =
        algorithms::ordered_sum(backend, size.data(), n) /
        std::sqrt(static_cast<double>(n_entries));
      if (std::abs(algorithms::ordered_sum(backend, difference.data(), n)) >
          1e-4 * of_random_signs)
        refuse_levels("it is not symmetric.");
    }

    /// Calls f with a view of a matrix of the host in the memory of a backend.
    template <class F>
    void
    with_view(const SparseMatrix &A, const Backend backend, const F &f)
    {
      if (backend == Backend::host)
        return f(view(A));
      const SparseRows copy(A, backend);
      f(copy.view());
    }

    double
    seconds_since(const std::chrono::steady_clock::time_point start)
    {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                           start)
        .count();
    }
  } // namespace


  void
  refuse_levels(const std::string &what)
  {
    throw MatrixError("The matrix cannot be aggregated for multigrid: " + what);
  }


  void
  check_entries(const RowsView &A, const Backend backend,
                const std::int64_t first)
  {
    if (A.n_rows == 0)
      return;
    Array<int> fault(backend, A.n_rows);
    Array<double> value(backend, A.n_rows);
    for_each(backend, A.n_rows, CheckRow{A, fault.data(), value.data()});
    if (algorithms::maximum(backend, fault.data(), A.n_rows) == 0)
      return;
    const auto faults = fault.to_vector();
    std::size_t row   = 0;
    while (faults[row] == 0)
      ++row;
    const std::string found = few_digits(value.to_vector()[row]);
    const std::string name  = std::to_string(first + std::int64_t(row));
    if (faults[row] == CheckRow::not_finite)
      refuse_levels("an entry of row " + name + " is " + found + '.');
    refuse_levels("the diagonal entry of row " + name + " is " + found +
                  "; legal are positive ones, and boundary values or "
                  "supports may be missing.");
  }


  void
  check_for_aggregation(const RowsView &A, const std::int64_t n_entries,
                        const Backend backend)
  {
    check_rows(A, backend);
    check_symmetric(A, n_entries, backend);
  }


  void
  check_options(const AggregationOptions &options, const int n_rows)
  {
    const NearNullSpace &modes = options.near_null_space;
    const auto require         = [](const bool good, const std::string &why) {
      if (!good)
        throw ParameterError("Aggregation was given " + why);
    };
    require(options.n_components > 0 && n_rows % options.n_components == 0,
            std::to_string(options.n_components) +
              " components of a node, but a matrix of " +
              std::to_string(n_rows) + " rows.");
    require(modes.modes.size() == std::size_t(modes.n) * n_rows,
            std::to_string(modes.modes.size()) + " entries of " +
              std::to_string(modes.n) + " modes, but a matrix of " +
              std::to_string(n_rows) + " rows.");
    require(options.max_levels > 1 && options.max_coarsest > 0 &&
              options.threshold >= 0,
            "less than 2 levels, a coarsest level without unknowns or a "
            "negative threshold.");
    for (const double value : modes.modes)
      require(std::isfinite(value), "a mode that is not finite.");
  }


  SparseMatrix
  identity_prolongation(const int n_rows)
  {
    if (n_rows > Multigrid<double>::max_coarsest)
      refuse_levels("of its " + std::to_string(n_rows) +
                    " rows none are coupled strongly enough; another "
                    "preconditioner suits it.");
    SparseMatrix result;
    result.n_columns = n_rows;
    result.values.assign(n_rows, 1.);
    result.pattern.row_start.resize(n_rows + 1);
    result.pattern.columns.resize(n_rows);
    std::iota(result.pattern.row_start.begin(), result.pattern.row_start.end(),
              0);
    std::iota(result.pattern.columns.begin(), result.pattern.columns.end(), 0);
    return result;
  }


  AlgebraicLevels::AlgebraicLevels(const RowsView &A, const Backend backend,
                                   const AlgebraicLevelsOptions &options)
    : where(backend), options(options)
  {
    make(A);
    this->options.first           = nullptr;
    this->options.near_null_space = {};
  }


  AlgebraicLevels::AlgebraicLevels(const SparseMatrix &A, const Backend backend,
                                   const AlgebraicLevelsOptions &options)
    : where(backend), options(options)
  {
    with_view(A, backend, [&](const RowsView &rows) { make(rows); });
    this->options.first           = nullptr;
    this->options.near_null_space = {};
  }


  void
  AlgebraicLevels::make(const RowsView &A)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory memory(where);
    finest_nonzeros = A.n_rows == 0 ? 0 : entries_of(A);
    check_for_aggregation(A, finest_nonzeros, where);
    RowsView finer = A;
    if (options.first != nullptr)
      {
        add_prolongation(A, std::move(*options.first));
        finer = coarser.back().matrix.view();
      }
    check_options(options, finer.n_rows);
    n_given = static_cast<int>(coarser.size());
    if (finer.n_rows > options.max_coarsest)
      aggregate(finer);
    if (coarser.empty())
      {
        blocks = {};
        add_prolongation(A, SparseRows(identity_prolongation(A.n_rows), where));
      }
    set_up_seconds = seconds_since(start);
  }


  void
  AlgebraicLevels::aggregate(RowsView finer)
  {
    const NearNullSpace &given = options.near_null_space;
    int n_modes                = given.n > 0 ? given.n : options.n_components;
    if (options.n_components > 1)
      {
        blocks = make_block_pattern(finer, options.n_components, where);
        place_in_blocks(finer, blocks);
        finer = blocks.view();
      }
    Array<double> modes(where,
                        std::size_t(finer.n_rows) * finer.row_block * n_modes);
    {
      const Array<double> on_backend(where, given.modes);
      for_each(where, std::int64_t(finer.n_rows) * finer.row_block,
               BeginModes{finer, on_backend.data(), n_modes, modes.data()});
      if (where == Backend::cuda)
        runtime::synchronize({});
    }
    while (static_cast<int>(coarser.size()) + 1 < options.max_levels &&
           finer.n_rows * finer.row_block > options.max_coarsest &&
           add_aggregates(finer, modes, n_modes))
      finer = coarser.back().matrix.view();
  }


  bool
  AlgebraicLevels::add_aggregates(const RowsView &A, Array<double> &modes,
                                  const int n_modes)
  {
    SparseRows P;
    {
      StrongGraph graph;
      Aggregates aggregates;
      if (A.row_block * n_modes == 1)
        {
          graph      = make_strong_graph(A, StrengthMeasure::to_largest,
                                         part_of_largest, where);
          aggregates = make_aggregates(A, graph);
        }
      if (aggregates.n == 0) // there are blocks, or all entries are positive
        {
          const int l = static_cast<int>(coarser.size()) - n_given;
          graph       = make_strong_graph(A, StrengthMeasure::to_diagonal,
                                          std::ldexp(options.threshold, -l), where);
          aggregates  = make_aggregates(A, graph);
        }
      if (aggregates.n == 0 || std::int64_t(aggregates.n) * n_modes >=
                                 std::int64_t(A.n_rows) * A.row_block)
        return false;
      OrthonormalModes orthonormal =
        orthonormalize(aggregates, A.row_block, n_modes, modes);
      const double weight =
        options.damping / largest_eigenvalue(A, options.lanczos_steps, where);
      P =
        smoothed_prolongation(A, graph, aggregates, modes, orthonormal, weight);
      modes = std::move(orthonormal.r);
    }
    add_prolongation(A, std::move(P));
    return true;
  }


  void
  AlgebraicLevels::add_prolongation(const RowsView &A, SparseRows P)
  {
    AlgebraicLevel level;
    level.prolongation = std::move(P);
    level.restriction  = transpose(level.prolongation);
    SparseRows half;
    galerkin_product(A, level.prolongation, level.restriction, half,
                     level.matrix);
    coarser.push_back(std::move(level));
    keep(std::move(half));
  }


  void
  AlgebraicLevels::keep(SparseRows half)
  {
    if (!options.keeps_patterns)
      half = {};
    half.values = {};
    halves.push_back(std::move(half));
  }


  void
  AlgebraicLevels::update(const RowsView &A)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory memory(where);
    if (entries_of(A) != finest_nonzeros)
      throw ParameterError(
        "Levels were given new values of " + std::to_string(entries_of(A)) +
        " entries, but made for " + std::to_string(finest_nonzeros) + '.');
    check_rows(A, where);
    RowsView finer = A;
    for (std::size_t l = 0; l < coarser.size(); ++l)
      {
        if (static_cast<int>(l) == n_given && blocks.n_rows > 0)
          {
            place_in_blocks(finer, blocks);
            finer = blocks.view();
          }
        AlgebraicLevel &level = coarser[l];
        galerkin_product(finer, level.prolongation, level.restriction,
                         halves[l], level.matrix);
        if (!options.keeps_patterns)
          halves[l] = {};
        halves[l].values = {};
        finer            = level.matrix.view();
      }
    set_up_seconds = seconds_since(start);
  }


  void
  AlgebraicLevels::update(const SparseMatrix &A)
  {
    with_view(A, where, [&](const RowsView &rows) { update(rows); });
  }


  std::int64_t
  AlgebraicLevels::entries_of(const RowsView &A) const
  {
    std::int64_t n = 0;
    if (where == Backend::host)
      return A.row_start[A.n_rows];
    runtime::copy(&n, A.row_start + A.n_rows, sizeof(n),
                  runtime::Copy::device_to_host);
    return n;
  }


  double
  AlgebraicLevels::operator_complexity() const
  {
    auto nonzeros = static_cast<double>(finest_nonzeros);
    for (const AlgebraicLevel &level : coarser)
      nonzeros += static_cast<double>(level.matrix.n_nonzeros());
    return nonzeros / static_cast<double>(finest_nonzeros);
  }


  MultigridLevels
  AlgebraicLevels::to_host() const
  {
    MultigridLevels result;
    for (const AlgebraicLevel &level : coarser)
      {
        result.prolongations.push_back(tessera::to_host(level.prolongation));
        result.matrices.push_back(tessera::to_host(level.matrix));
      }
    result.finest_nonzeros = finest_nonzeros;
    result.seconds         = set_up_seconds;
    return result;
  }
} // namespace tessera
