#include <tessera/dealii/choices.h>
#include <tessera/dealii/discretization.h>

#include <deal.II/fe/fe_system.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace tessera
{
  namespace
  {
    /// The space in which constrained degrees of freedom are known from the
    /// start, or free until they are eliminated.
    Space
    make_space(const Connectivity &mesh, const bool all_free,
               const Parameters &parameters)
    {
      const std::string section = "Finite element/";
      const auto build          = [&](const Connectivity &connectivity) {
        return build_space(
                   connectivity,
                   numbering_from_string(parameters.get(section + "Numbering")),
                   cell_order_from_string(parameters.get(section + "Cell order")),
                   parameters.get_integer(section + "Block side"));
      };
      if (!all_free ||
          std::count(mesh.constrained.begin(), mesh.constrained.end(), 0) == 0)
        return build(mesh);
      Connectivity free = mesh;
      std::fill(free.constrained.begin(), free.constrained.end(), 0);
      return build(free);
    }


    /// Says once that a geometry does not curve the cells.
    void
    note_straight_cells(const CellType type)
    {
      static bool said = false; // every degree and cycle comes here
      if (!std::exchange(said, true))
        std::cerr
          << "note: 'Mesh/Geometry' = quadrature does not curve cells of "
             "type "
          << to_string(type) << ": their edges are straight." << std::endl;
    }
  } // namespace


  void
  declare_discretization(Parameters &parameters)
  {
    namespace Patterns   = dealii::Patterns;
    const auto selection = [](const std::string &kind) {
      return Patterns::Selection(choices(kind).selection());
    };
    declare_mesh(parameters);
    parameters.declare("Mesh/Cycles", "1", Patterns::Integer(1, 15),
                       "meshes to solve on, each refined once more");
    parameters.declare(
      "Mesh/Geometry", "auto",
      Patterns::Selection("auto|" + choices("geometry").selection()),
      "how cells are mapped, see --list; auto: quadrature on "
      "curved meshes, else vertices");
    parameters.declare(
      "Finite element/Degrees", "1, 2, 3, 4",
      Patterns::List(Patterns::Integer(1, 4), 1, 4),
      "polynomial degrees, on triangles and tetrahedra up to 2");
    parameters.declare("Finite element/Numbering", "batch_interleaved",
                       selection("numbering"),
                       "order of the degrees of freedom; see --list");
    parameters.declare("Finite element/Cell order", "hilbert",
                       selection("cell order"),
                       "order of the cells; see --list; the numberings blocked "
                       "and blocked_aligned go by the order blocked");
    parameters.declare("Finite element/Block side",
                       std::to_string(default_block_side),
                       Patterns::Integer(1, max_block_side),
                       "cells a direction in a block of the order blocked");
  }


  template <int dim>
  void
  Discretization<dim>::build(const std::function<Constraints()> &constraints,
                             const bool all_free, const int n_components)
  {
    const int degree         = entry.problem.degree;
    const CellType cell_type = mesh.cell_type();
    entry.phases.mesh        = timer.lap();

    const std::string wanted = parameters.get("Mesh/Geometry");
    geometry                 = wanted != "auto" ? geometry_from_string(wanted)
                               : mesh.curved && !is_simplex(cell_type) ? Geometry::quadrature
                                                                       : Geometry::vertices;
    if (wanted == "quadrature" && is_simplex(cell_type))
      note_straight_cells(cell_type);
    mapping = mesh.make_mapping(geometry == Geometry::quadrature ? degree : 1);
    fe      = make_element<dim>(cell_type, degree);
    if (n_components > 1)
      fe = std::make_unique<dealii::FESystem<dim>>(*fe, n_components);
    dof_handler.reinit(mesh.triangulation);
    dof_handler.distribute_dofs(*fe);
    entry.phases.dofs = timer.lap();

    flat              = flatten(*mapping, dof_handler, constraints(), geometry);
    entry.problem.dim = dim;
    entry.problem.cell_type = to_string(cell_type);
    entry.problem.numbering = parameters.get("Finite element/Numbering");
    entry.problem.cells     = mesh.triangulation.n_active_cells();
    entry.problem.dofs      = std::count(flat.connectivity.constrained.begin(),
                                         flat.connectivity.constrained.end(), 0);
    if (entry.problem.dofs == 0)
      throw NothingToSolve(
        "All " + std::to_string(flat.connectivity.constrained.size()) +
        " degrees of freedom of the mesh are constrained, but at least one "
        "must be free.");

    space = std::make_shared<const Space>(
      make_space(flat.connectivity, all_free, parameters));
    eliminates           = all_free;
    entry.phases.flatten = timer.lap();
  }


  template struct Discretization<2>;
  template struct Discretization<3>;
} // namespace tessera
