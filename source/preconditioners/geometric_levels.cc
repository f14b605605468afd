#include <tessera/assembly/form_kernels.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/preconditioners/multigrid_setup.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace tessera
{
  GeometricLevels::GeometricLevels(std::shared_ptr<const Space> finest,
                                   const Form &form, const Backend backend,
                                   const GeometricLevelsOptions &options)
    : own_space(std::move(finest)), where(backend), options(options)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory reused(backend);
    messages().collectively([&]() { check(*own_space, form); });
    n_nodes = {sum_over_parts(messages(), std::int64_t(own_space->n_owned))};
    if (!is_large())
      {
        end_of_levels = "few rows need no levels";
        return;
      }
    if (backend == Backend::cuda && options.conflict == Conflict::atomics &&
        has_coarser_cells(*own_space))
      make_on_device(form);
    else
      make_on_host(form);
    if (!of_mesh.empty())
      make_below();
    set_up_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
  }


  void
  GeometricLevels::check(const Space &finest, const Form &form)
  {
    check_coarsening(finest);
    if (form.compiled->reads_solution || !form.compiled->symmetric)
      throw ParameterError(
        "Levels of degree and refinement are for linear symmetric forms; " +
        form.compiled->name +
        (form.compiled->reads_solution ? " reads a solution."
                                       : " is not symmetric."));
  }


  std::unique_ptr<const GhostsOfPart>
  GeometricLevels::ghosts_of_last() const
  {
    if (!others().are_several())
      return nullptr;
    const Space &space = last_space();
    const SharedNodes &shared =
      of_mesh.empty() ? others().shared : of_mesh.back().shared;
    std::vector<int> numbers(space.n_owned + space.n_ghosts);
    std::iota(numbers.begin(), numbers.end(), 0);
    import_values(messages(), shared, space.n_owned, numbers.data());
    return std::make_unique<const GhostsOfPart>(
      GhostsOfPart{shared, {numbers.begin() + space.n_owned, numbers.end()}});
  }


  template <class Step>
  void
  GeometricLevels::make(const Form &form, const Step &step)
  {
    const auto add = [&](const int degree) {
      const auto ghosts = ghosts_of_last();
      const Form &above = of_mesh.empty() ? form : of_mesh.back().form;
      GeometricLevel level;
      Hindrance found = Hindrance::none;
      messages().collectively(
        [&]() { found = step(degree, ghosts.get(), above, level); });
      for (const Hindrance other : gather_values(messages(), found))
        found = std::max(found, other);
      if (ends_at(found))
        {
          met           = found;
          end_of_levels = met == Hindrance::jumps
                            ? "coefficients differ by more than 20 within a "
                              "coarser cell"
                            : "cells are stretched, or coefficients "
                              "anisotropic, by more than 20";
          return false;
        }
      level.is_isotropic = level.is_isotropic && own_space->n_components == 1;
      // Smoothers of all parts make the same products.
      for (const char other :
           gather_values(messages(), char(level.is_isotropic)))
        level.is_isotropic = level.is_isotropic && other != 0;
      const SharedNodes &shared = level.shared;
      const auto n              = sum_over_parts(
                     messages(), std::int64_t(level.space ? level.space->n_owned : 0));
      // Parts agree on what are larger cells, and on their common nodes.
      bool exists =
        n > 0 &&
        sum_over_parts(messages(), std::int64_t(shared.owned.size())) ==
          sum_over_parts(messages(), std::int64_t(shared.ghost.size()));
      for (const char other :
           gather_values(messages(), char(level.space != nullptr)))
        exists = exists && other != 0;
      if (!exists)
        {
          if (others().are_several())
            end_of_levels = "larger cells are known in one process alone";
          return false;
        }
      n_nodes.push_back(n);
      of_mesh.push_back(std::move(level));
      return true;
    };
    for (int p = own_space->degree; p > 1 && is_large(); p = (p + 1) / 2)
      if (!add((p + 1) / 2))
        return;
    while (is_large() && add(0))
      ;
    if (others().are_several() && !is_large())
      end_of_levels = "few rows are left";
  }


  void
  GeometricLevels::make_on_host(const Form &form)
  {
    make(form, [&](const int degree, const GhostsOfPart *const ghosts,
                   const Form &above, GeometricLevel &level) {
      CoarserSpace coarser = degree > 0
                               ? lower_degree(last_space(), degree, ghosts)
                               : parent_space(last_space(), ghosts);
      if (!coarser.space)
        return Hindrance::none;
      auto below =
        coarser_coefficient(above.coefficient, last_space(), coarser);
      if (ends_at(below.hindrance))
        return below.hindrance;
      auto map =
        std::make_shared<const LatticeMap>(make_lattice_map(coarser, where));
      level = {std::move(coarser.space), nullptr,
               std::move(map),           {form.compiled, std::move(below.mean)},
               !below.is_stretched,      std::move(coarser.shared)};
      return below.hindrance;
    });
  }


  void
  GeometricLevels::make_on_device(const Form &form)
  {
    std::shared_ptr<const CellData<double>> finer = options.cells;
    if (!finer)
      finer = std::make_shared<const CellData<double>>(own_space, where);
    std::shared_ptr<const Array<int>> places =
      places_of_cells(*own_space, where);
    make(form, [&](const int degree, const GhostsOfPart *const ghosts,
                   const Form &above, GeometricLevel &level) {
      CoarserCells coarser = degree > 0
                               ? lower_degree(*finer, degree, places, ghosts)
                               : parent_cells(*finer, places, ghosts);
      if (!coarser.cells)
        return Hindrance::none;
      auto below =
        coarser_coefficient(above.coefficient, *finer, places, coarser);
      if (ends_at(below.hindrance))
        return below.hindrance;
      finer  = coarser.cells;
      places = std::move(coarser.places);
      level  = {std::shared_ptr<const Space>(finer, &finer->space()),
                finer,
                std::make_shared<const LatticeMap>(std::move(coarser.map)),
                {form.compiled, std::move(below.mean)},
                !below.is_stretched,
                std::move(coarser.shared)};
      return below.hindrance;
    });
  }


  /// The matrix of the last space, or aggregates of its nodes.
  void
  GeometricLevels::make_below()
  {
    const GeometricLevel &coarsest = of_mesh.back();
    const Space &space             = *coarsest.space;
    std::unique_ptr<Operator<double>> A;
    messages().collectively([&]() {
      A = make_operator<double>(
        "csr",
        coarsest.cells
          ? coarsest.cells
          : std::make_shared<const CellData<double>>(coarsest.space, where),
        coarsest.form);
    });
    const auto &rows = A->as_rows()->matrix();
    const int n      = space.n_stored() * space.n_components;
    if (others().are_several())
      {
        OtherParts of_coarsest = others();
        of_coarsest.shared     = coarsest.shared;
        SparseMatrix of_cells;
        messages().collectively([&]() { of_cells = collect_rows(rows, n); });
        aggregates = std::make_unique<const AlgebraicLevels>(
          make_divided_levels(std::move(of_cells), space, of_coarsest, where,
                              Coarsening::aggregation, options.below));
        return;
      }
    const SparseRows matrix = copy_rows(rows, n);
    if (n <= options.max_coarsest)
      last = to_host(matrix);
    else
      aggregates =
        std::make_unique<const AlgebraicLevels>(make_algebraic_levels(
          matrix.view(), space, where, Coarsening::aggregation, options.below));
  }


  int
  GeometricLevels::n_refinements() const
  {
    int n = 0;
    for (const GeometricLevel &level : of_mesh)
      n += level.space->n_cells() < own_space->n_cells() ? 1 : 0;
    return n;
  }


  double
  GeometricLevels::grid_complexity() const
  {
    return std::accumulate(n_nodes.begin(), n_nodes.end(), 0.) /
           n_nodes.front();
  }
} // namespace tessera
