#include <tessera/base/error.h>
#include <tessera/fem/driver/adaptive_refinement.h>
#include <tessera/fem/mesh/quadratic_cells.h>

#include <deal.II/grid/grid_refinement.h>

#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/solution_transfer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  namespace
  {
    constexpr const char *refine_entry   = "Mesh/Refine fraction",
                         *coarsen_entry  = "Mesh/Coarsen fraction";
    constexpr const char *default_refine = "0.3", *default_coarsen = "0.03";

    /// Returns the number of the coarsest cell that a cell is a part of.
    template <class Cell>
    unsigned int
    whole(Cell cell)
    {
      while (cell->level() > 0)
        cell = cell->parent();
      return cell->index();
    }

    /// Calls `change`, which divides and joins cells of a mesh, and lets fibres
    /// follow their cells: all parts of a coarsest cell have the same.
    template <int dim, class F>
    void
    with_fibres(Mesh<dim> &mesh, const F &change)
    {
      using Cell = typename dealii::Triangulation<dim>::cell_iterator;
      if (mesh.fibres.empty())
        return change();
      std::vector<std::array<double, 6>> of_whole(
        mesh.triangulation().n_cells(0));
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        of_whole[whole(Cell(cell))] = mesh.fibres[cell->active_cell_index()];
      change();
      mesh.fibres.resize(mesh.triangulation().n_active_cells());
      for (const auto &cell : mesh.triangulation().active_cell_iterators())
        mesh.fibres[cell->active_cell_index()] = of_whole[whole(Cell(cell))];
    }

    /// Puts the vertices of new cells where quadratic cells have them.
    template <int dim>
    void
    place_vertices(Mesh<dim> &mesh)
    {
      if (mesh.quadratic)
        mesh.quadratic->place_vertices(mesh.triangulation());
    }

    /// Returns the indicators of the estimator, [n_active_cells].
    template <int dim>
    dealii::Vector<float>
    errors_of(const Discretization<dim> &d, const dealii::Vector<double> &u)
    {
      dealii::Vector<float> indicators(
        d.mesh().triangulation().n_active_cells());
      d.collectively([&]() {
        if (d.make_conductivity)
          indicators = flux_jumps(*d.mapping, d.dof_handler(), u,
                                  d.make_conductivity, d.mesh_division());
        else
          dealii::KellyErrorEstimator<dim>::estimate(
            *d.mapping, d.dof_handler(),
            dealii::QGauss<dim - 1>(d.entry.problem.degree + 1), {}, u,
            indicators);
      });
      return indicators;
    }

    /// Returns the share of cells whose indicators are a thousandth of the
    /// largest one and more, which is brought up to date.
    template <int dim>
    double
    share_of_large(const Discretization<dim> &d,
                   const dealii::Vector<float> &indicators, double &largest)
    {
      const Division division = d.mesh_division();
      largest                 = std::max(
                        largest, division.processes().largest(indicators.linfty_norm()));
      std::vector<double> counts(2, 0.);
      for (const auto &cell : d.mesh().triangulation().active_cell_iterators())
        if (is_own(division, cell))
          {
            counts[0] += 1;
            counts[1] +=
              indicators[cell->active_cell_index()] >= 1e-3 * largest;
          }
      sum_up(division, counts);
      return counts[1] / counts[0];
    }
  } // namespace


  void
  AdaptiveRefinement::declare(Parameters &parameters, const bool adapts)
  {
    parameters.declare(
      "Mesh/Refinement", "uniform",
      Patterns::Selection(adapts ? "uniform|adaptive" : "uniform"),
      std::string("how cells are divided from cycle to cycle; uniform: all of "
                  "them") +
        (adapts ? "; adaptive: those with the largest jumps of the gradient "
                  "across their faces (Kelly's estimator), for quadrilaterals "
                  "and hexahedra"
                : ""));
    if (!adapts)
      return;
    parameters.declare(refine_entry, default_refine, Patterns::Double(0., 1.),
                       "the part of all cells that is divided from cycle to "
                       "cycle if the refinement is adaptive");
    parameters.declare(coarsen_entry, default_coarsen, Patterns::Double(0., 1.),
                       "the part of all cells that is joined with neighbours "
                       "where that is possible, if the refinement is adaptive");
  }


  AdaptiveRefinement::AdaptiveRefinement(const Parameters &parameters)
    : wanted(mesh_adapts(parameters)), in_time(parameters.have_time())
  {
    for (const auto &[entry, value] :
         {std::pair(refine_entry, default_refine),
          std::pair(coarsen_entry, default_coarsen)})
      if (!wanted && parameters.is_given(entry) &&
          parameters.get(entry) != value)
        throw ParameterError("'" + std::string(entry) +
                             "' = " + parameters.get(entry) +
                             " is for 'Mesh/Refinement' = adaptive, but that "
                             "is uniform.");
    if (!wanted)
      return;
    refine  = parameters.get_double(refine_entry);
    coarsen = parameters.get_double(coarsen_entry);
    if (refine + coarsen > 1)
      throw ParameterError(
        "'" + std::string(refine_entry) +
        "' = " + parameters.get(refine_entry) + " and '" + coarsen_entry +
        "' = " + parameters.get(coarsen_entry) +
        " are more than all cells; legal are fractions whose sum is at most "
        "1.");
  }


  void
  AdaptiveRefinement::check(const CellType type) const
  {
    if (wanted && is_simplex(type))
      throw ParameterError(
        "'Mesh/Refinement' = adaptive is for quadrilaterals "
        "and hexahedra, and the mesh has cells of type " +
        to_string(type) + '.');
  }


  double
  AdaptiveRefinement::n_uniform(const int n_cycles, const int dim) const
  {
    if (in_time)
      return n_cycles - 1;
    const double of_each = std::log2(1 + refine * ((1 << dim) - 1)) / dim;
    return (n_cycles - 1) * of_each;
  }


  template <int dim>
  void
  AdaptiveRefinement::adapt(Discretization<dim> &d, Fields &fields,
                            const MeshLevels &levels,
                            double *const largest) const
  {
    auto &triangulation              = d.mesh().triangulation();
    dealii::Vector<float> indicators = errors_of(d, fields.front());
    if (d.entry.problem.cells == 1) // without a face to a neighbour
      indicators = 1;
    // One cell at least is divided of a mesh with few cells.
    const double one =
      std::min(1., (1 + 1e-9) / static_cast<double>(d.entry.problem.cells));
    const double refine =
      largest != nullptr
        ? std::min(this->refine, share_of_large(d, indicators, *largest))
      : this->refine > 0 ? std::max(this->refine, one)
                         : 0.;
    const double coarsen = std::min(this->coarsen, 1 - refine);
    if (d.distributed())
      return d.distributed()->adapt(d.mesh(), d.dof_handler(), indicators,
                                    refine, coarsen, levels, fields);
    dealii::GridRefinement::refine_and_coarsen_fixed_number(
      triangulation, indicators, refine, coarsen);
    levels.limit(triangulation);
    triangulation.prepare_coarsening_and_refinement();
    dealii::SolutionTransfer<dim> transfer(d.dof_handler());
    transfer.prepare_for_coarsening_and_refinement(fields);
    with_fibres(d.mesh(),
                [&]() { triangulation.execute_coarsening_and_refinement(); });
    place_vertices(d.mesh());
    divide_boundaries(d.mesh(), d.parameters);
    d.mesh().settle();
    d.dof_handler().distribute_dofs(*d.fe);
    Fields interpolated(fields.size(),
                        dealii::Vector<double>(d.dof_handler().n_dofs()));
    transfer.interpolate(fields, interpolated);
    fields = std::move(interpolated);
    transfer.clear();
    d.forget_dofs();
  }


  template <int dim>
  void
  AdaptiveRefinement::divide_all(Discretization<dim> &d) const
  {
    if (d.distributed())
      {
        dealii::Vector<float> alike(d.mesh().triangulation().n_active_cells());
        alike = 1;
        Fields none;
        return d.distributed()->adapt(d.mesh(), d.dof_handler(), alike, 1, 0,
                                      {}, none);
      }
    d.forget_dofs();
    with_fibres(d.mesh(), [&]() { d.mesh().triangulation().refine_global(); });
    place_vertices(d.mesh());
    divide_boundaries(d.mesh(), d.parameters);
    d.mesh().settle();
  }


#define INSTANTIATE(dim)                                                       \
  template void AdaptiveRefinement::adapt(Discretization<dim> &, Fields &,     \
                                          const MeshLevels &, double *) const; \
  template void AdaptiveRefinement::divide_all(Discretization<dim> &) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
