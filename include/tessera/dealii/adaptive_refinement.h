#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/discretization.h>

#include <deal.II/lac/vector.h>

namespace tessera
{
  /// The entries `Mesh/Refinement`, `Refine fraction` and `Coarsen fraction`:
  /// how the mesh of a cycle follows from that of the cycle before. A uniform
  /// refinement divides all cells. An adaptive one goes by the estimator of
  /// KellyGagoZienkiewiczBabuska1983, for every cell K
  ///   eta_K^2 = h / 24 * integral over the faces of K of [du/dn]^2,
  /// where h is the diameter of K and [.] the jump from cell to cell, summed
  /// over the components of u: the cells with the largest eta_K, a fraction of
  /// all, are divided, and those with the smallest ones are joined where
  /// deal.II can. Vertices then hang, at most one on an edge, and their values
  /// follow from those of their edge.
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

    /// Returns how many uniform refinements make about as many cells as the
    /// refinements up to the last of so many cycles.
    double
    n_uniform(int n_cycles, int dim) const;

    /// Divides and joins cells of `d.mesh` by a solution u of the case, which
    /// loses its degrees of freedom. Fibres follow their cells.
    template <int dim>
    void
    adapt(Discretization<dim> &d, const dealii::Vector<double> &u) const;

    /// Divides all cells of `d.mesh`, of a case that has no solution.
    template <int dim>
    void
    divide_all(Discretization<dim> &d) const;

    bool wanted; ///< false for uniform refinement
    double refine = 1, coarsen = 0;
  };
} // namespace tessera
