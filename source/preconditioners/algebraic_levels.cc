#include <tessera/base/algorithms.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/matrix/sparse_product.h>
#include <tessera/preconditioners/algebraic_levels.h>
#include <tessera/preconditioners/smoothed_prolongation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "algebraic_levels.cuh"
#include "divided_aggregates.h"

namespace tessera
{
  namespace
  {
    std::int64_t
    entries_of(const RowsView &A, const Backend backend)
    {
      std::int64_t n = 0;
      if (A.n_rows == 0 || backend == Backend::host)
        return A.n_rows == 0 ? 0 : A.row_start[A.n_rows];
      runtime::copy(&n, A.row_start + A.n_rows, sizeof(n),
                    runtime::Copy::device_to_host);
      return n;
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


  struct AlgebraicLevels::Finer
  {
    RowsView A;
    Backend backend;
    DividedNodes nodes  = {}; ///< of the columns, if they are divided
    SparseRows storage  = {}; ///< of A, if it is no level
    int n_modes         = 0;
    Array<double> modes = {}; ///< [A.n_columns][A.row_block][n_modes]
    /// The rows of this part in a matrix that was gathered, or -1.
    std::int64_t own_begin = -1, own_end = -1;

    bool
    is_divided() const
    {
      return !nodes.first.empty();
    }

    /// `storage` has the single entries of the whole matrix.
    bool
    is_gathered() const
    {
      return own_begin >= 0;
    }

    std::int64_t
    n_rows_of_all() const
    {
      return (is_divided() ? nodes.n_all() : A.n_rows) *
             std::int64_t(A.row_block);
    }
  };


  AlgebraicLevels::AlgebraicLevels(const RowsView &A, const Backend backend,
                                   const AlgebraicLevelsOptions &options)
    : where(backend), options(options)
  {
    make({A, backend});
  }


  AlgebraicLevels::AlgebraicLevels(const SparseMatrix &A, const Backend backend,
                                   const AlgebraicLevelsOptions &options)
    : where(backend), options(options)
  {
    with_view(A, backend, [&](const RowsView &rows) { make({rows, backend}); });
  }


  AlgebraicLevels::AlgebraicLevels(DividedRows A, const OtherParts &others,
                                   const Backend backend,
                                   const AlgebraicLevelsOptions &options,
                                   const NumberedRows *const first,
                                   const std::vector<std::int64_t> &first_rows)
    : where(backend), options(options), others(others)
  {
    Finer finest{A.rows.view(), Backend::host, std::move(A.nodes),
                 std::move(A.rows)};
    this->options.first = nullptr;
    make(std::move(finest), first, first_rows);
  }


  void
  AlgebraicLevels::make(Finer finer, const NumberedRows *const first,
                        const std::vector<std::int64_t> &first_rows)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory memory(where);
    const Messages &messages = *others.messages;
    const RowsView A         = finer.A;
    finest_nonzeros          = entries_of(A, finer.backend);
    double of_finest         = static_cast<double>(finest_nonzeros);
    exchange_of(messages, finer.nodes).sum(&of_finest);
    check_for_aggregation(A, finest_nonzeros, finer.backend, messages,
                          finer.nodes);
    if (first != nullptr)
      add_divided_level(finer, *first, first_rows, options.n_components);
    else if (options.first != nullptr)
      add_level(finer, std::move(*options.first));
    messages.collectively([&]() { check_options(options, finer.A.n_rows); });
    n_given             = n_levels();
    const auto has_room = [&](const int most) { return n_levels() + 1 < most; };
    if (finer.is_divided())
      {
        begin_aggregates(finer);
        while (finer.n_rows_of_all() > options.max_gathered &&
               has_room(options.max_levels - 1) && add_aggregates(finer))
          ;
        n_of_parts = n_levels();
        gather(finer);
      }
    else if (finer.A.n_rows > options.max_coarsest)
      begin_aggregates(finer);
    while (has_room(std::max(options.max_levels, n_of_parts + 2)) &&
           finer.n_rows_of_all() > options.max_coarsest &&
           add_aggregates(finer))
      ;
    if (n_levels() == n_of_parts)
      {
        blocks  = {};
        finer.A = finer.is_gathered() ? finer.storage.view() : A;
        add_level(finer,
                  SparseRows(identity_prolongation(finer.A.n_rows), where));
      }
    if (finer.is_gathered())
      finish_divided(finer);
    double of_all = of_finest;
    for (int l = 0; l < n_levels(); ++l)
      {
        auto n = static_cast<double>(coarser[l].matrix.n_nonzeros());
        of_all += l < n_of_parts ? sum_over_parts(messages, n) : n;
      }
    complexity              = of_all / of_finest;
    options.first           = nullptr;
    options.near_null_space = {};
    set_up_seconds          = seconds_since(start);
  }


  void
  AlgebraicLevels::begin_aggregates(Finer &finer)
  {
    const NearNullSpace &given = options.near_null_space;
    const int b                = options.n_components;
    finer.n_modes              = given.n > 0 ? given.n : b;
    if (finer.is_divided() && b > 1)
      {
        DividedRows placed =
          in_blocks(*others.messages, finer.A, finer.nodes, b);
        finer.nodes   = std::move(placed.nodes);
        finer.storage = std::move(placed.rows);
        finer.A       = finer.storage.view();
      }
    else
      place_blocks(finer, b);
    const RowsView &A = finer.A;
    const int of_node = A.row_block * finer.n_modes;
    finer.modes =
      Array<double>(finer.backend, std::size_t(A.n_columns) * of_node);
    const Array<double> on_backend(finer.backend, given.modes);
    for_each(
      finer.backend, std::int64_t(A.n_rows) * A.row_block,
      BeginModes{A, on_backend.data(), finer.n_modes, finer.modes.data()});
    if (finer.backend == Backend::cuda)
      runtime::synchronize({});
    exchange_of(*others.messages, finer.nodes)
      .import(finer.modes.data(), of_node);
  }


  void
  AlgebraicLevels::place_blocks(Finer &finer, const int b)
  {
    if (b == 1)
      return;
    blocks = make_block_pattern(finer.A, b, where);
    place_in_blocks(finer.A, blocks);
    finer.A = blocks.view();
  }


  bool
  AlgebraicLevels::add_aggregates(Finer &finer)
  {
    const Messages &messages = *others.messages;
    const RowsView A         = finer.A;
    const Backend backend    = finer.backend;
    const PartExchange parts = exchange_of(messages, finer.nodes);
    const int n_modes = finer.n_modes, of_node = A.row_block * n_modes;
    SparseRows P;
    Array<double> modes; // of the new level
    DividedNodes coarse; // if they are divided
    {
      StrongGraph graph;
      Aggregates aggregates;
      double n_coarse = 0; // in all parts
      const auto make = [&](const StrengthMeasure measure,
                            const double threshold) {
        graph      = make_strong_graph(A, measure, threshold, backend, parts);
        aggregates = finer.is_divided() ? aggregates_of_part(A, graph)
                                        : make_aggregates(A, graph);
        n_coarse   = aggregates.n;
        parts.sum(&n_coarse);
      };
      if (of_node == 1)
        make(StrengthMeasure::to_largest, part_of_largest);
      if (n_coarse == 0) // there are blocks, or all entries are positive
        make(StrengthMeasure::to_diagonal,
             std::ldexp(options.threshold, n_given - n_levels()));
      if (n_coarse == 0 || n_coarse * n_modes >= finer.n_rows_of_all())
        return false;
      OrthonormalModes orthonormal =
        orthonormalize(aggregates, A.row_block, n_modes, finer.modes);
      if (finer.is_divided())
        {
          coarse = know_aggregates(messages, finer.nodes, aggregates);
          parts.import(orthonormal.q.data(), of_node);
        }
      const double weight =
        options.damping /
        largest_eigenvalue(A, options.lanczos_steps, backend, parts);
      P = smoothed_prolongation(A, graph, aggregates, finer.modes, orthonormal,
                                weight);
      modes = std::move(orthonormal.r);
    }
    finer.modes = std::move(modes);
    if (!finer.is_divided())
      {
        add_level(finer, std::move(P));
        return true;
      }
    add_divided_level(finer, number_columns(P.view(), coarse), coarse.first, 1);
    std::vector<double> known = finer.modes.to_vector();
    known.resize(std::size_t(finer.A.n_columns) * n_modes * n_modes);
    exchange_of(messages, finer.nodes).import(known.data(), n_modes * n_modes);
    finer.modes = Array<double>(backend, known);
    return true;
  }


  void
  AlgebraicLevels::add_level(Finer &finer, SparseRows P)
  {
    AlgebraicLevel level;
    level.prolongation = std::move(P);
    level.restriction  = transpose(level.prolongation);
    halves.emplace_back();
    galerkin_product(finer.A, level.prolongation, level.restriction,
                     halves.back(), level.matrix);
    keep_pattern(halves.back());
    coarser.push_back(std::move(level));
    finer.A = coarser.back().matrix.view();
  }


  void
  AlgebraicLevels::add_divided_level(Finer &finer, const NumberedRows &P,
                                     const std::vector<std::int64_t> &first,
                                     const int group)
  {
    DividedProduct product = divided_galerkin_product(
      *others.messages, finer.A, finer.nodes, P, first, group);
    AlgebraicLevel level;
    level.prolongation = std::move(product.prolongation);
    level.restriction  = transpose(level.prolongation);
    level.matrix       = std::move(product.matrix.rows);
    level.nodes        = std::move(product.matrix.nodes);
    coarser.push_back(std::move(level));
    finer.storage = {};
    finer.nodes   = coarser.back().nodes;
    finer.A       = coarser.back().matrix.view();
  }


  void
  AlgebraicLevels::gather(Finer &finer)
  {
    const Messages &messages  = *others.messages;
    const RowsView A          = finer.A;
    const DividedNodes &nodes = finer.nodes;
    const int b               = A.row_block;
    finer.own_begin           = nodes.first[nodes.part] * b;
    finer.own_end             = nodes.first[nodes.part + 1] * b;
    finer.modes               = Array<double>(
      where, gather_all(messages, finer.modes.data(),
                                      std::size_t(A.n_rows) * b * finer.n_modes));
    finer.storage =
      SparseRows(tessera::to_host(gather_rows(
                   messages, number_columns(A, nodes), nodes.n_all())),
                 where);
    finer.A       = finer.storage.view();
    finer.backend = where;
    finer.nodes   = {};
    place_blocks(finer, b);
  }


  void
  AlgebraicLevels::finish_divided(const Finer &finer)
  {
    AlgebraicLevel &whole = coarser[n_of_parts];
    whole.prolongation    = SparseRows(
         some_rows(tessera::to_host(whole.prolongation), finer.own_begin,
                   static_cast<int>(finer.own_end - finer.own_begin)),
         where);
    whole.restriction = transpose(whole.prolongation);
    for (int l = 0; l < n_of_parts && where != Backend::host; ++l)
      for (SparseRows *const rows :
           {&coarser[l].prolongation, &coarser[l].restriction,
            &coarser[l].matrix})
        *rows = SparseRows(tessera::to_host(*rows), where);
  }


  void
  AlgebraicLevels::update(const RowsView &A)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory memory(where);
    if (const auto n = entries_of(A, where); n != finest_nonzeros ||
                                             A.n_rows != A.n_columns ||
                                             others.messages->n_parts() > 1)
      throw ParameterError("Levels were given new values of " +
                           std::to_string(n) + " entries, but made for " +
                           std::to_string(finest_nonzeros) +
                           " of a square matrix in one process.");
    check_entries(A, where);
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
        keep_pattern(halves[l]);
        finer = level.matrix.view();
      }
    set_up_seconds = seconds_since(start);
  }


  void
  AlgebraicLevels::update(const SparseMatrix &A)
  {
    with_view(A, where, [&](const RowsView &rows) { update(rows); });
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
