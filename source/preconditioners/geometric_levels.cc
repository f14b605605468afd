#include <tessera/assembly/form_kernels.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/preconditioners/multigrid_setup.h>

#include <chrono>

namespace tessera
{
  GeometricLevels::GeometricLevels(std::shared_ptr<const Space> finest,
                                   const Form &form, const Backend backend,
                                   const GeometricLevelsOptions &options)
    : own_space(std::move(finest)), where(backend), options(options)
  {
    const auto start = std::chrono::steady_clock::now();
    const ReusedDeviceMemory reused(backend);
    check_coarsening(*own_space);
    if (form.compiled->reads_solution || !form.compiled->symmetric)
      throw ParameterError(
        "Levels of degree and refinement are for linear symmetric forms; " +
        form.compiled->name +
        (form.compiled->reads_solution ? " reads a solution."
                                       : " is not symmetric."));
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
    if (of_mesh.empty())
      return;

    const GeometricLevel &coarsest = of_mesh.back();
    const auto &space              = coarsest.space;
    const auto A                   = make_operator<double>(
      "csr",
      coarsest.cells ? coarsest.cells
                                       : std::make_shared<const CellData<double>>(space, backend),
      coarsest.form);
    const auto &rows = dynamic_cast<const RowOperator<double> &>(*A).matrix();
    const SparseRows matrix =
      copy_rows(rows, space->n_owned * space->n_components);
    if (matrix.n_rows <= options.max_coarsest)
      last = to_host(matrix);
    else
      aggregates =
        std::make_unique<const AlgebraicLevels>(make_algebraic_levels(
          matrix.view(), *space, backend, Coarsening::aggregation));
    set_up_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
  }


  bool
  GeometricLevels::is_hindered(const Hindrance hindrance)
  {
    if (!options.ends_at_hindrances || hindrance == Hindrance::none)
      return false;
    met = hindrance;
    end_of_levels =
      hindrance == Hindrance::jumps
        ? "coefficients differ by more than 20 within a coarser cell"
        : "cells are stretched, or coefficients anisotropic, by more than 20";
    return true;
  }


  void
  GeometricLevels::make_on_host(const Form &form)
  {
    const auto add = [&](CoarserSpace coarser) {
      if (!coarser.space)
        return false;
      const Form &above = of_mesh.empty() ? form : of_mesh.back().form;
      auto below =
        coarser_coefficient(above.coefficient, last_space(), coarser);
      if (is_hindered(below.hindrance))
        return false;
      auto map =
        std::make_shared<const LatticeMap>(make_lattice_map(coarser, where));
      of_mesh.push_back({std::move(coarser.space),
                         nullptr,
                         std::move(map),
                         {form.compiled, std::move(below.mean)},
                         !below.has_long_cells});
      return true;
    };
    for (int p = own_space->degree; p > 1 && is_large(); p = (p + 1) / 2)
      if (!add(lower_degree(last_space(), (p + 1) / 2)))
        return;
    while (is_large() && add(parent_space(last_space())))
      ;
  }


  void
  GeometricLevels::make_on_device(const Form &form)
  {
    std::shared_ptr<const CellData<double>> finer = options.cells;
    if (!finer)
      finer = std::make_shared<const CellData<double>>(own_space, where);
    auto places    = places_of_cells(*own_space, where);
    const auto add = [&](CoarserCells coarser) {
      if (!coarser.cells)
        return false;
      const Form &above = of_mesh.empty() ? form : of_mesh.back().form;
      auto below =
        coarser_coefficient(above.coefficient, *finer, places, coarser);
      if (is_hindered(below.hindrance))
        return false;
      finer  = coarser.cells;
      places = std::move(coarser.places);
      of_mesh.push_back(
        {std::shared_ptr<const Space>(finer, &finer->space()),
         finer,
         std::make_shared<const LatticeMap>(std::move(coarser.map)),
         {form.compiled, std::move(below.mean)},
         !below.has_long_cells});
      return true;
    };
    for (int p = own_space->degree; p > 1 && is_large(); p = (p + 1) / 2)
      if (!add(lower_degree(*finer, (p + 1) / 2, places)))
        return;
    while (is_large() && add(parent_cells(*finer, places)))
      ;
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
    double sum = 1;
    for (const GeometricLevel &level : of_mesh)
      sum += double(level.space->n_owned) / own_space->n_owned;
    return sum;
  }
} // namespace tessera
