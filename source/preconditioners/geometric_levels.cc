#include <tessera/assembly/form_kernels.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/preconditioners/multigrid_setup.h>

#include <chrono>

namespace tessera
{
  namespace
  {
    bool
    has_free_node(const Space &finer)
    {
      // A parent keeps the corners of its children.
      const int n = finer.vertices_per_cell();
      if (finer.n_cells() < n)
        return false;
      for (int c = 0; c < finer.n_cells(); ++c)
        {
          const int child = finer.mesh_cell[c] % n;
          if (finer.cell_dofs[std::size_t(n) * c + child] < finer.n_owned)
            return true;
        }
      return false;
    }
  } // namespace


  GeometricLevels::GeometricLevels(std::shared_ptr<const Space> finest,
                                   const Form &form, const Backend backend,
                                   const GeometricLevelsOptions &options)
    : own_space(std::move(finest)), where(backend), options(options)
  {
    const auto start = std::chrono::steady_clock::now();
    if (form.compiled->reads_solution)
      throw ParameterError(
        "Levels of degree and refinement are for linear "
        "forms; " +
        form.compiled->name + " reads a solution.");
    const auto add = [&](CoarserSpace coarser) {
      const Space &finer =
        of_mesh.empty() ? *own_space : *of_mesh.back().coarser.space;
      const Form &above = of_mesh.empty() ? form : of_mesh.back().form;
      Coefficient mean  = mean_of_children(above.coefficient, finer, coarser);
      of_mesh.push_back({std::move(coarser), {form.compiled, std::move(mean)}});
    };
    for (int p = own_space->degree; p > 1; p = (p + 1) / 2)
      add(lower_degree(of_mesh.empty() ? *own_space
                                       : *of_mesh.back().coarser.space,
                       (p + 1) / 2));
    while (true)
      {
        const Space &finer =
          of_mesh.empty() ? *own_space : *of_mesh.back().coarser.space;
        if (finer.n_owned * finer.n_components <= options.max_coarsest ||
            !has_parents(finer) || !has_free_node(finer))
          break;
        add(parent_space(finer));
      }
    if (of_mesh.empty())
      throw ParameterError(
        "There is no coarser space: levels of degree and refinement need a "
        "degree of at least 2, or cells that were divided.");

    const GeometricLevel &coarsest = of_mesh.back();
    const auto &space              = coarsest.coarser.space;
    const auto cells = std::make_shared<const CellData<double>>(space, backend);
    const auto A     = make_operator<double>("csr", cells, coarsest.form);
    const auto &rows = dynamic_cast<const RowOperator<double> &>(*A).matrix();
    const SparseRows matrix =
      copy_rows(rows, space->n_owned * space->n_components);
    if (matrix.n_rows <= options.max_coarsest)
      last = to_host(matrix);
    else
      aggregates = std::make_unique<const AlgebraicLevels>(
        make_algebraic_levels(matrix.view(), *space, backend));
    set_up_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
        .count();
  }


  double
  GeometricLevels::grid_complexity() const
  {
    double sum = 1;
    for (const GeometricLevel &level : of_mesh)
      sum += double(level.coarser.space->n_owned) / own_space->n_owned;
    return sum;
  }
} // namespace tessera
