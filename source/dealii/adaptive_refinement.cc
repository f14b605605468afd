#include <tessera/base/error.h>
#include <tessera/dealii/adaptive_refinement.h>

#include <deal.II/grid/grid_refinement.h>

#include <deal.II/numerics/error_estimator.h>

namespace tessera
{
  void
  AdaptiveRefinement::declare(Parameters &parameters)
  {
    namespace Patterns = dealii::Patterns;
    parameters.declare("Mesh/Refinement", "uniform",
                       Patterns::Selection("uniform|adaptive"),
                       "how cells are divided from cycle to cycle; uniform: "
                       "all of them; adaptive: those with the largest jumps of "
                       "the gradient across their faces (Kelly's estimator), "
                       "for quadrilaterals and hexahedra");
    parameters.declare("Mesh/Refine fraction", "0.3", Patterns::Double(0., 1.),
                       "of all cells, how many are divided from cycle to cycle "
                       "if the refinement is adaptive");
    parameters.declare("Mesh/Coarsen fraction", "0.03",
                       Patterns::Double(0., 1.),
                       "of all cells, how many are joined with their "
                       "neighbours where that is possible");
  }


  AdaptiveRefinement::AdaptiveRefinement(const Parameters &parameters)
    : wanted(parameters.get("Mesh/Refinement") == "adaptive"),
      refine(parameters.get_double("Mesh/Refine fraction")),
      coarsen(parameters.get_double("Mesh/Coarsen fraction"))
  {
    if (refine + coarsen > 1)
      throw ParameterError(
        "'Mesh/Refine fraction' = " + parameters.get("Mesh/Refine fraction") +
        " and 'Mesh/Coarsen fraction' = " +
        parameters.get("Mesh/Coarsen fraction") +
        " are more than all cells; legal are fractions whose sum is at most "
        "1.");
  }


  template <int dim>
  void
  AdaptiveRefinement::adapt(Discretization<dim> &d,
                            const dealii::Vector<double> &u) const
  {
    auto &triangulation = d.mesh.triangulation;
    if (is_simplex(d.mesh.cell_type()))
      throw ParameterError(
        "'Mesh/Refinement' = adaptive is for quadrilaterals "
        "and hexahedra, and the mesh has cells of type " +
        to_string(d.mesh.cell_type()) + '.');
    dealii::Vector<float> indicators(triangulation.n_active_cells());
    dealii::KellyErrorEstimator<dim>::estimate(
      *d.mapping, d.dof_handler,
      dealii::QGauss<dim - 1>(d.entry.problem.degree + 1), {}, u, indicators);
    d.dof_handler.clear();
    if (d.forest)
      return d.forest->adapt(d.mesh, indicators, refine, coarsen);
    dealii::GridRefinement::refine_and_coarsen_fixed_number(
      triangulation, indicators, refine, coarsen);
    triangulation.execute_coarsening_and_refinement();
  }


  template void
  AdaptiveRefinement::adapt(Discretization<2> &,
                            const dealii::Vector<double> &) const;
  template void
  AdaptiveRefinement::adapt(Discretization<3> &,
                            const dealii::Vector<double> &) const;
} // namespace tessera
