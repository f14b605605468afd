#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/vector_operations.h>

#include <algorithm>
#include <chrono>

#include "dense_inverse.h"
#include "levels_of_mesh.h"
#include "multigrid.cuh"
#include "multigrid_checks.h"

namespace tessera
{
  namespace
  {
    std::vector<std::string>
    cycle_names()
    {
      return {"V", "W"};
    }
  } // namespace


  std::string
  to_string(const MultigridCycle cycle)
  {
    return cycle_names()[static_cast<int>(cycle)];
  }


  MultigridCycle
  multigrid_cycle_from_string(const std::string &name)
  {
    return static_cast<MultigridCycle>(
      index_of_name(name, cycle_names(), "multigrid cycle"));
  }


  double
  MultigridLevels::operator_complexity() const
  {
    double nonzeros = static_cast<double>(finest_nonzeros);
    for (const SparseMatrix &A : matrices)
      nonzeros += static_cast<double>(A.n_nonzeros());
    return finest_nonzeros == 0
             ? 0.
             : nonzeros / static_cast<double>(finest_nonzeros);
  }


  /// A level and the way to the next coarser one. The finest level has no
  /// matrix, x and b of its own, the coarsest one nothing but x and b.
  template <class Number>
  struct Multigrid<Number>::Level
  {
    int n = 0;
    LevelOperator<Number> own;
    const Operator<Number> *A = nullptr;
    PolynomialOptions smoothing;
    std::unique_ptr<const Polynomial<Number>> smoother;
    Transfer<Number> transfer;
    std::shared_ptr<const Tail<Number>> ghosts; ///< null if there are none
    bool is_summed = false;                     ///< b is a sum over all parts
    mutable Vector<Number> x, b, r;
    mutable Array<double> in_double; ///< b, for a sum of float
  };


  template <class Number>
  Multigrid<Number>::Multigrid(const Operator<Number> &A,
                               const MultigridLevels &given,
                               const MultigridOptions &options,
                               const Stream stream)
    : options(options), made_by(given.made_by),
      complexity(given.operator_complexity()), hierarchy_seconds(given.seconds)
  {
    multigrid_checks::check_sizes(given, A.n_owned());
    std::vector<AlgebraicLevel> on_backend(given.matrices.size());
    for (std::size_t l = 0; l < on_backend.size(); ++l)
      {
        AlgebraicLevel &level = on_backend[l];
        level.prolongation    = SparseRows(given.prolongations[l], A.backend());
        level.restriction     = transpose(level.prolongation);
        level.matrix          = SparseRows(given.matrices[l], A.backend());
      }
    make_levels(A, {nullptr, LevelsOfBackend<Number>(on_backend)}, stream);
  }


  template <class Number>
  Multigrid<Number>::Multigrid(const Operator<Number> &A,
                               const AlgebraicLevels &given,
                               const MultigridOptions &options,
                               const Stream stream)
    : options(options), made_by("mis2"),
      complexity(given.operator_complexity()),
      hierarchy_seconds(given.seconds()), n_divided(given.n_divided()),
      sums(given.transport())
  {
    const SparseRows &first = given.levels().front().prolongation;
    multigrid_checks::check_fit(first.n_rows * first.row_block, given.backend(),
                                A);
    make_levels(A, {nullptr, LevelsOfBackend<Number>(given)}, stream);
  }


  template <class Number>
  Multigrid<Number>::Multigrid(const Operator<Number> &A,
                               const GeometricLevels &given,
                               const MultigridOptions &options,
                               const Stream stream)
    : options(options), made_by("mesh"), complexity(given.grid_complexity()),
      hierarchy_seconds(given.seconds())
  {
    const Space &space = *given.finest();
    if (given.levels().empty())
      throw ParameterError("Multigrid was given no coarser space.");
    multigrid_checks::check_fit(space.n_owned * space.n_components,
                                given.backend(), A);
    static const std::vector<AlgebraicLevel> none;
    const LevelsOfBackend<Number> below =
      given.below() == nullptr ? LevelsOfBackend<Number>(none)
                               : LevelsOfBackend<Number>(*given.below());
    if (given.below() != nullptr)
      sums = given.below()->transport();
    const LevelsOfMesh<Number> source(&given, below);
    n_divided = source.n_divided();
    make_levels(A, source, stream);
  }


  template <class Number>
  void
  Multigrid<Number>::make_levels(const Operator<Number> &A,
                                 const LevelsOfMesh<Number> &given,
                                 const Stream stream)
  {
    const auto start = std::chrono::steady_clock::now();
    multigrid_checks::check_options(options);
    const Backend backend  = A.backend();
    std::string &stored_by = options.level_operator;
    const int n_coarser    = given.n_coarser();
    if (stored_by.empty())
      stored_by = backend == Backend::cuda ? "sell" : "csr";
    if (given.n_rows(n_coarser - 1) > max_coarsest)
      throw MatrixError(
        "The coarsest level of multigrid has " +
        counted(given.n_rows(n_coarser - 1), "unknown") +
        ", of which at most " + std::to_string(max_coarsest) +
        " are legal, because its inverse is stored; the matrix could not be "
        "coarsened further.");

    auto entries = DenseInverse<Number>::begin(given.coarsest(), backend);
    for (int l = 0; l <= n_coarser; ++l)
      {
        auto level          = std::make_unique<Level>();
        const bool coarsest = l == n_coarser;
        if (l > 0)
          {
            level->n           = given.n_rows(l - 1);
            const int n_ghosts = given.n_ghosts(l - 1);
            level->ghosts      = given.ghosts(l - 1);
            level->is_summed   = sums != nullptr && l - 1 == given.n_divided();
            if (!coarsest)
              level->own = given.make_operator(l - 1, stored_by);
            // Padding of a transfer reads its argument at the row that it pads.
            Level &finer = *levels.back();
            const int n_tail =
              coarsest ? given.n_tail_of_last() : level->own->n_tail();
            level->x =
              Vector<Number>(backend, level->n,
                             std::max({finer.n - level->n, n_ghosts, n_tail}));
            level->b = Vector<Number>(backend, level->n, n_ghosts);
            finer.r  = Vector<Number>(
              backend, finer.n,
              std::max(finer.A->n_tail(), level->b.size() - finer.n));
            if (level->is_summed && std::is_same_v<Number, float>)
              level->in_double = Array<double>(backend, level->n);
          }
        else
          level->n = A.n_owned();
        if (!coarsest)
          {
            level->A        = l == 0 ? &A : level->own.get();
            level->transfer = given.transfer(l, stored_by);
            const bool even = given.is_isotropic(l) &&
                              !options.smoother_degree && !options.full &&
                              options.cycle == MultigridCycle::V;
            PolynomialOptions &smoother = level->smoothing;
            smoother.kind               = PolynomialKind::chebyshev;
            smoother.lanczos_steps      = options.lanczos_steps;
            smoother.degree = even ? 1 : options.smoother_degree.value_or(2);
            smoother.smoothing_range = even ? 4 : options.smoothing_range;
            level->smoother = std::make_unique<const Polynomial<Number>>(
              *level->A, smoother, stream);
            bounds_seconds += level->smoother->bounds().seconds;
          }
        levels.push_back(std::move(level));
      }
    inverse = std::make_unique<DenseInverse<Number>>(entries.get(), backend);
    upload_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
  }


  template <class Number>
  Multigrid<Number>::~Multigrid() = default;


  template <class Number>
  void
  Multigrid<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                           const Stream stream) const
  {
    cycle(0, z, r, true, stream);
  }


  template <class Number>
  void
  Multigrid<Number>::restrict_to(const Level &coarse, const Level &fine,
                                 const Stream stream) const
  {
    fine.transfer->restrict_to(coarse.b, fine.r, stream);
    if (coarse.ghosts)
      coarse.ghosts->export_add(coarse.b, stream);
    if (!coarse.is_summed)
      return;
    if constexpr (std::is_same_v<Number, double>)
      sums->sum(coarse.b.data(), coarse.n, stream);
    else
      {
        double *const b = coarse.in_double.data();
        for_each(coarse.b.backend(), coarse.n,
                 Conversion<double, float>{b, coarse.b.data(), 1.}, stream);
        sums->sum(b, coarse.n, stream);
        for_each(coarse.b.backend(), coarse.n,
                 Conversion<float, double>{coarse.b.data(), b, 1.}, stream);
      }
  }


  /// Improves x of a level, or overwrites it if it stands for zero.
  template <class Number>
  void
  Multigrid<Number>::cycle(const std::size_t l, Vector<Number> &x,
                           const Vector<Number> &b, const bool from_zero,
                           const Stream stream) const
  {
    const Level &level = *levels[l];
    if (l + 1 == levels.size())
      {
        inverse->apply(x, b, stream);
        return;
      }
    if (from_zero)
      level.smoother->apply(x, b, stream);
    else
      level.smoother->smooth(x, b, stream);
    level.A->vmult(level.r, x, {}, stream);
    for_each(level.r.backend(), level.n,
             MultigridResidual<Number>{level.r.data(), b.data()}, stream);
    const Level &coarse = *levels[l + 1];
    restrict_to(coarse, level, stream);
    cycle(l + 1, coarse.x, coarse.b, true, stream);
    if (options.cycle == MultigridCycle::W && l + 2 < levels.size())
      cycle(l + 1, coarse.x, coarse.b, false, stream);
    if (coarse.ghosts)
      coarse.ghosts->import(coarse.x, stream);
    level.transfer->prolongate(x, coarse.x, stream);
    level.smoother->smooth(x, b, stream);
  }


  template <class Number>
  bool
  Multigrid<Number>::set_start(Vector<Number> &x, const Vector<Number> &b,
                               const Stream stream) const
  {
    if (!options.full)
      return false;
    // A cycle overwrites b of coarser levels alone.
    for (std::size_t l = 0; l + 1 < levels.size(); ++l)
      {
        const Level &level = *levels[l];
        VectorOperations<Number>(b.backend(), level.n)
          .combine(Number(1), l == 0 ? b : level.b, Number(0), level.r, stream);
        restrict_to(*levels[l + 1], level, stream);
      }
    inverse->apply(levels.back()->x, levels.back()->b, stream);
    for (std::size_t l = levels.size() - 1; l-- > 0;)
      {
        const Level &coarse      = *levels[l + 1];
        Vector<Number> &of_level = l == 0 ? x : levels[l]->x;
        of_level.zero(stream);
        if (coarse.ghosts)
          coarse.ghosts->import(coarse.x, stream);
        levels[l]->transfer->prolongate(of_level, coarse.x, stream);
        cycle(l, of_level, l == 0 ? b : levels[l]->b, false, stream);
      }
    return true;
  }


  /// A visit of a level smooths twice, which reads and writes what two
  /// applications of the polynomial do, multiplies by A for a residual twice,
  /// and passes once between the levels. Stored is what the cycle adds to A.
  template <class Number>
  Traffic
  Multigrid<Number>::traffic() const
  {
    const Traffic last   = inverse->traffic();
    Traffic sum          = {0, last.stored};
    std::uint64_t visits = 1;
    for (std::size_t l = 0; l < levels.size(); ++l)
      {
        const Level &level = *levels[l];
        sum.stored +=
          sizeof(Number) * (level.x.size() + level.b.size() + level.r.size()) +
          sizeof(double) * level.in_double.size();
        if (level.own)
          sum.stored += level.own->traffic().stored;
        if (l + 1 == levels.size())
          sum.compulsory += visits * last.compulsory;
        else
          {
            const Traffic smoothing           = level.smoother->traffic();
            const Traffic transfer            = level.transfer->traffic();
            const std::uint64_t residual_pass = 3 * sizeof(Number) * level.n;
            sum.stored += smoothing.stored + transfer.stored;
            sum.compulsory +=
              visits * (2 * (smoothing.compulsory +
                             level.A->traffic().compulsory + residual_pass) +
                        transfer.compulsory);
            if (options.cycle == MultigridCycle::W && l + 2 < levels.size())
              visits *= 2;
          }
      }
    return sum;
  }


  template <class Number>
  RecordValues
  Multigrid<Number>::parameters() const
  {
    RecordValues result = {
      {"multigrid_levels", static_cast<std::int64_t>(levels.size())},
      {"multigrid_coarsest", static_cast<std::int64_t>(levels.back()->n)},
      {"multigrid_operator_complexity", complexity},
      {"multigrid_levels_by", made_by},
      {"multigrid_cycle", to_string(options.cycle)},
      {"multigrid_start", options.full ? "full_multigrid" : "zero"},
      {"multigrid_level_operator", options.level_operator},
      {"multigrid_smoother_degree",
       static_cast<std::int64_t>(levels.front()->smoothing.degree)},
      {"multigrid_smoothing_range", levels.front()->smoothing.smoothing_range},
      {"multigrid_bytes", static_cast<std::int64_t>(traffic().stored)},
      {"multigrid_hierarchy_seconds", hierarchy_seconds},
      {"multigrid_bounds_seconds", bounds_seconds},
      {"multigrid_upload_seconds", upload_seconds}};
    if (!options.reason.empty())
      result["preconditioner_levels"] = options.reason;
    if (sums != nullptr)
      result["multigrid_divided_levels"] =
        static_cast<std::int64_t>(n_divided) + 1;
    return result;
  }


  template class Multigrid<double>;
  template class Multigrid<float>;
} // namespace tessera
