#pragma once

#include <tessera/fem/driver/discretization.h>

#include <deal.II/lac/vector.h>

#include <vector>

namespace tessera
{
  /// The entries `Mesh/Refinement`, `Refine fraction` and `Coarsen fraction`:
  /// the construction of the mesh of a cycle from the previous mesh. A uniform
  /// refinement divides all cells. An adaptive one uses the estimator of
  /// KellyGagoZienkiewiczBabuska1983, for every cell K
  ///   eta_K^2 = h / 24 * integral over the faces of K of [kappa du/dn]^2,
  /// where h is the diameter of K and [.] the jump from cell to cell, summed
  /// over the components of u; kappa is `Discretization::make_conductivity`.
  /// The cells with the largest eta_K, a fraction of all, are divided; the
  /// cells with the smallest eta_K are joined if deal.II can. Vertices then
  /// hang, at most one on an edge, and their values are interpolated from their
  /// edge.
  ///
  /// If an application has steps in time, the mesh adapts to these, and each
  /// cycle begins with a uniform mesh.
  struct AdaptiveRefinement
  {
    /// Declares the entries. For an application that does not solve on meshes
    /// with hanging nodes, only uniform refinement is legal, and there are no
    /// fractions.
    static void
    declare(Parameters &parameters, bool adapts);

    /// Throws ParameterError if the fractions exceed one together, or if they
    /// are set and the refinement is uniform.
    explicit AdaptiveRefinement(const Parameters &parameters);

    /// Throws ParameterError for triangles and tetrahedra if the refinement is
    /// adaptive.
    void
    check(CellType type) const;

    /// Returns the number of uniform refinements that make about as many cells
    /// as the refinements up to the last of `n_cycles` cycles.
    double
    n_uniform(int n_cycles, int dim) const;

    /// Fields of a case by deal.II's index, [n_dofs].
    using Fields = std::vector<dealii::Vector<double>>;

    /// Divides and joins cells of the mesh of d by the first field, a solution
    /// of the case, which loses its degrees of freedom. Fibres follow their
    /// cells. The fields are interpolated: they have the indices of a
    /// DoFHandler with the same element on the new mesh; values at hanging
    /// nodes may not fit their edges. If `largest` is given, the largest
    /// indicator of earlier meshes, indicators below a thousandth of it divide
    /// no cells, so that cells are large where nothing happens; it is brought
    /// up to date.
    template <int dim>
    void
    adapt(Discretization<dim> &d, Fields &fields, const MeshLevels &levels = {},
          double *largest = nullptr) const;

    /// Divides all cells of the mesh of d, in a case that has no solution.
    template <int dim>
    void
    divide_all(Discretization<dim> &d) const;

    /// Returns true if the mesh of a cycle is the mesh of the cycle before,
    /// adapted to its solution.
    bool
    from_cycle_to_cycle() const
    {
      return wanted && !in_time;
    }

    bool wanted;  ///< false for uniform refinement
    bool in_time; ///< true if there are steps in time
    double refine = 1, coarsen = 0;
  };
} // namespace tessera
