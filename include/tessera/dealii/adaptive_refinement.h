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
  /// where h is the diameter of K and [.] the jump from cell to cell: the cells
  /// with the largest eta_K, a fraction of all, are divided, and those with the
  /// smallest ones are joined where deal.II can. Vertices then hang, at most
  /// one on an edge, and their values follow from those of their edge.
  struct AdaptiveRefinement
  {
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError if the fractions exceed one together.
    explicit AdaptiveRefinement(const Parameters &parameters);

    /// Divides and joins cells of `d.mesh` by a solution u of the case, which
    /// loses its degrees of freedom. Throws ParameterError for triangles and
    /// tetrahedra.
    template <int dim>
    void
    adapt(Discretization<dim> &d, const dealii::Vector<double> &u) const;

    bool wanted; ///< false for uniform refinement
    double refine, coarsen;
  };
} // namespace tessera
